//! Components as classes, and the variables of those that need each other.

use pcl::document::{Body, Component, Config, Node, NodeIndex, text_lines};

use crate::convert::Setter;
use crate::module::{Value, Writer};
use crate::names::{names, property};
use crate::place::Place;
use crate::syntax::{Class, Expr, Member, Stmt, quote};
use crate::types::{Kind, Ty};
use crate::value::map_of;

/// The inputs of a component: their names, fields and methods.
pub(crate) fn input_fields(component: &Component) -> Vec<(String, String, String)> {
    let mut names = names();
    let fields = configs(component).map(|(node, _)| {
        let field = names.take(node.logical_name());
        (node.logical_name().to_owned(), field.clone(), property(&field))
    });
    fields.collect()
}

fn configs(component: &Component) -> impl Iterator<Item = (&Node, &Config)> {
    component.module.nodes.iter().filter_map(|node| match &node.body {
        Body::Config(config) => Some((node, config)),
        _ => None,
    })
}

/// Returns true if a component takes inputs.
pub(crate) fn has_inputs(component: &Component) -> bool {
    configs(component).next().is_some()
}

impl<'d> Writer<'d> {
    /// The class of a component.
    pub fn component_class(&mut self, component: &'d Component, body: Vec<Stmt>) -> Class {
        let at = self.module_index.saturating_sub(1);
        let name = self.component_name(at);
        let outputs = self.component_outputs(at);
        let token = self.shared.component_tokens.get(at).copied().unwrap_or_default();
        let mut members = Vec::new();
        for (own, method, ty) in &outputs {
            let (refs, tree) = tree(ty.content());
            let elements = vec![
                format!("name = {}", quote(own)),
                format!("refs = {{{}}}", refs.join(", ")),
                format!("tree = \"{tree}\""),
            ];
            let annotation = Some(("Export".to_owned(), elements));
            members.push(Member::Field {
                annotation,
                text: format!("private {} {method};", ty.text()),
            });
        }
        let mut parameters = vec!["String name".to_owned()];
        let has_inputs = has_inputs(component);
        if has_inputs {
            parameters.push(format!("{} args", self.component_args(at)));
        }
        parameters.push("ComponentResourceOptions options".to_owned());
        members.push(Member::Method {
            comments: vec![format!("Registers the component and the resources in it.")],
            head: format!("public {name}"),
            parameters,
            body,
        });
        for (_, method, ty) in &outputs {
            members.push(Member::Method {
                comments: Vec::new(),
                head: format!("public {} {method}", ty.text()),
                parameters: Vec::new(),
                body: vec![Stmt::Return(Expr::text("this").field(method))],
            });
        }
        Class {
            comments: vec![format!("A component of the type {token}.")],
            head: format!("public final class {name} extends ComponentResource"),
            members,
        }
    }

    /// The statements before those of a component's declarations.
    pub fn begin_component(&mut self, component: &'d Component) {
        let at = self.module_index.saturating_sub(1);
        let token = self.shared.component_tokens.get(at).copied().unwrap_or_default();
        let args = if has_inputs(component) { "args" } else { "ResourceArgs.Empty" };
        let arguments =
            [Expr::quoted(token), Expr::text("name"), Expr::text(args), Expr::text("options")];
        self.emit(Stmt::Evaluate(Expr::call("super", arguments)));
    }

    /// The statements behind those of a component's declarations.
    pub fn end_component(&mut self) {
        let at = self.module_index.saturating_sub(1);
        let entries = self.component_outputs(at).into_iter();
        let entries = entries.map(|(name, method, _)| (name, Expr::text("this").field(method)));
        let map = map_of(entries.collect(), false);
        self.emit(Stmt::Blank);
        self.emit(Stmt::Evaluate(Expr::text("this").method("registerOutputs", [map])));
    }

    /// An output of a component.
    pub fn component_output(&mut self, node: &'d Node, value: Value) -> Value {
        let at = self.module_index.saturating_sub(1);
        let outputs = self.component_outputs(at);
        let found = outputs.into_iter().find(|(name, ..)| name == node.logical_name());
        let Some((_, field, ty)) = found else { return value };
        let expr = self.coerce(value, &ty);
        let target = format!("this.{field}");
        self.emit(Stmt::assign(&target, expr));
        Value::text(target, ty)
    }

    /// The inputs that a block gives to a component of the project.
    pub fn component_setters(&mut self, node: &'d Node, own: usize) -> Vec<Setter> {
        let document = self.document;
        let Some(component) = document.components.get(own) else { return Vec::new() };
        let fields = input_fields(component);
        let mut setters = Vec::new();
        for input in node.inputs() {
            let found = configs(component).find(|(node, _)| node.logical_name() == input.name);
            let field = fields.iter().find(|(name, ..)| *name == input.name);
            let (Some((declared, config)), Some((_, _, method))) = (found, field) else { continue };
            let (ty, is_late, _) = self.input_type(declared, config);
            let place = if is_late { Place::Input(ty) } else { Place::Plain(ty) };
            let value = self.value_in(input.value, &place);
            if !value.expr.is_null() {
                let comments = pcl::document::comment_lines(input.comments.around());
                setters.push((comments, method.clone(), value.expr));
            }
        }
        setters
    }

    /// The class of the inputs of a component.
    pub fn args_class(&mut self, component: &'d Component) -> Class {
        let at = self.module_index.saturating_sub(1);
        let class = self.component_args(at);
        let deferred = self.shared.deferred_inputs.get(at);
        let (mut fields, mut plain) = (Vec::new(), Vec::new());
        let (mut copies, mut getters, mut setters) = (Vec::new(), Vec::new(), Vec::new());
        let all = input_fields(component);
        for ((node, config), (name, field, method)) in configs(component).zip(all) {
            let (ty, is_late, is_optional) = self.input_type(node, config);
            let own = if is_late { Ty::output(ty.clone()) } else { ty.clone() };
            let text = own.text();
            let mut elements = vec![format!("name = {}", quote(&name))];
            if !is_optional {
                elements.push("required = true".to_owned());
            }
            // The registration does not wait for what is no input of it.
            let is_deferred = deferred.is_some_and(|deferred| deferred.contains(name.as_str()));
            let annotation = (!is_deferred).then(|| ("Import".to_owned(), elements));
            fields
                .push(Member::Field { annotation, text: format!("private final {text} {field};") });
            plain
                .push(Member::Field { annotation: None, text: format!("private {text} {field};") });
            let given = Expr::text("builder").field(&field);
            let given = match (config.secret && is_late, is_optional) {
                (true, true) => {
                    let condition = Expr::binary("==", given.clone(), Expr::null());
                    let secret = given.method("asSecret", []);
                    Expr::conditional(condition, Expr::null(), secret)
                }
                (true, false) => given.method("asSecret", []),
                _ => given,
            };
            copies.push(Stmt::assign(format!("this.{field}"), given));
            let comments = text_lines(config.description.as_deref().unwrap_or_default());
            getters.push(Member::Method {
                comments,
                head: format!("public {text} {method}"),
                parameters: Vec::new(),
                body: vec![Stmt::Return(Expr::text("this").field(&field))],
            });
            let setter = |text: &str, body: Vec<Stmt>| Member::Method {
                comments: Vec::new(),
                head: format!("public Builder {method}"),
                parameters: vec![format!("{text} {field}")],
                body,
            };
            let this = Stmt::Return(Expr::text("this"));
            setters.push(setter(
                &text,
                vec![Stmt::assign(format!("this.{field}"), Expr::text(&field)), this.clone()],
            ));
            if is_late {
                let given = Expr::call("Output.of", [Expr::text(&field)]);
                setters.push(setter(
                    &ty.text(),
                    vec![Stmt::assign(format!("this.{field}"), given), this],
                ));
            }
        }
        let builder = Class {
            comments: Vec::new(),
            head: "public static final class Builder".to_owned(),
            members: self.builder_members(plain, setters, &class),
        };
        let mut members = fields;
        members.push(Member::Method {
            comments: Vec::new(),
            head: format!("private {class}"),
            parameters: vec!["Builder builder".to_owned()],
            body: copies,
        });
        members.push(Member::Method {
            comments: Vec::new(),
            head: "public static Builder builder".to_owned(),
            parameters: Vec::new(),
            body: vec![Stmt::Return(Expr::new("Builder", []))],
        });
        members.extend(getters);
        members.push(Member::Class(builder));
        let name = self.component_name(at);
        Class {
            comments: vec![format!("The inputs of {name}.")],
            head: format!("public final class {class} extends ResourceArgs"),
            members,
        }
    }

    fn builder_members(
        &self,
        fields: Vec<Member>,
        setters: Vec<Member>,
        class: &str,
    ) -> Vec<Member> {
        let mut members = fields;
        members.push(Member::Method {
            comments: Vec::new(),
            head: "private Builder".to_owned(),
            parameters: Vec::new(),
            body: Vec::new(),
        });
        members.extend(setters);
        members.push(Member::Method {
            comments: Vec::new(),
            head: format!("public {class} build"),
            parameters: Vec::new(),
            body: vec![Stmt::Return(Expr::new(class, [Expr::text("this")]))],
        });
        members
    }

    /// The variables that hold the outputs of later components.
    pub fn declare_deferred(&mut self, node: &'d Node) {
        let Body::Component(component) = &node.body else { return };
        for deferred in &component.deferred {
            let variable = self.document.variable(deferred.variable);
            let name = self.names_take(&variable.name);
            let ty = self.types().value(variable.ty).content().resolved();
            let new = Expr::new(format!("Helpers.Deferred<{}>", ty.text()), []);
            self.emit(Stmt::define(&name, new));
            let output = Expr::text(&name).method("output", []);
            let late = Ty::output(ty.clone());
            self.variables.insert(deferred.variable, Value::new(output, late));
            let waiting = self.waiting.entry(deferred.component).or_default();
            waiting.push((name, ty, deferred.value));
        }
    }

    /// The statements that give the variables which wait for a component their values.
    pub fn resolve_deferred(&mut self, index: NodeIndex) {
        for (name, ty, value) in self.waiting.remove(&index).unwrap_or_default() {
            let value = self.value(value);
            let value = self.coerce(value, &Ty::output(ty));
            self.emit(Stmt::Evaluate(Expr::text(name).method("resolve", [value])));
        }
    }
}

/// The classes of a type, and how they are inside of each other.
fn tree(ty: &Ty) -> (Vec<String>, String) {
    let mut refs: Vec<String> = Vec::new();
    let tree = tree_in(ty, &mut refs);
    let tree = if tree.starts_with('[') { tree } else { format!("[{tree}]") };
    (refs, tree)
}

fn tree_in(ty: &Ty, refs: &mut Vec<String>) -> String {
    let mut add = |class: &str| {
        let class = format!("{class}.class");
        let at = refs.iter().position(|known| *known == class);
        at.unwrap_or_else(|| {
            refs.push(class);
            refs.len() - 1
        })
    };
    match ty {
        Ty::List(element) => {
            let list = add("List");
            format!("[{list},{}]", tree_in(element, refs))
        }
        Ty::Map(_) | Ty::Record(_) => {
            let (map, text) = (add("Map"), add("String"));
            let entry = ty.entry().unwrap_or(Ty::Any);
            format!("[{map},{text},{}]", tree_in(&entry, refs))
        }
        Ty::Nullable(inner) => tree_in(inner, refs),
        Ty::Named(named) if named.kind != Kind::Object => add(&named.name).to_string(),
        Ty::Either(..) | Ty::Optional(_) | Ty::Output(_) => add("Object").to_string(),
        ty => add(&ty.text()).to_string(),
    }
}
