//! The names that an expression takes from outside of itself, found without binding it.
//!
//! The rules, with examples: `tests/spec/programs/references.md`.

use pcl_language::Function;
use pcl_syntax::ast::{self, AstNode as _, loop_variables};
use pcl_syntax::{SyntaxKind, SyntaxNode};

/// Finds the names that expressions take from outside of themselves; serves one expression after
/// the other.
///
/// ```
/// let tree = pcl_syntax::parse_expression("[for x in xs: x + y[i].z]");
/// let mut names = Vec::new();
/// let mut free_names = pcl_model::expression::FreeNames::default();
/// free_names.each(tree.expression().unwrap(), |name| names.push(name.text()));
/// assert_eq!(names, ["xs", "y", "i"]);
/// ```
#[derive(Default)]
pub struct FreeNames<'t> {
    /// The names with a meaning of their own at the present node; the innermost last.
    hidden: Vec<Hidden<'t>>,
}

impl<'t> FreeNames<'t> {
    /// Calls `found` with every variable that `expr` refers to and does not define itself, in the
    /// order of the text; a name that is used twice is found twice. Loop variables, and `error` in
    /// the second argument of `recover`, count inside their scope only. Names of functions are not
    /// variables.
    pub fn each(&mut self, expr: ast::Expr<'t>, mut found: impl FnMut(ast::Name<'t>)) {
        // The nodes of an expression are in the order of the text, so every kind of expression can
        // be walked in the same way.
        let hidden = &mut self.hidden;
        hidden.clear();
        let mut nodes = expr.syntax().descendants();
        while let Some(node) = nodes.next() {
            // What ends with a loop ends here, before the next loop covers it.
            let at = node.id().0;
            while hidden.pop_if(|hidden| hidden.nodes.end <= at).is_some() {}
            match node.kind() {
                SyntaxKind::Name => {
                    let Some(name) = ast::Name::cast(node) else { continue };
                    let hides = |hidden: &Hidden<'_>| {
                        hidden.nodes.contains(&node.id().0)
                            && hidden.names.contains(&Some(name.text()))
                    };
                    if !hidden.iter().any(hides) {
                        found(name);
                    }
                }
                SyntaxKind::ObjectItem => {
                    let key =
                        ast::ObjectItem::cast(node).and_then(ast::ObjectItem::key_is_bare_name);
                    if key.is_some() {
                        nodes.next();
                    }
                }
                SyntaxKind::ForTuple | SyntaxKind::ForObject => {
                    let collection = ast::For::cast(node).and_then(ast::For::collection);
                    hidden.push(Hidden::by_loop(node, node, collection));
                }
                SyntaxKind::ForDirective => {
                    if let Some(head) = node.children().next() {
                        let collection = head.children().find_map(ast::Expr::cast);
                        hidden.push(Hidden::by_loop(node, head, collection));
                    }
                }
                SyntaxKind::Call => {
                    let call = ast::Call::cast(node)
                        .filter(|call| call.name() == Function::Recover.name());
                    if let Some(recovery) = call.and_then(|call| call.arguments().nth(1)) {
                        let recovery = recovery.syntax();
                        hidden.push(Hidden {
                            names: [Some("error"), None],
                            nodes: recovery.id().0..end(recovery),
                        });
                    }
                }
                SyntaxKind::BogusExpr | SyntaxKind::BogusDirective => nodes.skip_below(),
                _ => {}
            }
        }
    }
}

/// Names that have a meaning of their own in some nodes.
struct Hidden<'t> {
    names: [Option<&'t str>; 2],
    /// From the first of these nodes to the end of the last one.
    nodes: std::ops::Range<u32>,
}

impl<'t> Hidden<'t> {
    /// The variables of a loop, which count behind its collection.
    fn by_loop(whole: SyntaxNode<'t>, head: SyntaxNode<'t>, over: Option<ast::Expr<'t>>) -> Self {
        let (key, value) = loop_variables(head);
        let start = over.map_or(whole.id().0, |over| end(over.syntax()));
        Self {
            names: [key, value].map(|name| name.map(|name| name.text())),
            nodes: start..end(whole),
        }
    }
}

/// The number of the node behind a node and all below it.
fn end(node: SyntaxNode<'_>) -> u32 {
    node.id().0 + node.descendants().len() as u32
}
