//! The type token of a component with a source: `components:index:` and the name of its directory,
//! by the rule of `DeclarationName` in Pulumi's `codegen/pcl/component.go`.
//!
//! The rules, with examples: `tests/spec/blocks/component.md`.

use std::path::Path;

use crate::binder::Binder;
use crate::block::component_directory::clean;

impl Binder<'_, '_, '_> {
    /// The type token of the component in the directory that a source names.
    pub fn component_token(&self, source: &str) -> String {
        let relative = clean(source);
        let name = match relative.file_name() {
            Some(name) => name.to_string_lossy().into_owned(),
            // The directory above this one, or itself: its name is not part of the source.
            None => self.name_of_directory(&relative).unwrap_or_default(),
        };
        format!("components:index:{}", component_name(&name))
    }

    fn name_of_directory(&self, relative: &Path) -> Option<String> {
        let own = self.sources.directory.as_ref()?;
        let directory = pcl_system::real_path(&own.join(relative)).ok()?;
        Some(directory.file_name()?.to_string_lossy().into_owned())
    }
}

/// The name of the component in a directory: that of the directory without `-`, `.`, spaces and
/// `_`, and with a capital behind each. All else stays as it is.
///
/// ```
/// assert_eq!(pcl_binder::component_name("my_Thing-v2"), "MyThingV2");
/// ```
pub fn component_name(directory: &str) -> String {
    let parts = directory.split(['-', '.', ' ', '_']);
    let titled = parts.flat_map(|part| {
        let mut chars = part.chars();
        chars.next().map(capital).into_iter().chain(chars)
    });
    titled.collect()
}

/// The capital letter of a character by Go's `unicode.ToUpper`, which has one for each character:
/// `ß` stays.
fn capital(c: char) -> char {
    let mut upper = c.to_uppercase();
    let behind = match (upper.next(), upper.next(), u32::from(c)) {
        (Some(only), None, _) => return only,
        // The letters whose capitals have their iota beside them.
        (_, _, 0x1f80..=0x1f87 | 0x1f90..=0x1f97 | 0x1fa0..=0x1fa7) => 8,
        (_, _, 0x1fb3 | 0x1fc3 | 0x1ff3) => 9,
        _ => 0,
    };
    char::from_u32(u32::from(c) + behind).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::component_name;

    #[test]
    fn the_type_of_a_component_is_named_after_its_directory() {
        for (directory, name) in [
            ("my_Thing-v2", "MyThingV2"),
            ("web-site", "WebSite"),
            ("web.site", "WebSite"),
            ("XML-http", "XMLHttp"),
            ("XMLHttp", "XMLHttp"),
            ("aB", "AB"),
            ("2nd", "2nd"),
            ("a 2nd", "A2nd"),
            ("__a--b__", "AB"),
            ("a+b", "A+b"),
            ("größe-öl", "GrößeÖl"),
            ("ßa", "ßa"),
            ("ᾳ", "ᾼ"),
            ("日本", "日本"),
            ("-", ""),
        ] {
            assert_eq!(component_name(directory), name, "{directory}");
        }
    }
}
