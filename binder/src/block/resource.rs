//! `resource name "package:module:Type" { .. }`
//!
//! The rules, with examples: `tests/spec/blocks/resource.md`.

use std::rc::Rc;
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Matter, Span};
use pcl_model::types::{Symbol, TypeId};
use pcl_schema::{ResourceSpec, Section, Token};

use crate::binder::Binder;
use crate::invoke::{malformed_token, unknown_package, with_token, wrong_module};
use crate::packages::PackageIndex;
use crate::program::{BoundAttribute, NodeBody, NodeId, ResourceBody};
use crate::resource::inputs::required_of;
use crate::resource::options::PackageOptions;
use crate::schema_types::{Found, Lookup};

/// A resource of a schema, with all that is asked of it wherever it is used.
pub(crate) struct Known {
    pub found: Found,
    /// The type that the attributes make up; of a `read`, those of a `read`.
    pub inputs: TypeId,
    /// The type of a reference to one.
    pub single: TypeId,
    /// What the schema says of it.
    pub spec: Option<Arc<ResourceSpec>>,
    /// The attributes that have to be there.
    pub required: Vec<Symbol>,
}

/// What a type token turned out to be.
pub(crate) enum Resolved {
    /// A member of a schema.
    Known(Rc<Known>),
    /// Nothing known; the caller allows that. Its members are dynamic.
    Unknown,
    /// Nothing known; that was reported.
    Failed,
}

impl<'t> Binder<'_, '_, 't> {
    /// Binds a resource.
    pub fn bind_resource(&mut self, node: NodeId) {
        self.bind_resource_like(node, false);
    }

    /// Binds a `resource` or a `read`: token, range, attributes, options, checks.
    pub fn bind_resource_like(&mut self, node: NodeId, read: bool) {
        let options = self.options_block(node);
        let package_options = self.package_options(node, options.as_ref());
        let resolved = self.resolve_resource(node, read, &package_options);
        let range = options.as_ref().and_then(|options| options.range);
        let range = self.bind_range(node, range, false);
        let attributes = self.bind_attributes(node, range.scope);
        let (inputs, single) = match &resolved {
            Resolved::Known(known) => (known.inputs, known.single),
            Resolved::Unknown => (TypeId::DYNAMIC, TypeId::DYNAMIC),
            Resolved::Failed => (TypeId::ERROR, TypeId::ERROR),
        };
        let input_type = match &resolved {
            Resolved::Known(known) => self.check_inputs(node, read, known, &attributes),
            _ => self.object_of(&attributes),
        };
        let scope = range.scope;
        let options = self.bind_options(node, options.as_ref(), scope, inputs, single, &range);
        let ty = self.ranged_type(single, &range, false);
        let bound = &mut self.nodes[node.index()];
        bound.input_type = Some(input_type);
        let mut schema = None;
        if let Resolved::Known(known) = resolved {
            schema = Some((known.found.package, known.found.member));
            bound.token = Some(Arc::clone(&known.found.token));
        }
        bound.body = NodeBody::Resource(ResourceBody {
            inputs: attributes,
            options,
            range: range.kind,
            schema,
        });
        self.set_type(node, ty);
    }

    /// Binds the attributes of a body in source order; `__logicalName` is read and left out.
    pub fn bind_attributes(
        &mut self,
        node: NodeId,
        scope: pcl_model::scope::ScopeId,
    ) -> Vec<BoundAttribute> {
        let Some(body) = self.body(node) else {
            return Vec::new();
        };
        let mut bound = Vec::with_capacity(body.attributes().count());
        for attribute in body.attributes() {
            let Some(name) = attribute.name() else {
                continue;
            };
            if name.text() == "__logicalName" {
                self.bind_logical_name(node, attribute);
                continue;
            }
            if let Some(value) = self.bind_value(node, attribute, scope) {
                bound.push(self.bound_attribute(attribute, name, value));
            }
        }
        bound
    }

    /// The object type that bound attributes make up.
    pub fn object_of(&mut self, attributes: &[BoundAttribute]) -> TypeId {
        let members: Vec<_> = attributes
            .iter()
            .map(|attribute| (attribute.symbol, self.type_of(attribute.value)))
            .collect();
        self.session.types.object(members)
    }

    /// Finds the member that the second label means.
    pub fn resolve_resource(
        &mut self,
        node: NodeId,
        read: bool,
        options: &PackageOptions,
    ) -> Resolved {
        let label = self.block(node).and_then(|block| block.labels().nth(1));
        // Programs use few types often.
        let is_general = !read && options.version.is_none() && options.download_url.is_none();
        if is_general
            && let Some(label) = label
            && let Some(known) = self.known_types.get(label.syntax().text())
        {
            return Resolved::Known(Rc::clone(known));
        }
        let (written, span): (Arc<str>, Span) = match (label, &self.nodes[node.index()].token) {
            (Some(label), _) => (label.text().into(), self.node_span(node, label.range())),
            // Of a snippet it is told from outside.
            (None, Some(token)) => {
                let span = self.nodes[node.index()].name_span();
                (Arc::clone(token), span)
            }
            (None, None) => return Resolved::Failed,
        };
        self.nodes[node.index()].token = Some(Arc::clone(&written));
        let block = self.block(node);
        // Then the label may be no type token, and nothing is said about what it does not lead to.
        let is_unsure = block.is_some_and(|block| block.has_broken_header());
        let Some(token) = Token::parse(&written) else {
            if !is_unsure {
                self.report(malformed_token(&written, span));
            }
            return Resolved::Failed;
        };
        if read && token.provider_of().is_some() {
            self.report(
                Diagnostic::error(
                    Code::ProviderRead,
                    span,
                    format!("`{written}` is a provider, and providers cannot be read"),
                )
                .help("declare it with `resource`, or read one of the provider's resources"),
            );
            return Resolved::Failed;
        }
        let owner = token.owner().to_owned();
        let package = self.packages.refer(
            &owner,
            options.version.as_ref(),
            options.download_url.as_deref(),
        );
        let package = match package {
            Ok(package) => package,
            Err(_) if is_unsure => return Resolved::Failed,
            Err(error) => {
                let finding = unknown_package(&self.packages, &owner, span, &error);
                match finding.code {
                    // It is not missing, so no option about missing schemas passes over it.
                    Code::UnreadableSource => self.report(finding),
                    _ => self.report_about(Matter::ResourcePackage, finding),
                }
                return self.unresolved(Matter::ResourcePackage);
            }
        };
        match self.session.schemas.lookup_resource(package, &written) {
            Lookup::Found(found) => {
                if !self.check_member(&found, span) {
                    return self.unresolved(Matter::ResourceType);
                }
                if read && self.is_component(&found) {
                    self.report(
                        Diagnostic::error(
                            Code::ComponentRead,
                            span,
                            format!(
                                "`{}` is a component, and components cannot be read",
                                found.token
                            ),
                        )
                        .help("read the resources inside the component instead"),
                    );
                    return Resolved::Failed;
                }
                let meant = self.session.schemas.other_module(&found, &written);
                let known = Rc::new(self.known(found, read));
                if let Some(meant) = meant {
                    self.report(wrong_module(&written, &meant, span));
                } else if is_general
                    && known.found.others.is_empty()
                    && let Some(label) = label
                {
                    // What is to be said of a use each time is not remembered.
                    let written = label.syntax().text();
                    self.known_types.insert(written, Rc::clone(&known));
                }
                Resolved::Known(known)
            }
            Lookup::NotFound if is_unsure => Resolved::Failed,
            Lookup::NotFound => {
                let finding = self.unknown_resource(package, &owner, &written, span);
                self.report_type(finding);
                self.unresolved(Matter::ResourceType)
            }
            Lookup::Invalid(found, error) => {
                let finding = Diagnostic::error(
                    Code::InvalidSchemaMember,
                    span,
                    format!("the schema of `{}` is damaged", found.token),
                )
                .note(error.to_string())
                .help("the schema has to be mended by who publishes the package");
                self.report_type(finding);
                self.unresolved(Matter::ResourceType)
            }
        }
    }

    /// What is asked of a resource wherever it is used.
    fn known(&mut self, found: Found, read: bool) -> Known {
        let (package, member) = (found.package, found.member);
        let session = &mut *self.session;
        let (schemas, types) = (&session.schemas, &mut session.types);
        let inputs = match read {
            true => schemas.read_inputs(types, package, member),
            false => schemas.resource_inputs(types, package, member),
        };
        let single = schemas.resource_variable(types, package, member);
        Known {
            inputs,
            single,
            spec: schemas.resource(package, member).ok().flatten(),
            required: required_of(types, inputs),
            found,
        }
    }

    /// Reports a resource type of which nothing is known. Where that is excused, Pulumi says nothing.
    fn report_type(&mut self, finding: Diagnostic) {
        self.report_about(Matter::ResourceType, finding);
    }

    fn is_component(&self, found: &Found) -> bool {
        let spec = self.session.schemas.resource(found.package, found.member);
        spec.ok().flatten().is_some_and(|spec| spec.is_component)
    }

    fn unknown_resource(
        &self,
        package: PackageIndex,
        owner: &str,
        written: &str,
        span: Span,
    ) -> Diagnostic {
        let finding = Diagnostic::error(
            Code::UnknownResourceType,
            span,
            format!("package `{owner}` has no resource `{written}`"),
        );
        let schemas = &self.session.schemas;
        let meant = schemas.suggest_member(package, Section::Resources, written);
        if meant.is_some() {
            with_token(finding, span, meant)
        } else {
            finding.help(format!(
                "look the type up in the documentation of package `{owner}`"
            ))
        }
    }

    /// What a resource is of which nothing is known because of a matter that was reported.
    fn unresolved(&self, matter: Matter) -> Resolved {
        if self.excuses(matter) {
            Resolved::Unknown
        } else {
            Resolved::Failed
        }
    }

    /// Reports what is wrong with the schema of a member and of all that it reaches, the first time that the member is used.
    /// Whether the member is usable.
    fn check_member(&mut self, found: &Found, span: Span) -> bool {
        let schemas = Arc::clone(&self.session.schemas);
        let checked = schemas.check(found.package, found.member);
        for &package in &checked.packages {
            self.packages.refer_transitively(package);
        }
        if checked.is_refused() && self.excuses(Matter::ResourceType) {
            return false;
        }
        for finding in schemas.report_once(found, span) {
            self.report(finding);
        }
        !checked.is_refused()
    }
}
