//! Documents: the model of every program of the corpora is JSON that the published schema describes and that reads back equal; what
//! is no document is refused with a typed error.

mod support;

use std::path::{Path, PathBuf};

use pcl::binder::Program;
use pcl::document::{Document, DocumentError, ExpressionIndex, TypeIndex};
use pcl::lower::{self, expression::Applies};
use pcl::{SchemaPlaces, Settings, Target, Workspace};
use support::json_schema::JsonSchema;
use support::root;

/// Reads programs in and below directories, and compares each document with what its JSON reads back as.
struct Tour {
    workspace: Workspace,
    schema: JsonSchema,
    programs: usize,
}

impl Tour {
    fn new(schemas: impl IntoIterator<Item = PathBuf>) -> Self {
        let schemas = SchemaPlaces {
            directories: schemas.into_iter().collect(),
            ..SchemaPlaces::default()
        };
        Self {
            workspace: Workspace::new(Settings {
                schemas,
                ..Settings::default()
            }),
            schema: JsonSchema::published("document"),
            programs: 0,
        }
    }

    /// Checks the programs in and below a directory. Many files in one directory are programs of one file each.
    fn visit(&mut self, directory: &Path) {
        const MOST_FILES_OF_A_PROGRAM: usize = 40;
        let mut files = Vec::new();
        let mut entries: Vec<PathBuf> = std::fs::read_dir(directory)
            .expect("the corpus can be read")
            .map(|entry| entry.expect("an entry can be read").path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                self.visit(&path);
            } else if path.extension().is_some_and(|extension| extension == "pp") {
                files.push(path);
            }
        }
        if files.len() > MOST_FILES_OF_A_PROGRAM {
            for file in files {
                self.check(file);
            }
        } else if !files.is_empty() {
            self.check(directory.to_owned());
        }
    }

    fn check(&mut self, program: PathBuf) {
        let path = program.display().to_string();
        let mut checked = self.workspace.check(&Target::Path(program));
        self.reads_back(&path, &checked.document());
        checked.program = lowered(checked.program);
        self.reads_back(&path, &checked.document());
        self.programs += 1;
    }

    fn reads_back(&self, path: &str, document: &Document) {
        document.check().expect("a document is consistent");
        let json = document.to_json();
        match Document::from_json(&json) {
            Ok(again) => assert!(again == *document, "{path}: another document comes back"),
            Err(error) => panic!("{path}: {error}"),
        }
        let value = serde_json::from_slice(&json).expect("a document is JSON");
        if let Some(fault) = self.schema.fault(&value) {
            panic!("{path}: {fault}");
        }
    }
}

/// The program after all passes.
fn lowered(program: Program) -> Program {
    let program = lower::invokes(lower::property_references(program));
    let program = lower::applies(lower::deferred_outputs(program), &Applies::default());
    lower::optional_guards(lower::conversions(program).program)
}

#[test]
fn our_programs_read_back_equal() {
    let corpus = root().join("corpus");
    let mut tour = Tour::new([corpus.join("schemas")]);
    tour.visit(&corpus);
    assert!(tour.programs > 100, "{} programs", tour.programs);
}

/// Thousands of programs that others wrote, where they are at hand.
#[test]
fn shared_programs_read_back_equal() {
    let shared = root().join("../shared/corpus");
    if !shared.is_dir() {
        println!("skipped: {} is not beside this checkout", shared.display());
        return;
    }
    let schemas = ["conformance", "testdata", "providers"];
    let mut tour = Tour::new(schemas.map(|set| shared.join("schemas").join(set)));
    tour.visit(&shared.join("programs"));
    assert!(tour.programs > 3000, "{} programs", tour.programs);
}

fn webserver() -> Document {
    let corpus = root().join("corpus");
    let tour = Tour::new([corpus.join("schemas")]);
    let program = Target::Path(corpus.join("valid/webserver"));
    tour.workspace.check(&program).document()
}

#[test]
fn what_is_cut_off_is_refused_at_every_byte() {
    let json = webserver().to_json();
    // The line end behind the document is not part of it.
    let length = json.len() - 1;
    for end in (0..length).step_by(97).chain([length - 1]) {
        let read = Document::from_json(&json[..end]);
        assert!(
            matches!(read, Err(DocumentError::Malformed { .. })),
            "{end} bytes"
        );
    }
}

#[test]
fn other_versions_and_formats_are_refused() {
    let document = webserver();
    for version in ["2.0", "0.9", "", "one"] {
        let other = Document {
            format_version: version.to_owned(),
            ..document.clone()
        };
        let found = version.to_owned();
        assert_eq!(
            Document::from_json(&other.to_json()),
            Err(DocumentError::OtherVersion { found })
        );
    }
    // A later version may say more.
    let mut value: serde_json::Value = serde_json::from_slice(&document.to_json()).expect("JSON");
    value["format_version"] = "1.7".into();
    value["mood"] = "sunny".into();
    let read = Document::from_json(value.to_string().as_bytes());
    assert_eq!(read.map(|read| read.main), Ok(document.main));
    for other in ["{}", r#"{"format_version":"1.0","program":"."}"#] {
        assert_eq!(
            Document::from_json(other.as_bytes()),
            Err(DocumentError::OtherFormat)
        );
    }
    for malformed in ["", "[]", "null", "\u{feff}{}", &"[".repeat(100_000)] {
        let read = Document::from_json(malformed.as_bytes());
        assert!(matches!(read, Err(DocumentError::Malformed { .. })));
    }
}

/// Whatever number of the JSON is changed, the result is refused or consistent, and can be asked anything.
#[test]
fn positions_that_lead_nowhere_are_refused() {
    let json = String::from_utf8(webserver().to_json()).expect("JSON is text");
    let (mut refused, mut accepted) = (0, 0);
    let digits = json.match_indices(|c: char| c.is_ascii_digit());
    let starts = digits.filter(|&(at, _)| !json.as_bytes()[at - 1].is_ascii_digit());
    for (at, _) in starts.step_by(29) {
        let rest = json[at..].trim_start_matches(|c: char| c.is_ascii_digit());
        for number in ["0", "7", "99999", "4294967295"] {
            let changed = format!("{}{number}{rest}", &json[..at]);
            match Document::from_json(changed.as_bytes()) {
                Err(_) => refused += 1,
                Ok(document) => {
                    accepted += 1;
                    ask_everything(&document);
                }
            }
        }
    }
    assert!(refused > 100 && accepted > 100, "{refused}, {accepted}");
}

/// A document that nobody checked answers as well.
#[test]
fn a_broken_document_answers() {
    let mut document = webserver();
    document.types.truncate(3);
    document.expressions.truncate(5);
    document.files.clear();
    assert!(matches!(
        document.check(),
        Err(DocumentError::Inconsistent { .. })
    ));
    ask_everything(&document);
}

fn ask_everything(document: &Document) {
    for ty in 0..document.types.len() as u32 + 1 {
        let ty = TypeIndex(ty);
        let _ = document.type_text(ty);
        let _ = document.strip(ty);
        let _ = document.object(ty);
        let _ = document.enumeration(ty);
        let _ = document.discriminator(ty);
        let _ = (document.is_optional(ty), document.is_eventual(ty));
    }
    for expression in 0..document.expressions.len() as u32 + 1 {
        let expression = ExpressionIndex(expression);
        let _ = document.annotation(expression);
        let _ = document.enum_member(expression);
        let _ = document.key_text(expression);
        let _ = document.referred(expression);
        assert!(document.walk(expression).contains(&expression));
    }
    for module in document.modules() {
        for (_, node) in module.in_order() {
            for attribute in node.inputs() {
                let _ = document.input_property(node, &attribute.name);
            }
            let _ = document.file(node.range);
        }
    }
}
