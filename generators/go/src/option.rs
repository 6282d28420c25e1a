//! The options of resources.

use pcl::document::{Alias, Attribute, ExpressionIndex, ExpressionKind, Node};
use pcl::language::ResourceOption;
use pcl_codegen::Limit;

use crate::module::{Value, Writer};
use crate::names::exported;
use crate::place::Place;
use crate::syntax::{Expr, Item, Stmt};
use crate::types::Ty;
use crate::value::counted;

/// The properties of `pulumi.CustomTimeouts`.
const TIMEOUTS: &[&str] = &["create", "delete", "read", "update"];

/// The moments that `pulumi.ResourceHookBinding` knows.
const MOMENTS: &[&str] = &[
    "afterCreate",
    "afterDelete",
    "afterUpdate",
    "beforeCreate",
    "beforeDelete",
    "beforeUpdate",
    "onError",
];

impl Writer<'_> {
    /// The options of a block as arguments.
    pub fn options(&mut self, node: &Node, is_component: bool) -> Vec<Expr> {
        let mut all = Vec::new();
        if self.component.is_some() && node.option("parent").is_none() {
            all.push(Expr::call("pulumi.Parent", [Expr::text("component")]));
        }
        for option in node.options() {
            let Some(known) = ResourceOption::parse(&option.name) else { continue };
            let is_elsewhere = match known {
                ResourceOption::Providers if !is_component => true,
                ResourceOption::AdditionalSecretOutputs
                | ResourceOption::DeleteBeforeReplace
                | ResourceOption::Import => is_component,
                _ => false,
            };
            if is_elsewhere {
                let name = known.name();
                let kind =
                    if is_component { "components" } else { "resources that are no components" };
                let message = format!("the SDK has no option `{name}` for {kind}; it is left out");
                self.limit(Limit::Option, option.name_range, message);
                continue;
            }
            self.at = Some(option.name_range);
            self.refuel(option.value);
            all.extend(self.option(node, option, known));
        }
        all
    }

    fn option(&mut self, node: &Node, option: &Attribute, known: ResourceOption) -> Option<Expr> {
        use ResourceOption as O;
        let texts = Place::Plain(Ty::list(Ty::Text));
        let (function, place) = match known {
            O::AdditionalSecretOutputs => ("AdditionalSecretOutputs", texts),
            O::HideDiffs => ("HideDiffs", texts),
            O::IgnoreChanges => ("IgnoreChanges", texts),
            O::ReplaceOnChanges => ("ReplaceOnChanges", texts),
            O::DeleteBeforeReplace => ("DeleteBeforeReplace", Place::Plain(Ty::Bool)),
            O::Protect => ("Protect", Place::Plain(Ty::Bool)),
            O::RetainOnDelete => ("RetainOnDelete", Place::Plain(Ty::Bool)),
            O::PluginDownloadUrl => ("PluginDownloadURL", Place::Plain(Ty::Text)),
            O::Version => ("Version", Place::Plain(Ty::Text)),
            O::EnvVarMappings => ("EnvVarMappings", Place::Plain(Ty::map(Ty::Text))),
            O::Import => ("Import", Place::input(Ty::Id, false)),
            O::ReplacementTrigger => ("ReplacementTrigger", Place::input(Ty::Any, false)),
            O::Aliases => return self.aliases(node, option),
            O::CustomTimeouts => return self.custom_timeouts(option),
            O::Hooks => return self.hooks(option),
            O::DeletedWith => return self.resource_option("DeletedWith", option),
            O::Parent => return self.resource_option("Parent", option),
            O::Provider => return self.resource_option("Provider", option),
            O::DependsOn => return Some(self.depends_on(option.value)),
            O::ReplaceWith => return Some(self.replace_with(option.value)),
            O::Providers => return self.providers(node, option),
            O::Range => return None,
        };
        if matches!(place, Place::Plain(_)) && self.refuses(option) {
            return None;
        }
        let value = self.operand_in(option.value, &place);
        Some(Expr::call(format!("pulumi.{function}"), [value]))
    }

    /// Says that an option is left out if its value is an output.
    fn refuses(&mut self, option: &Attribute) -> bool {
        let (_, value) = self.block(|writer| writer.operand(option.value));
        if !value.ty.is_output() {
            return false;
        }
        let message =
            format!("the option `{}` is left out: the SDK accepts no output here", option.name);
        self.limit(Limit::Output, option.name_range, message);
        true
    }

    fn resource_option(&mut self, function: &str, option: &Attribute) -> Option<Expr> {
        let value = self.operand(option.value);
        if value.ty.is_output() {
            let message = format!(
                "the option `{}` is left out: the SDK accepts no output here, and the resource \
                 exists only once an output is known",
                option.name
            );
            self.limit(Limit::Output, option.name_range, message);
            return None;
        }
        if !matches!(value.ty, Ty::Named(_)) {
            let message =
                format!("the option `{}` is left out: this is no resource in Go", option.name);
            self.limit(Limit::Option, option.name_range, message);
            return None;
        }
        Some(Expr::call(format!("pulumi.{function}"), [value.expr]))
    }

    /// The resources of an option: those that are there, as expressions for a list, and the whole
    /// lists of those that a range makes.
    fn resources(&mut self, value: ExpressionIndex) -> (Vec<Expr>, Vec<Value>) {
        let document = self.document;
        let list = document.unconverted(value);
        let elements = match &document.expression(list).kind {
            ExpressionKind::Tuple { elements } => elements.clone(),
            _ => vec![list],
        };
        let (mut single, mut others) = (Vec::new(), Vec::new());
        for element in elements {
            let value = self.operand(element);
            match &value.ty {
                Ty::Named(_) if !self.may_be_missing(element) => single.push(value.expr),
                Ty::Null => {}
                _ => others.push(value),
            }
        }
        (single, others)
    }

    fn may_be_missing(&self, value: ExpressionIndex) -> bool {
        let document = self.document;
        pcl_codegen::types::may_be_null(document, document.expression(value).ty)
    }

    /// `pulumi.DependsOn([]pulumi.Resource{ .. })`
    pub fn depends_on(&mut self, value: ExpressionIndex) -> Expr {
        let (single, others) = self.resources(value);
        if others.iter().any(|value| value.ty.is_output()) {
            return self.late_dependencies(single, others);
        }
        let list = self.resource_list(single, others);
        Expr::call("pulumi.DependsOn", [list])
    }

    fn replace_with(&mut self, value: ExpressionIndex) -> Expr {
        let (single, others) = self.resources(value);
        let (late, others): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|value| value.ty.is_output());
        if let (false, Some(place)) = (late.is_empty(), self.at) {
            let message =
                "resources that exist only once an output is known are left out of `replaceWith`";
            self.limit(Limit::Output, place, message);
        }
        let list = self.resource_list(single, others);
        Expr::call("pulumi.ReplaceWith", [list])
    }

    /// A list of resources.
    fn resource_list(&mut self, single: Vec<Expr>, others: Vec<Value>) -> Expr {
        let list = Expr::list("[]pulumi.Resource", single);
        if others.is_empty() {
            return list;
        }
        let name = self.hoist("resources", Value::new(list, Ty::Any)).expr;
        for value in others {
            self.add_resources(&name, value);
        }
        name
    }

    /// The statements that add the resources of a value to a list.
    fn add_resources(&mut self, list: &Expr, value: Value) {
        let add = |item: Expr| Stmt::Assign {
            target: list.clone(),
            value: Expr::call("append", [list.clone(), item]),
        };
        match &value.ty {
            Ty::List(_) => {
                let count = self.locals();
                let item = self.local("resource");
                let body = vec![add(Expr::text(&item))];
                self.emit(Stmt::Range { key: String::new(), value: item, over: value.expr, body });
                self.release(count);
            }
            Ty::Map(_) | Ty::Record(_) => {
                let count = self.locals();
                let rounds = self.rounds(value, "key", "resource");
                let body = vec![add(rounds.value.expr.clone())];
                self.loop_of(rounds, body);
                self.release(count);
            }
            Ty::Named(_) => {
                let value = self.simple("resource", value).expr;
                let condition = Expr::binary("!=", value.clone(), Expr::nil());
                let body = vec![add(value)];
                self.emit(Stmt::If { condition, body, otherwise: Vec::new() });
            }
            _ => {
                if let Some(place) = self.at {
                    self.limit(
                        Limit::Option,
                        place,
                        "a value that is no resource in Go is left out",
                    );
                }
            }
        }
    }

    /// Dependencies that are there once outputs are known.
    fn late_dependencies(&mut self, single: Vec<Expr>, others: Vec<Value>) -> Expr {
        let (late, known): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|value| value.ty.is_output());
        let mut inputs: Vec<Expr> = single;
        if !known.is_empty() {
            let list = self.resource_list(std::mem::take(&mut inputs), known);
            inputs = vec![list];
        }
        let list = match &inputs[..] {
            [only @ Expr::Text(_)] if inputs.len() == 1 && !late.is_empty() => only.clone(),
            _ => Expr::list("[]pulumi.Resource", inputs),
        };
        let mut option = Expr::call("pulumi.DependsOn", [list]);
        for value in late {
            let found = self.apply_one(value, "resources", |writer, value| {
                let list = Expr::list("[]pulumi.Resource", []);
                let name = writer.hoist("resources", Value::new(list, Ty::Any)).expr;
                writer.add_resources(&name, value);
                Value::new(name, Ty::Hook("ResourceList"))
            });
            let found = match found.expr {
                Expr::Assert(call, _) => fix_results(*call),
                other => other,
            };
            let late =
                Expr::call("pulumi.DependsOnInputs", [found.assert("pulumi.ResourceArrayOutput")]);
            option = Expr::call("pulumi.Composite", [option, late]);
        }
        option
    }

    fn custom_timeouts(&mut self, option: &Attribute) -> Option<Expr> {
        let items = self.fields_of(option, TIMEOUTS, |writer, _, value| {
            writer.operand_in(value, &Place::Plain(Ty::Text))
        })?;
        let ty = "pulumi.CustomTimeouts".to_owned();
        let value = Expr::Composite { ty, items, on_lines: true };
        Some(Expr::call("pulumi.Timeouts", [Expr::unary("&", value)]))
    }

    fn hooks(&mut self, option: &Attribute) -> Option<Expr> {
        let document = self.document;
        let items = self.fields_of(option, MOMENTS, |writer, moment, value| {
            let kind = if moment == "onError" { "ErrorHook" } else { "ResourceHook" };
            let list = document.unconverted(value);
            match &document.expression(list).kind {
                ExpressionKind::Tuple { elements } => {
                    let hooks: Vec<Expr> =
                        elements.iter().map(|&hook| writer.operand(hook).expr).collect();
                    let items = hooks.into_iter().map(Item::of).collect();
                    let ty = format!("[]*pulumi.{kind}");
                    Expr::Composite { ty, items, on_lines: false }
                }
                _ => writer.operand(value).expr,
            }
        })?;
        let ty = "pulumi.ResourceHookBinding".to_owned();
        let value = Expr::Composite { ty, items, on_lines: true };
        Some(Expr::call("pulumi.ResourceHooks", [Expr::unary("&", value)]))
    }

    /// The fields of an option that is an object with some of these properties.
    fn fields_of(
        &mut self,
        option: &Attribute,
        known: &[&str],
        write: impl Fn(&mut Self, &str, ExpressionIndex) -> Expr,
    ) -> Option<Vec<Item>> {
        let document = self.document;
        let object = document.unconverted(option.value);
        let ExpressionKind::Object { items } = &document.expression(object).kind else {
            let message = format!(
                "the option `{}` is left out: the SDK takes its properties one by one",
                option.name
            );
            self.limit(Limit::Option, option.name_range, message);
            return None;
        };
        let mut fields = Vec::new();
        for item in counted(document, items) {
            let name = document.key_text(item.key).unwrap_or_default();
            if !known.contains(&&*name) {
                let place = document.expression(item.key).range;
                let of = &option.name;
                let message = format!("the SDK has no property `{name}` of `{of}`; it is left out");
                self.limit(Limit::Option, place, message);
                continue;
            }
            let value = write(self, &name, item.value);
            fields.push(Item::keyed(exported(&name), value));
        }
        Some(fields)
    }

    fn aliases(&mut self, node: &Node, option: &Attribute) -> Option<Expr> {
        let aliases = self.document.options(node).aliases?.parts;
        let Some(aliases) = aliases else {
            let message = "the option `aliases` is left out: the SDK takes its parts one by one";
            self.limit(Limit::Option, option.name_range, message);
            return None;
        };
        let mut all = Vec::new();
        for alias in aliases {
            let mut items = Vec::new();
            match alias {
                Alias::Urn(urn) => {
                    let urn = self.operand_in(urn, &Place::input(Ty::Urn, false));
                    items.push(Item::keyed("URN", urn));
                }
                Alias::Parts { name, ty, no_parent, parent, .. } => {
                    let text = Place::input(Ty::Text, false);
                    for (key, value) in [("Name", name), ("Type", ty)] {
                        if let Some(value) = value {
                            items.push(Item::keyed(key, self.operand_in(value, &text)));
                        }
                    }
                    if let Some(value) = no_parent {
                        let value = self.operand_in(value, &Place::input(Ty::Bool, false));
                        items.push(Item::keyed("NoParent", value));
                    }
                    if let Some(value) = parent {
                        let value = self.operand(value);
                        match value.ty {
                            Ty::Named(_) => items.push(Item::keyed("Parent", value.expr)),
                            _ => {
                                let urn = self.as_input(value, &Ty::Urn, false);
                                items.push(Item::keyed("ParentURN", urn));
                            }
                        }
                    }
                }
                _ => {}
            }
            let on_lines = !items.is_empty();
            all.push(Expr::Composite { ty: String::new(), items, on_lines });
        }
        let list = Expr::list("[]pulumi.Alias", all);
        Some(Expr::call("pulumi.Aliases", [list]))
    }

    fn providers(&mut self, node: &Node, option: &Attribute) -> Option<Expr> {
        use pcl::document::Providers;
        match self.document.options(node).providers?.parts {
            Providers::List(values) => {
                let values: Vec<Expr> =
                    values.into_iter().map(|value| self.operand(value).expr).collect();
                Some(Expr::call("pulumi.Providers", values))
            }
            Providers::Map(entries) => {
                let mut items = Vec::new();
                for (name, value) in entries {
                    let value = self.operand(value).expr;
                    items.push(Item::keyed(crate::syntax::quoted(&name), value));
                }
                let ty = "map[string]pulumi.ProviderResource".to_owned();
                let map = Expr::Composite { ty, items, on_lines: true };
                Some(Expr::call("pulumi.ProviderMap", [map]))
            }
            _ => {
                let message =
                    "the option `providers` is left out: the SDK takes its parts one by one";
                self.limit(Limit::Option, option.name_range, message);
                None
            }
        }
    }
}

/// A call of a function that gives a list of resources.
fn fix_results(call: Expr) -> Expr {
    match call {
        Expr::Call { callee, arguments, expands } => {
            let fix = |argument: Expr| match argument {
                Expr::Function { parameters, body, .. } => {
                    Expr::Function { parameters, results: "[]pulumi.Resource".to_owned(), body }
                }
                other => other,
            };
            let arguments = arguments.into_iter().map(fix).collect();
            Expr::Call { callee, arguments, expands }
        }
        other => other,
    }
}
