//! The directory of a package of components: its file, the names of the package and of its
//! components, and program files that belong to none of them.
//!
//! The rules, with examples: `tests/spec/programs/package_root.md`.

use pcl_binder::Program;
use pcl_diagnostics::{Code, Diagnostic, FileId, Span};
use pcl_schema::validate_paths;

use super::interface_clash;
use super::package::{ComponentPackage, Role};
use super::schema_document::{ComponentType, SchemaDocument};

/// The diagnostics about a package apart from those about its components. `file` is the file that
/// makes a package of the directory.
pub(super) fn diagnostics(
    package: &ComponentPackage,
    role: Role<'_>,
    program: &Program,
    file: FileId,
) -> Vec<Diagnostic> {
    let manifest = &package.manifest;
    let mut diagnostics: Vec<Diagnostic> = manifest.diagnostics(file).collect();
    let runtime = Span::new(file, manifest.runtime);
    let of_name = manifest.name.as_ref().map_or(runtime, |(_, range)| Span::new(file, *range));
    diagnostics.extend(interface_clash::between_components(package, runtime));
    let mut document = SchemaDocument::of(package);
    for component in package.components() {
        document.resources.insert(component.token.clone(), ComponentType::default());
    }
    for found in validate_paths(&document.compact()) {
        let is_header = found.path.starts_with("#/name");
        // Each component reports what is wrong with its own name.
        if is_header || found.diagnostic.code == Code::SchemaCollision {
            let at = if is_header { of_name } else { runtime };
            diagnostics.push(moved(found.diagnostic, at));
        }
    }
    if let Role::Root = role {
        diagnostics.extend(outside(program));
    }
    diagnostics
}

/// A diagnostic about a schema at the place that the schema is made of.
pub(super) fn moved(diagnostic: Diagnostic, at: Span) -> Diagnostic {
    Diagnostic { primary: at, labels: Vec::new(), ..diagnostic }.ours()
}

/// The diagnostic about the declarations of a program that is no component.
fn outside(program: &Program) -> Option<Diagnostic> {
    let mut nodes = program.nodes().iter();
    let first = nodes.next()?;
    let diagnostic = outside_component(first.name_span(), &first.name);
    Some(nodes.fold(diagnostic, |diagnostic, node| {
        diagnostic.label(node.name_span(), "this belongs to none either")
    }))
}

/// A declaration beside the components.
fn outside_component(at: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` belongs to no component of this package");
    Diagnostic::error(Code::OutsideComponent, at, message)
        .note("the components are the directories here that have `.pp` files")
        .help("move it to the directory of a component; `package` blocks may stay here")
        .ours()
}
