//! The lints that run and the levels of codes, from the weakest source to the strongest, and in
//! single files.

use std::path::Path;

use pcl_binder::Lints;
use pcl_diagnostics::{Code, FileLevels, Level, Levels, Selector};

use crate::config::globs::Globs;
use crate::config::settings::list;
use crate::config::{Configuration, Key, Layer, Value};

impl Configuration {
    /// Applies lints and levels of all files, source by source.
    pub(super) fn apply_levels(&self, lints: &mut Lints, levels: &mut Levels) {
        for layer in self.layers() {
            apply(layer, lints, levels);
        }
    }

    /// The levels of single files, if some have their own.
    pub(super) fn file_levels(&self) -> Option<Overridden> {
        let overrides = self.overrides();
        if overrides.is_empty() {
            return None;
        }
        // They were checked when the file was read.
        let globs = overrides.iter().map(|it| Globs::new(&it.directory, &it.globs));
        let globs = globs.map(Result::unwrap_or_default).collect();
        // Any overrides may match one file, so a lint that some source turns on may run in it.
        let mut lints = Lints::default();
        let mut levels = Levels::default();
        let mut somewhere = Lints::none();
        for layer in self.layers_in(&|_| true) {
            apply(layer, &mut lints, &mut levels);
            for code in Lints::codes().filter(|code| lints.contains(*code)) {
                somewhere.set(code, true);
            }
        }
        Some(Overridden { configuration: self.clone(), globs, somewhere })
    }
}

/// The levels of a program with overrides.
#[derive(Debug)]
pub(super) struct Overridden {
    configuration: Configuration,
    /// The globs of each override, in the order of [`Configuration::overrides`].
    globs: Vec<Globs>,
    /// The lints that run in some file.
    somewhere: Lints,
}

impl FileLevels for Overridden {
    fn levels_in(&self, path: &str) -> Levels {
        let matches =
            |at: usize| self.globs.get(at).is_some_and(|globs| globs.contain(Path::new(path)));
        let (mut lints, mut levels) = (Lints::default(), Levels::default());
        for layer in self.configuration.layers_in(&matches) {
            apply(layer, &mut lints, &mut levels);
        }
        for code in Lints::codes().filter(|code| !lints.contains(*code)) {
            levels.set(code, Level::Ignore);
        }
        levels
    }

    fn runs_somewhere(&self, lint: Code) -> bool {
        self.somewhere.contains(lint)
    }
}

/// Applies the lints and levels of one source. `levels` outweigh `ignore`, which outweighs
/// `select`.
fn apply(layer: &Layer, lints: &mut Lints, levels: &mut Levels) {
    let value = |key| layer.get(&key).map(|entry| &entry.value);
    if let Some(selected) = value(Key::Select) {
        let selectors = list(selected).iter();
        let selectors: Vec<_> = selectors.filter_map(|it| Selector::parse(it)).collect();
        select(lints, levels, &selectors);
    }
    let ignored = value(Key::Ignore).map(list).unwrap_or_default();
    let ignored = ignored.iter().filter_map(|it| Selector::parse(it));
    set_levels(lints, levels, ignored.map(|it| (it, Level::Ignore)).collect());
    if let Some(Value::Table(chosen)) = value(Key::Levels) {
        let chosen = chosen.iter().filter_map(|(selector, level)| {
            let level = match level.as_str() {
                "error" => Level::Error,
                "warn" => Level::Warn,
                _ => Level::Ignore,
            };
            Some((Selector::parse(selector)?, level))
        });
        set_levels(lints, levels, chosen.collect());
    }
}

/// Makes these the lints that run.
fn select(lints: &mut Lints, levels: &mut Levels, selectors: &[Selector]) {
    for code in Code::lints() {
        if selectors.iter().any(|selector| selector.codes.contains(&code)) {
            lints.set(code, true);
            if levels.get(code) == Some(Level::Ignore) {
                levels.clear(code);
            }
        } else {
            set_level(lints, levels, code, Level::Ignore);
        }
    }
}

/// Chooses the level of the selected codes. A single code outweighs the groups that contain it,
/// whatever their order.
fn set_levels(lints: &mut Lints, levels: &mut Levels, mut chosen: Vec<(Selector, Level)>) {
    chosen.sort_by_key(|(selector, _)| !selector.is_group);
    for (selector, level) in chosen {
        for code in selector.codes {
            set_level(lints, levels, code, level);
        }
    }
}

fn set_level(lints: &mut Lints, levels: &mut Levels, code: Code, level: Level) {
    levels.set(code, level);
    lints.set(code, level != Level::Ignore);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selector(text: &str) -> Selector {
        Selector::parse(text).unwrap()
    }

    #[test]
    fn a_code_outweighs_its_group() {
        let (mut lints, mut levels) = (Lints::default(), Levels::default());
        set_levels(
            &mut lints,
            &mut levels,
            vec![(selector("unused-local"), Level::Error), (selector("unused"), Level::Ignore)],
        );
        assert_eq!(levels.get(Code::UnusedLocal), Some(Level::Error));
        assert_eq!(levels.get(Code::UnusedConfig), Some(Level::Ignore));
    }

    #[test]
    fn a_stronger_selection_replaces_weaker_levels() {
        let (mut lints, mut levels) = (Lints::default(), Levels::default());
        set_levels(&mut lints, &mut levels, vec![(selector("unused"), Level::Ignore)]);
        select(&mut lints, &mut levels, &[selector("unused-config")]);
        assert_eq!(levels.get(Code::UnusedConfig), None);
        assert_eq!(levels.get(Code::UnusedLocal), Some(Level::Ignore));
        assert_eq!(levels.get(Code::NearValue), Some(Level::Ignore));
        assert!(lints.contains(Code::UnusedConfig));
        assert!(!lints.contains(Code::Deprecated));
    }
}
