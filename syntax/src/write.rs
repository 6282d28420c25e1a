//! Building PCL from scratch, with the structures of `hcl-edit`.
//!
//! Converters and code actions make new blocks and attributes as an [`hcl_edit::structure::Body`]
//! and get a tree of it with [`from_body`]. Programs that exist are not edited this way: `hcl-edit`
//! writes some of what it reads in another form (escapes, line endings, indentation of heredocs).
//! They are edited as text.
//!
//! ```
//! use hcl_edit::structure::{Attribute, Block, Body};
//! use hcl_edit::{Decor, Decorate, Ident};
//!
//! let value = Attribute::new(Ident::new("value"), "costs $${money}".to_owned());
//! let output = Block::builder(Ident::new("output")).label("state").attribute(value);
//! let body = Body::builder().block(output).build();
//!
//! // Strings mean what they say, whatever is in them.
//! let tree = pcl_syntax::write::from_body(&body);
//! assert!(tree.errors().is_empty());
//! let block = tree.file().body().blocks().next().unwrap();
//! assert_eq!(block.labels().next().unwrap().text(), "state");
//! assert!(tree.text().contains(r#""costs $\u0024{money}""#));
//!
//! // Names that come from elsewhere are made to fit.
//! assert_eq!(pcl_syntax::write::ident("my bucket!").as_str(), "my_bucket_");
//!
//! assert!(pcl_syntax::write::to_body(&tree).is_ok());
//! ```

use std::fmt;

use hcl_edit::expr::{Expression, Object, ObjectKey};
use hcl_edit::structure::{AttributeMut, BlockLabel, Body};
use hcl_edit::template::{Element, HeredocTemplate, Interpolation, StringTemplate};
use hcl_edit::visit_mut::{VisitMut, visit_attr_mut, visit_element_mut, visit_expr_mut};
use hcl_edit::{Decor, Decorate, Ident};

use crate::{SyntaxTree, identifier, parse, quoted, quoted_label};

/// The reason why the structures of `hcl-edit` cannot hold a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotRepresentable {
    /// The text is broken; the tree says where.
    Broken,
    /// The text is right, but `hcl-edit` does not read it: duplicate keys, deep nesting, a byte
    /// order mark, large numbers. Its own words.
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

/// The tree of what `body` prints.
///
/// Every string means what it says, except that the language normalises text. Names are printed as
/// they are: make them with [`ident`](self::ident()). Of names that do not fit, of names set twice,
/// and of comments put in by hand that are none, the tree has errors.
#[must_use]
pub fn from_body(body: &Body) -> SyntaxTree {
    let mut body = body.clone();
    Quote::default().visit_body_mut(&mut body);
    parse(body.to_string())
}

/// `name` as an identifier: characters that are not allowed, here or in `hcl-edit` (whose rule is
/// narrower), are replaced by `_`.
#[must_use]
pub fn ident(name: &str) -> Ident {
    Ident::new_sanitized(identifier(name))
}

/// Puts other structures in the place of strings that `hcl-edit` would print as something else: it
/// leaves a `$${` as it is, which then means `${`, writes labels as it writes other strings, and
/// the text of heredocs without a look at its lines.
#[derive(Default)]
struct Quote {
    /// Tells whether the next expression is the value of an attribute.
    is_value: bool,
}

impl VisitMut for Quote {
    fn visit_attr_mut(&mut self, attribute: AttributeMut<'_>) {
        self.is_value = true;
        visit_attr_mut(self, attribute);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expression) {
        // The line of a heredoc's marker has to end.
        let ends_line = std::mem::take(&mut self.is_value)
            || expression
                .decor()
                .suffix()
                .is_some_and(|suffix| suffix.trim_start_matches([' ', '\t']).starts_with('\n'));
        visit_expr_mut(self, expression);
        let quoted = match &*expression {
            Expression::String(text) => verbatim(quoted(text)),
            Expression::HeredocTemplate(heredoc) if !(ends_line && is_whole(heredoc)) => {
                let elements = heredoc.template.iter().cloned();
                Expression::from(elements.collect::<StringTemplate>())
            }
            _ => return,
        };
        let decor = std::mem::take(expression.decor_mut());
        *expression = quoted;
        *expression.decor_mut() = decor;
    }

    /// Keys can only be changed by making the object anew.
    fn visit_object_mut(&mut self, object: &mut Object) {
        let decor = std::mem::take(object.decor_mut());
        let trailing = object.trailing().clone();
        let items = std::mem::take(object).into_iter();
        *object = items
            .map(|(mut key, mut value)| {
                if let ObjectKey::Expression(key) = &mut key {
                    self.visit_expr_mut(key);
                }
                self.visit_object_value_mut(&mut value);
                (key, value)
            })
            .collect();
        *object.decor_mut() = decor;
        object.set_trailing(trailing);
    }

    fn visit_block_label_mut(&mut self, label: &mut BlockLabel) {
        if let BlockLabel::String(text) = label {
            let quoted = BlockLabel::from(Ident::new_unchecked(quoted_label(text)));
            let decor = std::mem::take(label.decor_mut());
            *label = quoted;
            *label.decor_mut() = decor;
        }
    }

    fn visit_element_mut(&mut self, element: &mut Element) {
        visit_element_mut(self, element);
        if let Element::Literal(text) = element
            && !is_plain(text)
        {
            let text = verbatim(quoted(text));
            *element = Element::Interpolation(Interpolation::new(text));
        }
    }
}

/// An expression that is printed as `text`.
fn verbatim(text: String) -> Expression {
    Expression::from(Ident::new_unchecked(text))
}

/// Returns whether a text in a template is read as it is printed, regardless of its surroundings.
fn is_plain(text: &str) -> bool {
    let odd = |c: char| matches!(c, '$' | '%' | '\\') || (c.is_control() && c != '\n');
    !text.contains(odd)
}

/// Returns whether a heredoc is read as it is printed: its text ends with a line ending, and none
/// of its lines is the marker.
fn is_whole(heredoc: &HeredocTemplate) -> bool {
    let last = heredoc.template.iter().last();
    let ends_line = matches!(last, Some(Element::Literal(text)) if text.ends_with('\n'));
    let mut heredoc = heredoc.clone();
    *heredoc.decor_mut() = Decor::default();
    let printed = Expression::from(heredoc).to_string();
    ends_line && crate::parse_expression(printed + "\n").errors().is_empty()
}

/// The structures of `hcl-edit` for a tree.
///
/// # Errors
/// Returns [`NotRepresentable`] for a broken text, and for constructs that only PCL allows.
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
