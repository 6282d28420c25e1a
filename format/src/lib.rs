//! The canonical layout of PCL text, as `pcl fmt` writes it.
//!
//! - Two blanks for each bracket that is open, brackets that open on one line counting once.
//! - One blank around operators, behind commas, inside braces; none inside parentheses and brackets
//!   or before commas.
//! - The `=` of attributes on lines that follow each other stand below each other, and so do the
//!   comments behind them. A line on which one of them would begin more than 200 characters after
//!   the indentation is left out, and ends the run.
//! - Lines stay as they are divided, and empty lines stay. So do comments, and everything in
//!   templates that is text.
//!
//! Laws:
//! - Nothing but blanks between tokens changes: tokens, comments and line endings are the same
//!   ones.
//! - What is formatted stays as it is when it is formatted again, and blanks do not matter for what
//!   comes out.
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
mod lines;
mod marks;
mod space;

use pcl_syntax::SyntaxTree;

/// The text of a file in canonical layout; `None` for a file that does not parse.
#[must_use]
pub fn format(tree: &SyntaxTree) -> Option<String> {
    if tree.is_refused() {
        return None;
    }
    let mut lines = lines::read(tree);
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
