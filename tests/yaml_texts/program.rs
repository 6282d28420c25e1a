//! A program with a text in every position, the project that is made of it, and its preview.

use std::path::Path;
use std::sync::Arc;

use pcl::eval::{Answers, Event};
use pcl::preview::{OfflineProgram, Preview, RunSettings};
use pcl::schema::MemoryLoader;
use pcl::{Checked, Settings, Target, Workspace};
use pcl_convert::{Language, Options, generate};
use pcl_test_support::{Scratch, scratch, write};

/// The formats of a project.
pub const FORMATS: [&str; 2] = ["yaml", "json"];

/// A project for a program with a text.
pub struct Project {
    pub text: String,
    pub format: &'static str,
    /// The paths and texts of its files.
    pub files: Vec<(String, String)>,
    /// The place that the plugin of its package is downloaded from.
    pub download_url: Option<String>,
    /// The reasons for which parts are left out.
    pub left_out: Vec<String>,
    pub preview: Arc<Preview>,
}

impl Project {
    /// The path of the file that has the name of the project.
    pub fn settings(&self) -> &'static str {
        match self.format {
            "yaml" => "Pulumi.yaml",
            _ => "Pulumi.json",
        }
    }

    /// The path of the file that has the program.
    pub fn program(&self) -> &'static str {
        match self.format {
            "yaml" => "Main.yaml",
            _ => "Main.json",
        }
    }
}

/// Declarations with `TEXT` inside of quotes, each in a position of its own.
const PARTS: &[&str] = &[
    "package {\n  baseProviderName = \"demo\"\n  baseProviderVersion = \"1.2.3\"\n  baseProviderDownloadUrl = \"https://example.com/TEXT\"\n}",
    "output value { value = \"TEXT\" }",
    "output before { value = \"TEXT${x}\" }",
    "output behind { value = \"${x}TEXT\" }",
    "output between { value = \"${x}TEXT${x}\" }",
    "output nested { value = \"TEXT${\"TEXT${x}TEXT\"}TEXT\" }",
    "output braces { value = \"TEXT${\"{\"}TEXT\" }",
    "output keys { value = { \"TEXT\" = [\"TEXT\", { \"TEXT\" = x }], a = x } }",
    "output one { value = { \"TEXT\" = x } }",
    "output call { value = secret(\"TEXT\") }",
    "o = { \"TEXT\" = x }\noutput step { value = o[\"TEXT\"] }",
    "local = \"TEXT\"\noutput local { value = local }",
    "output named {\n  __logicalName = \"TEXT\"\nvalue = x\n}",
    "config c string {\n  __logicalName = \"TEXT\"\ndefault = \"TEXT\"\n}\noutput config { value = c }",
    "config d \"map(string)\" { default = { \"TEXT\" = \"TEXT\" } }\noutput defaults { value = d }",
    "config e string {\n  description = \"TEXT\"\ndefault = \"e\"\n}\noutput described { value = e }",
    "resource r \"demo:index:Thing\" {\n  __logicalName = \"TEXT\"\n  input = \"TEXT\"\n  more = { \"TEXT\" = \"TEXT\" }\n}",
    "resource s \"demo:index:Thing\" {\n  input = \"${x}TEXT\"\n  options {\n    import = \"TEXT\"\n    aliases = [\"TEXT\"]\n    \
     ignoreChanges = [more[\"TEXT\"]]\n    pluginDownloadURL = \"TEXT\"\n    replacementTrigger = { \"TEXT\" = \"TEXT\" }\n  }\n}",
    "resource t \"demo:index:TEXT\" { input = \"t\" }",
    "read u \"demo:index:Thing\" {\n  id = \"TEXT\"\n  input = \"TEXT\"\n  more = { \"TEXT\" = \"TEXT\" }\n}",
    "resource w \"demo:index:Thing\" {\n  input = \"w\"\n  options { aliases = [\"TEXT\", { name = \"TEXT\", type = \"TEXT\" }, { name = \"${x}TEXT\", noParent = true }] }\n}",
    "component part \"./part\" {\n  __logicalName = \"TEXT\"\n  input = \"TEXT\"\n  more = { \"TEXT\" = \"TEXT${x}\" }\n}",
    "resource v \"demo:index:Thing\" { input = invoke(\"demo:index:get\", { \"TEXT\" = \"TEXT\" }, { version = \"TEXT\" }).result }",
];

/// The program of the component that the program uses. Its values are not compared.
const PART: &str =
    "config input string {}\nconfig more \"map(string)\" {}\noutput o { value = input }\n";

/// The schema of the package that the program uses.
fn schema(text: &str) -> String {
    let inputs = serde_json::json!({ "input": { "type": "string" }, "more": { "$ref": "pulumi.json#/Any" } });
    let resource = serde_json::json!({
        "inputProperties": inputs,
        "properties": inputs,
        "stateInputs": { "properties": inputs },
    });
    let mut arguments = serde_json::json!({ "input": { "type": "string" } });
    arguments[text] = serde_json::json!({ "type": "string" });
    let mut schema = serde_json::json!({
        "name": "demo",
        "version": "1.2.3",
        "resources": { "demo:index:Thing": resource },
        "functions": { "demo:index:get": {
            "inputs": { "properties": arguments },
            "outputs": { "properties": { "result": { "type": "string" } } },
        } },
    });
    schema["resources"][format!("demo:index:{text}")] = resource;
    schema.to_string()
}

/// A text inside of quotes.
fn quoted(text: &str) -> String {
    text.chars().fold(String::new(), |quoted, c| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' => quoted + &c.to_string(),
        c => quoted + &format!("\\U{:08x}", u32::from(c)),
    })
}

fn check(workspace: &Workspace, directory: &Path, text: &str) -> Checked {
    workspace.check(&Target::Memory {
        path: "main.pp".to_owned(),
        directory: Some(directory.to_owned()),
        files: vec![("main.pp".to_owned(), text.as_bytes().to_vec())],
    })
}

/// The directory of the programs, with that of their component.
pub fn directory() -> Scratch {
    let directory = scratch("yaml-texts");
    write(&directory.join("part/main.pp"), PART);
    directory
}

/// The projects for a text, in each format.
pub fn projects(text: &str, directory: &Path) -> Vec<Project> {
    let mut loader = MemoryLoader::default();
    if loader.add(schema(text)).is_err() {
        loader.add(schema("Thing")).expect("a schema");
    }
    let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(loader));
    let x = "x = \"value\"\n";
    let mut program = x.to_owned();
    // What the text cannot be, such as a name without letters, is left out.
    for part in PARTS {
        let part = part.replace("TEXT", &quoted(text)) + "\n";
        if check(&workspace, directory, &format!("{x}{part}")).is_valid() {
            program.push_str(&part);
        } else {
            assert!(text != "plain", "this is in no program: {part}");
        }
    }
    // A comment ends with its line.
    let comment = text.replace('\n', " ");
    let commented = format!("# {comment}\noutput commented {{ value = x }}\n");
    if check(&workspace, directory, &format!("{x}{commented}")).is_valid() {
        program.push_str(&commented);
    }
    let checked = check(&workspace, directory, &program);
    assert!(checked.is_valid(), "{program}\n{:?}", checked.diagnostics);
    let document = checked.document();
    let settings =
        RunSettings { project: text.to_owned(), stack: "dev".to_owned(), ..RunSettings::default() };
    let preview = OfflineProgram::new(checked, settings, Answers::default(), "").preview();
    assert!(preview.outputs.is_some(), "{program}\n{:?}", preview.diagnostics);
    let preview = Arc::new(preview);
    let languages = [Language::Yaml, Language::Json];
    let project = |(format, language)| {
        let project = generate(&document, language, text, &Options::default());
        let files = project.files.into_iter();
        let left_out = project.unsupported.into_iter();
        Project {
            text: text.to_owned(),
            format,
            download_url: document.packages.iter().find_map(|package| package.download_url.clone()),
            files: files.map(|file| (file.path, file.text)).collect(),
            left_out: left_out.map(|part| part.message).collect(),
            preview: Arc::clone(&preview),
        }
    };
    FORMATS.into_iter().zip(languages).map(project).collect()
}

/// The requests of a preview that are about something in the program.
pub fn events(preview: &Preview) -> impl Iterator<Item = &Event> {
    preview.events.iter().filter(|event| match event {
        Event::Resource(request, _) => request.source.is_some(),
        _ => true,
    })
}
