//! Calls of the functions of the language.

use std::collections::HashSet;

use pcl::document::{Call, Constant, Document, ExpressionIndex, ExpressionKind, Type, TypeIndex};
use pcl::language::Function;

use crate::helper::Helper;
use crate::limit::Limit;
use crate::module::Writer;
use crate::print::{Entry, Id, Node};
use crate::types::{self, Eventual, eventual};

/// The functions that take a part out of a collection, or count its parts. They accept collections
/// that are known later, which TypeScript does not.
const COLLECTION: &[Function] = &[
    Function::Element,
    Function::Entries,
    Function::Length,
    Function::Lookup,
    Function::SingleOrNone,
];

/// The functions that take plain values, also inside of lists.
const PLAIN: &[Function] = &[
    Function::FromBase64,
    Function::Join,
    Function::Max,
    Function::Min,
    Function::Range,
    Function::Sha1,
    Function::Split,
    Function::ToBase64,
];

/// Returns true if a call takes values that are known, with all their parts.
pub(crate) fn takes_plain(call: &Call) -> bool {
    call.function().is_some_and(|function| PLAIN.contains(&function))
}

/// Returns true if a call takes a part out of a collection, or counts its parts.
pub(crate) fn is_of_collection(call: &Call) -> bool {
    call.function().is_some_and(|function| COLLECTION.contains(&function))
}

/// The calls of functions that give outputs in TypeScript, and promises in the language: the SDK
/// has no other form of the function, or a list among the inputs has promises as its elements.
pub(crate) fn output_calls(document: &Document) -> HashSet<ExpressionIndex> {
    let mut calls = HashSet::new();
    for (index, expression) in (0..).map(ExpressionIndex).zip(&document.expressions) {
        let ExpressionKind::Call(call) = &expression.kind else {
            continue;
        };
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

    /// Returns true if a list, or what it is made of, has outputs as its elements.
    pub fn holds_outputs(&self, index: ExpressionIndex) -> bool {
        let document = self.document;
        // A conversion of a list leaves its elements outputs.
        let index = document.unconverted(index);
        let mut open = vec![document.expression(index).ty];
        // Elements of elements, but not the properties of resources.
        for _ in 0..8 {
            let Some(ty) = open.pop() else {
                return false;
            };
            if eventual(document, ty) != Eventual::No {
                return true;
            }
            match document.ty(ty) {
                Type::List { element } | Type::Set { element } => open.push(*element),
                Type::Tuple { elements } => open.extend(elements.iter().take(4)),
                _ => {}
            }
        }
        false
    }

    /// The type of the code of an expression. The language calls what it takes out of a list of
    /// resources an output, since its properties are; in TypeScript it is a resource.
    pub fn code_type(&self, index: ExpressionIndex) -> TypeIndex {
        let document = self.document;
        let ty = document.expression(index).ty;
        if let ExpressionKind::Call(call) = &document.expression(index).kind
            && is_of_collection(call)
            && let Some(&collection) = call.arguments.first()
        {
            let of = self.code_type_of_elements(collection);
            if eventual(document, document.expression(collection).ty) == Eventual::No
                && of.is_some_and(|of| eventual(document, of) == Eventual::No)
            {
                return types::content(document, ty);
            }
        }
        ty
    }

    /// The type of the elements of a collection.
    fn code_type_of_elements(&self, collection: ExpressionIndex) -> Option<TypeIndex> {
        let document = self.document;
        match document.ty(document.expression(collection).ty) {
            Type::List { element } | Type::Set { element } | Type::Map { element } => {
                Some(*element)
            }
            Type::Tuple { elements } => elements.first().copied(),
            _ => None,
        }
    }

    /// A function of a collection, also of one that is known later.
    fn function(&mut self, index: ExpressionIndex, call: &Call, arguments: &[Id]) -> Id {
        let late = |writer: &Self, at: usize| {
            let given = call.arguments.get(at).copied();
            given.map_or(Eventual::No, |given| match takes_plain(call) {
                true if writer.holds_outputs(given) => Eventual::Mixed,
                true => Eventual::No,
                false => eventual(writer.document, writer.code_type(given)),
            })
        };
        if !is_of_collection(call) && !takes_plain(call)
            || (0..arguments.len()).all(|at| late(self, at) == Eventual::No)
        {
            return self.known_function(index, call, arguments);
        }
        let mut names = arguments.to_vec();
        let mut eventuals = Vec::new();
        for (at, name) in names.iter_mut().enumerate() {
            if late(self, at) != Eventual::No {
                let hint = self.hint(*name);
                let parameter = self.local(&hint);
                let parameter = self.tree.name(parameter);
                eventuals.push((at, parameter, std::mem::replace(name, parameter)));
            }
        }
        let body = self.known_function(index, call, &names);
        match &eventuals[..] {
            &[(at, parameter, source)] => {
                let sure = call.arguments.get(at).is_some_and(|&given| self.is_sure(given));
                let late = late(self, at);
                let source = self.as_eventual(source, late, sure);
                let function = self.tree.arrow([parameter], body);
                let method = if late == Eventual::Promise { "then" } else { "apply" };
                self.tree.method(source, method, [function])
            }
            several => {
                let sources = several.iter().map(|(_, _, source)| *source).collect();
                let parameters = several.iter().map(|(_, name, _)| *name).collect();
                self.all(false, sources, parameters, body)
            }
        }
    }

    fn known_function(&mut self, index: ExpressionIndex, call: &Call, arguments: &[Id]) -> Id {
        use Function as F;
        let Some(function) = call.function() else {
            return self.no_translation(index, call);
        };
        let document = self.document;
        let given = |at: usize| call.arguments.get(at).copied();
        match (function, arguments) {
            (F::AssetArchive, [assets]) => self.new_of("pulumi.asset.AssetArchive", [*assets]),
            (F::FileArchive, [path]) => self.new_of("pulumi.asset.FileArchive", [*path]),
            (F::FileAsset, [path]) => self.new_of("pulumi.asset.FileAsset", [*path]),
            (F::RemoteArchive, [uri]) => self.new_of("pulumi.asset.RemoteArchive", [*uri]),
            (F::RemoteAsset, [uri]) => self.new_of("pulumi.asset.RemoteAsset", [*uri]),
            (F::StringAsset, [text]) => self.new_of("pulumi.asset.StringAsset", [*text]),
            (F::Can | F::Try, _) => self.attempt(index, call, arguments),
            (F::Recover, [value, recovery]) => self.recovered(call, *value, *recovery),
            (F::Element, [list, at]) => self.element(call, *list, *at),
            (F::Entries, [collection]) => self.entries(call, *collection),
            (F::Length, [value]) => self.length(call, *value),
            (F::Lookup, [map, key]) => self.lookup(call, *map, *key, None),
            (F::Lookup, [map, key, default]) => self.lookup(call, *map, *key, Some(*default)),
            (F::SingleOrNone, [list]) => self.help(Helper::SingleOrNone, [*list]),
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
                let late = matches!(
                    eventual(document, document.expression(index).ty),
                    Eventual::Output | Eventual::Mixed
                );
                let function = if late { "pulumi.jsonStringify" } else { "JSON.stringify" };
                self.tree.call(function, [*value])
            }
            (F::ReadFile, [path]) => {
                self.node_modules.insert("fs");
                let encoding = self.tree.text("utf8");
                self.tree.call("fs.readFileSync", [*path, encoding])
            }
            (F::Filebase64, [path]) => {
                self.node_modules.insert("fs");
                let encoding = self.tree.text("base64");
                self.tree.call("fs.readFileSync", [*path, encoding])
            }
            (F::Filebase64sha256, [path]) => {
                self.node_modules.insert("fs");
                let bytes = self.tree.call("fs.readFileSync", [*path]);
                self.hash("sha256", bytes, "base64")
            }
            (F::Sha1, [text]) => self.hash("sha1", *text, "hex"),
            (F::Max, _) => self.tree.call("Math.max", arguments),
            (F::Min, _) => self.tree.call("Math.min", arguments),
            (F::Range, [to]) => {
                let zero = self.tree.name("0");
                self.help(Helper::Integers, [zero, *to])
            }
            (F::Range, [from, to]) => self.help(Helper::Integers, [*from, *to]),
            (F::GetOutput, [stack, output]) => self.tree.method(*stack, "getOutput", [*output]),
            (F::Secret, [value]) => self.tree.call("pulumi.secret", [*value]),
            (F::Unsecret, [value]) => {
                let value = match given(0) {
                    Some(given)
                        if self.is_sure(given)
                            && eventual(document, document.expression(given).ty)
                                == Eventual::Output =>
                    {
                        *value
                    }
                    _ => self.tree.call("pulumi.output", [*value]),
                };
                self.tree.call("pulumi.unsecret", [value])
            }
            (F::Cwd, []) => self.tree.call("process.cwd", []),
            (F::NotImplemented, [message]) => self.help(Helper::NotImplemented, [*message]),
            (F::Organization, []) => self.tree.call("pulumi.getOrganization", []),
            (F::Project, []) => self.tree.call("pulumi.getProject", []),
            (F::RootDirectory, []) => self.tree.call("pulumi.runtime.getRootDirectory", []),
            (F::Stack, []) => self.tree.call("pulumi.getStack", []),
            (F::PulumiResourceName, [resource]) => {
                self.tree.call("pulumi.resourceName", [*resource])
            }
            (F::PulumiResourceType, [resource]) => {
                self.tree.call("pulumi.resourceType", [*resource])
            }
            (F::Join, [separator, list]) => self.tree.method(*list, "join", [*separator]),
            (F::Split, [separator, text]) => {
                if given(0).and_then(|text| self.document.literal_string(text)) == Some("") {
                    let spread = self.tree.add(Node::Spread(*text));
                    return self.tree.array([spread]);
                }
                self.tree.method(*text, "split", [*separator])
            }
            // They are translated elsewhere, or have another number of arguments.
            (
                F::Call
                | F::Invoke
                | F::AssetArchive
                | F::FileArchive
                | F::FileAsset
                | F::RemoteArchive
                | F::RemoteAsset
                | F::StringAsset
                | F::Recover
                | F::Element
                | F::Entries
                | F::Length
                | F::Lookup
                | F::SingleOrNone
                | F::FromBase64
                | F::ToBase64
                | F::ToJson
                | F::ReadFile
                | F::Filebase64
                | F::Filebase64sha256
                | F::Sha1
                | F::Range
                | F::GetOutput
                | F::Secret
                | F::Unsecret
                | F::Cwd
                | F::NotImplemented
                | F::Organization
                | F::Project
                | F::RootDirectory
                | F::Stack
                | F::PulumiResourceName
                | F::PulumiResourceType
                | F::Join
                | F::Split,
                _,
            ) => self.no_translation(index, call),
        }
    }

    fn no_translation(&mut self, index: ExpressionIndex, call: &Call) -> Id {
        let message = format!("there is no translation of this call of `{}`", call.name);
        self.fail(Limit::Call, index, message)
    }

    fn recovered(&mut self, call: &Call, value: Id, recovery: Id) -> Id {
        let given = |at: usize| call.arguments.get(at).copied();
        let ty = self.tree.name("any");
        let error = self.tree.add(pcl_parameter("error", ty));
        let function = self.tree.arrow([error], recovery);
        let value = match given(0) {
            Some(given) if self.is_sure(given) => value,
            _ => self.tree.call("pulumi.output", [value]),
        };
        let any = self.tree.name("any");
        let callee = self.tree.path("pulumi.recover");
        self.tree.add(Node::Call { callee, types: vec![any], arguments: vec![value, function] })
    }

    fn element(&mut self, call: &Call, list: Id, at: Id) -> Id {
        let document = self.document;
        let given = |at: usize| call.arguments.get(at).copied();
        let size = given(0).and_then(|list| self.tuple_length(list));
        let at_literal = given(1).and_then(|at| document.literal(at)).and_then(|at| match at {
            Constant::Number(number) => number.to_i64(),
            _ => None,
        });
        match (at_literal, size) {
            (Some(0), _) => self.tree.index(list, at, false),
            (Some(position), Some(size))
                if usize::try_from(position).is_ok_and(|position| position < size) =>
            {
                self.tree.index(list, at, false)
            }
            _ => self.help(Helper::Element, [list, at]),
        }
    }

    fn entries(&mut self, call: &Call, collection: Id) -> Id {
        let document = self.document;
        let given = |at: usize| call.arguments.get(at).copied();
        let ty = given(0).map(|given| document.expression(given).ty);
        let is_list = ty.is_some_and(|ty| {
            document
                .alternatives(ty)
                .into_iter()
                .any(|ty| matches!(document.ty(ty), Type::List { .. } | Type::Tuple { .. }))
        });
        let [key, value] = ["key", "value"].map(|name| self.local(name));
        let (key, value) = (self.tree.name(key), self.tree.name(value));
        let entry = [Entry::new("key", key), Entry::new("value", value)];
        let entry = self.tree.object(entry.into());
        if is_list {
            let function = self.tree.arrow([value, key], entry);
            return self.tree.method(collection, "map", [function]);
        }
        let dynamic = ty.is_none_or(|ty| types::is_dynamic(document, ty));
        let any = self.tree.name("any");
        let callee = self.tree.path("Object.entries");
        let pairs = self.tree.add(Node::Call {
            callee,
            types: if dynamic { vec![any] } else { Vec::new() },
            arguments: vec![collection],
        });
        let pattern = self.tree.array([key, value]);
        let function = self.tree.arrow([pattern], entry);
        self.tree.method(pairs, "map", [function])
    }

    fn length(&mut self, call: &Call, value: Id) -> Id {
        let document = self.document;
        let given = |at: usize| call.arguments.get(at).copied();
        let ty = given(0).map(|given| document.expression(given).ty);
        let kinds = ty.map_or_else(Vec::new, |ty| document.alternatives(ty));
        let mut kinds = kinds.into_iter().map(|ty| document.ty(ty));
        match kinds.next() {
            Some(Type::List { .. } | Type::Set { .. } | Type::Tuple { .. })
                if kinds.next().is_none() =>
            {
                self.tree.member(value, "length")
            }
            Some(Type::Map { .. } | Type::Object(_)) if kinds.next().is_none() => {
                let keys = self.tree.call("Object.keys", [value]);
                self.tree.member(keys, "length")
            }
            Some(Type::String | Type::Id) if kinds.next().is_none() => {
                self.help(Helper::CountCharacters, [value])
            }
            _ => self.help(Helper::SizeOf, [value]),
        }
    }

    fn lookup(&mut self, call: &Call, map: Id, key: Id, default: Option<Id>) -> Id {
        let document = self.document;
        let given = |at: usize| call.arguments.get(at).copied();
        let ty = given(0).map(|given| document.expression(given).ty);
        let is_object = ty.is_some_and(|ty| {
            document
                .alternatives(ty)
                .into_iter()
                .any(|ty| matches!(document.ty(ty), Type::Object(_)))
        });
        let literal = given(1).and_then(|key| document.literal_string(key));
        let found = match (is_object, literal) {
            (false, Some(name)) => self.tree.access(map, name, false),
            (true, _) => {
                let map = self.any(map);
                self.tree.index(map, key, false)
            }
            (false, None) => self.tree.index(map, key, false),
        };
        match default {
            Some(default) => self.tree.binary(found, "??", default),
            None => found,
        }
    }

    fn help<const N: usize>(&mut self, helper: Helper, arguments: [Id; N]) -> Id {
        self.helpers.insert(helper);
        self.tree.call(helper.name(), arguments)
    }

    pub fn new_of<const N: usize>(&mut self, class: &str, arguments: [Id; N]) -> Id {
        let callee = self.tree.path(class);
        let arguments = arguments.into();
        self.tree.add(Node::New { callee, arguments })
    }

    fn hash(&mut self, algorithm: &str, data: Id, encoding: &str) -> Id {
        self.node_modules.insert("crypto");
        let [algorithm, encoding] = [algorithm, encoding].map(|text| self.tree.text(text));
        let hash = self.tree.call("crypto.createHash", [algorithm]);
        let hash = self.tree.method(hash, "update", [data]);
        self.tree.method(hash, "digest", [encoding])
    }

    /// The number of elements, if the type says it.
    fn tuple_length(&self, list: ExpressionIndex) -> Option<usize> {
        match self.document.ty(self.document.expression(list).ty) {
            Type::Tuple { elements } => Some(elements.len()),
            _ => None,
        }
    }

    fn attempt(&mut self, index: ExpressionIndex, call: &Call, arguments: &[Id]) -> Id {
        let is_output = eventual(self.document, self.document.expression(index).ty) != Eventual::No;
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
        self.tree.call(helper.name(), functions)
    }
}

/// A parameter with a type.
fn pcl_parameter(name: &str, ty: Id) -> Node {
    Node::Parameter { name: name.to_owned(), optional: false, ty }
}
