//! The options of resources.

use pcl::document::{
    Alias, Attribute, ExpressionIndex, ExpressionKind, Node, Providers, TypeIndex,
};
use pcl::language::ResourceOption;
use pcl_codegen::Limit;

use crate::convert::{Setter, builder};
use crate::invoke::is_resource;
use crate::module::{Value, Writer};
use crate::place::Place;
use crate::syntax::{Expr, Stmt};
use crate::types::Ty;
use crate::value::counted;

/// The properties of `CustomTimeouts`.
const TIMEOUTS: &[&str] = &["create", "delete", "read", "update"];

/// Resources of an option: those that are there, and lists and outputs of others.
type Resources = (Vec<Expr>, Vec<Value>);

impl Writer<'_> {
    /// The options of a block; `None` if it has none.
    pub fn options(&mut self, node: &Node, is_component: bool) -> Option<Expr> {
        let mut setters: Vec<Setter> = Vec::new();
        if self.component.is_some() && node.option("parent").is_none() {
            setters.push((Vec::new(), "parent".to_owned(), Expr::text("this")));
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
            if let Some((name, value)) = self.option(node, option, known) {
                let comments = pcl::document::comment_lines(option.comments.around());
                setters.push((comments, name.to_owned(), value));
            }
        }
        if setters.is_empty() {
            return None;
        }
        let class = if is_component { "ComponentResourceOptions" } else { "CustomResourceOptions" };
        Some(builder(class, setters))
    }

    fn option(
        &mut self,
        node: &Node,
        option: &Attribute,
        known: ResourceOption,
    ) -> Option<(&'static str, Expr)> {
        use ResourceOption as O;
        let texts = Place::Plain(Ty::list(Ty::Text));
        let (name, place) = match known {
            O::AdditionalSecretOutputs => ("additionalSecretOutputs", texts),
            O::HideDiffs => ("hideDiffs", texts),
            O::IgnoreChanges => ("ignoreChanges", texts),
            O::ReplaceOnChanges => ("replaceOnChanges", texts),
            O::DeleteBeforeReplace => ("deleteBeforeReplace", Place::Plain(Ty::Bool)),
            O::Protect => ("protect", Place::Plain(Ty::Bool)),
            O::RetainOnDelete => ("retainOnDelete", Place::Plain(Ty::Bool)),
            O::PluginDownloadUrl => ("pluginDownloadURL", Place::Plain(Ty::Text)),
            O::Version => ("version", Place::Plain(Ty::Text)),
            O::Import => ("importId", Place::Plain(Ty::Text)),
            O::ReplacementTrigger => {
                let value = self.operand_in(option.value, &Place::Input(Ty::Any));
                if value.expr.is_null() {
                    return None;
                }
                let ty = Ty::output(value.ty.content().resolved());
                return Some(("replacementTrigger", self.coerce(value, &ty)));
            }
            O::Aliases => return Some(("aliases", self.aliases(node, option)?)),
            O::CustomTimeouts => return Some(("customTimeouts", self.custom_timeouts(option)?)),
            O::Parent => return Some(("parent", self.resource_option(option)?)),
            O::Provider => return Some(("provider", self.resource_option(option)?)),
            O::DependsOn => return Some(("dependsOn", self.depends_on(option.value))),
            O::ReplaceWith => return Some(("replaceWith", self.replace_with(option.value))),
            O::Providers => return Some(("providers", self.providers(node, option)?)),
            O::DeletedWith | O::EnvVarMappings | O::Hooks => {
                let message = format!("the SDK has no option `{}`; it is left out", known.name());
                self.limit(Limit::Option, option.name_range, message);
                return None;
            }
            O::Range => return None,
        };
        if self.refuses(option) {
            return None;
        }
        let value = self.operand_in(option.value, &place);
        if value.expr.is_null() { None } else { Some((name, value.expr)) }
    }

    /// Says that an option is left out if its value is an output.
    fn refuses(&mut self, option: &Attribute) -> bool {
        let count = self.unsupported.len();
        let (_, value) = self.block(|writer| writer.operand(option.value));
        self.unsupported.truncate(count);
        if !value.ty.is_output() {
            return false;
        }
        let message =
            format!("the option `{}` is left out: the SDK accepts no output here", option.name);
        self.limit(Limit::Output, option.name_range, message);
        true
    }

    fn resource_option(&mut self, option: &Attribute) -> Option<Expr> {
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
        let own = self.document.unconverted(option.value);
        let kinds = self.document.plain(self.document.expression(own).ty);
        let is_resource = |kind: &TypeIndex| is_resource(self.document, *kind);
        if *value.ty.present() == Ty::Any && kinds.iter().any(is_resource) {
            // A part of the result of a method, whose type is lost.
            let class = if option.name == "provider" { "ProviderResource" } else { "Resource" };
            let class = self.class(&format!("com.pulumi.resources.{class}"));
            return Some(value.expr.cast(class));
        }
        if !matches!(value.ty.present(), Ty::Named(_)) {
            let message =
                format!("the option `{}` is left out: this is no resource in Java", option.name);
            self.limit(Limit::Option, option.name_range, message);
            return None;
        }
        Some(value.expr)
    }

    fn resources(&mut self, value: ExpressionIndex) -> Resources {
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
                Ty::Named(_) => single.push(value.expr),
                Ty::Null => {}
                _ => others.push(value),
            }
        }
        (single, others)
    }

    fn depends_on(&mut self, value: ExpressionIndex) -> Expr {
        let (single, others) = self.resources(value);
        let (late, known): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|value| value.ty.is_output());
        let list = self.resource_list(single, known);
        if late.is_empty() {
            return list;
        }
        let list = self.simple("resources", Value::new(list, Ty::Any)).expr;
        let mut result: Option<Expr> = None;
        for value in late {
            let start = list.clone();
            let before = result.take();
            let own = value.clone();
            let collected = self.apply_one(own, "found", |writer, found| {
                let list = match &before {
                    None => start,
                    Some(_) => Expr::text("List.<Resource>of()"),
                };
                let list = Expr::new("ArrayList<Resource>", [list]);
                let name = writer.names_take("resources");
                writer.emit(Stmt::define(&name, list));
                writer.add_resources(&name, found);
                Value::new(Expr::text(name), Ty::list(Ty::Any))
            });
            let collected = match collected.expr {
                Expr::Call { source, arguments, comments, .. } => {
                    let name = "<List<Resource>>applyValue".to_owned();
                    Expr::Call { source, name, arguments, comments }
                }
                other => other,
            };
            result = Some(match before {
                None => collected,
                Some(before) => Expr::call("Output.concatList", [before, collected]),
            });
        }
        result.unwrap_or(list)
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
        self.resource_list(single, others)
    }

    /// A list of resources.
    fn resource_list(&mut self, single: Vec<Expr>, others: Vec<Value>) -> Expr {
        if others.is_empty() {
            return Expr::call("List.of", single);
        }
        let name = self.names_take("resources");
        let new = if single.is_empty() {
            Expr::new("ArrayList<Resource>", [])
        } else {
            Expr::new("ArrayList<Resource>", [Expr::call("List.of", single)])
        };
        self.emit(Stmt::define(&name, new));
        for value in others {
            self.add_resources(&name, value);
        }
        Expr::text(name)
    }

    /// The statements that add the resources of a value to a list.
    fn add_resources(&mut self, list: &str, value: Value) {
        let list = Expr::text(list);
        match value.ty.present() {
            Ty::List(element) if matches!(**element, Ty::Named(_)) => {
                self.emit(Stmt::Evaluate(list.method("addAll", [value.expr])));
            }
            Ty::Map(element) if matches!(**element, Ty::Named(_)) => {
                let values = value.expr.method("values", []);
                self.emit(Stmt::Evaluate(list.method("addAll", [values])));
            }
            Ty::Named(_) => {
                let value = self.simple("resource", value).expr;
                let condition = Expr::binary("!=", value.clone(), Expr::null());
                let body = vec![Stmt::Evaluate(list.method("add", [value]))];
                self.emit(Stmt::If { condition, body, otherwise: Vec::new() });
            }
            _ => {
                let any = Expr::call("Helpers.resourcesIn", [value.expr]);
                self.emit(Stmt::Evaluate(list.method("addAll", [any])));
            }
        }
    }

    fn custom_timeouts(&mut self, option: &Attribute) -> Option<Expr> {
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
        let mut setters = Vec::new();
        for item in counted(document, items) {
            let name = document.key_text(item.key).unwrap_or_default();
            if !TIMEOUTS.contains(&&*name) {
                let place = document.expression(item.key).range;
                let of = &option.name;
                let message = format!("the SDK has no property `{name}` of `{of}`; it is left out");
                self.limit(Limit::Option, place, message);
                continue;
            }
            let value = self.operand_in(item.value, &Place::Plain(Ty::Text)).expr;
            let duration = Expr::call("CustomTimeouts.parseTimeoutString", [value]);
            setters.push((Vec::new(), name.into_owned(), duration));
        }
        Some(builder("CustomTimeouts", setters))
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
            match alias {
                Alias::Urn(urn) => {
                    let value = self.operand_in(urn, &Place::Input(Ty::Text));
                    all.push(if value.ty.is_output() {
                        value.expr.method("applyValue", [Expr::text("Alias::withUrn")])
                    } else {
                        let alias = Expr::call("Alias.withUrn", [value.expr]);
                        Expr::call("Output.of", [alias])
                    });
                }
                Alias::Parts { name, ty, no_parent, parent, .. } => {
                    let alias = self.alias(name, ty, no_parent, parent);
                    all.push(Expr::call("Output.of", [alias]));
                }
                _ => {}
            }
        }
        Some(Expr::call("List.of", all))
    }

    fn alias(
        &mut self,
        name: Option<ExpressionIndex>,
        ty: Option<ExpressionIndex>,
        no_parent: Option<ExpressionIndex>,
        parent: Option<ExpressionIndex>,
    ) -> Expr {
        let mut source = Expr::text("Alias").method("builder", []);
        for (setter, value) in [("name", name), ("type", ty)] {
            let Some(value) = value else { continue };
            let value = self.operand_in(value, &Place::Input(Ty::Text));
            source = source.method(setter, [value.expr]);
        }
        let has_none = no_parent.and_then(|value| self.document.literal(value));
        if has_none == Some(&pcl::document::Constant::Bool(true)) {
            source = source.method("noParent", []);
        }
        if let Some(parent) = parent {
            let value = self.operand(parent);
            source = match value.ty.present() {
                Ty::Named(_) => source.method("parent", [value.expr]),
                _ => {
                    let urn = self.coerce(value, &Ty::output(Ty::Text));
                    source.method("parentUrn", [urn])
                }
            };
        }
        source.method("build", [])
    }

    fn providers(&mut self, node: &Node, option: &Attribute) -> Option<Expr> {
        let values = match self.document.options(node).providers?.parts {
            Providers::List(values) => values,
            // The SDK finds the package of each provider itself.
            Providers::Map(entries) => entries.into_iter().map(|(_, value)| value).collect(),
            Providers::Computed => {
                let message =
                    "the option `providers` is left out: the SDK takes its parts one by one";
                self.limit(Limit::Option, option.name_range, message);
                return None;
            }
        };
        let values: Vec<Expr> = values.into_iter().map(|value| self.operand(value).expr).collect();
        Some(Expr::call("List.of", values))
    }
}
