//! Calls of the functions of the language.

use pcl::document::{Call, Constant, Document, ExpressionIndex, ExpressionKind, Type, TypeIndex};
use pcl::language::Function;
use rustc_hash::FxHashSet;

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::{Entry, Id, Node};
use crate::types::{self, Eventual, eventual};
use pcl_codegen::Limit;

/// The form of a function in TypeScript.
enum Form {
    /// A class, which takes its one argument.
    New(&'static str),
    /// A function without arguments.
    Fact(&'static str),
    /// A function of one argument.
    One(&'static str),
    /// A function of any number of arguments.
    Any(&'static str),
    /// A function of one argument that the module contains.
    Helper(Helper),
    /// It has a rule of its own.
    Own,
}

const fn form(function: Function) -> Form {
    use Function as F;
    match function {
        F::AssetArchive => Form::New("pulumi.asset.AssetArchive"),
        F::FileArchive => Form::New("pulumi.asset.FileArchive"),
        F::FileAsset => Form::New("pulumi.asset.FileAsset"),
        F::RemoteArchive => Form::New("pulumi.asset.RemoteArchive"),
        F::RemoteAsset => Form::New("pulumi.asset.RemoteAsset"),
        F::StringAsset => Form::New("pulumi.asset.StringAsset"),
        F::Cwd => Form::Fact("process.cwd"),
        F::Organization => Form::Fact("pulumi.getOrganization"),
        F::Project => Form::Fact("pulumi.getProject"),
        F::RootDirectory => Form::Fact("pulumi.runtime.getRootDirectory"),
        F::Stack => Form::Fact("pulumi.getStack"),
        F::PulumiResourceName => Form::One("pulumi.resourceName"),
        F::PulumiResourceType => Form::One("pulumi.resourceType"),
        F::Secret => Form::One("pulumi.secret"),
        F::Max => Form::Any("Math.max"),
        F::Min => Form::Any("Math.min"),
        F::NotImplemented => Form::Helper(Helper::NotImplemented),
        F::SingleOrNone => Form::Helper(Helper::SingleOrNone),
        F::Call
        | F::Can
        | F::Element
        | F::Entries
        | F::Filebase64
        | F::Filebase64sha256
        | F::FromBase64
        | F::GetOutput
        | F::Invoke
        | F::Join
        | F::Length
        | F::Lookup
        | F::Range
        | F::ReadFile
        | F::Recover
        | F::ResourceExists
        | F::Sha1
        | F::Split
        | F::ToBase64
        | F::ToJson
        | F::Try
        | F::Unsecret => Form::Own,
    }
}

/// The calls of functions that give outputs in TypeScript, and promises in the language: the SDK
/// has no other form of the function, or a list among the inputs has promises as its elements.
pub(crate) fn output_calls(document: &Document) -> FxHashSet<ExpressionIndex> {
    let mut calls = FxHashSet::default();
    for (index, expression) in (0..).map(ExpressionIndex).zip(&document.expressions) {
        let ExpressionKind::Call(call) = &expression.kind else { continue };
        let Some(callee) = call.callee.as_ref().filter(|callee| !callee.is_method) else {
            continue;
        };
        let is_late = |&part: &ExpressionIndex| {
            eventual(document, document.expression(part).ty) != Eventual::No
        };
        let has_promises = |argument: &ExpressionIndex| {
            let parts = document.walk(*argument).into_iter();
            parts.into_iter().any(|part| match &document.expression(part).kind {
                ExpressionKind::Tuple { elements } => elements.iter().any(is_late),
                ExpressionKind::For(each) => is_late(&each.value),
                ExpressionKind::Splat { each, .. } => is_late(each),
                _ => false,
            })
        };
        if callee.is_output_only || call.arguments.get(1).is_some_and(has_promises) {
            calls.insert(index);
        }
    }
    calls
}

impl Writer<'_> {
    pub fn call(&mut self, index: ExpressionIndex, call: &Call) -> Id {
        match call.function() {
            Some(Function::Invoke) => return self.invoke(index, call),
            Some(Function::Call) => return self.method_call(index, call),
            _ => {}
        }
        let mut arguments = self.operands(&call.arguments);
        if call.expands_last
            && let Some(last) = arguments.pop()
        {
            let spread = self.tree.add(Node::Spread(last));
            arguments.push(spread);
        }
        self.function(index, call, &arguments)
    }

    /// The type of the code of an expression.
    pub fn code_type(&self, index: ExpressionIndex) -> TypeIndex {
        let document = self.document;
        pcl_codegen::code_type(document, index, |ty| eventual(document, ty) != Eventual::No)
    }

    fn function(&mut self, index: ExpressionIndex, call: &Call, arguments: &[Id]) -> Id {
        let Some(function) = call.function() else { return self.no_translation(index, call) };
        match (form(function), arguments) {
            (Form::New(class), [_]) => self.tree.construct(class, arguments),
            (Form::Fact(name), []) | (Form::One(name), [_]) | (Form::Any(name), _) => {
                self.tree.call(name, arguments)
            }
            (Form::Helper(helper), &[argument]) => self.help(helper, [argument]),
            (Form::Own, _) => self.own_function(index, call, function, arguments),
            _ => self.no_translation(index, call),
        }
    }

    /// A call of a function that has a rule of its own.
    fn own_function(
        &mut self,
        index: ExpressionIndex,
        call: &Call,
        function: Function,
        arguments: &[Id],
    ) -> Id {
        use Function as F;
        let document = self.document;
        match (function, arguments) {
            (F::Can | F::Try, _) => self.attempt(index, call, arguments),
            (F::Recover, [value, recovery]) => self.recovered(call, *value, *recovery),
            (F::Element, [list, at]) => self.element(call, *list, *at),
            (F::Entries, [collection]) => self.entries(call, *collection),
            (F::Length, [value]) => self.length(call, *value),
            (F::Lookup, [map, key]) => self.lookup(call, *map, *key, None),
            (F::Lookup, [map, key, default]) => self.lookup(call, *map, *key, Some(*default)),
            (F::FromBase64, [text]) => {
                let encoding = self.tree.text("base64");
                let bytes = self.tree.call("Buffer.from", [*text, encoding]);
                self.tree.method(bytes, "toString", [])
            }
            (F::ToBase64, [text]) => {
                let bytes = self.tree.call("Buffer.from", [*text]);
                let encoding = self.tree.text("base64");
                self.tree.method(bytes, "toString", [encoding])
            }
            (F::ToJson, [value]) => {
                let late = eventual(document, document.expression(index).ty);
                let is_late = matches!(late, Eventual::Output | Eventual::Mixed);
                let function = if is_late { "pulumi.jsonStringify" } else { "JSON.stringify" };
                if call.arguments.first().is_some_and(|&given| self.is_written_as_json(given)) {
                    return self.tree.call(function, [*value]);
                }
                self.helpers.insert(Helper::SortedKeys);
                let replacer = self.tree.name(Helper::SortedKeys.name());
                self.tree.call(function, [*value, replacer])
            }
            (F::ReadFile, [path]) => self.file(*path, Some("utf8")),
            (F::Filebase64, [path]) => self.file(*path, Some("base64")),
            (F::Filebase64sha256, [path]) => {
                let bytes = self.file(*path, None);
                self.hash("sha256", bytes, "base64")
            }
            (F::Sha1, [text]) => self.hash("sha1", *text, "hex"),
            (F::Range, [to]) => {
                let zero = self.tree.name("0");
                self.help(Helper::Integers, [zero, *to])
            }
            (F::Range, [from, to]) => self.help(Helper::Integers, [*from, *to]),
            (F::ResourceExists, &[token, id, ref state @ ..]) => {
                let state = match state {
                    [state] => *state,
                    _ => self.tree.object(Vec::new()),
                };
                let options = self.tree.object(Vec::new());
                self.tree.call("pulumi.runtime.existsResource", [token, id, state, options])
            }
            (F::GetOutput, [stack, output]) => self.tree.method(*stack, "getOutput", [*output]),
            (F::Unsecret, [value]) => {
                let is_output = call.arguments.first().is_some_and(|&given| {
                    let late = eventual(document, document.expression(given).ty);
                    self.is_sure(given) && late == Eventual::Output
                });
                let value = if is_output { *value } else { self.output_of(*value) };
                self.tree.call("pulumi.unsecret", [value])
            }
            (F::Join, [separator, list]) => self.tree.method(*list, "join", [*separator]),
            (F::Split, [separator, text]) => {
                let first = call.arguments.first();
                if first.and_then(|&text| document.literal_string(text)) == Some("") {
                    let spread = self.tree.add(Node::Spread(*text));
                    return self.tree.array([spread]);
                }
                self.tree.method(*text, "split", [*separator])
            }
            _ => self.no_translation(index, call),
        }
    }

    /// The content of a file.
    fn file(&mut self, path: Id, encoding: Option<&str>) -> Id {
        self.node_modules.insert("fs");
        let encoding = encoding.map(|encoding| self.tree.text(encoding));
        let arguments: Vec<Id> = [path].into_iter().chain(encoding).collect();
        self.tree.call("fs.readFileSync", arguments)
    }

    fn no_translation(&mut self, index: ExpressionIndex, call: &Call) -> Id {
        let message = format!("there is no translation of this call of `{}`", call.name);
        self.fail(Limit::Call, index, message)
    }

    fn recovered(&mut self, call: &Call, value: Id, recovery: Id) -> Id {
        let error = self.tree.name("error");
        let function = self.tree.arrow([error], recovery);
        let value = match call.arguments.first() {
            Some(&given) if self.is_sure(given) => value,
            _ => self.output_of(value),
        };
        let kind = |at| self.argument_type(call, at).map(|ty| self.document.alternatives(ty));
        // The SDK wants one type for both.
        let types = if kind(0) == kind(1) { Vec::new() } else { vec![self.tree.name("any")] };
        self.tree.typed_call("pulumi.recover", types, [value, function])
    }

    /// The type of an argument.
    fn argument_type(&self, call: &Call, at: usize) -> Option<TypeIndex> {
        call.arguments.get(at).map(|&given| self.document.expression(given).ty)
    }

    fn element(&mut self, call: &Call, list: Id, at: Id) -> Id {
        let document = self.document;
        let size = match self.argument_type(call, 0).map(|ty| document.ty(ty)) {
            Some(Type::Tuple { elements }) => elements.len(),
            _ => 0,
        };
        let position = match call.arguments.get(1).and_then(|&at| document.literal(at)) {
            Some(Constant::Number(number)) => number.to_i64(),
            _ => None,
        };
        // The first element is there, or the program fails in the language as well.
        let is_inside = |at: i64| at == 0 || usize::try_from(at).is_ok_and(|at| at < size);
        if position.is_some_and(is_inside) {
            self.tree.index(list, at, false)
        } else {
            self.help(Helper::Element, [list, at])
        }
    }

    fn entries(&mut self, call: &Call, collection: Id) -> Id {
        let document = self.document;
        let ty = self.argument_type(call, 0);
        let is_list = |ty| {
            types::any(document, ty, |ty| matches!(ty, Type::List { .. } | Type::Tuple { .. }))
        };
        let [key, value] = ["key", "value"].map(|name| self.local_id(name));
        let entry = [Entry::new("key", key), Entry::new("value", value)];
        let entry = self.tree.object(entry.into());
        if ty.is_some_and(is_list) {
            let function = self.tree.arrow([value, key], entry);
            return self.tree.method(collection, "map", [function]);
        }
        let pairs = match call.arguments.first() {
            Some(&given) => self.of_object(given, collection, true, true),
            None => collection,
        };
        let pattern = self.tree.array([key, value]);
        let function = self.tree.arrow([pattern], entry);
        self.tree.method(pairs, "map", [function])
    }

    fn length(&mut self, call: &Call, value: Id) -> Id {
        let document = self.document;
        let ty = self.argument_type(call, 0);
        let kinds = ty.map_or_else(Vec::new, |ty| document.alternatives(ty));
        let [only] = kinds[..] else { return self.help(Helper::SizeOf, [value]) };
        match document.ty(only) {
            Type::List { .. } | Type::Set { .. } | Type::Tuple { .. } => {
                self.tree.member(value, "length")
            }
            Type::Map { .. } | Type::Object(_) => {
                let keys = self.tree.call("Object.keys", [value]);
                self.tree.member(keys, "length")
            }
            Type::String | Type::Id => self.help(Helper::CountCharacters, [value]),
            _ => self.help(Helper::SizeOf, [value]),
        }
    }

    fn lookup(&mut self, call: &Call, map: Id, key: Id, default: Option<Id>) -> Id {
        let document = self.document;
        let is_object = |ty| types::any(document, ty, |ty| matches!(ty, Type::Object(_)));
        let is_object = self.argument_type(call, 0).is_some_and(is_object);
        let literal = call.arguments.get(1).and_then(|&key| document.literal_string(key));
        let found = match (is_object, literal) {
            (false, Some(name)) => self.tree.access(map, name, false),
            (true, _) => {
                let map = self.any(map);
                self.tree.index(map, key, false)
            }
            (false, None) => self.tree.index(map, key, false),
        };
        match default {
            Some(default) if self.may_hold_null(call) => {
                let map = if is_object { self.any(map) } else { map };
                self.help(Helper::Lookup, [map, key, default])
            }
            Some(default) => self.tree.binary(found, "??", default),
            None => found,
        }
    }

    /// Returns true if an element of the collection that a call takes may be null, which is another
    /// value than none at all.
    fn may_hold_null(&self, call: &Call) -> bool {
        let document = self.document;
        let Some(ty) = self.argument_type(call, 0) else { return true };
        document.alternatives(ty).into_iter().any(|ty| match document.ty(ty) {
            Type::Map { element } => {
                types::may_be_null(document, *element) || types::is_dynamic(document, *element)
            }
            _ => true,
        })
    }

    pub fn help<const N: usize>(&mut self, helper: Helper, arguments: [Id; N]) -> Id {
        self.helpers.insert(helper);
        self.tree.call(helper.name(), arguments)
    }

    fn hash(&mut self, algorithm: &str, data: Id, encoding: &str) -> Id {
        self.node_modules.insert("crypto");
        let [algorithm, encoding] = [algorithm, encoding].map(|text| self.tree.text(text));
        let hash = self.tree.call("crypto.createHash", [algorithm]);
        let hash = self.tree.method(hash, "update", [data]);
        self.tree.method(hash, "digest", [encoding])
    }

    fn attempt(&mut self, index: ExpressionIndex, call: &Call, arguments: &[Id]) -> Id {
        let is_output = eventual(self.document, self.document.expression(index).ty) != Eventual::No
            || arguments.iter().any(|&argument| self.is_output_code(argument));
        let is_can = call.function() == Some(Function::Can);
        let helper = match (is_can, is_output) {
            (true, false) => Helper::Can,
            (true, true) => Helper::CanOutput,
            (false, false) => Helper::Attempt,
            (false, true) => Helper::AttemptOutput,
        };
        let functions: Vec<Id> =
            arguments.iter().map(|&argument| self.tree.arrow([], argument)).collect();
        self.helpers.insert(helper);
        if helper != Helper::AttemptOutput {
            return self.tree.call(helper.name(), functions);
        }
        let ty = types::content(self.document, self.document.expression(index).ty);
        let ty = types::unwrapped(self.document, &mut self.tree, ty);
        self.tree.typed_call(helper.name(), [ty], functions)
    }
}
