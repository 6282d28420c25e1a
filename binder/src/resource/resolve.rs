//! The resource type that the second label of a `resource` or `read` names.
//!
//! The rules, with examples: `tests/spec/blocks/resource.md`.

use std::rc::Rc;
use std::sync::Arc;

use pcl_diagnostics::{Matter, Span};
use pcl_model::types::{Symbol, TypeId, TypeStore};
use pcl_schema::{ResourceSpec, Section, Token};
use pcl_syntax::ast;

use crate::binder::Binder;
use crate::habits::label_order::LabelOrder;
use crate::member::{Members, PackageOptions, Unresolved, malformed_token, wrong_module};
use crate::node::NodeId;
use crate::resource::read::{component_read, provider_read};
use crate::schema_types::{Found, SchemaTypes, Shape};

/// The result of resolving a type token.
pub(crate) enum Resolved {
    /// A member of a schema.
    Known(Rc<KnownResource>),
    /// An unknown type that an option allows. Its members are dynamic.
    Unknown,
    /// An unknown type that was reported.
    Failed,
}

impl Binder<'_, '_, '_> {
    /// Resolves the type token of a node, with the options that choose the package.
    pub fn resolve_resource(
        &mut self,
        node: NodeId,
        read: bool,
        options: &PackageOptions,
    ) -> Resolved {
        let order = self.items[node].labels;
        let Some(label) = self.second_label(node) else { return Resolved::Failed };
        // Programs use few types often.
        let is_general = !read && *options == PackageOptions::default();
        if is_general && let Some(known) = self.known_types.get(label.syntax().text()) {
            return Resolved::Known(Rc::clone(known));
        }
        let (written, span) = (Arc::<str>::from(label.text()), self.node_span(node, label.range()));
        self.nodes[node].token = Some(Arc::clone(&written));
        let meant = match order {
            LabelOrder::Surplus if Token::parse(&written).is_none() => return Resolved::Failed,
            LabelOrder::Terraform => match self.report_terraform_labels(node) {
                Some(token) => Some(token),
                None => return Resolved::Failed,
            },
            LabelOrder::Written if Token::parse(&written).is_none() => {
                self.terraform_type(node, &written)
            }
            LabelOrder::Written | LabelOrder::Swapped | LabelOrder::Surplus => None,
        };
        let mut is_general = is_general && meant.is_none();
        let written = meant.map_or(written, Arc::from);
        let provider = Token::parse(&written).and_then(Token::provider_of);
        if read && provider.is_some() {
            self.report(provider_read(span, &written));
            return Resolved::Failed;
        }
        let found = match self.find_resource(node, &written, span, options) {
            Ok((found, is_written)) => {
                is_general &= is_written;
                found
            }
            Err(unresolved) => return unresolved,
        };
        let schemas = Arc::clone(&self.session.schemas);
        let members = Members { packages: &self.packages, schemas: &schemas };
        for &package in &schemas.check(found.package, found.member).packages {
            self.packages.refer_transitively(package);
        }
        let matter = Matter::ResourceType;
        if !members.check(&found, span, matter, &mut self.session.reporter) {
            return if self.excuses(matter) { Resolved::Unknown } else { Resolved::Failed };
        }
        if read && self.is_component(&found) {
            self.report(component_read(span, &found.token));
            return Resolved::Failed;
        }
        let meant = schemas.other_module(&found, &written);
        let known = KnownResource::new(&schemas, &mut self.session.types, found, read);
        let known = Rc::new(known);
        if let Some(meant) = meant {
            self.report(wrong_module(span, &written, &meant));
        } else if is_general && known.found.others.is_empty() {
            // Types whose every use is reported are not cached.
            self.known_types.insert(label.syntax().text(), Rc::clone(&known));
        }
        Resolved::Known(known)
    }

    /// The member that a type token names, and whether its package is written as it is called. A
    /// token that names none is reported; the error is what the node resolves to then.
    fn find_resource(
        &mut self,
        node: NodeId,
        written: &str,
        span: Span,
        options: &PackageOptions,
    ) -> Result<(Found, bool), Resolved> {
        let section = Section::Resources;
        let members = Members { packages: &self.packages, schemas: &self.session.schemas };
        let unresolved = match members.find(section, written, options) {
            Ok(found) => return Ok((found, true)),
            Err(unresolved) => unresolved,
        };
        // After a broken header, the label may not be a type token.
        if self.block(node).is_some_and(ast::Block::has_broken_header) {
            return Err(Resolved::Failed);
        }
        if matches!(unresolved, Unresolved::Malformed) {
            let meant = self.member_of_parts(section, written);
            self.report(malformed_token(span, written, meant.as_deref()));
            return Err(Resolved::Failed);
        }
        let reporter = &mut self.session.reporter;
        if members.report(section, written, span, &unresolved, reporter) {
            return Err(Resolved::Unknown);
        }
        let found = members.find_in_other_case(section, written, options);
        found.map(|found| (found, false)).ok_or(Resolved::Failed)
    }

    fn is_component(&self, found: &Found) -> bool {
        let spec = self.session.schemas.resource(found.package, found.member);
        spec.ok().flatten().is_some_and(|spec| spec.is_component)
    }
}

/// A resource of a schema.
pub(crate) struct KnownResource {
    pub found: Found,
    /// The object type of the attributes; for a `read`, of those of a `read`.
    pub inputs: TypeId,
    /// The type of a reference to one resource.
    pub single: TypeId,
    /// The schema of the resource.
    pub spec: Option<Arc<ResourceSpec>>,
    /// The required attributes.
    pub required: Vec<Symbol>,
}

impl KnownResource {
    /// Collects the facts about a resource, or about a `read` of it.
    pub fn new(schemas: &SchemaTypes, types: &mut TypeStore, found: Found, read: bool) -> Self {
        let (package, member) = (found.package, found.member);
        let inputs = if read { Shape::ReadInputs } else { Shape::ResourceInputs };
        let inputs = schemas.object(types, package, member, inputs);
        let single = schemas.object(types, package, member, Shape::Resource);
        Self {
            inputs,
            single,
            spec: schemas.resource(package, member).ok().flatten(),
            required: required_of(types, inputs),
            found,
        }
    }
}

/// The required properties of an object type.
pub(crate) fn required_of(types: &mut TypeStore, object: TypeId) -> Vec<Symbol> {
    let properties = types.properties(object);
    let properties = properties.iter().flat_map(|properties| properties.iter());
    properties.filter(|&&(_, ty)| is_required(types, ty)).map(|&(name, _)| name).collect()
}

/// Returns whether a property of this type must be set.
pub(crate) fn is_required(types: &mut TypeStore, ty: TypeId) -> bool {
    ty != TypeId::ERROR && !types.is_optional(ty) && !types.is_constant(ty)
}
