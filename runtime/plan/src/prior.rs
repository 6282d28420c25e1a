//! The resources of a state, as the engine has them before a deployment.

use std::collections::BTreeMap;

use pcl_diagnostics::{FileId, Span};
use pcl_state::json::Value;
use pcl_state::value::{Content, Property};
use pcl_state::{Keys, Resource, State};
use pcl_values::{
    Archive, ArchiveSource, Asset, AssetSource, Member, PropertyMap, PropertyValue, ResourceId,
    ResourceReference, Text, Urn,
};
use rustc_hash::FxHashMap;

/// A resource of a state.
#[derive(Clone, Debug, Default)]
pub struct PriorResource {
    /// The URN.
    pub urn: Urn,
    /// The id; empty for components.
    pub id: String,
    /// The id that the option `import` named; empty for none.
    pub import_id: String,
    /// A provider manages the resource.
    pub is_custom: bool,
    /// The resource exists elsewhere and is read.
    pub is_external: bool,
    /// The next deployment deletes the resource.
    pub is_deleted: bool,
    /// It was deleted for a replacement that never came.
    pub is_pending_replacement: bool,
    /// Deleting it is refused.
    pub is_protected: bool,
    /// Deleting it leaves the real resource alone.
    pub is_retained: bool,
    /// The next deployment replaces it.
    pub is_tainted: bool,
    /// Its creation failed in part.
    pub has_init_errors: bool,
    /// The resource of which it is a view, which has no life of its own.
    pub view_of: Option<Urn>,
    /// The inputs, as its provider has checked them. An encrypted secret that is not opened is an
    /// unknown secret.
    pub inputs: PropertyMap,
    /// The outputs.
    pub outputs: PropertyMap,
    /// The parent.
    pub parent: Option<Urn>,
    /// The URN and the id of the provider.
    pub provider: Option<(Urn, String)>,
    /// The resources on which it depends.
    pub dependencies: Vec<Urn>,
    /// The resources on which its inputs depend.
    pub property_dependencies: BTreeMap<String, Vec<Urn>>,
    /// The resource whose deletion deletes this one.
    pub deleted_with: Option<Urn>,
    /// The resources whose replacement replaces this one.
    pub replace_with: Vec<Urn>,
    /// The value whose change replaces it.
    pub replacement_trigger: PropertyValue,
    /// The paths whose changes replace it.
    pub replace_on_changes: Vec<String>,
    /// The paths whose changes do not count.
    pub ignore_changes: Vec<String>,
    /// The place of its URN in the state.
    pub source: Option<Span>,
}

impl PriorResource {
    /// The type token.
    pub fn kind(&self) -> &str {
        self.urn.resource_type().unwrap_or_default()
    }

    /// Returns true for a provider.
    pub fn is_provider(&self) -> bool {
        self.kind().starts_with("pulumi:providers:")
    }

    /// All resources that it needs but its provider and its parent.
    pub fn needs(&self) -> impl Iterator<Item = &Urn> {
        let of_inputs = self.property_dependencies.values().flatten();
        let of_options = self.deleted_with.iter().chain(&self.replace_with);
        self.dependencies.iter().chain(of_inputs).chain(of_options)
    }
}

/// The resources of a state in its order.
#[derive(Clone, Debug, Default)]
pub struct Prior {
    resources: Vec<PriorResource>,
    /// The places of those that are not to be deleted.
    live: FxHashMap<Urn, usize>,
}

impl Prior {
    /// Reads the resources of a state. The file of the state is for places.
    pub fn of_state(state: &State, keys: &Keys, file: Option<FileId>) -> Self {
        let reader = Reader { keys };
        let resources = state.resources().map(|resource| reader.resource(resource, file));
        Self::of(resources.collect())
    }

    /// The resources in their order: whatever a resource needs stands before it.
    pub fn of(resources: Vec<PriorResource>) -> Self {
        let live = resources.iter().enumerate();
        let live = live.filter(|(_, resource)| !resource.is_deleted);
        let live = live.map(|(at, resource)| (resource.urn.clone(), at)).collect();
        Self { resources, live }
    }

    /// All resources.
    pub fn resources(&self) -> &[PriorResource] {
        &self.resources
    }

    /// The resource at a place.
    pub fn get(&self, at: usize) -> Option<&PriorResource> {
        self.resources.get(at)
    }

    /// The place of the resource with a URN that is not to be deleted.
    pub fn find(&self, urn: &Urn) -> Option<usize> {
        self.live.get(urn).copied()
    }

    /// The resource with a URN that is not to be deleted.
    pub fn live(&self, urn: &Urn) -> Option<&PriorResource> {
        self.get(self.find(urn)?)
    }
}

struct Reader<'k> {
    keys: &'k Keys,
}

impl Reader<'_> {
    fn resource(&self, resource: Resource<'_>, file: Option<FileId>) -> PriorResource {
        let urns = |field| resource.texts(field).filter(|urn| !urn.is_empty());
        let urns = |field| urns(field).map(|urn| Urn::from(&*urn)).collect::<Vec<Urn>>();
        let urn = |field: &str| resource.text(field).map(|urn| Urn::from(&*urn));
        let field = |name: &str| resource.value().get(name);
        let text = |name: &str| resource.text(name).unwrap_or_default().into_owned();
        let by_property = field("propertyDependencies").into_iter().flat_map(Value::entries);
        let by_property = by_property.map(|(name, list)| {
            let urns = list.elements().filter_map(Value::string);
            let urns = urns.filter(|urn| !urn.is_empty()).map(|urn| Urn::from(&*urn));
            (name.text().into_owned(), urns.collect())
        });
        let span = |value: Value<'_>| Some(Span::new(file?, value.range()));
        PriorResource {
            urn: Urn::from(&*resource.urn()),
            id: text("id"),
            import_id: text("importID"),
            is_custom: resource.is_custom(),
            is_external: resource.flag("external"),
            is_deleted: resource.is_deleted(),
            is_pending_replacement: resource.flag("pendingReplacement"),
            is_protected: resource.flag("protect"),
            is_retained: resource.flag("retainOnDelete"),
            is_tainted: resource.flag("taint"),
            has_init_errors: field("initErrors").is_some_and(|it| it.elements().next().is_some()),
            view_of: urn("viewOf"),
            inputs: self.properties(resource.inputs()),
            outputs: self.properties(resource.outputs()),
            parent: urn("parent"),
            provider: resource.provider().map(|(urn, id)| (Urn::from(&*urn), id.into_owned())),
            dependencies: urns("dependencies"),
            property_dependencies: by_property.collect(),
            deleted_with: urn("deletedWith"),
            replace_with: urns("replaceWith"),
            replacement_trigger: field("replacementTrigger")
                .map_or(PropertyValue::Null, |value| self.value(value)),
            replace_on_changes: resource.texts("replaceOnChanges").map(Into::into).collect(),
            ignore_changes: resource.texts("ignoreChanges").map(Into::into).collect(),
            source: field("urn").and_then(span),
        }
    }

    fn properties(&self, object: Option<Value<'_>>) -> PropertyMap {
        let entries = object.into_iter().flat_map(Value::entries);
        entries.map(|(name, value)| (name.text().into(), self.value(value))).collect()
    }

    /// A value. What is malformed is null: a state with errors is not planned with.
    fn value(&self, value: Value<'_>) -> PropertyValue {
        let Ok(property) = Property::read(value) else { return PropertyValue::Null };
        match property {
            Property::Null => PropertyValue::Null,
            Property::Bool(value) => value.into(),
            Property::Number(number) => number.into(),
            Property::String(text) => PropertyValue::from(&*text),
            Property::Bytes(bytes) => Text::from(bytes).into(),
            Property::List(list) => {
                list.elements().map(|value| self.value(value)).collect::<Vec<_>>().into()
            }
            Property::Object(object) => self.properties(Some(object)).into(),
            Property::Asset(content) => asset(value, &content).into(),
            Property::Archive(content) => archive(value, &content).into(),
            Property::Secret(secret) => match secret.unmarked(self.keys) {
                Some(tree) => self.value(tree.root()).secret(),
                None => PropertyValue::UNKNOWN.secret(),
            },
            Property::Resource { urn, id } => {
                let id = id.map_or(ResourceId::Absent, |id| ResourceId::Known(id.into_owned()));
                ResourceReference::new(Urn::from(&*urn), id).into()
            }
            Property::Unknown => PropertyValue::UNKNOWN,
        }
    }
}

fn hash(value: Value<'_>) -> String {
    value.get("hash").and_then(Value::string).unwrap_or_default().into_owned()
}

fn asset(value: Value<'_>, content: &Content<'_>) -> Asset {
    let source = match content {
        Content::Text(text) => AssetSource::Text(Text::from(&**text)),
        Content::Path(path) => AssetSource::Path(path.clone().into_owned()),
        Content::Uri(uri) => AssetSource::Uri(uri.clone().into_owned()),
        Content::Members(_) | Content::Absent => AssetSource::Elided,
    };
    Asset { hash: hash(value), source }
}

fn archive(value: Value<'_>, content: &Content<'_>) -> Archive {
    let source = match content {
        Content::Members(members) => {
            let members = members.entries().filter_map(|(name, value)| {
                let member = match Property::read(value).ok()? {
                    Property::Asset(content) => Member::Asset(asset(value, &content)),
                    Property::Archive(content) => Member::Archive(archive(value, &content)),
                    _ => return None,
                };
                Some((name.text().into_owned(), member))
            });
            ArchiveSource::Members(members.collect())
        }
        Content::Path(path) => ArchiveSource::Path(path.clone().into_owned()),
        Content::Uri(uri) => ArchiveSource::Uri(uri.clone().into_owned()),
        Content::Text(_) | Content::Absent => ArchiveSource::Elided,
    };
    Archive { hash: hash(value), source }
}
