//! The imports of a module, sorted as `ruff` does: the library of Python, packages, and the modules
//! of the project.

use std::collections::BTreeMap;

use crate::module::Writer;
use crate::print::{Id, Node};

/// The module of a name that is imported by itself; other names are modules.
fn module_of(name: &str) -> Option<&'static str> {
    match name {
        "Any" | "NoReturn" | "NotRequired" | "TypedDict" | "cast" => Some("typing"),
        "Callable" | "Mapping" | "Sequence" => Some("collections.abc"),
        "Path" => Some("pathlib"),
        "suppress" => Some("contextlib"),
        "Decimal" => Some("decimal"),
        _ => None,
    }
}

impl Writer<'_> {
    /// The statements that import what the module uses.
    pub fn import_statements(&mut self) -> Vec<Id> {
        let mut library = Vec::new();
        let mut members: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for name in &self.used {
            match module_of(name) {
                Some(module) => members.entry(module).or_default().push(name),
                None => library.push(format!("import {name}")),
            }
        }
        library.extend(
            members
                .iter()
                .map(|(module, names)| format!("from {module} import {}", names.join(", "))),
        );
        let mut packages: Vec<(String, &String)> = self
            .imports
            .iter()
            .filter(|(package, _)| self.imported.contains(*package))
            .map(|(package, name)| (self.shared.packages.module(package), name))
            .collect();
        packages.sort();
        let packages =
            packages.into_iter().map(|(module, name)| format!("import {module} as {name}"));
        let pulumi = self.uses_pulumi().then(|| "import pulumi".to_owned());
        let packages: Vec<String> = pulumi.into_iter().chain(packages).collect();
        let mut own: Vec<String> = self
            .classes
            .iter()
            .map(|(class, file)| format!("from components.{file} import {class}"))
            .collect();
        own.sort();
        let mut statements = Vec::new();
        for lines in [library, packages, own] {
            if !statements.is_empty() && !lines.is_empty() {
                statements.push(self.tree.add(Node::Empty));
            }
            statements.extend(lines.into_iter().map(|line| self.tree.add(Node::Line(line))));
        }
        statements
    }

    /// Returns true if the module uses Pulumi's own package.
    fn uses_pulumi(&self) -> bool {
        let is_it = |text: &str| text.contains("pulumi.");
        self.has_config
            || self.helpers.iter().any(|helper| is_it(helper.text()))
            || self.tree.nodes().any(|(_, node)| match node {
                Node::Name(name) => name.starts_with("pulumi."),
                Node::Assign { ty: Some(ty), .. } => is_it(ty),
                Node::Def { parameters, returns, .. } => {
                    is_it(returns) || parameters.iter().any(|parameter| is_it(parameter))
                }
                Node::Class { base, .. } => is_it(base),
                _ => false,
            })
    }
}
