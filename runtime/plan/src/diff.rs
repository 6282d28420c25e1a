//! The differences between the inputs that the state has and those that the program gives, by path.

use std::borrow::Cow;

use pcl_values::{Key, PropertyMap, PropertyPath, PropertyValue};

/// A difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The path of the input or of a part of it.
    pub path: PropertyPath,
    /// The value in the state; `None` if there is none.
    pub old: Option<PropertyValue>,
    /// The value of the program; `None` if there is none.
    pub new: Option<PropertyValue>,
    /// The difference makes the step a replacement.
    pub replaces: bool,
}

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The value is new.
    Add,
    /// The value is gone.
    Delete,
    /// The value is another one.
    Update,
}

impl ChangeKind {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Delete => "delete",
            Self::Update => "update",
        }
    }
}

impl Change {
    /// The kind.
    pub fn kind(&self) -> ChangeKind {
        match (&self.old, &self.new) {
            (None, _) => ChangeKind::Add,
            (_, None) => ChangeKind::Delete,
            _ => ChangeKind::Update,
        }
    }

    /// The name of the input.
    pub fn property(&self) -> &str {
        match self.path.keys().first() {
            Some(Key::Name(name)) => name,
            _ => "",
        }
    }
}

/// The differences between two sets of inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// The differences, in the order of their paths.
    pub changes: Vec<Change>,
    /// The paths of values that cannot be compared, because the state has them encrypted.
    pub incomparable: Vec<PropertyPath>,
}

impl Diff {
    /// Compares inputs. Marks of secrets and dependencies do not count.
    pub fn of(old: &PropertyMap, new: &PropertyMap) -> Self {
        let mut comparison = Comparison::default();
        comparison.objects(old, new, false);
        comparison.diff
    }

    /// Returns true if there are no differences. Values that cannot be compared are none.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

#[derive(Default)]
struct Comparison {
    diff: Diff,
    path: Vec<Key>,
}

impl Comparison {
    fn objects(&mut self, old: &PropertyMap, new: &PropertyMap, is_secret: bool) {
        let mut news = new.iter().peekable();
        for (name, old) in old {
            while let Some((added, value)) = news.next_if(|(next, _)| *next < name) {
                self.at(&**added, |it| it.values(None, Some(value), is_secret));
            }
            let new = news.next_if(|(next, _)| *next == name).map(|(_, value)| value);
            self.at(&**name, |it| it.values(Some(old), new, is_secret));
        }
        for (added, value) in news {
            self.at(&**added, |it| it.values(None, Some(value), is_secret));
        }
    }

    fn at(&mut self, key: impl Into<Key>, compare: impl FnOnce(&mut Self)) {
        self.path.push(key.into());
        compare(self);
        self.path.pop();
    }

    fn values(
        &mut self,
        old: Option<&PropertyValue>,
        new: Option<&PropertyValue>,
        is_secret: bool,
    ) {
        let (old, is_old_secret) = opened(old);
        let (new, is_new_secret) = opened(new);
        let is_secret = is_secret || is_old_secret || is_new_secret;
        match (&*old, &*new) {
            (PropertyValue::Null, PropertyValue::Null) => {}
            // What is unknown in a state is a secret that nobody has opened.
            (PropertyValue::Computed(_), PropertyValue::Null) => self.change(old, new, is_secret),
            (PropertyValue::Computed(_), _) => {
                self.diff.incomparable.push(self.path.iter().cloned().collect());
            }
            (PropertyValue::Array(olds), PropertyValue::Array(news)) => {
                for at in 0..olds.len().max(news.len()) {
                    self.at(at, |it| it.values(olds.get(at), news.get(at), is_secret));
                }
            }
            (PropertyValue::Object(olds), PropertyValue::Object(news)) => {
                self.objects(olds, news, is_secret);
            }
            (plain_old, plain_new) if are_equal(plain_old, plain_new) => {}
            _ => self.change(old, new, is_secret),
        }
    }

    fn change(
        &mut self,
        old: Cow<'_, PropertyValue>,
        new: Cow<'_, PropertyValue>,
        is_secret: bool,
    ) {
        let shown = |value: Cow<'_, PropertyValue>| match &*value {
            PropertyValue::Null => None,
            _ if is_secret => Some(value.into_owned().secret()),
            _ => Some(value.into_owned()),
        };
        self.diff.changes.push(Change {
            path: self.path.iter().cloned().collect(),
            old: shown(old),
            new: shown(new),
            replaces: false,
        });
    }
}

/// A value without its own marks, null for none, and whether it was a secret.
fn opened(value: Option<&PropertyValue>) -> (Cow<'_, PropertyValue>, bool) {
    let mut value = match value {
        Some(value) => value,
        None => &PropertyValue::Null,
    };
    let mut is_secret = false;
    loop {
        match value {
            PropertyValue::Secret(inner) => {
                is_secret = true;
                value = inner;
            }
            PropertyValue::Output(output) => {
                is_secret |= output.is_secret();
                match output.value() {
                    Some(inner) => value = inner,
                    None => return (Cow::Owned(PropertyValue::UNKNOWN), is_secret),
                }
            }
            _ => return (Cow::Borrowed(value), is_secret),
        }
    }
}

/// Returns true if two values without marks of their own are the same.
fn are_equal(old: &PropertyValue, new: &PropertyValue) -> bool {
    match (old, new) {
        (PropertyValue::Asset(old), PropertyValue::Asset(new)) => {
            old == new || old.has_content_of(new)
        }
        (PropertyValue::Archive(old), PropertyValue::Archive(new)) => {
            old == new || old.has_content_of(new)
        }
        (PropertyValue::Resource(old), PropertyValue::Resource(new)) => {
            old.urn == new.urn && old.id == new.id
        }
        (PropertyValue::Null, PropertyValue::Null) => true,
        (PropertyValue::Bool(old), PropertyValue::Bool(new)) => old == new,
        (PropertyValue::Number(old), PropertyValue::Number(new)) => old == new,
        (PropertyValue::String(old), PropertyValue::String(new)) => old == new,
        _ => false,
    }
}

/// The value of properties without dependencies, with its secrets.
pub(crate) fn without_dependencies(value: &PropertyValue) -> PropertyValue {
    match value {
        PropertyValue::Output(output) => {
            let inner = match output.value() {
                Some(inner) => without_dependencies(inner),
                None => PropertyValue::UNKNOWN,
            };
            match inner {
                inner @ PropertyValue::Secret(_) => inner,
                inner if output.is_secret() => inner.secret(),
                inner => inner,
            }
        }
        PropertyValue::Secret(inner) => match without_dependencies(inner) {
            inner @ PropertyValue::Secret(_) => inner,
            inner => inner.secret(),
        },
        PropertyValue::Array(elements) => {
            elements.iter().map(without_dependencies).collect::<Vec<_>>().into()
        }
        PropertyValue::Object(fields) => map_without_dependencies(fields).into(),
        other => other.clone(),
    }
}

/// The properties without dependencies, with their secrets.
pub(crate) fn map_without_dependencies(properties: &PropertyMap) -> PropertyMap {
    let properties = properties.iter();
    properties.map(|(name, value)| (name.clone(), without_dependencies(value))).collect()
}

/// Returns true if the value or a part of it is unknown.
pub(crate) fn has_unknown(value: &PropertyValue) -> bool {
    match value {
        PropertyValue::Computed(_) => true,
        PropertyValue::Secret(inner) => has_unknown(inner),
        PropertyValue::Output(output) => output.value().is_none_or(has_unknown),
        PropertyValue::Array(elements) => elements.iter().any(has_unknown),
        PropertyValue::Object(fields) => fields.values().any(has_unknown),
        _ => false,
    }
}
