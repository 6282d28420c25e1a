//! Calls of functions and methods of packages.

use pcl::document::{Call, ExpressionIndex, ExpressionKind, ObjectItem};

use crate::module::Writer;
use crate::print::{Entry, Id, Node};
use crate::types::{Eventual, eventual};
use pcl_codegen::Limit;

/// The options of an invoke, as the language and as the SDK spell them.
const INVOKE_OPTIONS: &[(&str, &str)] = &[
    ("dependsOn", "dependsOn"),
    ("parent", "parent"),
    ("pluginDownloadURL", "pluginDownloadURL"),
    ("pluginDownloadUrl", "pluginDownloadURL"),
    ("provider", "provider"),
    ("version", "version"),
];

impl Writer<'_> {
    /// `invoke("token", { .. }, { .. })`
    pub fn invoke(&mut self, index: ExpressionIndex, call: &Call) -> Id {
        let document = self.document;
        let named = call.arguments.first().and_then(|&token| document.literal_string(token));
        let callee = call.callee.as_ref();
        let token = callee.map(|callee| callee.token.as_str()).or(named);
        let Some(path) = token.and_then(|token| {
            let member = callee.map(|callee| callee.member);
            self.shared.packages.function(member, token)
        }) else {
            return self.fail(Limit::Unbound, index, "this function is not known");
        };
        let mut path = path;
        let output = callee.is_some_and(|callee| callee.is_output_form)
            || self.shared.output_calls.contains(&index);
        if output && let Some(name) = path.names.last_mut() {
            name.push_str("Output");
        }
        let given = call.arguments.get(1..).unwrap_or_default();
        let inputs = callee.map_or(&[][..], |callee| &callee.positional_inputs);
        let (mut arguments, options) = match (inputs, given) {
            ([], _) => {
                let arguments = match given.first() {
                    Some(&object) => vec![self.operand(object)],
                    None => Vec::new(),
                };
                (arguments, given.get(1))
            }
            // Lowering gives every call one object.
            (inputs, [object, options @ ..])
                if options.len() <= 1
                    && matches!(
                        document.expression(*object).kind,
                        ExpressionKind::Object { .. } | ExpressionKind::Convert { .. }
                    ) =>
            {
                match self.positional(*object, inputs) {
                    Some(arguments) => (arguments, options.first()),
                    None => {
                        let message = "the SDK takes the inputs of this function one by one";
                        return self.fail(Limit::Call, index, message);
                    }
                }
            }
            (inputs, given) => {
                let own: Vec<ExpressionIndex> = given.iter().take(inputs.len()).copied().collect();
                (self.operands(&own), given.get(inputs.len()))
            }
        };
        let options = match options {
            Some(&options) => Some(self.invoke_options(options, output)),
            None if self.component.is_some() => {
                let parent = self.parent_entry();
                Some(self.tree.object(vec![parent]))
            }
            None => None,
        };
        if let Some(options) = options {
            while arguments.len() < inputs.len().max(1) {
                let missing = match inputs {
                    [] => self.tree.object(Vec::new()),
                    _ => self.tree.name("undefined"),
                };
                arguments.push(missing);
            }
            arguments.push(options);
        }
        if let [only] = arguments[..]
            && inputs.is_empty()
            && matches!(self.tree.node(only), Node::Object { entries, .. } if entries.is_empty())
            && callee.is_some()
        {
            arguments.clear();
        }
        let function = self.member(&path);
        self.tree.call_of(function, arguments)
    }

    /// The inputs of an object in the order of their names.
    fn positional(&mut self, object: ExpressionIndex, names: &[String]) -> Option<Vec<Id>> {
        let document = self.document;
        let object = document.unconverted(object);
        let ExpressionKind::Object { items } = &document.expression(object).kind else {
            return None;
        };
        let mut arguments = Vec::new();
        for name in names {
            let mut items = items.iter();
            let item = items.find(|item| document.key_text(item.key).as_deref() == Some(name));
            arguments.push(match item {
                Some(item) => self.operand(item.value),
                None => self.tree.name("undefined"),
            });
        }
        while arguments
            .last()
            .is_some_and(|&last| *self.tree.node(last) == Node::Name("undefined".to_owned()))
        {
            arguments.pop();
        }
        Some(arguments)
    }

    fn invoke_options(&mut self, options: ExpressionIndex, output: bool) -> Id {
        let document = self.document;
        let object = document.unconverted(options);
        let ExpressionKind::Object { items } = &document.expression(object).kind else {
            return self.operand(options);
        };
        let mut entries = Vec::new();
        let is_parent =
            |item: &ObjectItem| document.key_text(item.key).as_deref() == Some("parent");
        if self.component.is_some() && !items.iter().any(is_parent) {
            entries.push(self.parent_entry());
        }
        for item in items {
            let name = document.key_text(item.key).unwrap_or_default();
            let known = INVOKE_OPTIONS.iter().find(|(own, _)| *own == name);
            let place = document.expression(item.key).range;
            match known {
                Some(("dependsOn", _)) if !output => {
                    let message = "`dependsOn` is left out: only the form of the function that gives an output waits for resources";
                    self.limit(Limit::Option, place, message);
                }
                Some((_, name)) => {
                    let value = self.operand(item.value);
                    entries.push(Entry::new(*name, value));
                }
                None => {
                    let message =
                        format!("the SDK has no option `{name}` of invokes; it is left out");
                    self.limit(Limit::Option, place, message);
                }
            }
        }
        self.tree.object(entries)
    }

    /// `parent: this`, in a component.
    fn parent_entry(&mut self) -> Entry {
        let this = self.tree.name("this");
        Entry::new("parent", this)
    }

    /// `call(resource, "method", { .. })`
    pub fn method_call(&mut self, index: ExpressionIndex, call: &Call) -> Id {
        let document = self.document;
        let &[resource, method, ref rest @ ..] = &call.arguments[..] else {
            return self.fail(Limit::Unbound, index, "this method is not known");
        };
        let Some(method) = document.literal_string(method) else {
            let message = "the name of the method is not written out";
            return self.fail(Limit::Call, index, message);
        };
        let resource = self.operand(resource);
        let mut arguments = self.operands(rest);
        if let [only] = arguments[..]
            && matches!(self.tree.node(only), Node::Object { entries, .. } if entries.is_empty())
        {
            arguments.clear();
        }
        let called = self.tree.method(resource, method, arguments);
        // A method that gives a plain value gives a promise of it in the SDK.
        if eventual(document, document.expression(index).ty) != Eventual::No {
            return called;
        }
        if self.component.is_some() {
            let message = "a constructor cannot wait for the result of this method";
            return self.fail(Limit::Call, index, message);
        }
        self.is_async = true;
        self.tree.add(Node::Await(called))
    }
}
