//! The canonical layout of PCL text, as `pcl fmt` writes it.
//!
//! - Two spaces for each open bracket; brackets that open on the same line count once.
//! - One space around operators, after commas and inside braces; none inside parentheses and
//!   brackets or before commas.
//! - The `=` of attributes on consecutive lines are aligned, and so are the comments after them. A
//!   line on which one of them would begin more than 200 characters after the indentation is not
//!   aligned, and ends the group.
//! - Line breaks are kept. So are comments and the text of templates.
//! - At most two empty lines follow each other outside of brackets, and one within. A file ends
//!   with one line ending.
//! - The lines from a comment `# pcl: off` to `# pcl: on` stay as they are.
//!
//! Laws:
//! - Only the spaces between tokens and empty lines change: tokens, comments and line breaks stay
//!   the same.
//! - Formatting is idempotent, and the result does not depend on the spaces of the input.
//! - The size of the result is linear in the size of the text.
//!
//! ```
//! let tree = pcl_syntax::parse("config  n   int{ #how many\ndefault=1+ 1\n}\nlonger = [1,2 ]\na=f( x )  # why\n");
//! assert_eq!(
//!     pcl_format::format(&tree).unwrap(),
//!     "config n int { #how many\n  default = 1 + 1\n}\nlonger = [1, 2]\na      = f(x) # why\n",
//! );
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod align;
mod empty;
mod kept;
mod lines;
mod space;

use std::ops::RangeInclusive;

use pcl_syntax::SyntaxTree;

/// The text of a file in canonical layout; `None` for a file that does not parse.
#[must_use]
pub fn format(tree: &SyntaxTree) -> Option<String> {
    format_lines(tree, None)
}

/// The text of a file with the lines of a range in canonical layout, counted from 1; all other
/// lines stay as they are. `None` for a file that does not parse.
#[must_use]
pub fn format_range(tree: &SyntaxTree, range: RangeInclusive<usize>) -> Option<String> {
    format_lines(tree, Some(range))
}

fn format_lines(tree: &SyntaxTree, range: Option<RangeInclusive<usize>>) -> Option<String> {
    if tree.is_refused() {
        return None;
    }
    let mut lines = lines::read(tree);
    kept::mark(&mut lines, range);
    empty::remove(&mut lines);
    align::equals(&mut lines);
    align::comments(&mut lines);
    let mut out = String::with_capacity(tree.text().len() + tree.text().len() / 8);
    for line in &lines {
        line.write(&mut out);
    }
    Some(out)
}

#[cfg(test)]
mod tests;
