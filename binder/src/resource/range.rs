//! `options { range = .. }`: one block, several resources.
//!
//! The rules, with examples: `tests/spec/blocks/range.md`.

use pcl_diagnostics::{Code, Diagnostic, Matter, Span};
use pcl_language::{ResourceOption, Takes};
use pcl_model::expression::{ExprId, in_words};
use pcl_model::relations::Conversion;
use pcl_model::scope::{Definition, ScopeId};
use pcl_model::types::{Type, TypeId, TypeStore};
use pcl_model::value::{Constant, Number};
use pcl_syntax::{ast, quoted};

use crate::binder::Binder;
use crate::node::{NodeId, Ranged};

/// The `range` of a node, bound.
pub(crate) struct Range {
    pub kind: Ranged,
    /// The range expression.
    pub value: Option<ExprId>,
    /// The type of the range expression.
    ty: TypeId,
    /// The scope of the body's attributes: that of the program, with `range` where it has a value.
    pub scope: ScopeId,
}

impl<'t> Binder<'_, '_, 't> {
    /// Binds the range expression, if there is one. Pulumi lets a `component` iterate over
    /// anything.
    pub fn bind_range(
        &mut self,
        node: NodeId,
        range: Option<ast::Expr<'t>>,
        component: bool,
    ) -> Range {
        let root = self.root;
        let single = Range { kind: Ranged::Single, value: None, ty: TypeId::NONE, scope: root };
        let Some(value) = range.map(|value| self.bind(node, value, root)) else { return single };
        let ty = self.type_of(value);
        let span = self.expr_span(value);
        self.checker(span.file).revise_guesses(value, TypeId::NUMBER);
        let types = &mut self.session.types;
        let looked_at = types.resolve(ty);
        let looked_at = without_null(types, looked_at);
        let boolean = types.input_type(TypeId::BOOL);
        let number = types.input_type(TypeId::NUMBER);
        let kind = if ty == TypeId::ERROR {
            Ranged::Each { key: TypeId::ERROR, value: TypeId::ERROR }
        } else if types.convert(boolean, looked_at) == Conversion::Safe {
            Ranged::Optional
        } else if types.convert(number, looked_at) == Conversion::Safe {
            if let Some(Constant::Number(count)) = types.only_value(looked_at)
                && (count < Number::from(0) || !count.is_integral())
            {
                self.report(not_a_count(span, &count));
            }
            Ranged::Counted
        } else {
            let found = types.collection(looked_at);
            // What does not even convert to the option's type is reported as any other value of an
            // option.
            if found.unsupported.is_some() && fits_option(types, ty) {
                let found = match self.session.exprs.literal_string(value) {
                    Some(text) => format!("the string {}", quoted(&text)),
                    None => in_words(types, ty),
                };
                let diagnostic = not_a_collection(span, &found, component);
                self.report_about(Matter::Range, diagnostic);
            }
            Ranged::Each { key: found.key, value: found.value }
        };
        let types = &mut self.session.types;
        let Some(object) = kind.variable(types) else {
            return Range { kind, value: Some(value), ty, scope: root };
        };
        let name = types.symbol("range");
        let scope = self.session.scopes.new_scope(Some(root));
        let _ = self.session.scopes.define(scope, Definition::variable(name, object));
        Range { kind, value: Some(value), ty, scope }
    }

    /// The type of a reference to a node of type `single` under a `range`.
    pub fn ranged_type(&mut self, single: TypeId, range: &Range, component: bool) -> TypeId {
        let types = &mut self.session.types;
        match range.kind {
            Ranged::Single => single,
            Ranged::Optional => {
                let optional = types.optional(single);
                if component { optional } else { types.lift(optional, &[range.ty]) }
            }
            Ranged::Counted => types.list(single),
            Ranged::Each { key, .. } => {
                let all =
                    if key == TypeId::STRING { types.map(single) } else { types.list(single) };
                if component { all } else { types.rewrap(range.ty, all) }
            }
        }
    }
}

/// Returns whether the option accepts a value of that type, before it is iterated over.
fn fits_option(types: &mut TypeStore, ty: TypeId) -> bool {
    let Takes::Value(range) = ResourceOption::Range.takes() else { return true };
    let range = types.static_type(&range);
    let location = types.input_type(range);
    types.convert(location, ty).exists()
}

/// A type without null: no value at all is an empty range. The `null` of `c ? [1] : null` is a
/// constant, not none.
fn without_null(types: &mut TypeStore, ty: TypeId) -> TypeId {
    let Type::Union(members) = types.get(ty) else { return ty };
    let is_null = |&member: &TypeId| {
        member == TypeId::NONE
            || matches!(types.get(member), Type::Const { value, .. } if *value == Constant::Null)
    };
    let (null, rest): (Vec<TypeId>, Vec<TypeId>) = members.iter().partition(|&m| is_null(m));
    match rest[..] {
        [only] if !null.is_empty() => only,
        _ => ty,
    }
}

/// A value that cannot be iterated over, in words. Pulumi accepts it for a component.
fn not_a_collection(span: Span, found: &str, component: bool) -> Diagnostic {
    let message = format!("`range` must be a bool, a number, a list or a map, found {found}");
    let diagnostic = Diagnostic::error(Code::NotACollection, span, message)
        .help("write a number of resources, a list or map with one element for each, or a bool");
    if component { diagnostic.ours() } else { diagnostic }
}

/// A number of resources that is negative or not whole.
fn not_a_count(span: Span, count: &Number) -> Diagnostic {
    let message = format!("`range` must be a whole number from 0 on, found {count}");
    Diagnostic::error(Code::TypeNotAssignable, span, message)
        .ours()
        .help("write the number of resources that the block declares")
}
