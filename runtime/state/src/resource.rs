//! Resources of a state.

use std::borrow::Cow;

use crate::json::{Kind, Value};

/// The field that marks resources which the next update deletes.
pub const DELETED: &str = "delete";

/// A resource of a state: a view of its object. Fields of the wrong kind read as absent.
#[derive(Clone, Copy, Debug)]
pub struct Resource<'s>(Value<'s>);

/// The way in which a resource needs another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NeedKind<'s> {
    /// The other one is the parent.
    Parent,
    /// The other one is the provider.
    Provider,
    /// The other one is a dependency of the resource.
    Dependency,
    /// The other one is a dependency of this property.
    Property(Cow<'s, str>),
    /// The resource is deleted with the other one.
    DeletedWith,
    /// The resource is replaced with the other one.
    ReplaceWith,
}

/// A resource that another one needs.
#[derive(Clone, Debug)]
pub struct Need<'s> {
    /// The way in which it is needed.
    pub kind: NeedKind<'s>,
    /// The URN of the other resource.
    pub urn: Cow<'s, str>,
    /// The id of a provider.
    pub id: Option<Cow<'s, str>>,
    /// The place where the state says so.
    pub value: Value<'s>,
}

impl<'s> Resource<'s> {
    pub(crate) fn new(value: Value<'s>) -> Self {
        Self(value)
    }

    /// The object, for fields without an accessor.
    pub fn value(self) -> Value<'s> {
        self.0
    }

    /// A field of text; `None` if it is absent, empty or not a string.
    pub fn text(self, field: &str) -> Option<Cow<'s, str>> {
        let text = self.0.get(field)?.string();
        text.filter(|text| !text.is_empty())
    }

    /// A flag, false if it is absent.
    pub fn flag(self, field: &str) -> bool {
        self.0.get(field).and_then(Value::boolean).unwrap_or(false)
    }

    /// The texts in a field that is a list.
    pub fn texts(self, field: &str) -> impl Iterator<Item = Cow<'s, str>> + use<'s> {
        let list = self.0.get(field).into_iter().flat_map(Value::elements);
        list.filter_map(Value::string)
    }

    /// The URN; empty in a damaged state.
    pub fn urn(self) -> Cow<'s, str> {
        self.text("urn").unwrap_or_default()
    }

    /// The name: the last part of the URN.
    pub fn name(self) -> String {
        let urn = self.urn();
        urn.splitn(4, "::").nth(3).unwrap_or_default().to_owned()
    }

    /// The type token.
    pub fn kind(self) -> Cow<'s, str> {
        self.text("type").unwrap_or_default()
    }

    /// The id that the provider has given.
    pub fn id(self) -> Option<Cow<'s, str>> {
        self.text("id")
    }

    /// Returns true for resources that a provider manages, false for components and the stack.
    pub fn is_custom(self) -> bool {
        self.flag("custom")
    }

    /// Returns true for resources that the next update deletes.
    pub fn is_deleted(self) -> bool {
        self.flag(DELETED)
    }

    /// Returns true for the root of the stack.
    pub fn is_stack(self) -> bool {
        self.0.get("type").is_some_and(|kind| kind.raw() == "\"pulumi:pulumi:Stack\"")
    }

    /// Returns true for providers.
    pub fn is_provider(self) -> bool {
        self.kind().starts_with("pulumi:providers:")
    }

    /// Returns true for providers that programs do not declare: Pulumi makes them.
    pub fn is_default_provider(self) -> bool {
        self.is_provider() && self.name().starts_with("default")
    }

    /// The inputs: an object of property values.
    pub fn inputs(self) -> Option<Value<'s>> {
        self.object("inputs")
    }

    /// The outputs: an object of property values.
    pub fn outputs(self) -> Option<Value<'s>> {
        self.object("outputs")
    }

    fn object(self, field: &str) -> Option<Value<'s>> {
        self.0.get(field).filter(|it| it.kind() == Kind::Object)
    }

    /// The URN of the parent.
    pub fn parent(self) -> Option<Cow<'s, str>> {
        self.text("parent")
    }

    /// The URN and the id of the provider.
    pub fn provider(self) -> Option<(Cow<'s, str>, Cow<'s, str>)> {
        split_provider(self.text("provider")?)
    }

    /// The resources that a property depends on; `None` if the state says nothing about it.
    pub fn property_dependencies(
        self,
        property: &str,
    ) -> Option<impl Iterator<Item = Cow<'s, str>> + use<'s>> {
        let list = self.0.get("propertyDependencies")?.present(property)?;
        Some(list.elements().filter_map(Value::string))
    }

    /// All that the resource needs, in the order of its fields. What has the wrong kind is left
    /// out.
    pub fn needs(self) -> impl Iterator<Item = Need<'s>> + use<'s> {
        self.0.entries().flat_map(|(key, value)| {
            let key = key.text();
            let needs: Box<dyn Iterator<Item = Need<'s>>> = match &*key {
                "parent" => Box::new(need(NeedKind::Parent, value).into_iter()),
                "deletedWith" => Box::new(need(NeedKind::DeletedWith, value).into_iter()),
                "provider" => Box::new(provider_need(value).into_iter()),
                "dependencies" => {
                    Box::new(value.elements().filter_map(|it| need(NeedKind::Dependency, it)))
                }
                "replaceWith" => {
                    Box::new(value.elements().filter_map(|it| need(NeedKind::ReplaceWith, it)))
                }
                "propertyDependencies" => Box::new(value.entries().flat_map(|(property, list)| {
                    let kind = NeedKind::Property(property.text());
                    list.elements().filter_map(move |it| need(kind.clone(), it))
                })),
                _ => Box::new(std::iter::empty()),
            };
            needs
        })
    }
}

fn need<'s>(kind: NeedKind<'s>, value: Value<'s>) -> Option<Need<'s>> {
    let urn = value.string().filter(|urn| !urn.is_empty())?;
    Some(Need { kind, urn, id: None, value })
}

fn provider_need(value: Value<'_>) -> Option<Need<'_>> {
    let (urn, id) = split_provider(value.string()?)?;
    Some(Need { kind: NeedKind::Provider, urn, id: Some(id), value })
}

/// The parts of `URN::ID`.
pub(crate) fn split_provider(text: Cow<'_, str>) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
    match text {
        Cow::Borrowed(text) => {
            let (urn, id) = text.rsplit_once("::")?;
            Some((urn.into(), id.into()))
        }
        Cow::Owned(text) => {
            let (urn, id) = text.rsplit_once("::")?;
            Some((urn.to_owned().into(), id.to_owned().into()))
        }
    }
}
