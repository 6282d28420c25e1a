//! The words of a text that lead somewhere: directories of components, files, pages about codes.

use pcl::binder::NodeBody;
use pcl::diagnostics::{Code, FileId, TextRange};
use pcl::language::{CallForm, Function};
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SuppressionForm, SyntaxKind, suppression_comments};

use crate::{Analysis, NodeRef};

/// The file of a program that people read first.
const MAIN: &str = "main.pp";

/// A place that leads somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The place.
    pub range: TextRange,
    /// The target.
    pub target: LinkTarget,
}

/// The target of a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkTarget {
    /// A file of the program.
    File(FileId),
    /// A path as the program writes it, relative to its directory. Nothing may be there.
    Written(String),
    /// The page about a diagnostic.
    Page(Code),
}

/// The links of a file, in order.
#[must_use]
pub fn links(analysis: &Analysis, file: FileId) -> Vec<Link> {
    let Some(tree) = analysis.tree(file) else {
        return Vec::new();
    };
    let mut links = Vec::new();
    for node in analysis.nodes_in(file) {
        links.extend(component_source(analysis, node));
    }
    for node in tree.root().descendants() {
        if node.kind() == SyntaxKind::Call {
            links.extend(ast::Call::cast(node).and_then(path_argument));
        }
    }
    for comment in suppression_comments(tree) {
        if let SuppressionForm::Names(names) = comment.form {
            let codes =
                names.into_iter().filter_map(|(name, range)| Some((Code::parse(&name)?, range)));
            links.extend(codes.map(|(code, range)| Link { range, target: LinkTarget::Page(code) }));
        }
    }
    links.sort_by_key(|link| link.range);
    links
}

/// The source of a component leads to the main file of its program.
fn component_source(analysis: &Analysis, node: NodeRef) -> Option<Link> {
    let NodeBody::Component(body) = &analysis.node(node).body else {
        return None;
    };
    let program = analysis.checked.program.component(body.program?);
    let files = &program.module.files;
    let name = |file: FileId| analysis.checked.sources.path(file);
    let mut mains =
        files.iter().filter(|&&file| name(file).rsplit(['/', '\\']).next() == Some(MAIN));
    let target = *mains.next().or_else(|| files.first())?;
    let syntax = analysis.module(node.module).syntax(analysis.node(node));
    let source = ast::Block::cast(syntax)?.labels().nth(1)?;
    Some(Link { range: source.content_range(), target: LinkTarget::File(target) })
}

fn path_argument(call: ast::Call<'_>) -> Option<Link> {
    let form = Function::parse(&call.name())?.row().form;
    let is_about_file = matches!(form, CallForm::Fixed([("path", _), ..], _));
    let argument = call.arguments().next().filter(|_| is_about_file)?;
    let ast::Expr::Template(template) = argument else {
        return None;
    };
    let (path, range) = template.only_part()?;
    Some(Link { range, target: LinkTarget::Written(path.into_owned()) })
}
