//! The files around the program: the modules that a project needs, and `Pulumi.yaml`.

use pcl::generated::ProjectFile;
use pcl_codegen::yaml_name;

use crate::package::Required;

/// The version of Go that a project works with.
const GO_VERSION: &str = "1.25";

/// The module of Pulumi's SDK, and the oldest version that a project works with.
const SDK: (&str, &str) = ("github.com/pulumi/pulumi/sdk/v3", "v3.255.0");

/// `go.mod` and `Pulumi.yaml`.
pub(crate) fn files(required: &[Required], name: &str) -> Vec<ProjectFile> {
    let mut lines: Vec<String> = vec![format!("\t{} {}\n", SDK.0, SDK.1)];
    // A module of no known version is found by `go mod tidy`.
    lines.extend(required.iter().filter_map(|module| {
        let version = module.version.as_ref()?;
        Some(format!("\t{} {version}\n", module.path))
    }));
    lines.sort();
    let needed = match &lines[..] {
        [only] => format!("require {}", only.trim_start()),
        lines => format!("require (\n{})\n", lines.concat()),
    };
    let module = format!("module {}\n\ngo {GO_VERSION}\n\n{needed}", module_name(name));
    let pulumi = format!("name: {}\nruntime: go\n", yaml_name(name));
    vec![ProjectFile::settings("go.mod", module), ProjectFile::settings("Pulumi.yaml", pulumi)]
}

/// A name of a project as `go.mod` allows it.
fn module_name(name: &str) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(legal).collect();
    let name = name.trim_matches(['-', '.']);
    // These are words of the file itself, or of Go.
    let is_taken = ["", "main", "module", "go", "require", "std", "cmd", "all"].contains(&name);
    if is_taken {
        format!("project-{name}").trim_end_matches('-').to_owned()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_modules_are_legal() {
        for (name, expected) in
            [("demo", "demo"), ("my site!", "my-site"), ("", "project"), ("std", "project-std")]
        {
            assert_eq!(module_name(name), expected);
        }
    }
}
