//! Building PCL from scratch, with the structures of `hcl-edit`.
//!
//! Converters and code actions make new blocks and attributes as an [`hcl_edit::structure::Body`] and get a tree of it with
//! [`from_body`]. Programs that exist are not edited this way: `hcl-edit` writes some of what it reads in another form (escapes,
//! line endings, indentation of heredocs). They are edited as text.
//!
//! ```
//! use hcl_edit::structure::{Attribute, Block, Body};
//! use hcl_edit::{Decorate, Ident};
//!
//! let value = Attribute::new(Ident::new("value"), "done".to_owned());
//! let output = Block::builder(Ident::new("output")).label("state").attribute(value);
//! let body = Body::builder().block(output).build();
//!
//! let tree = pcl_syntax::write::from_body(&body);
//! assert!(tree.errors().is_empty());
//! let block = tree.file().body().blocks().next().unwrap();
//! assert_eq!(block.labels().next().unwrap().text(), "state");
//!
//! assert!(pcl_syntax::write::to_body(&tree).is_ok());
//! ```

use std::fmt;

use hcl_edit::structure::Body;

use crate::{SyntaxTree, parse};

/// Why a tree cannot be held by the structures of `hcl-edit`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotRepresentable {
    /// The text is broken; the tree says where.
    Broken,
    /// The text is right, but `hcl-edit` does not read it: duplicate keys, deep nesting, a byte order mark, large numbers. Its own
    /// words.
    Unsupported(String),
}

impl fmt::Display for NotRepresentable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken => f.write_str("the text has syntax errors"),
            Self::Unsupported(reason) => write!(f, "hcl-edit cannot read the text: {reason}"),
        }
    }
}

impl std::error::Error for NotRepresentable {}

/// The tree of what `body` prints. What was put into `body` need not be PCL, so the tree may have errors.
#[must_use]
pub fn from_body(body: &Body) -> SyntaxTree {
    parse(body.to_string())
}

/// The structures of `hcl-edit` for a tree.
///
/// # Errors
/// [`NotRepresentable`] for a broken text, and for what only PCL allows.
pub fn to_body(tree: &SyntaxTree) -> Result<Body, NotRepresentable> {
    if tree.is_refused() {
        return Err(NotRepresentable::Broken);
    }
    let parsed = tree.text().parse::<Body>();
    parsed.map_err(|error| NotRepresentable::Unsupported(error.message().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_program_comes_back() {
        let text = "a = [1, \"x\"]\n\nsvc \"y\" {\n  b = c.d[0]\n}\n";
        let body = to_body(&parse(text)).expect("plain");
        assert_eq!(&**from_body(&body).text(), text);
    }

    #[test]
    fn what_cannot_be_held_is_said() {
        assert_eq!(to_body(&parse("a = \n")), Err(NotRepresentable::Broken));
        let twice = to_body(&parse("a = { b = 1, b = 2 }\n"));
        assert!(matches!(twice, Err(NotRepresentable::Unsupported(_))));
    }
}
