//! Names for the parameters of an apply: derived from the values, and never hiding another name.
//! They are for people, who have another word for one than for many; nothing depends on them.

use pcl_language::{Area, Function};
use pcl_model::TypeId;
use pcl_model::expression::{ExprArena, ExprId, ExprKind, Steps};
use pcl_model::relations::Key;
use pcl_model::scope::{DefinitionId, DefinitionKind, Scopes};
use pcl_model::types::{Symbol, Type, TypeStore};
use pcl_model::value::Constant;
use pcl_syntax::capitalized;
use rustc_hash::{FxHashMap, FxHashSet};

/// A change to a name, such as that to the name of one element.
type Change = fn(&str) -> String;

/// Words that a parameter cannot be called by.
const RESERVED: &[&str] = &["else", "endfor", "endif", "false", "for", "if", "in", "null", "true"];

/// The data that names are made from.
pub(super) struct Namer<'a> {
    pub exprs: &'a ExprArena,
    pub types: &'a mut TypeStore,
    pub scopes: &'a Scopes,
    /// The spelling of names in the generated language.
    pub format: Change,
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
        let ExprKind::Traversal(traversal) = &self.exprs[id].kind else { return None };
        let definition = self.scopes.definition(traversal.definition?);
        let is_resource = matches!(definition.kind, DefinitionKind::Resource(_));
        (is_resource && !traversal.steps.is_empty()).then(|| self.types.name(traversal.root))
    }

    /// The name that the last of some steps says, if one does, and the change to it where what they
    /// lead to is an element of a collection of that name.
    fn last_name(&self, steps: Steps) -> (Option<String>, Option<Change>) {
        let mut change: Option<Change> = None;
        for step in self.exprs.steps(steps).iter().rev() {
            match &step.key {
                Key::Name(name) => return (Some(self.types.name(*name).to_owned()), change),
                Key::Constant(Constant::String(key)) => return (Some(key.to_string()), change),
                // One of the elements has a name only once: `xs[0][1]` is an `x`.
                _ => change = Some(singular),
            }
        }
        (None, change)
    }

    /// A name that people would give the value of `id`.
    fn best(&self, mut id: ExprId) -> String {
        let mut changes: Vec<Change> = Vec::new();
        let name = loop {
            let expr = &self.exprs[id];
            id = match &expr.kind {
                ExprKind::Traversal(traversal) => {
                    let (step, change) = self.last_name(traversal.steps);
                    changes.extend(change);
                    let name = step.unwrap_or_else(|| self.types.name(traversal.root).to_owned());
                    break if name.is_empty() {
                        by_type(self.types, expr.ty).to_owned()
                    } else {
                        name
                    };
                }
                ExprKind::RelativeTraversal { source, steps } => {
                    let (step, change) = self.last_name(*steps);
                    changes.extend(change);
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
                            changes.push(singular);
                            collection
                        }
                    }
                }
                ExprKind::For(for_expr) if for_expr.key.is_none() => {
                    changes.push(plural);
                    for_expr.value
                }
                ExprKind::Splat(splat) => {
                    changes.push(plural);
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

/// Words that are the same for one and many.
const UNINFLECTED: &[&str] = &[
    "data",
    "deer",
    "equipment",
    "fish",
    "info",
    "information",
    "metadata",
    "money",
    "news",
    "series",
    "sheep",
    "species",
];

/// One, and many.
const IRREGULAR: &[(&str, &str)] = &[
    ("analysis", "analyses"),
    ("axis", "axes"),
    ("child", "children"),
    ("foot", "feet"),
    ("half", "halves"),
    ("index", "indexes"),
    ("knife", "knives"),
    ("leaf", "leaves"),
    ("life", "lives"),
    ("man", "men"),
    ("matrix", "matrices"),
    ("person", "people"),
    ("shelf", "shelves"),
    ("vertex", "vertices"),
    ("woman", "women"),
];

/// `word` for many: `box` gives `boxes`, `subnetId` gives `subnetIds`.
fn plural(word: &str) -> String {
    if let Some(known) = replaced(word, |(one, many)| (one, many)) {
        return known;
    }
    let lower = word.to_ascii_lowercase();
    if UNINFLECTED.iter().any(|same| lower.ends_with(same)) {
        return word.to_owned();
    }
    let ends_with = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
    if ends_with(&["s", "x", "z", "ch", "sh"]) {
        return format!("{word}es");
    }
    match word.strip_suffix('y') {
        Some(stem) if !stem.is_empty() && !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => {
            format!("{stem}ies")
        }
        _ => format!("{word}s"),
    }
}

/// `word` for one: `boxes` gives `box`. A word that is not for many stays.
pub(super) fn singular(word: &str) -> String {
    if let Some(known) = replaced(word, |(one, many)| (many, one)) {
        return known;
    }
    let lower = word.to_ascii_lowercase();
    if UNINFLECTED.iter().any(|same| lower.ends_with(same)) || lower.len() < 2 {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    let endings = ["sses", "xes", "zes", "ches", "shes"];
    if endings.iter().any(|ending| lower.ends_with(ending))
        && let Some((stem, _)) = word.split_at_checked(word.len() - "es".len())
    {
        return stem.to_owned();
    }
    match word.strip_suffix('s') {
        Some(stem) if !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// `word` with an irregular ending exchanged; the ending may follow other words, as in
/// `firstChild`.
fn replaced(
    word: &str,
    from_to: impl Fn((&'static str, &'static str)) -> (&'static str, &'static str),
) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    IRREGULAR.iter().find_map(|&pair| {
        let (from, to) = from_to(pair);
        let at = lower.strip_suffix(from)?.len();
        let (before, ending) = word.split_at_checked(at)?;
        let is_capitalised = ending.starts_with(|c: char| c.is_ascii_uppercase());
        let begins_word = before.is_empty() || is_capitalised;
        let mut made = String::from(before);
        if is_capitalised {
            made.push_str(&pcl_syntax::capitalized(to))
        } else {
            made.push_str(to)
        }
        begins_word.then_some(made)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        for (one, many) in [
            ("x", "xes"),
            ("id", "ids"),
            ("box", "boxes"),
            ("policy", "policies"),
            ("key", "keys"),
            ("ref", "refs"),
            ("class", "classes"),
            ("batch", "batches"),
            ("child", "children"),
            ("firstChild", "firstChildren"),
            ("metadata", "metadata"),
        ] {
            assert_eq!(plural(one), many);
            assert_eq!(singular(many), one);
        }
        for (word, one) in [
            ("xs", "x"),
            ("s", "s"),
            ("status", "status"),
            ("this", "this"),
            ("address", "address"),
            ("é", "é"),
        ] {
            assert_eq!(singular(word), one);
        }
    }
}
