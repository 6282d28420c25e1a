//! The texts that attributes of the language take: names and versions of packages.

use pcl::binder::NodeBody;
use pcl::schema::PackageRequest;
use pcl::syntax::ast::{self, AstNode as _};

use super::blocks::node_of;
use super::context::Context;
use super::item::{Completion, CompletionKind};
use crate::Analysis;

/// The texts that the attribute of this name can have.
pub(super) fn texts(analysis: &Analysis, context: &Context, name: &str) -> Vec<Completion> {
    let packages = analysis.checked.program.schemas.packages();
    let block = context.blocks.last().map(|block| block.keyword.as_str());
    let found: Vec<String> = match (block, name) {
        (Some("package"), "baseProviderName") => packages.names(),
        (Some("package"), "baseProviderVersion") => {
            let named = attribute_around(analysis, context, "baseProviderName");
            let label = || context.blocks.last()?.labels.first().cloned();
            let versions = named.or_else(label).map(|name| versions(analysis, &name));
            versions.unwrap_or_default()
        }
        (Some("options"), "version") => {
            let node = node_of(analysis, context).map(|node| analysis.node(node));
            let schema = node.and_then(|node| match &node.body {
                NodeBody::Resource(body) => body.schema,
                _ => None,
            });
            let name = schema.map(|(package, _)| packages.package(package).name().to_owned());
            name.map(|name| versions(analysis, &name)).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    let item = |text: String| {
        let quoted = format!("\"{text}\"");
        Completion::new(text, CompletionKind::Value).inserting(quoted).rank(1)
    };
    found.into_iter().map(item).collect()
}

/// The versions of a package whose schemas are there, the one that is taken by default first.
fn versions(analysis: &Analysis, name: &str) -> Vec<String> {
    let packages = analysis.checked.program.schemas.packages();
    let default = packages.load(&PackageRequest::new(name)).ok();
    let default = default.map(|index| packages.package(index).clone());
    let all = default.into_iter().chain(packages.loaded(name).cloned());
    let mut found: Vec<String> = Vec::new();
    for version in all.filter_map(|package| package.version().map(ToString::to_string)) {
        if !found.contains(&version) {
            found.push(version);
        }
    }
    found
}

/// The text of an attribute of the innermost block around a position.
fn attribute_around(analysis: &Analysis, context: &Context, name: &str) -> Option<String> {
    let tree = analysis.tree(context.at.file)?;
    let around = tree.token_at(context.at.offset).parent().ancestors();
    let body = around.filter_map(ast::Block::cast).find_map(ast::Block::body)?;
    let value = body.attributes().find(|attribute| attribute.is_named(name))?.value()?;
    match value {
        ast::Expr::Template(text) => Some(text.literal()?.into_owned()),
        _ => None,
    }
}
