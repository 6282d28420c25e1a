//! The reasons of `DocumentErrorKind::Yaml`.

use crate::yaml_events::MAX_YAML_DEPTH;

pub(crate) const NOT_UTF8: &str = "it is not UTF-8";
pub(crate) const SECOND_DOCUMENT: &str = "expected one document, found a second";
pub(crate) const MERGE_KEY: &str = "merge keys are not supported; write the keys out";
pub(crate) const KEY_NOT_TEXT: &str = "the key of a mapping must be a string";
pub(crate) const KEY_IS_ALIAS: &str = "the key of a mapping cannot be an alias";
pub(crate) const ALIAS_IN_ITSELF: &str = "the alias is inside the value that it refers to";
pub(crate) const ALIASES_TOO_LARGE: &str = "the aliases expand to too large a document";
pub(crate) const TOO_LARGE: &str = "the document is too large";

/// A value nests too deeply.
pub(crate) fn too_deep() -> String {
    format!("the value nests deeper than {MAX_YAML_DEPTH} levels")
}
