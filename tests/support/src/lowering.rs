//! Programs of pages after lowering passes.

use std::collections::BTreeMap;
use std::path::Path;

use pcl::binder::Program as Bound;
use pcl::known_values;
use pcl::language::Function;
use pcl::lower::expression::{Applies, Lifts};
use pcl::lower::{self, SdkOptions, sdk};
use pcl::model::expression::print;
use pcl::{SchemaPlaces, Settings, Target, Workspace};

use crate::programs::Program;

/// The text of the value that begins on each line of a file.
pub type Lowered = BTreeMap<(String, usize), String>;

impl Program {
    /// The values of the program, and of its components, after the passes that the page names.
    /// Empty without passes.
    pub fn lowered(&self, program: &Path, schemas: &Path) -> Lowered {
        let mut lowered = Lowered::new();
        if self.passes.is_empty() {
            return lowered;
        }
        let settings = Settings {
            schemas: SchemaPlaces {
                directories: vec![schemas.to_owned()],
                ..SchemaPlaces::default()
            },
            ..Settings::default()
        };
        let checked = Workspace::new(settings).check(&Target::Path(program.to_owned()));
        let mut bound = checked.program;
        for name in &self.passes {
            bound = pass(name)(bound);
        }
        let components = bound.components.iter().map(|component| &component.module);
        let modules = [&bound.module].into_iter().chain(components);
        for node in modules.flat_map(|module| &module.nodes) {
            let mut end = node.expressions.end;
            // The outermost expressions, each behind all that belongs to it.
            while let Some((id, expr)) = bound.exprs.range(node.expressions.start..end).last() {
                let path = Path::new(checked.report.sources.path(expr.file));
                let file = path.strip_prefix(program).unwrap_or(path);
                let file = file.display().to_string().replace('\\', "/");
                let line = checked.report.sources.position(expr.file, expr.range.start()).line;
                let text = print(id, &bound.exprs, &bound.types, &bound.scopes);
                lowered.insert((file, line as usize), text);
                end -= bound.exprs.subtree(id).count() as u32;
            }
        }
        lowered
    }
}

/// The pass of that name.
fn pass(name: &str) -> fn(Bound) -> Bound {
    match name {
        "applies" => |program| lower::applies(program, &Applies::default()),
        "applies-exact" => |program| {
            let options = Applies { is_exact: true, ..Applies::default() };
            lower::applies(program, &options)
        },
        "applies-nodejs" => |program| lifted(program, Lifts::NodeJs),
        "applies-python" => |program| lifted(program, Lifts::Python),
        "constants" => lower::constants,
        "conversions" => |program| lower::conversions(program),
        "deferred-outputs" => lower::deferred_outputs,
        "invokes" => lower::invokes,
        "known-values" => |program| known_values(program, |it| it == Function::Secret),
        "late" => lower::late,
        "optional-guards" => lower::optional_guards,
        "property-references" => lower::property_references,
        "sdk" => |program| sdk(program, &SdkOptions::default()),
        "sdk-nodejs" => |program| sdk(program, &SdkOptions::nodejs()),
        "sdk-python" => |program| sdk(program, &SdkOptions::python()),
        _ => panic!("there is no pass `{name}`"),
    }
}

fn lifted(program: Bound, lifts: Lifts) -> Bound {
    let options = Applies { lifts, ..Applies::default() };
    lower::applies(program, &options)
}
