//! Reading YAML: the generated text as a tree.

use std::collections::HashSet;

use saphyr_parser::{Event, Parser, ScalarStyle};

/// A YAML value.
#[derive(Clone, PartialEq, Debug)]
pub enum Yaml {
    /// A scalar, and whether it is plain: only then can it be anything but text.
    Scalar(String, bool),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// The value with scalars as readers of YAML take them: text is never plain, and equal numbers
    /// are written alike.
    pub fn resolved(self) -> Self {
        match self {
            Self::Scalar(text, true) if matches!(&*text, "null" | "true" | "false") => {
                Self::Scalar(text, true)
            }
            Self::Scalar(text, true) => match text.parse::<f64>() {
                Ok(number) => Self::Scalar(number.to_string(), true),
                Err(_) => Self::Scalar(text, false),
            },
            Self::Scalar(text, false) => Self::Scalar(text, false),
            Self::List(values) => Self::List(values.into_iter().map(Self::resolved).collect()),
            Self::Map(entries) => {
                let entries = entries.into_iter();
                Self::Map(entries.map(|(key, value)| (key, value.resolved())).collect())
            }
        }
    }

    /// The one document of a text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut open: Vec<Yaml> = Vec::new();
        let mut keys: Vec<Option<String>> = Vec::new();
        let mut whole = None;
        for event in Parser::new_from_str(text) {
            let (event, _) = event.map_err(|error| error.to_string())?;
            let done = match event {
                Event::Scalar(text, style, ..) => {
                    Some(Yaml::Scalar(text.into_owned(), style == ScalarStyle::Plain))
                }
                Event::SequenceStart(..) => {
                    open.push(Yaml::List(Vec::new()));
                    keys.push(None);
                    None
                }
                Event::MappingStart(..) => {
                    open.push(Yaml::Map(Vec::new()));
                    keys.push(None);
                    None
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    keys.pop();
                    open.pop()
                }
                Event::Alias(_) => return Err("an alias".to_owned()),
                _ => None,
            };
            let Some(done) = done else { continue };
            match (open.last_mut(), keys.last_mut()) {
                (Some(Yaml::List(list)), _) => list.push(done),
                (Some(Yaml::Map(map)), Some(key)) => match key.take() {
                    Some(key) => map.push((key, done)),
                    None => match done {
                        Yaml::Scalar(text, _) => *key = Some(text),
                        other => return Err(format!("a key that is no scalar: {other:?}")),
                    },
                },
                _ if whole.is_none() => whole = Some(done),
                _ => return Err("two documents".to_owned()),
            }
        }
        let whole = whole.ok_or("no document")?;
        whole.unique()?;
        Ok(whole)
    }

    /// No key may be there twice in one map.
    fn unique(&self) -> Result<(), String> {
        match self {
            Self::Scalar(..) => Ok(()),
            Self::List(list) => list.iter().try_for_each(Self::unique),
            Self::Map(map) => {
                let mut seen = HashSet::new();
                for (key, value) in map {
                    if !seen.insert(key) {
                        return Err(format!("`{key}` twice"));
                    }
                    value.unique()?;
                }
                Ok(())
            }
        }
    }

    /// The entries of a map.
    pub fn entries(&self) -> &[(String, Yaml)] {
        match self {
            Self::Map(map) => map,
            _ => &[],
        }
    }

    pub fn get(&self, key: &str) -> Option<&Yaml> {
        let found = self.entries().iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    /// The entries of the map under a key; none if there is no such key.
    pub fn section(&self, key: &str) -> &[(String, Yaml)] {
        self.get(key).map_or(&[], Self::entries)
    }

    /// The text of a scalar under a key.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.get(key)? {
            Self::Scalar(text, _) => Some(text),
            _ => None,
        }
    }
}
