//! Texts of the repository that are made from the code.
//!
//! `cargo xtask generate` runs the tests that have `generated` in their names and sets
//! `PCL_GENERATE`; then they write what they otherwise compare.

use std::fs;

use crate::root;

/// The comment on the line before the part of a file that is made from the code, and the one on the
/// line after it.
const BEGIN: &str = "made by `cargo xtask generate`";
const END: &str = "until here";

/// Returns whether the texts are to be written.
pub fn generates() -> bool {
    std::env::var_os("PCL_GENERATE").is_some()
}

/// Compares a file of the repository, at a path from the root, with its text, or writes it.
pub fn generated(path: &str, text: &str) {
    let file = root().join(path);
    // Git may have written the line endings of Windows.
    let written = fs::read_to_string(&file).unwrap_or_default();
    if written.replace("\r\n", "\n") == text {
        return;
    }
    assert!(generates(), "{path} is stale: run `cargo xtask generate`, and read the difference");
    fs::write(&file, text).expect("the file can be written");
}

/// Does the same with the one part of a file that is between two marks. `text` gets the part as it
/// is, without its marks.
pub fn generated_part(path: &str, text: impl FnOnce(&str) -> String) {
    let written = fs::read_to_string(root().join(path)).expect("the file is there");
    let written = written.replace("\r\n", "\n");
    let begin = written.find(BEGIN).expect("the part begins");
    let line = written[begin..].find('\n').expect("the line ends");
    let (before, rest) = written.split_at(begin + line + 1);
    let end = rest.find(END).expect("the part ends");
    let line = rest[..end].rfind('\n').map_or(0, |at| at + 1);
    let (part, after) = rest.split_at(line);
    generated(path, &format!("{before}{}{after}", text(part)));
}
