//! Questions about expressions that every generator asks.

use pcl::document::{
    Call, Document, ExpressionIndex, ExpressionKind, Key, Node, Reference, Step, Type, TypeIndex,
    VariableIndex, comment_lines,
};
use pcl::language::Function;
use rustc_hash::FxHashSet;

use crate::types::content;

/// The functions that take a part out of a collection, or count its parts.
const COLLECTION: &[Function] = &[
    Function::Element,
    Function::Entries,
    Function::Length,
    Function::Lookup,
    Function::SingleOrNone,
];

/// Returns true if a call takes a part out of a collection, or counts its parts.
pub fn is_of_collection(call: &Call) -> bool {
    call.function().is_some_and(|function| COLLECTION.contains(&function))
}

/// The variable for the message in the second argument of `recover`; `None` if it is not used.
pub fn error_variable(document: &Document, recovery: ExpressionIndex) -> Option<VariableIndex> {
    document.walk(recovery).into_iter().find_map(|part| match &document.expression(part).kind {
        ExpressionKind::Traversal(traversal) if traversal.name == "error" => {
            match traversal.reference {
                Reference::Variable(variable) => Some(variable),
                _ => None,
            }
        }
        _ => None,
    })
}

/// The type of the code of an expression. The language calls what it takes out of a list of
/// resources an output, since its properties are; in an SDK it is a resource. `is_late` tells which
/// types are those of values that are known later.
pub fn code_type(
    document: &Document,
    index: ExpressionIndex,
    is_late: impl Fn(TypeIndex) -> bool,
) -> TypeIndex {
    let ty = document.expression(index).ty;
    if let ExpressionKind::Call(call) = &document.expression(index).kind
        && is_of_collection(call)
        && let Some(&collection) = call.arguments.first()
    {
        let collection = document.expression(collection).ty;
        let element = match document.ty(collection) {
            Type::List { element } | Type::Set { element } | Type::Map { element } => {
                Some(*element)
            }
            Type::Tuple { elements } => elements.first().copied(),
            _ => None,
        };
        if !is_late(collection) && element.is_some_and(|element| !is_late(element)) {
            return content(document, ty);
        }
    }
    ty
}

/// The parts of a value that are inside of `try` or `can`, where a step that leads nowhere has to
/// fail as it does in the language. `parts` is what [`Document::walk`] returns of the value.
pub fn checked_parts(document: &Document, parts: &[ExpressionIndex]) -> FxHashSet<ExpressionIndex> {
    let mut checked = FxHashSet::default();
    // What contains an expression comes after it.
    for &index in parts.iter().rev() {
        let kind = &document.expression(index).kind;
        let is_attempt = match kind {
            ExpressionKind::Call(call) => {
                matches!(call.function(), Some(Function::Try | Function::Can))
            }
            _ => false,
        };
        if is_attempt || checked.contains(&index) {
            kind.for_each_operand(|operand| _ = checked.insert(operand));
        }
    }
    checked
}

/// The expressions of which one is the result of `body`: the branches of conditionals.
pub fn results(document: &Document, body: ExpressionIndex) -> Vec<ExpressionIndex> {
    let mut open = vec![body];
    let mut results = Vec::new();
    while let Some(part) = open.pop() {
        match &document.expression(part).kind {
            ExpressionKind::Conditional { if_true, if_false, .. } => {
                open.extend([*if_true, *if_false]);
            }
            _ => results.push(part),
        }
    }
    results
}

/// Returns true if a value is written out, and was converted part by part.
pub fn is_written(document: &Document, value: ExpressionIndex) -> bool {
    matches!(
        document.expression(value).kind,
        ExpressionKind::Object { .. }
            | ExpressionKind::Tuple { .. }
            | ExpressionKind::Literal { .. }
            | ExpressionKind::For(_)
            | ExpressionKind::Conditional { .. }
            | ExpressionKind::Convert { .. }
    ) || document.literal(value).is_some()
}

/// The path to a property, as options of resources take it: `website.rules[0]`.
pub fn property_path(name: &str, steps: &[Step]) -> String {
    let mut path = name.to_owned();
    for step in steps {
        match &step.key {
            Key::Name(name) => path.push_str(&format!(".{name}")),
            Key::Index(key) => path.push_str(&format!("[{key}]")),
        }
    }
    path
}

/// The comments above a declaration, and those inside of it that belong to no part which is
/// written.
pub fn comments_of(node: &Node) -> Vec<String> {
    let comments = &node.comments;
    let inside = comments.items.iter().flat_map(|item| item.comments.around());
    let above = comments.detached.iter().chain(&comments.leading);
    let all = above.chain(&comments.open).chain(inside);
    comment_lines(all.chain(&comments.close))
}

/// The package, module and name of a token.
pub fn token_parts(token: &str) -> Option<(&str, &str, &str)> {
    let (package, rest) = token.split_once(':')?;
    match rest.rsplit_once(':') {
        Some((module, name)) => Some((package, module, name)),
        None => Some((package, "", rest)),
    }
}
