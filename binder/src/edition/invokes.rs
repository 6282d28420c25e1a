//! `invoke`: its form, its options, and the package of its function.

use pcl_diagnostics::Span;
use pcl_model::expression::{Call, Expr};
use pcl_model::relations::Conversion;
use pcl_model::types::TypeId;

use super::view::View;
use super::{packages, resources};
use crate::schema_types::{Nominal, Shape};
use crate::written_values::key_text;

/// Looks at an `invoke`.
pub(super) fn find(view: &mut View<'_>, expr: &Expr, call: &Call) {
    let Some(&token) = call.arguments.first() else {
        return;
    };
    let token_span = view.span(token);
    let Some(written) = view.exprs.literal_string(token) else {
        return;
    };
    resources::token(view, token_span, &written);
    packages::of_invoke(view, token_span, &written);
    if call.signature.multi_argument {
        let span = Span::new(expr.file, call.name_range);
        view.needs("semantics.invoke.positional-multi-argument", span, &written);
    } else {
        form(view, expr, call, &written);
    }
    options(view, call);
}

/// The keys of the last argument.
fn options(view: &mut View<'_>, call: &Call) {
    let position = call.signature.parameters.iter().position(|parameter| {
        let name: &str = &parameter.name;
        name == "invokeOptions"
    });
    let options = position.and_then(|position| call.arguments.get(position));
    let Some(&options) = options else { return };
    for &(key, _) in view.items(options) {
        if let Some(name) = key_text(view.exprs, key) {
            let span = view.span(key);
            view.needs(&format!("invoke-option.{name}"), span, &name);
        }
    }
}

/// The output form, which older releases choose less often.
fn form(view: &mut View<'_>, expr: &Expr, call: &Call, token: &str) {
    if !view.is_output(expr.ty) {
        return;
    }
    let callee = call.signature.callee.and_then(Nominal::from_key);
    let Some(callee) = callee.filter(|it| it.shape == Shape::FunctionInputsWithOutputs) else {
        return;
    };
    let span = Span::new(expr.file, call.name_range);
    view.changed("semantics.invoke.output-version", span, token);
    let function = view.schemas.function(callee.package, callee.member);
    let takes_nothing = function.ok().flatten().is_some_and(|function| {
        let inputs = function.inputs.as_ref();
        inputs.is_none_or(|inputs| inputs.is_empty())
    });
    if takes_nothing {
        let construct = "semantics.invoke.output-version.without-needs-check";
        view.changed(construct, span, token);
    }
    let given = call.arguments.get(1);
    let given = given.map_or(TypeId::DYNAMIC, |&given| view.type_of(given));
    let inputs = view.types.nominal(callee.key());
    let is_unsafe = view.types.convert(inputs, given) == Conversion::Unsafe;
    if view.is_output(given) || is_unsafe && view.types.contains_outputs(given) {
        let construct = "semantics.invoke.output-version.unsafe-conversion";
        view.changed(construct, span, token);
    }
}
