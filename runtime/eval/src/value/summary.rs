//! Facts about a value and all of its parts.

use pcl_values::{MAX_DEPTH, Output, PropertyValue};

use super::{MAX_PARTS, TooLarge};

/// Facts about a value and all of its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    parts: u32,
    depth: u16,
    /// The value or one of its parts is unknown.
    pub has_unknown: bool,
    /// The value or one of its parts has marks.
    pub has_marks: bool,
}

impl Summary {
    /// The summary of a value without parts.
    pub const LEAF: Self = Self { parts: 0, depth: 0, has_unknown: false, has_marks: false };

    /// The summary of an unknown value without marks.
    pub const UNKNOWN: Self = Self { has_unknown: true, ..Self::LEAF };

    /// The number of parts, their parts included.
    pub fn parts(self) -> usize {
        self.parts as usize
    }

    /// The number of levels below the value.
    pub fn depth(self) -> usize {
        self.depth.into()
    }

    /// The same with marks.
    pub fn marked(self) -> Self {
        Self { has_marks: true, ..self }
    }

    /// The summary of a value with these parts.
    pub fn of_parts(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::LEAF;
        for part in parts {
            all.parts = all.parts.saturating_add(part.parts).saturating_add(1);
            all.depth = all.depth.max(part.depth);
            all.has_unknown |= part.has_unknown;
            all.has_marks |= part.has_marks;
        }
        all.depth = all.depth.saturating_add(1);
        all
    }

    /// Returns an error if no value may be as large.
    pub fn check(self) -> Result<Self, TooLarge> {
        match self {
            _ if self.depth() > MAX_DEPTH => Err(TooLarge::Depth),
            _ if self.parts() > MAX_PARTS => Err(TooLarge::Parts),
            _ => Ok(self),
        }
    }

    /// The summary of the value that an engine answers as this.
    pub fn of_property(value: &PropertyValue) -> Self {
        match value {
            PropertyValue::Array(elements) => {
                Self::of_parts(elements.iter().map(Self::of_property))
            }
            PropertyValue::Object(fields) => Self::of_parts(fields.values().map(Self::of_property)),
            PropertyValue::Secret(inner) => Self::of_property(inner).marked(),
            PropertyValue::Computed(_) => Self::UNKNOWN,
            PropertyValue::Output(output) => {
                Self::of_output(output, output.value().map(Self::of_property))
            }
            _ => Self::LEAF,
        }
    }

    /// The summary of an output, given that of its value if there is one.
    pub fn of_output(output: &Output<PropertyValue>, value: Option<Self>) -> Self {
        let value = value.unwrap_or(Self::UNKNOWN);
        if output.is_secret() || !output.dependencies().is_empty() { value.marked() } else { value }
    }
}
