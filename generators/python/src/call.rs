//! Calls of the functions of the language.

use pcl::document::{Call, Constant, ExpressionIndex, ExpressionKind, Type, TypeIndex};
use pcl::language::Function;
use pcl_codegen::{Limit, error_variable};

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::{Id, Item, Node};
use crate::types;

/// The form of a function in Python.
enum Form {
    /// A function or class that takes the arguments, or has none.
    Named(&'static str),
    /// A member of its one argument.
    Member(&'static str),
    /// A function of one argument that the module contains.
    Helper(Helper),
    /// It has a rule of its own.
    Own,
}

const fn form(function: Function) -> Form {
    use Function as F;
    match function {
        F::AssetArchive => Form::Named("pulumi.AssetArchive"),
        F::FileArchive => Form::Named("pulumi.FileArchive"),
        F::FileAsset => Form::Named("pulumi.FileAsset"),
        F::RemoteArchive => Form::Named("pulumi.RemoteArchive"),
        F::RemoteAsset => Form::Named("pulumi.RemoteAsset"),
        F::StringAsset => Form::Named("pulumi.StringAsset"),
        F::Organization => Form::Named("pulumi.get_organization"),
        F::Project => Form::Named("pulumi.get_project"),
        F::RootDirectory => Form::Named("pulumi.get_root_directory"),
        F::Stack => Form::Named("pulumi.get_stack"),
        F::Secret => Form::Named("pulumi.Output.secret"),
        F::Max => Form::Named("max"),
        F::Min => Form::Named("min"),
        F::PulumiResourceName => Form::Member("pulumi_resource_name"),
        F::PulumiResourceType => Form::Member("pulumi_resource_type"),
        F::NotImplemented => Form::Helper(Helper::NotImplemented),
        F::SingleOrNone => Form::Helper(Helper::SingleOrNone),
        F::ReadFile => Form::Helper(Helper::ReadFile),
        F::Call
        | F::Can
        | F::Cwd
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
            arguments.push(self.tree.add(Node::Star(last)));
        }
        let Some(function) = call.function() else { return self.no_translation(index, call) };
        match (form(function), &arguments[..]) {
            (Form::Named(name), _) => self.tree.call(name, arguments),
            (Form::Member(name), &[only]) => self.tree.member(only, name),
            (Form::Helper(helper), &[only]) => self.help(helper, [only]),
            (Form::Own, _) => self.own_function(index, call, function, &arguments),
            _ => self.no_translation(index, call),
        }
    }

    /// The type of the code of an expression.
    pub fn code_type(&self, index: ExpressionIndex) -> TypeIndex {
        let document = self.document;
        pcl_codegen::code_type(document, index, |ty| types::is_late(document, ty))
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
            (F::Recover, &[value, recovery]) => self.recovered(call, value, recovery),
            (F::Element, &[list, at]) => self.element(call, list, at),
            (F::Entries, &[collection]) => {
                let ty = self.argument_type(call, 0).unwrap_or(document.expression(index).ty);
                self.entries(collection, ty)
            }
            (F::Length, &[value]) => self.length(call, value),
            (F::Lookup, &[map, key]) => self.lookup(call, map, key, None),
            (F::Lookup, &[map, key, default]) => self.lookup(call, map, key, Some(default)),
            (
                F::FromBase64 | F::ToBase64 | F::Filebase64 | F::Filebase64sha256 | F::Sha1,
                &[text],
            ) => self.bytes(function, text),
            (F::ToJson, &[value]) => {
                let is_late = types::is_late(document, document.expression(index).ty);
                self.help(if is_late { Helper::ToJsonOutput } else { Helper::ToJson }, [value])
            }
            (F::Range, bounds) => self.range(index, call, bounds),
            (F::ResourceExists, _) => self.exists(index, call),
            (F::GetOutput, &[stack, output]) => self.tree.method(stack, "get_output", [output]),
            (F::Unsecret, &[value]) => {
                let is_output = call.arguments.first().is_some_and(|&given| {
                    self.is_sure(given) && types::is_output(document, document.expression(given).ty)
                });
                let value = if is_output { value } else { self.output_of(value) };
                self.tree.call("pulumi.Output.unsecret", [value])
            }
            (F::Join, &[separator, list]) => self.tree.method(separator, "join", [list]),
            (F::Split, &[separator, text]) => {
                let first = call.arguments.first();
                match first.and_then(|&text| document.literal_string(text)) {
                    Some("") => self.tree.call("list", [text]),
                    Some(_) => self.tree.method(text, "split", [separator]),
                    None => self.help(Helper::SplitText, [separator, text]),
                }
            }
            (F::Cwd, []) => {
                self.library("os");
                self.tree.call("os.getcwd", [] as [Id; 0])
            }
            _ => self.no_translation(index, call),
        }
    }

    fn no_translation(&mut self, index: ExpressionIndex, call: &Call) -> Id {
        let message = format!("there is no translation of this call of `{}`", call.name);
        self.fail(Limit::Call, index, message)
    }

    /// Functions of bytes: of a text, or of a file.
    fn bytes(&mut self, function: Function, given: Id) -> Id {
        use Function as F;
        let bytes = match function {
            F::Filebase64 | F::Filebase64sha256 => {
                self.library("Path");
                let path = self.tree.call("Path", [given]);
                self.tree.getter(path, "read_bytes")
            }
            F::FromBase64 => given,
            _ => self.tree.getter(given, "encode"),
        };
        let hash = match function {
            F::Sha1 => Some("hashlib.sha1"),
            F::Filebase64sha256 => Some("hashlib.sha256"),
            _ => None,
        };
        let bytes = match hash {
            Some(hash) => {
                self.library("hashlib");
                let hash = self.tree.call(hash, [bytes]);
                if function == F::Sha1 {
                    return self.tree.getter(hash, "hexdigest");
                }
                self.tree.getter(hash, "digest")
            }
            None => bytes,
        };
        self.library("base64");
        let code = if function == F::FromBase64 { "base64.b64decode" } else { "base64.b64encode" };
        let coded = self.tree.call(code, [bytes]);
        self.tree.getter(coded, "decode")
    }

    /// The type of an argument.
    fn argument_type(&self, call: &Call, at: usize) -> Option<TypeIndex> {
        call.arguments.get(at).map(|&given| self.document.expression(given).ty)
    }

    /// `output.recover(lambda error: ..)`. The language knows the text of an error.
    fn recovered(&mut self, call: &Call, value: Id, recovery: Id) -> Id {
        let output = match call.arguments.first() {
            Some(&given)
                if self.is_sure(given)
                    && types::is_output(self.document, self.document.expression(given).ty) =>
            {
                value
            }
            _ => self.output_of(value),
        };
        let reads = call.arguments.first().is_some_and(|&given| self.may_raise(given));
        let output = if reads { self.once_begun(output) } else { output };
        let error = call.arguments.get(1).and_then(|&it| error_variable(self.document, it));
        let error = error.map(|variable| self.variable(variable));
        let function = match error {
            Some(name) => {
                let body = self.with_text(recovery, &name);
                self.function(vec![name], body)
            }
            None => self.function(vec!["_".to_owned()], recovery),
        };
        self.tree.method(output, "recover", [function])
    }

    /// A copy of code in which a variable is its text. Inside of an f-string it is that anyway.
    fn with_text(&mut self, root: Id, name: &str) -> Id {
        let is_it = |id: Id| *self.tree.node(id) == Node::Local(name.to_owned());
        let mut is_in_texts = !is_it(root);
        for id in self.tree.subtree(root) {
            let node = self.tree.node(id);
            if !matches!(node, Node::Template { .. }) {
                node.for_each_part(|part| is_in_texts &= !is_it(part));
            }
        }
        if is_in_texts {
            return root;
        }
        let own = self.tree.local(name);
        let text = self.tree.call("str", [own]);
        self.with_variable(root, name, text)
    }

    /// Returns true if Python may raise an error before there is an output to recover from it: at
    /// an entry of a plain value, which may be missing.
    fn may_raise(&self, given: ExpressionIndex) -> bool {
        let document = self.document;
        document.walk(given).into_iter().any(|part| match &document.expression(part).kind {
            ExpressionKind::Traversal(traversal) => {
                let ty = traversal.root_type.unwrap_or(document.expression(part).ty);
                let is_plain = !types::is_late(document, ty) && types::is_dynamic(document, ty);
                is_plain && !traversal.steps.is_empty()
            }
            ExpressionKind::Index { .. } => true,
            _ => false,
        })
    }

    /// An output that is made inside of another, which takes the errors of making it.
    fn once_begun(&mut self, output: Id) -> Id {
        let none = self.tree.name("None");
        let begun = self.tree.call("pulumi.Output.from_input", [none]);
        let function = self.function(vec!["_".to_owned()], output);
        self.tree.method(begun, "apply", [function])
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
        let at = match call.arguments.get(1) {
            Some(&given) => self.as_index(at, given),
            None => at,
        };
        if position.is_some_and(is_inside) {
            self.tree.index(list, at)
        } else {
            self.help(Helper::Element, [list, at])
        }
    }

    fn length(&mut self, call: &Call, value: Id) -> Id {
        let document = self.document;
        let ty = self.argument_type(call, 0);
        let kinds = ty.map_or_else(Vec::new, |ty| document.alternatives(ty));
        let [only] = kinds[..] else { return self.help(Helper::SizeOf, [value]) };
        match document.ty(only) {
            Type::List { .. }
            | Type::Set { .. }
            | Type::Tuple { .. }
            | Type::Map { .. }
            | Type::Object(_) => self.tree.call("len", [value]),
            Type::String | Type::Id => self.help(Helper::CountCharacters, [value]),
            _ => self.help(Helper::SizeOf, [value]),
        }
    }

    fn lookup(&mut self, call: &Call, map: Id, key: Id, default: Option<Id>) -> Id {
        let ty = self.argument_type(call, 0);
        let map = match ty {
            Some(ty) if types::is_object_of_schema(self.document, ty) => {
                self.help(Helper::Plain, [map])
            }
            _ => map,
        };
        let arguments: Vec<Id> = [key].into_iter().chain(default).collect();
        self.tree.method(map, "get", arguments)
    }

    fn range(&mut self, index: ExpressionIndex, call: &Call, bounds: &[Id]) -> Id {
        let zero = self.tree.name("0");
        let [start, stop] = match *bounds {
            [stop] => [zero, stop],
            [start, stop] => [start, stop],
            _ => return self.no_translation(index, call),
        };
        // Python's own counts up, in whole steps.
        let is_up = match call.arguments[..] {
            [stop] => self.is_positive(stop),
            [start, stop] => match [start, stop].map(|bound| self.document.literal(bound)) {
                [Some(Constant::Number(start)), Some(Constant::Number(stop))] => {
                    start.to_i64().zip(stop.to_i64()).is_some_and(|(start, stop)| start <= stop)
                }
                _ => false,
            },
            _ => false,
        };
        if !is_up {
            return self.help(Helper::Numbers, [start, stop]);
        }
        let range = self.tree.call("range", bounds.to_vec());
        self.tree.call("list", [range])
    }

    /// `Class.exists(id, state)`
    fn exists(&mut self, index: ExpressionIndex, call: &Call) -> Id {
        let document = self.document;
        let &[token, id, ref state @ ..] = &call.arguments[..] else {
            return self.no_translation(index, call);
        };
        let path = document
            .literal_string(token)
            .and_then(|token| self.shared.packages.resource(None, token));
        let Some(path) = path else {
            return self.fail(Limit::Unbound, index, "the type of this resource is not known");
        };
        let class = self.member(&path);
        let mut items: Vec<Item> = vec![self.operand(id).into()];
        if let Some(&state) = state.first().filter(|&&state| !self.is_null(state)) {
            match &document.expression(document.unconverted(state)).kind {
                ExpressionKind::Object { items: given } => {
                    for item in given {
                        let Some(name) = document.key_text(item.key) else { continue };
                        let value = self.operand(item.value);
                        items.push(Item::keyword(crate::names::parameter(&name), value));
                    }
                }
                _ => {
                    let message = "the SDK takes the properties of a resource one by one";
                    return self.fail(Limit::Call, index, message);
                }
            }
        }
        self.tree.method(class, "exists", items)
    }

    fn attempt(&mut self, index: ExpressionIndex, call: &Call, arguments: &[Id]) -> Id {
        let document = self.document;
        let is_output = types::is_late(document, document.expression(index).ty)
            || arguments.iter().any(|&argument| self.is_output_code(argument));
        let is_can = call.function() == Some(Function::Can);
        let helper = match (is_can, is_output) {
            (true, false) => Helper::Can,
            (true, true) => Helper::CanOutput,
            (false, false) => Helper::Attempt,
            (false, true) => Helper::AttemptOutput,
        };
        let functions: Vec<Id> =
            arguments.iter().map(|&argument| self.thunk(argument, is_output)).collect();
        self.need(helper);
        self.tree.call(helper.name(), functions)
    }
}
