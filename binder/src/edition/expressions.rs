//! Functions, names and operators.

use pcl_diagnostics::{Fix, Span, TextEdit, TextRange};
use pcl_language::Function;
use pcl_model::expression::{Call, Expr, ExprId, ExprKind, Steps, Traversal};
use pcl_model::relations::{Conversion, Key, TraverseErrorKind};
use pcl_model::scope::DefinitionKind;
use pcl_model::types::{Symbol, TypeId};
use pcl_model::value::Constant;

use super::view::View;
use crate::edition::resources;
use crate::node::{Node, NodeKind};
use crate::schema_types::{Nominal, Shape};

/// Looks through the expressions of a node.
pub(super) fn find(view: &mut View<'_>, node: &Node) {
    for (_, expr) in view.expressions(node) {
        match &expr.kind {
            ExprKind::Call(call) => function(view, expr, call),
            ExprKind::Index { collection, .. } => lookup(view, expr, *collection),
            ExprKind::Traversal(traversal) => {
                variable(view, node, expr, traversal);
                steps(view, expr, traversal.root_type, traversal.steps);
            }
            ExprKind::RelativeTraversal { source, steps: own } => {
                let source = view.type_of(*source);
                steps(view, expr, source, *own);
            }
            ExprKind::For(looped) => {
                let ty = view.type_of(looped.collection);
                if view.is_optional(ty) || view.is_output(ty) {
                    let span = view.span(looped.collection);
                    view.needs("semantics.range.optional-collection", span, "for");
                }
            }
            _ => {}
        }
    }
}

/// A call of `lookup` with two arguments, which is an index.
fn lookup(view: &mut View<'_>, expr: &Expr, collection: ExprId) {
    let row = Function::Lookup.row();
    let written = Span::new(expr.file, expr.range);
    // Brackets may follow a call, as in `lookup(m, k)[i]`.
    let is_called = |text: &str| {
        let rest = text.strip_prefix(row.name).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with('(') && rest.ends_with(')'))
    };
    if !view.source(written).is_some_and(is_called) {
        return;
    }
    let end = expr.range.start() + row.name.len() as u32;
    let span = Span::new(expr.file, TextRange::new(expr.range.start(), end));
    if let Some(used) = view.needs(row.construct.name, span, row.name) {
        used.within(expr.range);
    }
    let collection = view.type_of(collection);
    let stripped = view.types.strip(collection);
    let is_keyed = stripped == TypeId::DYNAMIC
        || view.types.collection(stripped).key == TypeId::STRING && !view.is_optional(collection);
    if !is_keyed && let Some(used) = view.needs("semantics.function.lookup.index", span, row.name) {
        used.within(expr.range);
    }
    if view.is_output(collection) {
        view.changed("semantics.function.lookup.output-of-map", span, row.name);
    }
    if view.types.contains_eventuals(collection) {
        view.changed("semantics.function.eventual-results", span, row.name);
    }
}

fn function(view: &mut View<'_>, expr: &Expr, call: &Call) {
    let name = view.types.shared_name(call.name);
    let span = Span::new(expr.file, call.name_range);
    if let (true, Some(&last)) = (call.expands_last, call.arguments.last()) {
        let span = view.span(last);
        view.needs("expression.expand-final-argument", span, &name);
    }
    let Some(function) = Function::parse(&name) else { return };
    let fix = in_older_words(view, expr, call, function);
    if let Some(used) = view.needs(function.row().construct.name, span, &name) {
        used.within(expr.range).fix = fix;
        if function == Function::Filebase64 {
            used.fix_uses = Some(&Function::ToBase64.row().construct);
        }
    }
    let first = call.arguments.first().map(|&first| view.type_of(first));
    let is_output = view.is_output(expr.ty);
    let mut any_eventual = false;
    for &argument in &call.arguments {
        let ty = view.type_of(argument);
        any_eventual |= view.types.contains_eventuals(ty);
    }
    let is_length_of_optional =
        function == Function::Length && first.is_some_and(|first| view.is_optional(first));
    if is_length_of_optional {
        view.needs("semantics.function.length.optional", span, &name);
    }
    let result = match function {
        Function::Entries => Some("semantics.function.entries.list-of-objects"),
        Function::Can if expr.ty == TypeId::BOOL => Some("semantics.function.can.bool"),
        Function::Try if !view.is_output_of_any(expr.ty) => {
            Some("semantics.function.try.precise-type")
        }
        Function::Call if is_output => Some("semantics.call.output-result"),
        Function::Call => Some("semantics.call.plain-result"),
        _ => None,
    };
    if let Some(construct) = result {
        view.changed(construct, span, &name);
    }
    if function == Function::Lookup {
        if first.is_some_and(|first| view.is_output(first)) {
            view.changed("semantics.function.lookup.output-of-map", span, &name);
        }
        default_of_lookup(view, call);
    }
    let lifts = matches!(
        function,
        Function::Element
            | Function::Length
            | Function::Lookup
            | Function::SingleOrNone
            | Function::ToJson
    );
    if lifts && any_eventual {
        view.changed("semantics.function.eventual-results", span, &name);
    }
    if function == Function::Invoke {
        resources::find_in_invoke(view, expr, call);
    }
}

/// A default that is no element of the collection.
fn default_of_lookup(view: &mut View<'_>, call: &Call) {
    let &[collection, _, default] = &*call.arguments else { return };
    let collection = view.type_of(collection);
    let element = view.types.collection(collection).value;
    let ty = view.type_of(default);
    let ty = view.types.resolve(ty);
    let is_null = ty == TypeId::NONE || view.types.without_none(ty).is_some();
    if !is_null && view.types.convert(element, ty) == Conversion::No {
        let name = Function::Lookup.row().name;
        view.needs("semantics.function.lookup.default", view.span(default), name);
    }
}

/// The same as a call, without its function.
fn in_older_words(view: &View<'_>, expr: &Expr, call: &Call, function: Function) -> Option<Fix> {
    let text = |at: usize| view.source(view.span(*call.arguments.get(at)?));
    let whole = Span::new(expr.file, expr.range);
    let is_plain = !call.expands_last;
    let is_short = |argument| {
        let kind = &view.exprs[argument].kind;
        matches!(kind, ExprKind::Literal(_) | ExprKind::Traversal(_))
    };
    let (title, text) = match (function, call.arguments.len()) {
        // A conditional repeats its operands: nested calls would double with each level.
        (Function::Max | Function::Min, 2)
            if is_plain && call.arguments.iter().copied().all(is_short) =>
        {
            let (a, b) = (text(0)?, text(1)?);
            let sign = if function == Function::Max { '>' } else { '<' };
            ("write a conditional", format!("({a} {sign} {b} ? {a} : {b})"))
        }
        (Function::Filebase64, 1) if is_plain => {
            let path = text(0)?;
            ("encode what `readFile` reads", format!("toBase64(readFile({path}))"))
        }
        (Function::GetOutput, 2) if is_plain => {
            let (stack, key) = (text(0)?, text(1)?);
            ("index the outputs of the stack", format!("{stack}.outputs[{key}]"))
        }
        _ => return None,
    };
    Some(Fix::unsafe_(title, vec![TextEdit::replace(whole, text)]))
}

/// A name that is not declared: `range`, `args`, `error`.
fn variable(view: &mut View<'_>, node: &Node, expr: &Expr, traversal: &Traversal) {
    let Some(definition) = traversal.definition else { return };
    let definition = view.scopes.definition(definition);
    if definition.kind != DefinitionKind::Variable || definition.span.is_some() {
        return;
    }
    let root = view.types.shared_name(traversal.root);
    let span = Span::new(expr.file, traversal.root_range);
    let construct = match (&*root, node.kind) {
        ("range", NodeKind::Component) => "name.range.in-component",
        ("args", NodeKind::Hook) => "name.args.in-hook-command",
        ("error", _) => "name.error.in-recover",
        _ => return,
    };
    if let Some(used) = view.needs(construct, span, &root) {
        used.within(expr.range).part();
    }
    let exprs = view.exprs;
    if node.kind == NodeKind::Hook
        && let Some(first) = exprs.steps(traversal.steps).first()
        && let Some(member) = symbol_of(view, &first.key)
    {
        let name = format!("{root}.{}", view.types.name(member));
        let construct = format!("name.args.in-hook-command.{}", view.types.name(member));
        let span = Span::new(expr.file, first.range);
        if let Some(used) = view.needs(&construct, span, &name) {
            used.part();
        }
    }
}

fn symbol_of(view: &View<'_>, key: &Key) -> Option<Symbol> {
    match key {
        Key::Name(name) => Some(*name),
        Key::Constant(Constant::String(text)) => view.types.find_symbol(text),
        _ => None,
    }
}

/// Steps that older releases refuse: to a property in other case, and from null.
fn steps(view: &mut View<'_>, expr: &Expr, mut receiver: TypeId, steps: Steps) {
    let exprs = view.exprs;
    for step in exprs.steps(steps) {
        let span = Span::new(expr.file, step.range);
        if let Some(member @ ("id" | "urn")) =
            symbol_of(view, &step.key).map(|name| view.types.shared_name(name)).as_deref()
            && is_reference(view, receiver)
        {
            view.needs("semantics.schema.reference-is-resource", span, member);
        }
        for error in view.types.traverse(receiver, &step.key).errors {
            match error.kind {
                TraverseErrorKind::OtherCase { asked, .. } => {
                    let name = view.types.shared_name(asked);
                    view.needs("semantics.traversal.case-insensitive", span, &name);
                }
                TraverseErrorKind::NoneReceiver => {
                    view.needs("semantics.traversal.none-is-warning", span, "null");
                }
                _ => {}
            }
        }
        receiver = step.ty;
    }
}

/// Returns whether values of a type are resources in the properties of something else.
fn is_reference(view: &View<'_>, ty: TypeId) -> bool {
    let key = view.types.origin(view.types.strip(ty));
    let shape = key.and_then(Nominal::from_key).map(|nominal| nominal.shape);
    matches!(shape, Some(Shape::ResourceReference | Shape::PlainResourceReference))
}
