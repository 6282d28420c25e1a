//! The range of versions in the `pulumi` block of a program.

use pcl_diagnostics::{FileId, Span};
use pcl_syntax::{SyntaxTree, ast};

use super::oldest::{OldestPulumi, SetBy};
use super::range::{Bound, VersionRange};
use crate::block::literal::string_of;

/// The lower bound of the range in the `pulumi` block of a program, if that is written out.
pub(crate) fn oldest<'t>(
    trees: impl IntoIterator<Item = (FileId, &'t SyntaxTree)>,
) -> Option<OldestPulumi> {
    trees.into_iter().find_map(|(file, tree)| {
        let mut blocks = tree.file().body().blocks();
        let value = blocks.find_map(range_of)?;
        let range = VersionRange::parse(&string_of(value)?).ok()?;
        match range.bound() {
            Bound::Lowest(version) => Some(OldestPulumi {
                version,
                set_by: SetBy::Block(Span::new(file, value.range())),
            }),
            Bound::Open | Bound::Empty => None,
        }
    })
}

/// The range, if the block is the `pulumi` block and has one.
fn range_of(block: ast::Block<'_>) -> Option<ast::Expr<'_>> {
    if block.keyword()?.text() != "pulumi" {
        return None;
    }
    let mut attributes = block.body()?.attributes();
    let is_range = |name: &str| name == "requiredVersionRange";
    let range = attributes.find(|it| it.name().is_some_and(|name| is_range(name.text())))?;
    range.value()
}
