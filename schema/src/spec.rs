//! The content of the members of a package: resources, functions, types, and the type specs inside
//! them.
//!
//! These records are the schema's own view. They are not types of the language: the binder builds
//! those from them on demand. A reference to another member of the same package is resolved to its
//! [`MemberId`] when the member that contains it is decoded.

use std::fmt;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use semver::Version;

/// One of the maps of a schema that hold members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Section {
    /// Object types and enumerations.
    Types,
    /// Resources and components.
    Resources,
    /// Functions, which are invokes and methods.
    Functions,
    /// The provider: a section of at most one member, whose token is `pulumi:providers:NAME`.
    Provider,
}

impl Section {
    /// Every section, in the order in which members are counted.
    pub const ALL: [Self; 4] = [Self::Types, Self::Resources, Self::Functions, Self::Provider];

    /// The noun for a member of the section, in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Types => "type",
            Self::Resources => "resource",
            Self::Functions => "function",
            Self::Provider => "provider",
        }
    }

    /// The key of the section in a document.
    pub fn key(self) -> &'static str {
        match self {
            Self::Types => "types",
            Self::Resources => "resources",
            Self::Functions => "functions",
            Self::Provider => "provider",
        }
    }
}

/// A member of a package. Ids are dense: `0..package.member_count()` over all sections, in document
/// order inside a section, the provider last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberId(pub u32);

/// A resource or component of a package, or its provider.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResourceSpec {
    /// The outputs of the resource, by name. Types are meant in plain shape.
    pub properties: Properties,
    /// The inputs of the resource, by name. Types are meant in input shape.
    pub inputs: Properties,
    /// The inputs for looking up an existing resource, if the schema has any. Types are meant in
    /// input shape.
    pub state_inputs: Option<Properties>,
    /// The filter of a listing of such resources, if they can be listed. Types are meant in input
    /// shape.
    pub list_inputs: Option<Properties>,
    /// The methods, sorted by name.
    pub methods: Vec<MethodSpec>,
    /// Set for a component, which has no id of its own.
    pub is_component: bool,
    /// The text that says what to use instead; `None` when the resource is not deprecated.
    pub deprecation_message: Option<Box<str>>,
}

/// A method of a resource: a function of the package whose input `__self__` is the resource.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodSpec {
    /// The name that programs call it by.
    pub name: Box<str>,
    /// The token of the function.
    pub token: Box<str>,
    /// The function; `None` when the package has no function of that token, which is also a
    /// [`SchemaDiagnostic`](crate::SchemaDiagnostic).
    pub function: Option<MemberId>,
}

/// A function of a package.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FunctionSpec {
    /// The inputs of the function; `None` when it takes nothing.
    pub inputs: Option<Properties>,
    /// The names of the inputs in the order of positional arguments; empty when the function takes
    /// one object.
    pub multi_argument_inputs: Vec<Box<str>>,
    /// The result of the function; `None` when it returns nothing.
    pub returns: Option<ReturnSpec>,
    /// Set if the result is the value itself, never wrapped in an output.
    pub returns_plain: bool,
    /// Set if the form that returns the plain value is generated, which is the default.
    pub has_plain_form: bool,
    /// The text that says what to use instead; `None` when the function is not deprecated.
    pub deprecation_message: Option<Box<str>>,
}

/// The result of a function.
#[derive(Debug, Clone, PartialEq)]
pub enum ReturnSpec {
    /// An object without a name.
    Object(Properties),
    /// Any type spec.
    Type(TypeSpec),
}

/// An entry of the section `types`.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeDef {
    /// An object type.
    Object(Properties),
    /// An enumeration.
    Enum(EnumSpec),
}

/// An enumeration: a primitive type and the values that are meant to be used.
#[derive(Debug, Clone, PartialEq)]
pub struct EnumSpec {
    /// The type of the values; `None` when the schema names none of the four, which is also a
    /// [`SchemaDiagnostic`](crate::SchemaDiagnostic).
    pub element: Option<Primitive>,
    /// The values in document order.
    pub values: Vec<EnumValue>,
    /// True if one of the values is deprecated.
    pub has_deprecated: bool,
}

/// One value of an enumeration.
#[derive(Debug, Clone, PartialEq)]
pub struct EnumValue {
    /// The value itself.
    pub value: Constant,
    /// The name that generated code gives it.
    pub name: Option<Box<str>>,
    /// The text that says what to use instead; `None` when the value is not deprecated.
    pub deprecation_message: Option<Box<str>>,
}

/// Properties of one owner, sorted by name.
#[derive(Clone, Default, PartialEq)]
pub struct Properties(Box<[(Box<str>, PropertySpec)]>);

impl Properties {
    /// Sorts properties; of several with one name the last stays.
    pub(crate) fn new(entries: Vec<(impl AsRef<str>, PropertySpec)>) -> Self {
        let entries = sort_keeping_last(entries).into_iter();
        Self(entries.map(|(name, spec)| (name.as_ref().into(), spec)).collect())
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.0.binary_search_by(|(own, _)| (**own).cmp(name)).ok()
    }

    /// The property of that exact name.
    pub fn get(&self, name: &str) -> Option<&PropertySpec> {
        let (_, spec) = self.0.get(self.position(name)?)?;
        Some(spec)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut PropertySpec> {
        let at = self.position(name)?;
        self.0.get_mut(at).map(|(_, spec)| spec)
    }

    /// Returns whether there is a property of that exact name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// All properties in the order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &PropertySpec)> {
        self.0.iter().map(|(name, spec)| (&**name, spec))
    }

    /// All names in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }

    /// The number of properties.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no properties.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps the properties that the test accepts.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&str, &PropertySpec) -> bool) {
        let all = std::mem::take(&mut self.0).into_iter();
        self.0 = all.filter(|(name, spec)| keep(name, spec)).collect();
    }
}

impl fmt::Debug for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Sorts entries by name; of several with one name the last stays.
pub(crate) fn sort_keeping_last<N: AsRef<str>, T>(mut entries: Vec<(N, T)>) -> Vec<(N, T)> {
    // Nearly all are sorted.
    if !entries.is_sorted_by(|(one, _), (next, _)| one.as_ref() < next.as_ref()) {
        entries.reverse();
        entries.sort_by(|(one, _), (other, _)| one.as_ref().cmp(other.as_ref()));
        entries.dedup_by(|(later, _), (earlier, _)| (*later).as_ref() == (*earlier).as_ref());
    }
    entries
}

/// A property of an object, resource or function: its type, and what the schema says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertySpec {
    /// The type, not yet wrapped for being optional.
    pub ty: TypeSpec,
    /// Set if the owner lists the property as required.
    pub required: bool,
    /// The only value that the property may have.
    pub constant: Option<Constant>,
    /// The value that the property has when the program gives none.
    pub default: Option<Constant>,
    /// Set if the value is secret.
    pub secret: bool,
    /// Set if a change replaces the resource.
    pub replace_on_changes: bool,
    /// The text that says what to use instead; `None` when the property is not deprecated.
    pub deprecation_message: Option<Box<str>>,
}

/// A type as a schema spells it.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeSpec {
    /// The kind of the type.
    pub kind: TypeKind,
    /// In input shape: this level takes no output, only the value itself. Says nothing about items
    /// nested inside.
    pub plain: bool,
}

/// The forms of type specs.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeKind {
    /// `boolean`, `integer`, `number` or `string`.
    Primitive(Primitive),
    /// A value of any type.
    Any,
    /// A value of any type that travels as JSON text.
    Json,
    /// An asset; an archive is accepted in its place.
    Asset,
    /// An archive.
    Archive,
    /// A list of one item type.
    Array(Box<TypeSpec>),
    /// A map from strings to one value type.
    Map(Box<TypeSpec>),
    /// One of several types.
    Union(Box<UnionSpec>),
    /// A named type, or a resource.
    Reference(Reference),
    /// No type. The error is reported once, as a [`SchemaDiagnostic`](crate::SchemaDiagnostic).
    Invalid,
}

/// The four primitive types of schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// `boolean`
    Boolean,
    /// `integer`: 32 bits, signed.
    Integer,
    /// `number`: an IEEE double.
    Number,
    /// `string`
    String,
}

impl Primitive {
    /// Reads the schema's word for it.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::String,
            _ => return None,
        })
    }

    /// The schema's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
        }
    }
}

/// A union of types.
#[derive(Debug, Clone, PartialEq)]
pub struct UnionSpec {
    /// The members in document order, neither flattened nor deduplicated.
    pub elements: Vec<TypeSpec>,
    /// The primitive that code without union types falls back to.
    pub default: Option<Primitive>,
    /// The property that tells the members apart.
    pub discriminator: Option<Discriminator>,
}

/// The property that tells the members of a union apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Discriminator {
    /// The property whose value decides.
    pub property: Box<str>,
    /// From a value of that property to the reference of a member type, as the schema writes it,
    /// sorted by value.
    pub mapping: Vec<(Box<str>, Box<str>)>,
    /// See [`Discriminator::selected`].
    pub(crate) selected: Selected,
}

impl Discriminator {
    /// The target of a value in the mapping.
    pub fn mapped(&self, value: &str) -> Option<&str> {
        let by_value = |(own, _): &(Box<str>, Box<str>)| (**own).cmp(value);
        let at = self.mapping.binary_search_by(by_value).ok()?;
        self.mapping.get(at).map(|(_, target)| &**target)
    }

    /// The table that `make` has made on the first call: the positions of the elements of the
    /// union, by what selects them. It must follow from this package alone, which many programs may
    /// share; `None` where it does not.
    ///
    /// To look for 480 values one by one among as many elements takes 38 million instructions.
    pub fn selected(
        &self,
        make: impl FnOnce() -> Option<FxHashMap<Box<str>, usize>>,
    ) -> Option<&FxHashMap<Box<str>, usize>> {
        self.selected.0.get_or_init(make).as_ref()
    }
}

/// A table that follows from the rest of the schema, so that it does not count when discriminators
/// are compared.
#[derive(Default)]
pub(crate) struct Selected(OnceLock<Option<FxHashMap<Box<str>, usize>>>);

impl Clone for Selected {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Selected {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Selected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// The target of a `$ref`.
#[derive(Debug, Clone, PartialEq)]
pub enum Reference {
    /// A type of the same package.
    Type(MemberId),
    /// A resource of the same package.
    Resource(MemberId),
    /// The provider of the same package.
    Provider,
    /// A type that the package does not have.
    Dangling {
        /// The token of the missing type.
        token: Box<str>,
        /// The primitive beside the reference: the value is then this primitive under another name.
        underlying: Option<Primitive>,
    },
    /// A member of another package, or of another version of this package.
    External(Box<ExternalReference>),
}

/// A reference that leaves the package.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ExternalReference {
    /// The package's name.
    pub package: Box<str>,
    /// The package's version.
    pub version: Version,
    /// The member that is meant in it.
    pub target: ExternalTarget,
    /// The `$ref` as it is written.
    pub written: Box<str>,
}

/// The target of an external reference.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ExternalTarget {
    /// The type of that token.
    Type(Box<str>),
    /// The resource of that token.
    Resource(Box<str>),
    /// The provider.
    Provider,
}

/// A constant of a schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// `true` or `false`.
    Boolean(bool),
    /// A number; for the type `integer` it is whole and within 32 bits.
    Number(f64),
    /// A string.
    String(Box<str>),
}
