//! The types that values have in generated programs.

use std::rc::Rc;

use pcl::document::{MemberIndex, TypeIndex};

/// The number of parts that a type may have. Values share parts, so that without a limit, types
/// could be exponentially larger than the program.
const MAX_PARTS: usize = 256;

/// The type of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    /// `Object`
    Any,
    /// The type of `null` alone.
    Null,
    /// The type of the elements of an empty list, which become those of any other.
    Never,
    Bool,
    Int,
    Float,
    Text,
    /// `AssetOrArchive`
    Asset,
    Archive,
    List(Rc<Self>),
    /// `Map<String, entry>`
    Map(Rc<Self>),
    /// A map whose entries are known, each with its type.
    Record(Rc<Vec<(String, Self)>>),
    /// A value that may be `null`.
    Nullable(Rc<Self>),
    /// `Optional<content>`, which SDKs give.
    Optional(Rc<Self>),
    /// `Either<left, right>`
    Either(Rc<Self>, Rc<Self>),
    Named(Rc<Named>),
    Output(Rc<Self>),
}

/// A type with a name: that of a package, or of a component of the project.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub kind: Kind,
    /// Its name in code.
    pub name: String,
    pub member: Option<MemberIndex>,
    /// The type in the document.
    pub ty: Option<TypeIndex>,
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.name == other.name
    }
}

impl Eq for Named {}

/// The kind of a type with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// An object that a provider gives.
    Object,
    /// An object of inputs, which are outputs or plain values.
    Inputs { is_plain: bool },
    /// An enumeration of texts, or of numbers.
    Enum(Simple),
    /// A resource.
    Resource,
    /// A component of the project, by its position.
    Component(usize),
}

/// A simple type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Simple {
    Int,
    Float,
    Text,
}

impl Simple {
    pub const fn ty(self) -> Ty {
        match self {
            Self::Int => Ty::Int,
            Self::Float => Ty::Float,
            Self::Text => Ty::Text,
        }
    }
}

impl Ty {
    /// The type of lists of such elements; of any, if their type is too large.
    pub fn list(element: Self) -> Self {
        Self::List(Rc::new(element.bounded()))
    }

    /// The type of maps of such entries; of any, if their type is too large.
    pub fn map(entry: Self) -> Self {
        Self::Map(Rc::new(entry.bounded()))
    }

    /// The type of a map with these entries, or of one with any keys, if it would be too large.
    pub fn record(entries: Vec<(String, Self)>) -> Self {
        let mut room = MAX_PARTS;
        if entries.iter().all(|(_, ty)| ty.fits(&mut room)) {
            Self::Record(Rc::new(entries))
        } else {
            Self::map(record_entry(&entries))
        }
    }

    fn bounded(self) -> Self {
        if self.fits(&mut { MAX_PARTS }) { self } else { Self::Any }
    }

    /// Returns true if the type has no more parts than there is room for, and takes the room.
    fn fits(&self, room: &mut usize) -> bool {
        let Some(less) = room.checked_sub(1) else { return false };
        *room = less;
        match self {
            Self::List(part)
            | Self::Map(part)
            | Self::Nullable(part)
            | Self::Optional(part)
            | Self::Output(part) => part.fits(room),
            Self::Either(a, b) => a.fits(room) && b.fits(room),
            Self::Record(entries) => entries.iter().all(|(_, ty)| ty.fits(room)),
            _ => true,
        }
    }

    pub fn output(content: Self) -> Self {
        match content {
            Self::Output(_) => content,
            content => Self::Output(Rc::new(content)),
        }
    }

    /// The same with `null` among its values.
    pub fn nullable(self) -> Self {
        match self {
            Self::Output(content) => Self::output((*content).clone().nullable()),
            Self::Null | Self::Never | Self::Any | Self::Nullable(_) => self,
            Self::Optional(inner) => Self::Nullable(inner),
            ty => Self::Nullable(Rc::new(ty)),
        }
    }

    /// The type of the values of an output; other types are themselves.
    pub fn content(&self) -> &Self {
        match self {
            Self::Output(content) => content,
            ty => ty,
        }
    }

    /// The type without `null`.
    pub fn present(&self) -> &Self {
        match self {
            Self::Nullable(inner) | Self::Optional(inner) => inner.present(),
            ty => ty,
        }
    }

    /// Returns true if the value may be missing.
    pub const fn may_be_null(&self) -> bool {
        matches!(self, Self::Nullable(_) | Self::Optional(_) | Self::Null | Self::Any)
    }

    pub const fn is_output(&self) -> bool {
        matches!(self, Self::Output(_))
    }

    /// Returns true if a value, or a part of it, is an output.
    pub fn holds_outputs(&self) -> bool {
        match self {
            Self::Output(_) => true,
            Self::List(part) | Self::Map(part) | Self::Nullable(part) | Self::Optional(part) => {
                part.holds_outputs()
            }
            Self::Record(entries) => entries.iter().any(|(_, ty)| ty.holds_outputs()),
            _ => false,
        }
    }

    /// The type once all outputs are known.
    pub fn resolved(&self) -> Self {
        match self {
            Self::Output(content) => content.resolved(),
            Self::List(part) => Self::list(part.resolved()),
            Self::Map(part) => Self::map(part.resolved()),
            Self::Nullable(part) => part.resolved().nullable(),
            Self::Record(entries) => Self::record(
                entries.iter().map(|(name, ty)| (name.clone(), ty.resolved())).collect(),
            ),
            ty => ty.clone(),
        }
    }

    /// Returns true if a part of the type is any.
    pub fn holds_any(&self) -> bool {
        match self {
            Self::Any | Self::Null | Self::Never => true,
            Self::List(part)
            | Self::Map(part)
            | Self::Nullable(part)
            | Self::Optional(part)
            | Self::Output(part) => part.holds_any(),
            Self::Either(..) => true,
            Self::Record(entries) => record_entry(entries).holds_any(),
            _ => false,
        }
    }

    /// The simple type behind an enumeration; other types are themselves.
    pub fn underlying(&self) -> Self {
        match self {
            Self::Named(named) => match named.kind {
                Kind::Enum(simple) => simple.ty(),
                _ => self.clone(),
            },
            ty => ty.clone(),
        }
    }

    /// Returns true for texts, numbers and bools.
    pub const fn is_simple(&self) -> bool {
        matches!(self, Self::Bool | Self::Int | Self::Float | Self::Text)
    }

    /// The type of the elements of a list.
    pub fn element(&self) -> Option<Self> {
        match self.present() {
            Self::List(element) => Some((**element).clone()),
            _ => None,
        }
    }

    /// The type of the entries of a map.
    pub fn entry(&self) -> Option<Self> {
        match self.present() {
            Self::Map(element) => Some((**element).clone()),
            Self::Record(entries) => Some(record_entry(entries)),
            _ => None,
        }
    }

    /// The type in code.
    pub fn text(&self) -> String {
        match self {
            Self::Any | Self::Null | Self::Never => "Object".to_owned(),
            Self::Bool => "Boolean".to_owned(),
            Self::Int => "Integer".to_owned(),
            Self::Float => "Double".to_owned(),
            Self::Text => "String".to_owned(),
            Self::Asset => "AssetOrArchive".to_owned(),
            Self::Archive => "Archive".to_owned(),
            Self::List(element) => format!("List<{}>", element.text()),
            Self::Map(element) => format!("Map<String, {}>", element.text()),
            Self::Record(entries) => format!("Map<String, {}>", record_entry(entries).text()),
            Self::Nullable(inner) => inner.text(),
            Self::Optional(inner) => format!("Optional<{}>", inner.text()),
            Self::Either(left, right) => format!("Either<{}, {}>", left.text(), right.text()),
            Self::Named(named) => named.name.clone(),
            Self::Output(content) => format!("Output<{}>", content.text()),
        }
    }
}

/// The one type of all entries of a record, or any.
pub(crate) fn record_entry(entries: &[(String, Ty)]) -> Ty {
    match entries {
        [(_, first), rest @ ..]
            if !matches!(first, Ty::Null | Ty::Never)
                && rest.iter().all(|(_, ty)| ty.text() == first.text()) =>
        {
            let is_nullable = entries.iter().any(|(_, ty)| matches!(ty, Ty::Nullable(_)));
            if is_nullable { first.clone().nullable() } else { first.clone() }
        }
        _ => Ty::Any,
    }
}

/// The type of values of one type or another.
pub(crate) fn unify(a: &Ty, b: &Ty) -> Ty {
    match (a, b) {
        _ if a == b => a.clone(),
        (Ty::Never, ty) | (ty, Ty::Never) => ty.clone(),
        (Ty::Null, ty) | (ty, Ty::Null) => ty.clone().nullable(),
        (Ty::Output(_), _) | (_, Ty::Output(_)) => {
            Ty::output(unify(&a.content().resolved(), &b.content().resolved()))
        }
        (Ty::Optional(inner), ty) | (ty, Ty::Optional(inner)) => unify(inner, ty).nullable(),
        (Ty::Int, Ty::Float) | (Ty::Float, Ty::Int) => Ty::Float,
        (Ty::Asset | Ty::Archive, Ty::Asset | Ty::Archive) => Ty::Asset,
        (Ty::Nullable(inner), ty) | (ty, Ty::Nullable(inner)) => unify(inner, ty).nullable(),
        (Ty::List(a), Ty::List(b)) => Ty::list(unify(a, b)),
        (Ty::Record(own), Ty::Record(other)) => records(own, other),
        _ => match (a.entry(), b.entry()) {
            (Some(a), Some(b)) => Ty::map(unify(&a, &b)),
            _ if a.underlying() == b.underlying() => a.underlying(),
            _ => Ty::Any,
        },
    }
}

fn records(own: &[(String, Ty)], other: &[(String, Ty)]) -> Ty {
    let is_same = own.len() == other.len() && own.iter().zip(other).all(|(a, b)| a.0 == b.0);
    if is_same {
        let entries = own.iter().zip(other).map(|(a, b)| (a.0.clone(), unify(&a.1, &b.1)));
        return Ty::record(entries.collect());
    }
    Ty::map(unify(&record_entry(own), &record_entry(other)))
}
