//! The tables of package schemas and of their members while they grow.

use std::collections::HashMap;
use std::rc::Rc;

use pcl_binder::PackageIndex;
use pcl_binder::schema_types::SchemaTypes;
use pcl_schema::{MemberFacts, MemberId};

use crate::document::DocumentOptions;
use crate::document::index::{MemberIndex, SchemaIndex};
use crate::document::package::{Member, PackageSchema};

/// Schemas and members, and their places in the tables. Each gets its place when it is first asked
/// for.
pub(in crate::document) struct Members<'a> {
    pub schemas: &'a SchemaTypes,
    options: DocumentOptions,
    packages: HashMap<PackageIndex, SchemaIndex>,
    places: HashMap<(PackageIndex, MemberId), MemberIndex>,
    facts: HashMap<(PackageIndex, MemberId), Rc<MemberFacts>>,
    table: Vec<PackageSchema>,
    members: Vec<Member>,
}

impl<'a> Members<'a> {
    pub fn new(schemas: &'a SchemaTypes, options: DocumentOptions) -> Self {
        Self {
            schemas,
            options,
            packages: HashMap::new(),
            places: HashMap::new(),
            facts: HashMap::new(),
            table: Vec::new(),
            members: Vec::new(),
        }
    }

    /// The place of a package's schema.
    pub fn schema(&mut self, package: PackageIndex) -> SchemaIndex {
        if let Some(&known) = self.packages.get(&package) {
            return known;
        }
        let schema = self.schemas.packages().package(package);
        self.table.push(PackageSchema {
            name: schema.name().to_owned(),
            version: schema.version().cloned(),
            display_name: schema.display_name(),
            namespace: schema.namespace(),
            plugin_download_url: schema.plugin_download_url(),
            module_format: schema.module_format().pattern().to_owned(),
            description: self.description(schema.about().as_deref()),
            language: schema.languages(),
        });
        let index = SchemaIndex::of(self.table.len() - 1);
        self.packages.insert(package, index);
        index
    }

    /// The place of a member.
    pub fn index(&mut self, package: PackageIndex, member: MemberId) -> MemberIndex {
        if let Some(&known) = self.places.get(&(package, member)) {
            return known;
        }
        let (schema_index, facts) = (self.schema(package), self.facts(package, member));
        let schema = self.schemas.packages().package(package);
        let token = schema.token(member);
        let module = schema.module_format().module_of(token);
        self.members.push(Member {
            schema: schema_index,
            package: schema.name().to_owned(),
            version: schema.version().cloned(),
            token: token.to_owned(),
            canonical: self.canonical(package, member),
            module: module.to_owned(),
            name: token.rsplit(':').next().unwrap_or(token).to_owned(),
            display_name: facts.display_name().map(str::to_owned),
            is_overlay: facts.is_overlay(),
            description: self.description(facts.description()),
            language: facts.languages(),
        });
        let index = MemberIndex::of(self.members.len() - 1);
        self.places.insert((package, member), index);
        index
    }

    /// The token of a member in the form that programs use.
    pub fn canonical(&self, package: PackageIndex, member: MemberId) -> String {
        let schema = self.schemas.packages().package(package);
        let token = schema.token(member);
        // The provider, and the engine's own resources, have one token only.
        if token.starts_with("pulumi:") {
            token.to_owned()
        } else {
            schema.canonical(token).unwrap_or_else(|| token.to_owned())
        }
    }

    /// The token in the schema of a member that has a place.
    pub fn token(&self, member: MemberIndex) -> &str {
        let member = self.members.get(member.index());
        member.map_or("", |member| &member.token)
    }

    /// The facts about a member that types do not have.
    pub fn facts(&mut self, package: PackageIndex, member: MemberId) -> Rc<MemberFacts> {
        let facts = self.facts.entry((package, member)).or_insert_with(|| {
            let schema = self.schemas.packages().package(package);
            Rc::new(schema.facts(member))
        });
        Rc::clone(facts)
    }

    /// A description, if descriptions are asked for.
    pub fn description(&self, text: Option<&str>) -> Option<String> {
        self.worded(text.filter(|_| self.options.descriptions))
    }

    /// A text of a schema with the names that are asked for.
    pub fn worded(&self, text: Option<&str>) -> Option<String> {
        text.map(|text| self.options.wording.of(text).into_owned())
    }

    pub fn finish(self) -> (Vec<PackageSchema>, Vec<Member>) {
        (self.table, self.members)
    }
}
