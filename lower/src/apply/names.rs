//! Names for the parameters of an apply: derived from the values, and never hiding another name.

use pcl_language::{Area, Function};
use pcl_model::TypeId;
use pcl_model::expression::{ExprArena, ExprId, ExprKind, TraversalStep};
use pcl_model::relations::Key;
use pcl_model::scope::{DefinitionId, DefinitionKind, Scopes};
use pcl_model::types::{Symbol, Type, TypeStore};
use pcl_model::value::Constant;
use pcl_syntax::capitalized;
use rustc_hash::{FxHashMap, FxHashSet};

use super::inflection;

/// Words that a parameter cannot be called by.
const RESERVED: &[&str] = &["else", "endfor", "endif", "false", "for", "if", "in", "null", "true"];

/// The data that names are made from.
pub(super) struct Namer<'a> {
    pub exprs: &'a ExprArena,
    pub types: &'a mut TypeStore,
    pub scopes: &'a Scopes,
    /// The spelling of names in the generated language.
    pub format: fn(&str) -> String,
}

impl Namer<'_> {
    /// A name for each of the arguments of an apply, in their order: all different, and none of
    /// them in `taken`.
    pub fn assign(&mut self, arguments: &[ExprId], taken: &FxHashSet<Symbol>) -> Vec<Symbol> {
        let wishes: Vec<String> = arguments
            .iter()
            .map(|&argument| {
                let best = self.best(argument);
                identifier(&(self.format)(&best))
            })
            .collect();
        let mut count: FxHashMap<&str, usize> = FxHashMap::default();
        for wish in &wishes {
            *count.entry(wish).or_default() += 1;
        }
        let mut used: FxHashSet<String> =
            taken.iter().map(|&name| self.types.name(name).to_owned()).collect();
        let mut names: Vec<Option<String>> = Vec::with_capacity(wishes.len());
        for wish in &wishes {
            let is_free = count.get(wish.as_str()) == Some(&1) && used.insert(wish.clone());
            names.push(is_free.then(|| wish.clone()));
        }
        let mut next: FxHashMap<String, usize> = FxHashMap::default();
        let mut symbols = Vec::with_capacity(names.len());
        for ((name, wish), &argument) in names.into_iter().zip(&wishes).zip(arguments) {
            let name = name.unwrap_or_else(|| {
                let of_resource = (count.get(wish.as_str()) > Some(&1))
                    .then(|| self.resource(argument))
                    .flatten();
                let wish = match of_resource {
                    Some(resource) => {
                        let whole = format!("{resource}{}", capitalized(wish));
                        identifier(&(self.format)(&whole))
                    }
                    None => wish.clone(),
                };
                let mut name = wish.clone();
                let suffix = next.entry(wish.clone()).or_default();
                while !used.insert(name.clone()) {
                    *suffix += 1;
                    name = format!("{wish}{suffix}");
                }
                name
            });
            symbols.push(self.types.symbol(&name));
        }
        symbols
    }

    /// The resource that `id` is a part of.
    fn resource(&self, id: ExprId) -> Option<&str> {
        let ExprKind::Traversal(traversal) = &self.exprs[id].kind else {
            return None;
        };
        let definition = self.scopes.definition(traversal.definition?);
        let is_resource = matches!(definition.kind, DefinitionKind::Resource(_));
        (is_resource && !traversal.steps.is_empty()).then(|| self.types.name(traversal.root))
    }

    /// A name that people would give the value of `id`.
    fn best(&self, mut id: ExprId) -> String {
        let mut changes: Vec<fn(&str) -> String> = Vec::new();
        let name = loop {
            let expr = &self.exprs[id];
            id = match &expr.kind {
                ExprKind::Traversal(traversal) => {
                    let (step, singulars) =
                        last_name(self.exprs.steps(traversal.steps), self.types);
                    changes
                        .extend((0..singulars).map(|_| inflection::singular as fn(&str) -> String));
                    let name = step.unwrap_or_else(|| self.types.name(traversal.root).to_owned());
                    break if name.is_empty() {
                        by_type(self.types, expr.ty).to_owned()
                    } else {
                        name
                    };
                }
                ExprKind::RelativeTraversal { source, steps } => {
                    let (step, singulars) = last_name(self.exprs.steps(*steps), self.types);
                    changes
                        .extend((0..singulars).map(|_| inflection::singular as fn(&str) -> String));
                    if let Some(name) = step {
                        break name;
                    }
                    *source
                }
                ExprKind::Call(call) => {
                    let name = self.types.name(call.name);
                    let tells = match Function::parse(name) {
                        Some(Function::Element | Function::ReadFile) => call.arguments.first(),
                        Some(Function::Lookup) => call.arguments.get(1),
                        Some(function) if function.row().area == Area::Assets => {
                            call.arguments.first()
                        }
                        _ => None,
                    };
                    match tells {
                        Some(&argument) => argument,
                        None => break name.rsplit("::").next().unwrap_or(name).to_owned(),
                    }
                }
                ExprKind::Apply(apply) => apply.body,
                ExprKind::Convert(value) => *value,
                &ExprKind::Index { collection, key } => {
                    let ty = self.types.strip(self.exprs[collection].ty);
                    match self.types.get(ty) {
                        Type::Map(_) | Type::Object(_) | Type::Nominal(_) => key,
                        _ => {
                            changes.push(inflection::singular);
                            collection
                        }
                    }
                }
                ExprKind::For(for_expr) if for_expr.key.is_none() => {
                    changes.push(inflection::plural);
                    for_expr.value
                }
                ExprKind::Splat(splat) => {
                    changes.push(inflection::plural);
                    splat.each
                }
                ExprKind::Template(_) => match self.exprs.literal_string(id) {
                    Some(text) if !text.is_empty() => break text.to_string(),
                    _ => break "s".to_owned(),
                },
                ExprKind::Literal(Constant::String(text)) if !text.is_empty() => {
                    break text.to_string();
                }
                _ => break by_type(self.types, expr.ty).to_owned(),
            };
        };
        changes.iter().rev().fold(name, |name, change| change(&name))
    }
}

/// The name that the last of some steps says, if one does, and of how many collections it is an
/// element.
fn last_name(steps: &[TraversalStep], types: &TypeStore) -> (Option<String>, usize) {
    let mut singulars = 0;
    for step in steps.iter().rev() {
        match &step.key {
            Key::Name(name) => return (Some(types.name(*name).to_owned()), singulars),
            Key::Constant(Constant::String(key)) => return (Some(key.to_string()), singulars),
            // One of the elements has a name only once: `xs[0][1]` is an `x`.
            _ => singulars = 1,
        }
    }
    (None, singulars)
}

/// A name for a value of which nothing is known but its type.
fn by_type(types: &TypeStore, ty: TypeId) -> &'static str {
    match types.get(ty) {
        Type::Output(element) | Type::Promise(element) => by_type(types, *element),
        Type::Const { underlying, .. } => by_type(types, *underlying),
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => "values",
        Type::Map(_) | Type::Object(_) | Type::Nominal(_) | Type::Dynamic => "obj",
        Type::Union(_) => "value",
        Type::Bool => "b",
        Type::Int => "i",
        Type::Number => "n",
        Type::String | Type::Id => "s",
        _ => "v",
    }
}

/// `text` as the name of a parameter: `my-key` gives `my_key`, `for` gives `for_`.
pub(crate) fn identifier(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let legal = |c| if c == '-' { '_' } else { c };
    let text: String = text.chars().take(MAX_CHARS).map(legal).collect();
    let mut name = pcl_syntax::identifier(&text);
    if RESERVED.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// The names that the parameters of an apply with this `body` cannot have: those that it uses for
/// something else, and those that hide a parameter where it is used.
pub(super) fn taken(
    exprs: &ExprArena,
    scopes: &Scopes,
    body: ExprId,
    parameters: &FxHashSet<DefinitionId>,
) -> FxHashSet<Symbol> {
    enum NameTask {
        Enter(ExprId),
        Bind(DefinitionId),
        Unbind,
    }
    let mut taken = FxHashSet::default();
    let mut tasks = vec![NameTask::Enter(body)];
    // The definitions around the present expression, and the depth within which a parameter was
    // used.
    let mut around: Vec<DefinitionId> = Vec::new();
    let mut defined: FxHashSet<DefinitionId> = FxHashSet::default();
    let mut hidden_below = 0;
    while let Some(task) = tasks.pop() {
        match task {
            NameTask::Bind(definition) => {
                around.push(definition);
                defined.insert(definition);
            }
            NameTask::Unbind => {
                if let Some(definition) = around.pop()
                    && around.len() < hidden_below
                {
                    taken.insert(scopes.definition(definition).name);
                    hidden_below = around.len();
                }
            }
            NameTask::Enter(id) => match &exprs[id].kind {
                ExprKind::Traversal(traversal) => match traversal.definition {
                    Some(definition) if parameters.contains(&definition) => {
                        hidden_below = around.len();
                    }
                    Some(definition) if defined.contains(&definition) => {}
                    _ => {
                        taken.insert(traversal.root);
                    }
                },
                ExprKind::For(for_expr) => {
                    let variables = [for_expr.key_variable, for_expr.value_variable];
                    let variables = variables.into_iter().flatten();
                    let parts = [for_expr.key, Some(for_expr.value), for_expr.condition];
                    tasks.extend(variables.clone().map(|_| NameTask::Unbind));
                    tasks.extend(parts.into_iter().flatten().map(NameTask::Enter));
                    tasks.extend(variables.map(NameTask::Bind));
                    tasks.push(NameTask::Enter(for_expr.collection));
                }
                ExprKind::Splat(splat) => {
                    tasks.extend([
                        NameTask::Unbind,
                        NameTask::Enter(splat.each),
                        NameTask::Bind(splat.item),
                        NameTask::Enter(splat.source),
                    ]);
                }
                ExprKind::Apply(apply) => {
                    let (parameters, arguments) = (apply.arguments.iter(), apply.arguments.iter());
                    tasks.extend(parameters.clone().map(|_| NameTask::Unbind));
                    tasks.push(NameTask::Enter(apply.body));
                    tasks.extend(parameters.map(|&(parameter, _)| NameTask::Bind(parameter)));
                    tasks.extend(arguments.map(|&(_, argument)| NameTask::Enter(argument)));
                }
                kind => kind.for_each_operand(|operand| tasks.push(NameTask::Enter(operand))),
            },
        }
    }
    taken
}
