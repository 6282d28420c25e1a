//! The functions of the language, one table per area.
//!
//! A row defines everything about a function: its name, its parameters and result, its description
//! in one line, and an example. A row for a function whose type depends on the arguments names the
//! Rust function that computes it.

mod assets;
mod attempts;
mod collections;
mod encoding;
mod files;
mod hashing;
mod labels;
mod numbers;
mod outputs;
mod packages;
mod program;
mod row;
mod strings;

pub use self::row::{Area, Builtin, Rule, StaticType};

/// The functions that a program can call wherever it is bound.
pub const AREAS: &[Area] = &[
    assets::AREA,
    attempts::AREA,
    collections::AREA,
    encoding::AREA,
    files::AREA,
    hashing::AREA,
    numbers::AREA,
    outputs::AREA,
    program::AREA,
    strings::AREA,
];

/// The functions that build types in type labels.
pub const LABEL_AREAS: &[Area] = &[labels::AREA];

/// The functions that reach into packages. They are described here and supplied by the binder.
pub const PACKAGE_AREAS: &[Area] = &[packages::AREA];

/// Every area of the language, those of type labels and packages last.
pub fn all_areas() -> impl Iterator<Item = &'static Area> {
    AREAS.iter().chain(PACKAGE_AREAS).chain(LABEL_AREAS)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use pcl_syntax::ast::{AstNode, Expr};

    use super::*;

    /// Returns whether somewhere in `example` the function itself is called.
    fn calls(example: &str, name: &str) -> bool {
        let tree = pcl_syntax::parse_expression(example);
        assert!(tree.errors().is_empty(), "{example}");
        let mut nodes = tree.root().descendants();
        nodes.any(|node| matches!(Expr::cast(node), Some(Expr::Call(call)) if call.name() == name))
    }

    #[test]
    fn every_row_is_complete_and_in_order() {
        let mut names = HashSet::new();
        for area in all_areas() {
            assert!(area.functions.is_sorted_by_key(|function| function.name));
            for function in area.functions {
                assert!(
                    names.insert(function.name),
                    "{} stands twice",
                    function.name
                );
                assert!(!function.summary.is_empty() && !function.summary.ends_with('.'));
                assert!(
                    calls(function.example, function.name),
                    "{}",
                    function.example
                );
            }
        }
    }
}
