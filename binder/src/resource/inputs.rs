//! The attributes of a resource or read against what its schema takes.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Fix, Severity, Span, suggest};
use pcl_model::types::{Symbol, TypeId};

use super::discriminated::{self, Part, Selection};
use super::options::is_option;
use super::reference::as_reference;
use crate::binder::Binder;
use crate::block::attributes::{insert_lines, renamed};
use crate::literals;
use crate::program::{BoundAttribute, NodeId};
use crate::schema_types::Found;

impl Binder<'_, '_, '_> {
    /// Checks names and values of the attributes, then what is missing. The result is the type of the inputs as the schema has it
    /// for these attributes: a union whose discriminator is written out is that one member.
    pub fn check_inputs(
        &mut self,
        node: NodeId,
        read: bool,
        found: &Found,
        inputs: TypeId,
        attributes: &[BoundAttribute],
    ) -> TypeId {
        let Some(properties) = self.session.types.properties(inputs) else {
            return inputs;
        };
        let mut properties: Vec<(Symbol, TypeId)> = properties.to_vec();
        let by_reference = self.checked_by_reference(read, found);
        let schemas = Arc::clone(&self.session.schemas);
        let spec = schemas.resource(found.package, found.member).ok().flatten();
        let specs = spec.as_deref().and_then(|spec| {
            if read {
                spec.state_inputs.as_ref()
            } else {
                Some(&spec.inputs)
            }
        });
        let mut given: Vec<Symbol> = Vec::new();
        let mut reduced = false;
        for attribute in attributes {
            let name = self.session.types.symbol(&attribute.name);
            let Some(at) = properties.iter().position(|&(known, _)| known == name) else {
                let meant = self.unsupported_attribute(node, found, attribute, &properties);
                given.extend(meant);
                continue;
            };
            given.push(name);
            let selection = specs
                .and_then(|specs| specs.get(&attribute.name))
                .map(|spec| {
                    discriminated::select(
                        &schemas,
                        &mut self.session.types,
                        &self.session.exprs,
                        found.package,
                        &spec.ty,
                        attribute.value,
                    )
                })
                .unwrap_or_default();
            if let Some(narrowed) = selection.attribute {
                properties[at].1 = narrowed;
                reduced = true;
            }
            let mut target = properties[at].1;
            if read && attribute.name == "id" {
                // The schema says nothing of ids, and those of other resources are outputs.
                target = self.session.types.input_type(target);
            }
            let theirs = by_reference.contains(&name);
            self.check_input(found, attribute, target, theirs, selection);
        }
        if !self.body_is_broken(node) {
            self.check_missing(node, found, &properties, &given);
        }
        if reduced {
            self.session.types.object(properties)
        } else {
            inputs
        }
    }

    /// The names of the inputs whose values Pulumi's binder checks: those that are outputs as well. We check all.
    fn checked_by_reference(&mut self, read: bool, found: &Found) -> Vec<Symbol> {
        let schemas = Arc::clone(&self.session.schemas);
        let types = &mut self.session.types;
        let checked = if read {
            schemas.read_inputs(types, found.package, found.member)
        } else {
            schemas.resource_variable(types, found.package, found.member)
        };
        types
            .properties(checked)
            .map(|properties| properties.iter().map(|&(name, _)| name).collect())
            .unwrap_or_default()
    }

    /// Checks the value of one attribute. Where members of unions are selected inside it, these are to blame before the whole.
    fn check_input(
        &mut self,
        found: &Found,
        attribute: &BoundAttribute,
        target: TypeId,
        theirs: bool,
        selection: Selection,
    ) {
        let place = format!("`{}` of `{}`", attribute.name, found.token);
        let mismatch = self.mismatch_exactly(attribute.value, target, &place);
        // A resource stands for a reference to itself.
        let mismatch = mismatch.filter(|_| {
            let value = self.type_of(attribute.value);
            let types = &mut self.session.types;
            let reference = as_reference(&self.session.schemas, types, value);
            !types.convert(target, reference).exists()
        });
        let theirs = theirs && mismatch.is_some();
        let parts = self.mismatched_parts(selection.parts);
        let fits = parts.is_empty() && mismatch.is_none();
        let whole = if parts.is_empty() { mismatch } else { None };
        for finding in parts.into_iter().chain(whole) {
            self.report_input(if theirs { finding } else { finding.ours() });
        }
        for finding in selection.findings {
            self.report_input(finding);
        }
        if fits {
            let owner = format!("the properties of `{}`", attribute.name);
            let findings = literals::check(
                &mut self.session.types,
                &self.session.exprs,
                attribute.value,
                target,
                &owner,
            );
            for finding in findings {
                self.report(finding);
            }
        }
    }

    /// What is wrong with the parts of a value that select members of unions by themselves. A part is not blamed again for a part
    /// inside it.
    fn mismatched_parts(&mut self, parts: Vec<Part>) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        for part in parts {
            let mismatch = self.mismatch_exactly(part.value, part.ty, &part.what);
            if let Some(finding) = mismatch
                && found.iter().all(|known| known.primary != finding.primary)
            {
                found.push(finding);
            }
        }
        found
    }

    /// Reports an attribute that the schema does not have. The result is the property that it was probably meant to be: then that one
    /// is not missing.
    fn unsupported_attribute(
        &mut self,
        node: NodeId,
        found: &Found,
        attribute: &BoundAttribute,
        properties: &[(Symbol, TypeId)],
    ) -> Option<Symbol> {
        let span = self.node_span(node, attribute.name_range);
        let finding = Diagnostic::error(
            Code::UnsupportedAttribute,
            span,
            format!("`{}` has no attribute `{}`", found.token, attribute.name),
        );
        if is_option(&attribute.name) {
            self.report_input(finding.help(format!(
                "`{}` is an option: put it into an `options` block",
                attribute.name
            )));
            return None;
        }
        let types = &self.session.types;
        let names = properties.iter().map(|&(name, _)| types.name(name));
        let meant = suggest(&attribute.name, names.clone());
        let property = properties
            .iter()
            .find(|&&(name, _)| Some(types.name(name)) == meant);
        let (Some(meant), Some(&(symbol, ty))) = (meant, property) else {
            let finding = self.with_choices(finding, &attribute.name, span, names);
            self.report_input(finding);
            return None;
        };
        let mut finding = renamed(finding, span, meant);
        let required = format!("`{meant}` is required");
        if self.is_required(ty)
            && let Some(label) = self.block(node).and_then(|block| block.labels().last())
        {
            finding = finding.label(self.node_span(node, label.range()), required);
        }
        self.report_input(finding);
        Some(symbol)
    }

    fn is_required(&mut self, ty: TypeId) -> bool {
        let types = &mut self.session.types;
        ty != TypeId::ERROR && !types.is_optional(ty) && !types.is_constant(ty)
    }

    /// Reports everything that is required and not there, in one finding.
    fn check_missing(
        &mut self,
        node: NodeId,
        found: &Found,
        properties: &[(Symbol, TypeId)],
        given: &[Symbol],
    ) {
        let mut missing = Vec::new();
        for &(name, ty) in properties {
            if !given.contains(&name) && self.is_required(ty) {
                missing.push(self.session.types.name(name).to_owned());
            }
        }
        missing.sort_unstable();
        if let Some(finding) = self.missing_attributes(node, &found.token, &missing) {
            self.report_input(finding);
        }
    }

    /// The finding for required attributes that are not there; `None` when nothing is missing.
    pub fn missing_attributes(
        &self,
        node: NodeId,
        owner: &str,
        missing: &[String],
    ) -> Option<Diagnostic> {
        let block = self.block(node)?;
        let brace = block.open_brace()?;
        let last = missing.last()?;
        let listed = match missing {
            [one] => format!("the required attribute `{one}`"),
            [rest @ .., _] => format!(
                "the required attributes {} and `{last}`",
                rest.iter()
                    .map(|name| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            [] => return None,
        };
        let place = block
            .labels()
            .last()
            .map_or_else(|| brace.range(), |label| label.range());
        let lines = missing.iter().map(|name| format!("{name} = null"));
        let file = self.nodes[node.index()].file;
        Some(
            Diagnostic::error(
                Code::MissingAttribute,
                Span::new(file, place),
                format!("`{owner}` lacks {listed}"),
            )
            .help(match missing {
                [_] => "add it to the body with a value",
                _ => "add them to the body with values",
            })
            .fix(Fix::display_only(
                "add what is missing",
                insert_lines(file, block, lines),
            )),
        )
    }

    /// Reports a finding about an attribute of a resource: a warning when resources are not checked.
    fn report_input(&mut self, finding: Diagnostic) {
        let finding = if self.session.options.skip_resource_typecheck {
            finding.with_severity(Severity::Warning)
        } else {
            finding
        };
        self.report(finding);
    }
}
