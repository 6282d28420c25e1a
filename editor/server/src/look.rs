//! The settings of the editor about what it shows; those about programs are the configuration's.

use pcl_ide::InlayHints;
use serde_json::Value;

/// The switches of the things that an editor shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// `pcl.inlayHints.types` and `pcl.inlayHints.parameterNames`.
    pub hints: InlayHints,
    /// `pcl.codeLens`.
    pub lenses: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { hints: InlayHints { types: true, parameter_names: true }, lenses: false }
    }
}

impl Look {
    /// Reads the settings of the section `pcl`. One that is absent has its default.
    #[must_use]
    pub fn new(settings: &Value) -> Self {
        let switch = |path: &str, default: bool| {
            let value = settings.pointer(path).and_then(Value::as_bool);
            value.unwrap_or(default)
        };
        let Self { hints, lenses } = Self::default();
        Self {
            hints: InlayHints {
                types: switch("/inlayHints/types", hints.types),
                parameter_names: switch("/inlayHints/parameterNames", hints.parameter_names),
            },
            lenses: switch("/codeLens", lenses),
        }
    }
}
