//! The types that values have in generated programs.

use std::rc::Rc;

use pcl::document::{MemberIndex, TypeIndex};

/// The number of parts that a type may have. Values share parts, so that without a limit, types
/// could be exponentially larger than the program.
const MAX_PARTS: usize = 256;

/// The type of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    /// `any`
    Any,
    /// The type of `nil` alone.
    Null,
    /// The type of the elements of an empty list, which become those of any other.
    Never,
    Bool,
    Int,
    Float,
    Text,
    /// `pulumi.ID`
    Id,
    /// `pulumi.URN`
    Urn,
    /// `pulumi.AssetOrArchive`
    Asset,
    /// `pulumi.Archive`
    Archive,
    List(Rc<Self>),
    /// `map[string]element`
    Map(Rc<Self>),
    /// A map whose entries are known, each with its type.
    Record(Rc<Vec<(String, Self)>>),
    /// A value that may be missing.
    Pointer(Rc<Self>),
    Named(Rc<Named>),
    /// An output of Pulumi's SDK.
    Output(Rc<Self>),
    /// An input of Pulumi's SDK.
    Input(Rc<Self>),
    /// A hook of Pulumi's SDK.
    Hook(&'static str),
}

/// A type with a name: that of a package, or of a component of the project.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub kind: Kind,
    /// Its name in code, such as `random.RandomPet`, without `*`.
    pub name: String,
    pub member: Option<MemberIndex>,
    /// The type in the document.
    pub ty: Option<TypeIndex>,
    /// True if the package has types for lists, maps and pointers of it.
    pub has_list: bool,
    pub has_map: bool,
    pub has_pointer: bool,
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
    /// A struct without outputs.
    Struct,
    /// A struct of inputs.
    Args,
    /// An enumeration of texts, or of other values.
    Enum(Simple),
    /// A resource, of which values are pointers.
    Resource,
    /// A component of the project, by its position, of which values are pointers.
    Component(usize),
}

/// A simple type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Simple {
    Bool,
    Int,
    Float,
    Text,
}

impl Simple {
    pub const fn ty(self) -> Ty {
        match self {
            Self::Bool => Ty::Bool,
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
            | Self::Pointer(part)
            | Self::Output(part)
            | Self::Input(part) => part.fits(room),
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

    /// The same with `nil` among its values.
    pub fn nullable(self) -> Self {
        match self {
            Self::Output(content) => Self::output((*content).clone().nullable()),
            ty if ty.has_nil() => ty,
            ty => Self::Pointer(Rc::new(ty)),
        }
    }

    /// Returns true if `nil` is among the values.
    pub fn has_nil(&self) -> bool {
        match self {
            Self::Bool | Self::Int | Self::Float | Self::Text | Self::Id | Self::Urn => false,
            Self::Named(named) => !matches!(named.kind, Kind::Struct | Kind::Args | Kind::Enum(_)),
            _ => true,
        }
    }

    /// The type of the values of an output; other types are themselves.
    pub fn content(&self) -> &Self {
        match self {
            Self::Output(content) => content,
            ty => ty,
        }
    }

    /// The type behind a pointer; other types are themselves.
    pub fn pointed(&self) -> &Self {
        match self {
            Self::Pointer(inner) => inner,
            ty => ty,
        }
    }

    pub const fn is_output(&self) -> bool {
        matches!(self, Self::Output(_))
    }

    /// Returns true if a value, or a part of it, is an output.
    pub fn holds_outputs(&self) -> bool {
        match self {
            Self::Output(_) => true,
            Self::List(part) | Self::Map(part) | Self::Pointer(part) => part.holds_outputs(),
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
            Self::Pointer(part) => part.resolved().nullable(),
            // What the SDK makes of the entries is not as exact.
            Self::Record(entries) => {
                let mut types = entries.iter().map(|(_, ty)| ty.resolved());
                let first = types.next().unwrap_or(Self::Any);
                let is_one = first.underlying().is_simple() && types.all(|ty| ty == first);
                Self::map(if is_one { first } else { Self::Any })
            }
            ty => ty.clone(),
        }
    }

    /// The simple type behind an enumeration or an id; other types are themselves.
    pub fn underlying(&self) -> Self {
        match self {
            Self::Id | Self::Urn => Self::Text,
            Self::Named(named) => match named.kind {
                Kind::Enum(simple) => simple.ty(),
                _ => self.clone(),
            },
            ty => ty.clone(),
        }
    }

    /// The type of plain inputs of a resource: their objects are structs of inputs.
    pub fn of_inputs(&self) -> Self {
        match self {
            Self::List(part) => Self::list(part.of_inputs()),
            Self::Map(part) => Self::map(part.of_inputs()),
            Self::Pointer(part) => part.of_inputs().nullable(),
            Self::Named(named) if named.kind == Kind::Struct => Self::Named(Rc::new(Named {
                kind: Kind::Args,
                name: format!("{}Args", named.name),
                ..(**named).clone()
            })),
            ty => ty.clone(),
        }
    }

    /// Returns true for texts, numbers and bools.
    pub const fn is_simple(&self) -> bool {
        matches!(self, Self::Bool | Self::Int | Self::Float | Self::Text)
    }

    /// The type of the elements of a list.
    pub fn element(&self) -> Option<Self> {
        match self {
            Self::List(element) => Some((**element).clone()),
            _ => None,
        }
    }

    /// The type of the entries of a map.
    pub fn entry(&self) -> Option<Self> {
        match self {
            Self::Map(element) => Some((**element).clone()),
            Self::Record(entries) => Some(record_entry(entries)),
            _ => None,
        }
    }

    /// The type in code.
    pub fn text(&self) -> String {
        match self {
            Self::Any | Self::Null | Self::Never => "any".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Int => "int".to_owned(),
            Self::Float => "float64".to_owned(),
            Self::Text => "string".to_owned(),
            Self::Id => "pulumi.ID".to_owned(),
            Self::Urn => "pulumi.URN".to_owned(),
            Self::Asset => "pulumi.AssetOrArchive".to_owned(),
            Self::Archive => "pulumi.Archive".to_owned(),
            Self::List(element) => format!("[]{}", element.text()),
            Self::Map(element) => format!("map[string]{}", element.text()),
            Self::Record(entries) => format!("map[string]{}", record_entry(entries).text()),
            Self::Pointer(inner) => format!("*{}", inner.text()),
            Self::Named(named) => match named.kind {
                Kind::Struct | Kind::Args | Kind::Enum(_) => named.name.clone(),
                Kind::Resource | Kind::Component(_) => format!("*{}", named.name),
            },
            Self::Output(content) => class(content),
            Self::Input(content) => input_class(content, false),
            Self::Hook(name) => format!("*pulumi.{name}"),
        }
    }

    /// The value that stands for none.
    pub fn zero(&self) -> String {
        match self {
            Self::Bool => "false".to_owned(),
            Self::Int | Self::Float => "0".to_owned(),
            Self::Text | Self::Id | Self::Urn => "\"\"".to_owned(),
            Self::Output(content) => format!("{}{{}}", class(content)),
            Self::Named(named) => match named.kind {
                Kind::Struct | Kind::Args => format!("{}{{}}", named.name),
                Kind::Enum(simple) => simple.ty().zero(),
                _ => "nil".to_owned(),
            },
            _ => "nil".to_owned(),
        }
    }
}

/// The one type of all entries of a record, or any.
fn record_entry(entries: &[(String, Ty)]) -> Ty {
    match entries {
        [(_, first), rest @ ..]
            if !matches!(first, Ty::Null | Ty::Never) && rest.iter().all(|(_, ty)| ty == first) =>
        {
            first.clone()
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
        (Ty::Int, Ty::Float) | (Ty::Float, Ty::Int) => Ty::Float,
        (Ty::Id | Ty::Urn | Ty::Text, Ty::Id | Ty::Urn | Ty::Text) => Ty::Text,
        (Ty::Asset | Ty::Archive, Ty::Asset | Ty::Archive) => Ty::Asset,
        (Ty::Pointer(a), Ty::Pointer(b)) => unify(a, b).nullable(),
        (Ty::Pointer(inner), ty) | (ty, Ty::Pointer(inner)) => unify(inner, ty).nullable(),
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

/// The name that the names of the input and output types of a type begin with.
pub(crate) fn stem(ty: &Ty) -> String {
    match ty {
        Ty::Bool => "pulumi.Bool".to_owned(),
        Ty::Int => "pulumi.Int".to_owned(),
        Ty::Float => "pulumi.Float64".to_owned(),
        Ty::Text => "pulumi.String".to_owned(),
        Ty::Id => "pulumi.ID".to_owned(),
        Ty::Urn => "pulumi.URN".to_owned(),
        Ty::Asset => "pulumi.AssetOrArchive".to_owned(),
        Ty::Archive => "pulumi.Archive".to_owned(),
        Ty::List(element) => inner_stem(element) + "Array",
        Ty::Map(element) => inner_stem(element) + "Map",
        Ty::Record(entries) => inner_stem(&record_entry(entries)) + "Map",
        Ty::Pointer(inner) => stem(inner) + "Ptr",
        Ty::Named(named) => named.name.clone(),
        Ty::Output(content) => stem(content),
        _ => "pulumi.Any".to_owned(),
    }
}

fn inner_stem(ty: &Ty) -> String {
    let stem = stem(ty);
    if stem == "pulumi.Any" { "pulumi.".to_owned() } else { stem }
}

/// Returns true if Pulumi's SDK, or that of a package, has an output type for a type.
pub(crate) fn has_class(ty: &Ty) -> bool {
    match ty {
        Ty::Pointer(inner) => match &**inner {
            Ty::Named(named) => named.has_pointer,
            inner => inner.is_simple() || matches!(inner, Ty::Id | Ty::Urn),
        },
        Ty::Named(named) => !matches!(named.kind, Kind::Component(_)),
        ty => is_container(ty),
    }
}

/// Returns true for simple types, and for lists and maps that there are output types for.
fn is_container(ty: &Ty) -> bool {
    /// The depth up to which Pulumi's SDK has them.
    const MAX_DEPTH: usize = 3;
    let mut ty = ty.clone();
    for depth in 0..=MAX_DEPTH {
        let (inner, is_list) = match (ty.element(), ty.entry()) {
            (Some(inner), _) => (inner, true),
            (None, Some(inner)) => (inner, false),
            (None, None) => {
                return match ty {
                    Ty::Pointer(_) | Ty::Output(_) | Ty::Input(_) | Ty::Hook(_) => false,
                    Ty::Named(_) => depth == 0,
                    _ => true,
                };
            }
        };
        if let Ty::Named(named) = &inner {
            return depth == 0 && if is_list { named.has_list } else { named.has_map };
        }
        ty = inner;
    }
    false
}

/// The output type of values of a type.
pub(crate) fn class(ty: &Ty) -> String {
    if has_class(ty) { stem(ty) + "Output" } else { "pulumi.AnyOutput".to_owned() }
}

/// The type of inputs of a type.
pub(crate) fn input_class(ty: &Ty, is_optional: bool) -> String {
    if !has_class(ty) || matches!(ty, Ty::Any | Ty::Null | Ty::Never) {
        return "pulumi.Input".to_owned();
    }
    let pointer = if is_optional && !ty.has_nil() { "Ptr" } else { "" };
    stem(ty) + pointer + "Input"
}
