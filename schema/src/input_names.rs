//! The members of a package by their inputs: a program that has the inputs already
//! tells which member it means.
//!
//! The table takes a walk over all resources or functions of the document, so it is made when it is
//! asked for.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::json::{self, Reader, Result, Text, Value};
use crate::raw::RawEntries;
use crate::{MemberId, Package, Section};

/// The tables of a package.
#[derive(Debug, Default)]
pub(crate) struct InputNames {
    resources: OnceLock<Table>,
    functions: OnceLock<Table>,
}

/// The inputs of the members of a section.
#[derive(Debug, Default)]
struct Table {
    by_name: FxHashMap<Box<str>, Vec<InputOf>>,
    required: FxHashMap<MemberId, u32>,
}

/// An input of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputOf {
    /// The member.
    pub member: MemberId,
    /// Set if the member requires it.
    pub is_required: bool,
    /// The kind of its values.
    pub kind: InputKind,
}

/// The kind of the values of an input, as far as its own entry in the schema says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    /// Booleans.
    Boolean,
    /// Numbers, of any size.
    Number,
    /// Strings.
    String,
    /// Lists.
    List,
    /// Maps.
    Map,
    /// Values of a type with a name, of several types or of any.
    Other,
}

/// The parts of a resource or function that tell its inputs.
#[derive(Default)]
struct RawInputs<'de> {
    kinds: Vec<(Text<'de>, InputKind)>,
    required: Vec<Text<'de>>,
}

impl<'de> Value<'de> for InputKind {
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        let mut kind = Self::Other;
        let mut is_named = false;
        reader.object(|reader, key| {
            match &*key.0 {
                "type" => kind = Self::called(&Text::read(reader)?.0),
                "$ref" | "oneOf" => {
                    is_named = true;
                    reader.skip()?;
                }
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        // A reference says more than the type of what it refers to.
        Ok(if is_named { Self::Other } else { kind })
    }
}

impl InputKind {
    fn called(name: &str) -> Self {
        match name {
            "boolean" => Self::Boolean,
            "integer" | "number" => Self::Number,
            "string" => Self::String,
            "array" => Self::List,
            "object" => Self::Map,
            _ => Self::Other,
        }
    }
}

impl<'de> RawInputs<'de> {
    /// Reads an object that has the inputs and the names of the required ones under these keys,
    /// or such an object under `inner`.
    fn of(reader: &mut Reader<'de>, keys: [&str; 2], inner: Option<&str>) -> Result<Self> {
        let mut own = Self::default();
        if reader.null()? {
            return Ok(own);
        }
        reader.object(|reader, key| {
            if key.0 == keys[0] && inner.is_none() {
                let entries: Option<RawEntries<'_, InputKind>> = Value::read(reader)?;
                own.kinds = entries.unwrap_or_default().0;
            } else if key.0 == keys[1] && inner.is_none() {
                own.required = Option::<Vec<Text<'_>>>::read(reader)?.unwrap_or_default();
            } else if inner.is_some_and(|inner| key.0 == inner) {
                own = Self::of(reader, keys, None)?;
            } else {
                reader.skip()?;
            }
            Ok(())
        })?;
        Ok(own)
    }
}

struct RawResource<'de>(RawInputs<'de>);
struct RawFunction<'de>(RawInputs<'de>);

impl<'de> Value<'de> for RawResource<'de> {
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        RawInputs::of(reader, ["inputProperties", "requiredInputs"], None).map(Self)
    }
}

impl<'de> Value<'de> for RawFunction<'de> {
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        RawInputs::of(reader, ["properties", "required"], Some("inputs")).map(Self)
    }
}

impl Package {
    /// The resources or functions that have an input of this name, in document order; those that
    /// cannot be read have none.
    ///
    /// ```
    /// use pcl_schema::{InputKind, Package, Section};
    ///
    /// let zoo = Package::from_bytes(r#"{ "name": "zoo", "resources": { "zoo:index:Cage": {
    ///     "inputProperties": { "bars": { "type": "integer" } }, "requiredInputs": ["bars"] } } }"#)?;
    /// let found = zoo.members_with_input(Section::Resources, "bars");
    /// assert_eq!(found.len(), 1);
    /// assert!(found[0].is_required);
    /// assert_eq!(found[0].kind, InputKind::Number);
    /// assert_eq!(zoo.required_input_count(Section::Resources, found[0].member), 1);
    /// # Ok::<(), pcl_schema::DocumentError>(())
    /// ```
    pub fn members_with_input(&self, section: Section, name: &str) -> &[InputOf] {
        let table = self.input_names(section);
        table.and_then(|table| table.by_name.get(name)).map_or(&[], Vec::as_slice)
    }

    /// The number of inputs that a resource or function requires.
    pub fn required_input_count(&self, section: Section, member: MemberId) -> u32 {
        let table = self.input_names(section);
        table.and_then(|table| table.required.get(&member)).copied().unwrap_or_default()
    }

    fn input_names(&self, section: Section) -> Option<&Table> {
        let table = match section {
            Section::Resources => &self.input_names.resources,
            Section::Functions => &self.input_names.functions,
            Section::Types | Section::Provider => return None,
        };
        Some(table.get_or_init(|| self.read_input_names(section)))
    }

    fn read_input_names(&self, section: Section) -> Table {
        let mut table = Table::default();
        for member in self.members(section) {
            let text = self.parts.value(member);
            let Some(text) = text.and_then(|place| self.parts.document.read(place).ok()) else {
                continue;
            };
            let raw = match section {
                Section::Functions => json::read(&text).map(|RawFunction(raw)| raw),
                _ => json::read(&text).map(|RawResource(raw)| raw),
            };
            let Ok(RawInputs { kinds, required }) = raw else { continue };
            if !required.is_empty() {
                table.required.insert(member, required.len() as u32);
            }
            for (name, kind) in kinds {
                let is_required = required.iter().any(|it| it.0 == name.0);
                let of = InputOf { member, is_required, kind };
                match table.by_name.get_mut(&*name.0) {
                    Some(inputs) => inputs.push(of),
                    None => {
                        table.by_name.insert(name.0.clone().into(), vec![of]);
                    }
                }
            }
        }
        table
    }
}
