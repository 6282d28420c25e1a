//! Declarations, and the attributes and blocks of a body.

use std::collections::HashSet;

use pcl::language::{
    AttributeRule, BLOCKS, BlockRule, OPTIONS, Others, PARAMETERIZATION, ResourceOption, Takes,
    rule,
};
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{is_identifier, quoted};

use super::context::Context;
use super::evidence::{Following, SAME};
use super::item::{Completion, CompletionKind, snippet_text};
use super::parts::first;
use super::usual::{self, frequency};
use crate::schema_facts::documented_properties;
use crate::type_text::readable;
use crate::{Analysis, NodeRef};

/// The words of Terraform and of other languages, each with the keyword that it means.
const SYNONYMS: [(&str, &str); 7] = [
    ("variable", "config"),
    ("parameter", "config"),
    ("module", "component"),
    ("data", "read"),
    ("terraform", "pulumi"),
    ("export", "output"),
    ("required_providers", "package"),
];

/// The blocks that a program can declare; the word of another language that is typed leads to one.
pub(super) fn declarations(typed: &str) -> Vec<Completion> {
    let is_meant = |keyword: &str| {
        let mut known = SYNONYMS.iter().filter(|(_, own)| *own == keyword);
        typed.len() > 1 && known.any(|(word, _)| word.starts_with(typed))
    };
    let block = |rule: &&'static BlockRule| {
        let snippet = match rule.keyword {
            "resource" | "read" => {
                format!("{} ${{1:name}} \"${{2:token}}\" {{\n  $0\n}}", rule.keyword)
            }
            "component" => "component ${1:name} \"./${2:directory}\" {\n  $0\n}".to_owned(),
            "config" => "config ${1:name} \"${2:string}\" {\n  $0\n}".to_owned(),
            "output" => "output ${1:name} {\n  value = $0\n}".to_owned(),
            "hook" => "hook \"${1:resource}\" ${2:name} {\n  command = [$0]\n}".to_owned(),
            keyword => format!("{keyword} {{\n  $0\n}}"),
        };
        Completion::new(rule.keyword, CompletionKind::Keyword)
            .detail(rule.shape)
            .snippet(snippet)
            .rank(1)
            .evidence(frequency(&usual::KEYWORDS, rule.keyword))
            .closeness(is_meant(rule.keyword).then_some(0))
    };
    BLOCKS.iter().map(block).collect()
}

/// The rule of the innermost block.
pub(super) fn rule_of(context: &Context) -> Option<&'static BlockRule> {
    let block = context.blocks.last()?;
    match (&*block.keyword, context.blocks.len()) {
        (_, 1) => rule(&block.keyword),
        ("options", _) => Some(&OPTIONS),
        ("parameterization", _) => Some(&PARAMETERIZATION),
        _ => None,
    }
}

/// The node of the outermost block.
pub(super) fn node_of(analysis: &Analysis, context: &Context) -> Option<NodeRef> {
    let block = context.blocks.first()?;
    let rule = rule(&block.keyword)?;
    let name = block.labels.get(rule.name_label)?;
    let module = analysis.module_of(context.at.file)?;
    let node = analysis.module(module).find(rule.kind?, name)?;
    Some(NodeRef { module, node })
}

/// The type of the inputs of the resource or component that the outermost block is.
pub(super) fn input_type(analysis: &Analysis, context: &Context) -> Option<TypeId> {
    analysis.node(node_of(analysis, context)?).input_type
}

/// The attributes and blocks that can be written in a body.
pub(super) fn items(analysis: &mut Analysis, context: &Context) -> Vec<Completion> {
    let Some(rule) = rule_of(context) else { return Vec::new() };
    let present = present(analysis, context);
    let following = Following::read(analysis, context.at);
    let label = context.blocks.last().and_then(|block| block.labels.first());
    let elsewhere = options_elsewhere(analysis, context, rule);
    let mut items = Vec::new();
    for name in rule.names(label.map(String::as_str)) {
        let Some(attribute) = rule.attribute(name, None) else { continue };
        let ty = attribute_type(analysis, attribute);
        let snippet = match attribute.takes {
            Takes::Text | Takes::Version | Takes::Url | Takes::Base64 => format!("{name} = \"$1\""),
            Takes::Switch => format!("{name} = ${{1|true,false|}}"),
            Takes::Properties => format!("{name} = [$1]"),
            Takes::Hooks => format!("{name} = {{\n  $1\n}}"),
            Takes::Value(_) | Takes::Declared => format!("{name} = $1"),
        };
        let rank = match (attribute.required, name.starts_with("__")) {
            (true, _) => 1,
            (false, true) => 8,
            (false, false) => 3,
        };
        let item = Completion::new(name, CompletionKind::Property)
            .detail(attribute.says)
            .inserting(format!("{name} = "))
            .snippet(snippet)
            .rank(rank)
            .evidence(
                frequency(&usual::OPTIONS, name)
                    + if elsewhere.contains(name) { SAME / 4 } else { 0 },
            );
        let types = &mut analysis.checked.program.types;
        let option = ResourceOption::parse(name).filter(|_| rule.keyword == OPTIONS.keyword);
        items.push(match (&following, option) {
            (Some(following), Some(option)) => following.before_option(types, item, (option, ty)),
            (Some(following), None) => following.before(types, item, ty),
            (None, _) => item,
        });
    }
    // A value follows an attribute.
    let blocks = rule.blocks.iter().filter(|_| following.is_none());

    for nested in blocks {
        items.push(
            Completion::new(nested.keyword, CompletionKind::Keyword)
                .detail(nested.shape)
                .inserting(format!("{} {{\n}}", nested.keyword))
                .snippet(format!("{} {{\n  $0\n}}", nested.keyword))
                .rank(6),
        );
    }
    if rule.others == Others::Inputs
        && let Some(ty) = input_type(analysis, context)
    {
        items.extend(properties(analysis, ty, " = ", following.as_ref()));
    }
    items.retain(|item| !present.contains(&item.label));
    items
}

/// The type of the values of an attribute; that of any value if it has none of its own.
fn attribute_type(analysis: &mut Analysis, attribute: &AttributeRule) -> TypeId {
    match attribute.takes {
        Takes::Value(ty) => analysis.checked.program.types.static_type(&ty),
        Takes::Switch => TypeId::BOOL,
        Takes::Text | Takes::Version | Takes::Url | Takes::Base64 => TypeId::STRING,
        Takes::Properties | Takes::Hooks | Takes::Declared => TypeId::DYNAMIC,
    }
}

/// The properties of an object type, each with what follows its name unless its value is there
/// already.
pub(super) fn properties(
    analysis: &mut Analysis,
    ty: TypeId,
    equals: &str,
    following: Option<&Following>,
) -> Vec<Completion> {
    let described = described(analysis, ty, CompletionKind::Property).into_iter();
    let types = &mut analysis.checked.program.types;
    let property = |(item, ty): (Completion, TypeId)| {
        let rank = if item.is_deprecated {
            7
        } else if types.assignable(ty, TypeId::NONE) {
            4
        } else {
            2
        };
        let is_bare = equals.is_empty() || is_identifier(&item.label);
        let key = if is_bare { item.label.clone() } else { quoted(&item.label) };
        let snippet = format!("{}{equals}{}", snippet_text(&key), placeholder(types, ty));
        let text = format!("{key}{equals}");
        let evidence = frequency(&usual::INPUTS, &item.label);
        let item = item.inserting(text).snippet(snippet).rank(rank).evidence(evidence);
        match following {
            Some(following) => following.before(types, item, ty),
            None => item,
        }
    };
    described.map(property).collect()
}

/// The properties of an object type with what its schema says about them, and their types.
pub(super) fn described(
    analysis: &mut Analysis,
    ty: TypeId,
    kind: CompletionKind,
) -> Vec<(Completion, TypeId)> {
    let documented = documented_properties(analysis, ty);
    let program = &mut analysis.checked.program;
    let properties = program.types.properties(ty);
    let properties = properties.iter().flat_map(|properties| properties.iter().copied());
    let describe = |(symbol, ty)| {
        let name = program.types.name(symbol).to_owned();
        let known = documented.iter().find(|property| property.name == name);
        let mut item = Completion::new(name, kind).detail(readable(program, ty));
        if let Some(property) = known {
            item.is_deprecated = property.deprecation.is_some();
            item.documentation.clone_from(&property.description);
        }
        (item, ty)
    };
    properties.map(describe).collect()
}

/// A snippet for a value of a type.
pub(super) fn placeholder(types: &TypeStore, ty: TypeId) -> &'static str {
    match types.get(first(types, ty)) {
        Type::String => "\"$1\"",
        Type::Bool => "${1|true,false|}",
        Type::List(_) | Type::Tuple(_) | Type::Set(_) => "[$1]",
        Type::Map(_) | Type::Object(_) | Type::Nominal(_) => "{\n  $1\n}",
        _ => "$1",
    }
}

/// The names of the options that the file's resources have; none if the body is no `options` block.
fn options_elsewhere(analysis: &Analysis, context: &Context, rule: &BlockRule) -> HashSet<String> {
    let is_of_options = rule.keyword == OPTIONS.keyword;
    let tree = analysis.tree(context.at.file).filter(|_| is_of_options);
    let outer = tree.into_iter().flat_map(|tree| tree.file().body().blocks());
    let inner = outer.filter_map(ast::Block::body).flat_map(|body| body.blocks());
    let bodies =
        inner.filter(|block| block.has_keyword(OPTIONS.keyword)).filter_map(ast::Block::body);
    let names = bodies.flat_map(|body| body.attributes()).filter_map(ast::Attribute::name);
    names.map(|name| name.text().to_owned()).collect()
}

/// The names of the attributes and blocks that the body around a position has already.
fn present(analysis: &Analysis, context: &Context) -> Vec<String> {
    let Some(block) = context.blocks.last() else { return Vec::new() };
    let mut present = block.names.clone();
    let at = context.at;
    let node = analysis.tree(at.file).map(|tree| tree.token_at(at.offset).parent());
    let blocks = node.into_iter().flat_map(|node| node.ancestors()).filter_map(ast::Block::cast);
    let mut same =
        blocks.filter(|other| other.keyword().is_some_and(|word| *word.text() == *block.keyword));
    if let Some(body) = same.next().and_then(ast::Block::body) {
        let names = body.attributes().filter_map(ast::Attribute::name);
        let names = names.chain(body.blocks().filter_map(ast::Block::keyword));
        let others = names.filter(|name| !at.touches(name.range()));
        present.extend(others.map(|name| name.text().to_owned()));
    }
    present
}
