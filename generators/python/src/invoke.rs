//! Calls of functions and methods of packages.

use pcl::document::language::python_name;
use pcl::document::{Call, ExpressionIndex, ExpressionKind, ObjectItem};
use pcl_codegen::Limit;

use crate::module::Writer;
use crate::print::{Id, Item, Key};
use crate::types;

/// The options of an invoke, as the language and as the SDK spell them.
const INVOKE_OPTIONS: &[(&str, &str)] = &[
    ("dependsOn", "depends_on"),
    ("parent", "parent"),
    ("pluginDownloadURL", "plugin_download_url"),
    ("pluginDownloadUrl", "plugin_download_url"),
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
        let path = token.and_then(|token| {
            let member = callee.map(|callee| callee.member);
            self.shared.packages.function(member, token)
        });
        let Some(mut path) = path else {
            return self.fail(Limit::Unbound, index, "this function is not known");
        };
        let is_output = callee.is_some_and(|callee| callee.is_output_form);
        if is_output && let Some(name) = path.names.last_mut() {
            name.push_str("_output");
        }
        let inputs = callee.map_or(&[][..], |callee| &callee.positional_inputs);
        let given = call.arguments.get(1..).unwrap_or_default();
        let Some(mut items) = self.inputs_of_call(given.first().copied(), inputs) else {
            let message = "the SDK takes the inputs of this function one by one";
            return self.fail(Limit::Call, index, message);
        };
        let options = match given.get(1) {
            Some(&options) => self.invoke_options(options, is_output),
            None if self.component.is_some() => vec![self.parent_item()],
            None => Vec::new(),
        };
        if !options.is_empty() {
            let class =
                if is_output { "pulumi.InvokeOutputOptions" } else { "pulumi.InvokeOptions" };
            let options = self.tree.call(class, options);
            items.push(Item::keyword("opts", options));
        }
        let function = self.member(&path);
        self.tree.call_of(function, items)
    }

    /// The inputs of a function or method as arguments: by name, or in the order of `names`. `None`
    /// if they are not written out.
    fn inputs_of_call(
        &mut self,
        object: Option<ExpressionIndex>,
        names: &[String],
    ) -> Option<Vec<Item>> {
        let document = self.document;
        let Some(object) = object else { return Some(Vec::new()) };
        let object = document.unconverted(object);
        let ExpressionKind::Object { items } = &document.expression(object).kind else {
            // A dict that is made elsewhere has the names of the program.
            let value = self.operand(object);
            return names.is_empty().then(|| vec![Item::new(Key::Spread, value)]);
        };
        if !names.is_empty() {
            let mut arguments = Vec::new();
            for name in names {
                let item =
                    items.iter().find(|item| document.key_text(item.key).as_deref() == Some(name));
                arguments.push(item.map(|item| self.operand(item.value)));
            }
            let count = arguments.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
            arguments.truncate(count);
            let none = self.tree.name("None");
            return Some(arguments.into_iter().map(|id| id.unwrap_or(none).into()).collect());
        }
        let mut arguments = Vec::new();
        for item in items {
            let value = self.operand(item.value);
            let name = document.key_text(item.key)?;
            arguments.push(Item::keyword(python_name(&name), value));
        }
        Some(arguments)
    }

    fn invoke_options(&mut self, options: ExpressionIndex, is_output: bool) -> Vec<Item> {
        let document = self.document;
        let object = document.unconverted(options);
        let ExpressionKind::Object { items } = &document.expression(object).kind else {
            let place = document.expression(options).range;
            let message = "the SDK takes the options of an invoke one by one; they are left out";
            self.limit(Limit::Option, place, message);
            return Vec::new();
        };
        let mut entries = Vec::new();
        let is_parent =
            |item: &ObjectItem| document.key_text(item.key).as_deref() == Some("parent");
        if self.component.is_some() && !items.iter().any(is_parent) {
            entries.push(self.parent_item());
        }
        for item in items {
            let name = document.key_text(item.key).unwrap_or_default();
            let known = INVOKE_OPTIONS.iter().find(|(own, _)| *own == name);
            let place = document.expression(item.key).range;
            match known {
                Some(("dependsOn", _)) if !is_output => {
                    let message = "`dependsOn` is left out: only the form of the function that gives an output waits for resources";
                    self.limit(Limit::Option, place, message);
                }
                Some((_, name)) => {
                    let value = self.operand(item.value);
                    entries.push(Item::keyword(*name, value));
                }
                None => {
                    let message =
                        format!("the SDK has no option `{name}` of invokes; it is left out");
                    self.limit(Limit::Option, place, message);
                }
            }
        }
        entries
    }

    /// `parent=self`, in a component.
    fn parent_item(&mut self) -> Item {
        let this = self.tree.name("self");
        Item::keyword("parent", this)
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
        let object = self.operand(resource);
        let Some(items) = self.inputs_of_call(rest.first().copied(), &[]) else {
            let message = "the SDK takes the inputs of this method one by one";
            return self.fail(Limit::Call, index, message);
        };
        let is_known = !types::is_late(document, self.code_type(resource));
        if is_known {
            return self.tree.method(object, &python_name(method), items);
        }
        // The resource is there once an output is known.
        let parameter = self.parameter_for(object);
        let own = self.tree.local(&parameter);
        let body = self.tree.method(own, &python_name(method), items);
        let sure = self.is_sure(resource);
        self.once_known(object, sure, parameter, body)
    }
}
