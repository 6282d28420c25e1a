//! The parts that generators of programming languages share: the layout of text on lines, names,
//! questions about types and components, and the limits of languages.
//!
//! Nothing recurses on the depth of a program, and every cost is linear.
//!
//! ```
//! use pcl_codegen::{Layout, Measures, NameRules, Names};
//!
//! let identifier = |text: &str| text.replace('-', "_");
//! let rules = NameRules { reserved: &["if"], used: &[], identifier, before_number: "" };
//! let mut names = Names::new(rules);
//! assert_eq!([names.take("my-site"), names.take("my-site"), names.take("if")], ["my_site", "my_site2", "if_"]);
//!
//! let mut layout = Layout::new(Measures { width: 10, level: 2 });
//! let (open, close) = (layout.text("call("), layout.text(")"));
//! let arguments = layout.text("argument");
//! let inside = layout.parts([Layout::SOFT_LINE, arguments]);
//! let inside = layout.indent(inside);
//! let call = layout.parts([open, inside, Layout::SOFT_LINE, close]);
//! let call = layout.group(call);
//! assert_eq!(layout.print(call), "call(\n  argument\n)");
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod components;
mod expressions;
mod layout;
mod limit;
mod names;
pub mod types;

pub use components::{component_tokens, deferred_inputs};
pub use expressions::{
    checked_parts, code_type, comments_of, error_variable, is_of_collection, is_written,
    property_path, results, token_parts,
};
pub use layout::{Layout, Measures, Part};
pub use limit::Limit;
pub use names::{LocalNames, NameRules, Names};
pub use pcl::generated::{json_text, yaml_name};
