//! Tokens, trees and typed views of PCL (`pcl-syntax`), parsed with the recognition of other
//! languages (`pcl-newcomers`).

pub use pcl_newcomers::{parse, parse_bytes, parse_expression};
pub use pcl_syntax::*;
