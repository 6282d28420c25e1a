//! The files of a generated project in the form that Pulumi asks for.
//!
//! A generator writes a complete project. Pulumi gives a project file of its own, with a name, a
//! description, configuration and the directory of the program, or wants the program alone.

use pcl::generated::Project;
use pcl_convert::Language;
use pcl_schema::yaml_to_json;
use serde_json::{Map, Value as Json};

use crate::project::{main_directory, project_file};

const SETTINGS: &str = "Pulumi.yaml";

/// The files of a program in Pulumi YAML that has no project around it.
const YAML_PROGRAM: &str = "Main.yaml";

/// The files of a project by path, with the settings that Pulumi gives. The runtime is that of the
/// language itself.
pub(super) fn project(
    project: Project,
    language: Language,
    given: &Map<String, Json>,
) -> Vec<(String, String)> {
    let main = main_directory(given).unwrap_or_default();
    let inside =
        |path: &str| if main.is_empty() { path.to_owned() } else { format!("{main}/{path}") };
    // A key of both files would have two meanings.
    let is_apart = !main.is_empty() || given.contains_key("config");
    let mut files = Vec::new();
    for file in project.files {
        if file.path == SETTINGS {
            let Parts { runtime, packages, program } = Parts::of(&file.text);
            let mut text = project_file(&with_packages(given, &packages), &runtime);
            if is_apart && !program.is_empty() {
                files.push((inside(YAML_PROGRAM), program));
            } else {
                text += &program;
            }
            files.push((SETTINGS.to_owned(), text));
        } else if language.runtime() == "yaml" && file.path.starts_with("components/") {
            // The project file names them, by paths from its own directory.
            files.push((file.path, file.text));
        } else {
            files.push((inside(&file.path), file.text));
        }
    }
    files
}

/// A project with the packages that the program needs, by the field of a generated project file.
fn with_packages(given: &Map<String, Json>, packages: &str) -> Map<String, Json> {
    const PACKAGES: &str = "packages";
    let mut given = given.clone();
    let needed = yaml_to_json(packages).ok().and_then(|json| serde_json::from_slice(&json).ok());
    if let Some(Json::Object(mut needed)) = needed
        && let Some(Json::Object(needed)) = needed.remove(PACKAGES)
    {
        let all = given.entry(PACKAGES).or_insert_with(|| Map::new().into());
        if let Json::Object(all) = all {
            // The program refers to its own.
            all.extend(needed);
        } else {
            *all = needed.into();
        }
    }
    given
}

/// The files of the program alone.
pub(super) fn program(project: Project) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for file in project.files {
        if !file.is_settings {
            files.push((file.path, file.text));
        } else if file.path == SETTINGS {
            let program = Parts::of(&file.text).program;
            if !program.is_empty() {
                files.push((YAML_PROGRAM.to_owned(), program));
            }
        }
    }
    files
}

/// The parts of a generated project file.
#[derive(Default)]
struct Parts {
    /// The field `runtime`.
    runtime: String,
    /// The field `packages`.
    packages: String,
    /// The sections of a program in Pulumi YAML.
    program: String,
}

impl Parts {
    fn of(text: &str) -> Self {
        let mut parts = Self::default();
        let mut name = String::new();
        let mut current = &mut name;
        for line in text.split_inclusive('\n') {
            // Everything below a field is indented.
            if line.starts_with(|first: char| first.is_ascii_alphabetic()) {
                current = match line.split(':').next() {
                    Some("name") => &mut name,
                    Some("runtime") => &mut parts.runtime,
                    Some("packages") => &mut parts.packages,
                    _ => &mut parts.program,
                };
            }
            current.push_str(line);
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use pcl::{Settings, Target, Workspace};
    use pcl_convert::{Options, adjusted, convert};
    use serde_json::json;

    use super::*;

    fn project(project: Project, language: Language, given: &Json) -> Vec<(String, String)> {
        super::project(project, language, given.as_object().unwrap())
    }

    fn generated(text: &str, language: Language) -> Project {
        let settings = adjusted(Settings::default(), language);
        let checked = Workspace::new(settings).check(&Target::text("main.pp", text));
        convert(checked, language, "shop", &Options::default()).1.unwrap()
    }

    fn paths(files: &[(String, String)]) -> Vec<&str> {
        files.iter().map(|(path, _)| path.as_str()).collect()
    }

    const ONE: &str = "output one {\n  value = 1\n}\n";
    const CONFIGURED: &str = "config size int {\n  default = 1\n}\n";

    #[test]
    fn settings_come_from_pulumi_and_the_runtime_from_the_language() {
        let given = json!({
            "name": "store", "runtime": "pcl-python", "description": "A store",
            "config": { "aws:region": "eu-central-1" }, "backend": { "url": "file://~" },
        });
        let files = project(generated(ONE, Language::Python), Language::Python, &given);
        let (path, settings) = files.last().unwrap();
        assert_eq!(path, "Pulumi.yaml");
        assert_eq!(
            settings,
            "name: store\ndescription: \"A store\"\nruntime:\n  name: python\n  options:\n    \
             toolchain: pip\n    virtualenv: venv\nbackend:\n  url: \"file://~\"\nconfig:\n  \
             \"aws:region\": eu-central-1\n"
        );
    }

    #[test]
    fn programs_are_in_the_directory_that_pulumi_names() {
        let given = json!({ "name": "shop", "main": "./src/app" });
        let files = project(generated(ONE, Language::Typescript), Language::Typescript, &given);
        let sources = ["src/app/index.ts", "src/app/package.json", "src/app/tsconfig.json"];
        assert_eq!(paths(&files), [&sources[..], &["Pulumi.yaml"]].concat());
        assert_eq!(files[3].1, "name: shop\nruntime: nodejs\nmain: \"./src/app\"\n");

        let files = project(generated(ONE, Language::Yaml), Language::Yaml, &given);
        assert_eq!(paths(&files), ["src/app/Main.yaml", "Pulumi.yaml"]);
        assert_eq!(files[0].1, "outputs:\n  one: 1\n");
    }

    #[test]
    fn a_program_in_yaml_is_apart_from_the_configuration_of_its_project() {
        let plain = json!({ "name": "shop" });
        let configured = json!({ "name": "shop", "config": { "aws:region": "x" } });
        let of = |text, given| project(generated(text, Language::Yaml), Language::Yaml, given);
        let together = of(ONE, &plain);
        assert_eq!(together[0].1, "name: shop\nruntime: yaml\noutputs:\n  one: 1\n");
        assert_eq!(paths(&of(ONE, &configured)), ["Main.yaml", "Pulumi.yaml"]);
        assert_eq!(paths(&of(CONFIGURED, &configured)), ["Pulumi.yaml", "Main.yaml"]);
    }

    #[test]
    fn packages_of_a_project_and_of_a_program_are_one_field() {
        let files = [
            ("shop/main.pp", "component web \"./part\" {\n}\n"),
            ("shop/part/main.pp", "output one {\n  value = 1\n}\n"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        let scratch = tempfile::tempdir().unwrap();
        for (path, text) in &files {
            let path = scratch.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let settings = adjusted(Settings::default(), Language::Yaml);
        let target = Target::Path(scratch.path().join("shop"));
        let checked = Workspace::new(settings).check(&target);
        let generated = convert(checked, Language::Yaml, "shop", &Options::default()).1.unwrap();
        let given = json!({ "name": "shop", "packages": { "simple": "simple@2.0.0" } });
        let files = project(generated, Language::Yaml, &given);
        let (path, settings) = &files[0];
        assert_eq!(path, "Pulumi.yaml");
        let start = "name: shop\nruntime: yaml\npackages:\n  part: \"./components/part\"\n  \
                     simple: \"simple@2.0.0\"\nresources:\n";
        assert!(settings.starts_with(start), "{settings}");
    }

    #[test]
    fn a_program_alone_has_no_settings() {
        for (language, path) in [
            (Language::Typescript, "index.ts"),
            (Language::Python, "__main__.py"),
            (Language::Yaml, "Main.yaml"),
        ] {
            for text in [ONE, CONFIGURED] {
                assert_eq!(paths(&program(generated(text, language))), [path]);
            }
        }
        let files = program(generated(ONE, Language::Yaml));
        assert_eq!(files[0].1, "outputs:\n  one: 1\n");
    }
}
