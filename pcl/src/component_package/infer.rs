//! The schema of a package of components, inferred from their programs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::interface_clash;
use super::package::{Component, ComponentPackage, Role};
use super::public_interface::Interface;
use super::schema_document::SchemaDocument;
use crate::parallel::in_order;
use crate::render::Report;
use crate::workspace::{Checked, Target, Workspace};

/// The inferred schema of a package.
#[derive(Clone)]
pub struct Inferred {
    /// The schema, as JSON.
    pub schema: Arc<str>,
    /// The reports about the package itself and its components, in the order of these.
    pub reports: Vec<Report>,
}

impl Inferred {
    /// Returns true if there is no error in any report. Otherwise the schema has members of which
    /// little is known.
    pub fn is_valid(&self) -> bool {
        self.reports.iter().all(|report| report.readable && report.is_valid())
    }
}

impl ComponentPackage {
    /// Checks a component: its program, and what it is for programs in other languages.
    pub fn check(&self, workspace: &Workspace, component: &Component) -> Checked {
        let target = Target::Path(component.directory.clone());
        workspace.check_component(&target, self).0
    }

    /// Infers the schema, for which each component is checked once.
    pub fn infer(&self, workspace: &Workspace) -> Inferred {
        let mut targets: Vec<Target> = Vec::with_capacity(self.components().len() + 1);
        if let Role::Root = self.role(self.directory()) {
            targets.push(Target::Path(self.directory().to_path_buf()));
        }
        let components = self.components().iter();
        targets.extend(components.map(|component| Target::Path(component.directory.clone())));
        let mut document = SchemaDocument::of(self);
        let mut dependencies = BTreeMap::new();
        let mut owners: BTreeMap<String, String> = BTreeMap::new();
        let mut reports = Vec::with_capacity(targets.len());
        in_order(
            &targets,
            workspace.threads(),
            |target| {
                let (checked, interface) = workspace.check_component(target, self);
                (checked.report, interface)
            },
            |(mut report, interface)| {
                if let Some(interface) = interface {
                    let Interface { token, component, types, places, dependencies: own } =
                        interface;
                    for (name, ty) in types {
                        let owner = owners.entry(name.clone()).or_insert_with(|| token.clone());
                        let known =
                            document.types.entry(name.clone()).or_insert_with(|| ty.clone());
                        if let (true, Some(&at)) = (*known != ty, places.get(&name)) {
                            let [name, other] = [&*name, owner.as_str()].map(last_part);
                            let found = interface_clash::type_of_other_component(at, name, other);
                            report.diagnostics.push(found);
                        }
                    }
                    dependencies.extend(own);
                    document.resources.entry(token).or_insert(component);
                }
                reports.push(report);
            },
        );
        document.dependencies = dependencies.into_values().collect();
        Inferred { schema: document.text().into(), reports }
    }
}

/// The last part of a token.
fn last_part(token: &str) -> &str {
    token.rsplit(':').next().unwrap_or(token)
}
