//! The parts of a member that do not matter to programs, but to generated code and to people:
//! descriptions, names in other languages, environment variables.
//!
//! They are read on demand, from the member as the document has it, so that a check of a program
//! does not pay for them.

use serde_json::Value;

use crate::language::Languages;

/// The facts about a member of a package.
///
/// ```
/// use pcl_schema::{Owner, Package, Section};
///
/// let zoo = Package::from_bytes(r#"{ "name": "zoo", "resources": { "zoo:index:Cage": {
///     "description": "A cage.", "inputProperties": { "bars": {
///         "type": "integer", "description": "How many.",
///         "defaultInfo": { "environment": ["ZOO_BARS"] },
///         "language": { "csharp": { "name": "BarCount" } } } } } } }"#)?;
/// let cage = zoo.facts(zoo.find(Section::Resources, "zoo:index:Cage").unwrap());
/// assert_eq!(cage.description(), Some("A cage."));
/// let bars = cage.property(Owner::Inputs, "bars").unwrap();
/// assert_eq!(bars.description(), Some("How many."));
/// assert_eq!(bars.languages().name_in("csharp"), Some("BarCount"));
/// assert_eq!(bars.environment(), ["ZOO_BARS"]);
/// # Ok::<(), pcl_schema::DocumentError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MemberFacts {
    json: Value,
    is_renamed_in_go: bool,
}

/// The group of properties that a property of a member belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// `properties` of a resource or an object type.
    Properties,
    /// `inputProperties` of a resource.
    Inputs,
    /// `stateInputs` of a resource.
    StateInputs,
    /// `listInputs` of a resource.
    ListInputs,
    /// `inputs` of a function.
    FunctionInputs,
    /// `outputs` of a function.
    FunctionOutputs,
}

impl MemberFacts {
    pub(crate) fn new(json: Value, is_renamed_in_go: bool) -> Self {
        Self { json, is_renamed_in_go }
    }

    /// The description, in Markdown.
    pub fn description(&self) -> Option<&str> {
        text(&self.json, "description")
    }

    /// The name for people.
    pub fn display_name(&self) -> Option<&str> {
        text(&self.json, "displayName")
    }

    /// Set if the SDKs have an implementation of it that is written by hand.
    pub fn is_overlay(&self) -> bool {
        self.json.get("isOverlay") == Some(&Value::Bool(true))
    }

    /// True if another member has a name in Pulumi's SDK for Go that this one would have.
    pub fn is_renamed_in_go(&self) -> bool {
        self.is_renamed_in_go
    }

    /// The settings for the SDK of each language, as the document has them.
    pub fn languages(&self) -> Languages {
        languages(&self.json)
    }

    /// The facts about a property.
    pub fn property(&self, owner: Owner, name: &str) -> Option<PropertyFacts<'_>> {
        let inner = |key: &str| self.json.get(key)?.get("properties");
        let properties = match owner {
            Owner::Properties => self.json.get("properties"),
            Owner::Inputs => self.json.get("inputProperties"),
            Owner::StateInputs => inner("stateInputs"),
            Owner::ListInputs => inner("listInputs"),
            Owner::FunctionInputs => inner("inputs"),
            Owner::FunctionOutputs => inner("outputs"),
        };
        let json = properties?.get(name)?;
        Some(PropertyFacts { json })
    }

    /// The description of a value of an enumeration, by its position in the document.
    pub fn value_description(&self, position: usize) -> Option<&str> {
        text(self.json.get("enum")?.get(position)?, "description")
    }
}

/// The facts about a property.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PropertyFacts<'m> {
    json: &'m Value,
}

impl<'m> PropertyFacts<'m> {
    /// The description, in Markdown.
    pub fn description(self) -> Option<&'m str> {
        text(self.json, "description")
    }

    /// The name for people.
    pub fn display_name(self) -> Option<&'m str> {
        text(self.json, "displayName")
    }

    /// The environment variables that are looked at, in this order, before the default counts.
    pub fn environment(self) -> Vec<&'m str> {
        let info = self.json.get("defaultInfo");
        let names = info.and_then(|info| info.get("environment")?.as_array());
        let names = names.into_iter().flatten();
        names.filter_map(Value::as_str).collect()
    }

    /// Set if the provider replaces the resource on a change.
    pub fn will_replace_on_changes(self) -> bool {
        self.json.get("willReplaceOnChanges") == Some(&Value::Bool(true))
    }

    /// The settings for the SDK of each language, as the document has them.
    pub fn languages(self) -> Languages {
        languages(self.json)
    }
}

fn text<'v>(json: &'v Value, key: &str) -> Option<&'v str> {
    let text = json.get(key)?.as_str()?;
    (!text.is_empty()).then_some(text)
}

fn languages(json: &Value) -> Languages {
    let languages = json.get("language").cloned();
    languages.map(Languages::of).unwrap_or_default()
}
