//! The text that describes the thing at a position where no program declares it: the member of a
//! schema, with a property of it, or the page about a word of the language.

use pcl::binder::schema_types::Nominal;
use pcl::binder::{NodeBody, PackageIndex};
use pcl::diagnostics::Span;
use pcl::language::{BlockRule, OPTIONS};
use pcl::model::expression::ExprKind;
use pcl::model::relations::Key;
use pcl::schema::MemberId;

use crate::element::{Element, element_at};
use crate::schema_facts::{key_at, nominal_of};
use crate::{Analysis, FilePosition, NodeRef};

/// The text that describes something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Description {
    /// A member of a schema, or a property of it.
    Member(PackageIndex, MemberId, Option<Property>),
    /// A page of `pcl explain`, with the kind of the word: a block, an option or a function.
    Page(String, &'static str),
}

/// A property of a member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// The name.
    pub name: String,
    /// Set for an output, which may have the name of an input.
    pub is_output: bool,
}

/// The description of the thing at a position, and its place.
pub fn description(analysis: &mut Analysis, at: FilePosition) -> Option<(Span, Description)> {
    let (element, span) = element_at(analysis, at)?;
    let program = &analysis.checked.program;
    let of_node = |node: NodeRef, name: Option<String>| match &analysis.node(node).body {
        NodeBody::Resource(body) => body.schema.map(|(package, member)| {
            let property = name.map(|name| Property { name, is_output: false });
            Description::Member(package, member, property)
        }),
        _ => None,
    };
    let of_type = |nominal: Nominal, name: String, is_output: bool| {
        Description::Member(nominal.package, nominal.member, Some(Property { name, is_output }))
    };
    let found = match element {
        Element::Token(node) => of_node(node, None),
        Element::Input(node, name) => of_node(node, Some(name)),
        Element::Callee(key) => {
            Nominal::from_key(key).map(|it| Description::Member(it.package, it.member, None))
        }
        Element::Key(_) => {
            let (ty, name) = key_at(analysis, at)?;
            let nominal = nominal_of(&analysis.checked.program.types, ty);
            nominal.map(|nominal| of_type(nominal, name, false))
        }
        Element::Step(expr, step) => {
            let chain = analysis.chain(expr)?;
            let Key::Name(name) = &chain.steps.get(step)?.key else { return None };
            let name = program.types.name(*name).to_owned();
            let receiver = match step.checked_sub(1) {
                Some(before) => chain.steps.get(before)?.ty,
                None => chain.start,
            };
            nominal_of(&program.types, receiver).map(|nominal| of_type(nominal, name, true))
        }
        Element::Keyword(rule) => Some(Description::Page(rule.keyword.to_owned(), "block")),
        Element::Attribute(block, rule) => {
            Some(Description::Page(rule.name.to_owned(), kind_of_attribute(block)))
        }
        Element::Function(expr) => match &program.exprs[expr].kind {
            ExprKind::Call(call) => {
                let name = program.types.name(call.name).to_owned();
                Some(Description::Page(name, "function"))
            }
            _ => None,
        },
        _ => None,
    };
    Some((span, found?))
}

/// The kind of the attributes of a block, as pages call it.
pub(crate) fn kind_of_attribute(block: &BlockRule) -> &'static str {
    if block.keyword == OPTIONS.keyword { "option" } else { "attribute" }
}
