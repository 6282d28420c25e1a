//! `GenerateProject` and `GenerateProgram`: PCL as the target of a conversion.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs;
use std::path::{Component, Path};

use pcl::generated::json_text;
use pcl::{Target, diagnostics::Diagnostic};
use serde_json::{Map, Value as Json};

use crate::packages::{read, write};
use crate::protocol::language::{
    self, GenerateProgramRequest, GenerateProgramResponse, GenerateProjectRequest,
};
use crate::report;
use crate::run::{check, service, workspace};

/// Checks the program in a directory, and writes it with a project file into another. A program
/// with errors is not written.
///
/// # Errors
/// Returns the reason why it cannot be written.
pub(crate) fn generate_project(
    request: &GenerateProjectRequest,
) -> Result<Vec<language::Diagnostic>, String> {
    let source = Path::new(&request.source_directory);
    let target = Path::new(&request.target_directory);
    let checked = check(source, None, service(&request.loader_target), request.strict);
    let diagnostics = report::messages(&checked);
    if checked.diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(diagnostics);
    }
    let project = read_project(&request.project)?;
    let main = main_directory(&project)?;
    let program = target.join(main);
    copy_directory(source, &program, target)?;
    let used: BTreeSet<String> =
        checked.program.packages().into_iter().map(|package| package.name).collect();
    for (name, artifact) in &request.local_dependencies {
        if used.contains(name) {
            let file = program.join(format!("{name}.pp"));
            write(&file, &read(Path::new(artifact))?)?;
        }
    }
    write(&target.join("Pulumi.yaml"), project_file(&project, "runtime: pcl\n").as_bytes())?;
    Ok(diagnostics)
}

/// The fields of the project that a request has.
///
/// # Errors
/// Returns a message if it is not an object in JSON.
pub(crate) fn read_project(text: &str) -> Result<Map<String, Json>, String> {
    serde_json::from_str(text).map_err(|error| format!("the project is no object in JSON: {error}"))
}

/// The directory of the program in that of a project, with slashes; empty if they are the same.
///
/// # Errors
/// Returns a message if it is elsewhere.
pub(crate) fn main_directory(project: &Map<String, Json>) -> Result<String, String> {
    let main = project.get("main").and_then(Json::as_str).unwrap_or_default();
    let mut inside = Vec::new();
    for part in Path::new(main).components() {
        match part {
            Component::Normal(part) => inside.push(part.to_string_lossy()),
            Component::CurDir => {}
            _ => {
                return Err(format!(
                    "`main` of the project is `{main}`, expected a directory in the project"
                ));
            }
        }
    }
    Ok(inside.join("/"))
}

/// Copies what is in a directory, but project files and what is in `left_out`.
fn copy_directory(source: &Path, target: &Path, left_out: &Path) -> Result<(), String> {
    let left_out = left_out.to_path_buf();
    let walk = ignore::WalkBuilder::new(source)
        .standard_filters(false)
        .filter_entry(move |entry| entry.path() != left_out)
        .build();
    for entry in walk {
        let unreadable = |error: &dyn Display| format!("cannot read the program: {error}");
        let entry = entry.map_err(|error| unreadable(&error))?;
        let Ok(inside) = entry.path().strip_prefix(source) else { continue };
        let metadata = fs::metadata(entry.path()).map_err(|error| unreadable(&error))?;
        let is_project = inside == Path::new("Pulumi.yaml") || inside == Path::new("Pulumi.yml");
        if metadata.is_file() && !is_project {
            let copy = target.join(inside);
            write(&copy, &read(entry.path())?)?;
            let failed = |error| format!("cannot write `{}`: {error}", copy.display());
            fs::set_permissions(&copy, metadata.permissions()).map_err(failed)?;
        }
    }
    Ok(())
}

/// The fields of a project file that come first, in this order.
const FIRST: [&str; 4] = ["name", "description", RUNTIME, "main"];

const RUNTIME: &str = "runtime";

/// A project file with the fields of a project, but with another runtime: the text of that field.
pub(crate) fn project_file(project: &Map<String, Json>, runtime: &str) -> String {
    let mut project = project.clone();
    let mut text = String::new();
    for name in FIRST {
        let value = project.remove(name);
        if name == RUNTIME {
            text += runtime;
        } else if let Some(value) = value {
            field(&mut text, name, &value, 0);
        }
    }
    for (name, value) in &project {
        field(&mut text, name, value, 0);
    }
    text
}

/// Writes a field as YAML. Fields of the project without content are left out; below them, nothing
/// is: an empty default is a default.
fn field(text: &mut String, name: &str, value: &Json, indent: usize) {
    let start = format!("{:indent$}{}:", "", scalar(name));
    match value {
        Json::Null if indent == 0 => {}
        Json::Object(fields) if indent == 0 && fields.is_empty() => {}
        Json::Array(elements) if indent == 0 && elements.is_empty() => {}
        Json::Object(fields) if !fields.is_empty() => {
            text.push_str(&start);
            text.push('\n');
            for (name, value) in fields {
                field(text, name, value, indent + 2);
            }
        }
        // Lists have the form of JSON, which is YAML.
        Json::String(value) => *text += &format!("{start} {}\n", scalar(value)),
        value => *text += &format!("{start} {value}\n"),
    }
}

/// A string as YAML: plain where no reader takes it for anything else.
fn scalar(text: &str) -> String {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    if is_plain { text.to_owned() } else { json_text(text) }
}

/// Checks a program. Its text is the answer, unless it has errors.
pub(crate) fn generate_program(request: GenerateProgramRequest) -> GenerateProgramResponse {
    let files = request.source.iter();
    let files = files.map(|(name, text)| (name.clone(), text.clone().into_bytes()));
    let target =
        Target::Memory { path: String::from("program"), directory: None, files: files.collect() };
    let service = service(&request.loader_target);
    let checked = workspace(None, service, request.strict).check(&target);
    let diagnostics = report::messages(&checked);
    let source = if checked.diagnostics.iter().any(Diagnostic::is_error) {
        <_>::default()
    } else {
        let source = request.source.into_iter();
        source.map(|(name, text)| (name, text.into_bytes())).collect()
    };
    GenerateProgramResponse { diagnostics, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_files_are_yaml() {
        let project = serde_json::json!({
            "name": "shop", "runtime": "nodejs", "description": "yes", "main": "src",
            "config": {
                "shop:size": { "type": "integer", "default": 3 }, "a b": [1, "x"],
                "tags": { "default": [], "items": {}, "value": null },
            },
            "packages": {}, "author": "a\u{7f}\u{2028}",
        });
        assert_eq!(
            project_file(project.as_object().unwrap(), "runtime: pcl\n"),
            "name: shop\ndescription: \"yes\"\nruntime: pcl\nmain: src\n\
             author: \"a\\u007f\\u2028\"\nconfig:\n  \"a b\": [1,\"x\"]\n  \"shop:size\":\n    \
             default: 3\n    type: integer\n  tags:\n    default: []\n    items: {}\n    value: null\n"
        );
    }
}
