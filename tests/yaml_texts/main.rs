//! The law of texts in Pulumi YAML: whatever a text of a program is, and wherever it is, Pulumi
//! YAML reads from the generated project what `pcl preview` shows.
//!
//! `reader/` is the parser of Pulumi YAML as a command. What it read of the projects for some texts
//! is recorded in `readings.json`, so that the law holds for these where there is no Go:
//! `PCL_YAML_READER=reader PCL_GENERATE=1 cargo test --test yaml_texts` records it. With
//! `PCL_YAML_READER` alone, the records are compared with the reader, and the law is tested for
//! random texts; `PCL_TEXT_SEED` makes other ones.

mod program;
mod reading;
mod texts;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use pcl_test_support::{generates, root, skip};
use program::{FORMATS, Project};
use reading::differences;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use texts::{TEXTS, random};

/// The number of random texts.
const RANDOM: usize = 300;

/// The readings of the project for a text.
#[derive(Serialize, Deserialize)]
struct Record {
    text: String,
    format: String,
    /// A checksum of the files, which tells whether they are those that were read.
    files: String,
    /// By path.
    readings: BTreeMap<String, Value>,
}

fn path() -> PathBuf {
    root().join("tests/yaml_texts/readings.json")
}

/// The readings of documents; `None` where there is no reader.
fn read(documents: &[&str]) -> Option<Vec<Value>> {
    let reader = std::env::var_os("PCL_YAML_READER")?;
    let mut child = Command::new(&reader)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", reader.display()));
    let input = serde_json::to_vec(documents).expect("texts are JSON");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    stdin.write_all(&input).expect("the reader reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the reader ends");
    assert!(output.status.success(), "the reader fails");
    Some(serde_json::from_slice(&output.stdout).expect("the reader writes JSON"))
}

/// The readings of the files of projects.
fn readings(projects: &[Project]) -> Option<Vec<BTreeMap<String, Value>>> {
    let files = projects.iter().flat_map(|project| &project.files);
    let documents: Vec<&str> = files.map(|(_, text)| text.as_str()).collect();
    let mut readings = read(&documents)?.into_iter();
    let of = |project: &Project| {
        let paths = project.files.iter().map(|(path, _)| path.clone());
        paths.zip(readings.by_ref()).collect()
    };
    Some(projects.iter().map(of).collect())
}

/// FNV-1a.
fn checksum(project: &Project) -> String {
    let texts = project.files.iter().flat_map(|(path, text)| [path.as_str(), "\0", text, "\0"]);
    let bytes = texts.flat_map(str::bytes);
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn judge(projects: &[Project], readings: &[BTreeMap<String, Value>]) {
    let mut complaints = Vec::new();
    for (project, readings) in projects.iter().zip(readings) {
        let found = differences(project, readings);
        let text: String = project.text.chars().take(60).collect();
        let place = format!("{text:?} as {}", project.format);
        complaints.extend(found.iter().map(|complaint| format!("{place}: {complaint}")));
    }
    let count = complaints.len();
    complaints.truncate(20);
    for complaint in &mut complaints {
        *complaint = complaint.chars().take(400).collect();
    }
    assert!(count == 0, "{count} complaints:\n{}", complaints.join("\n"));
}

#[test]
fn recorded_texts_are_read_as_they_are() {
    let texts = TEXTS.iter().map(|&text| text.to_owned());
    let directory = program::directory();
    let projects = texts.flat_map(|text| program::projects(&text, &directory));
    let projects: Vec<Project> = projects.collect();
    assert_eq!(projects.len(), TEXTS.len() * FORMATS.len());
    let fresh = readings(&projects);
    if generates() {
        let fresh = fresh.clone().expect("PCL_YAML_READER is the reader");
        let record = |(project, readings): (&Project, _)| Record {
            text: project.text.clone(),
            format: project.format.to_owned(),
            files: checksum(project),
            readings,
        };
        let records: Vec<_> = projects.iter().zip(fresh).map(record).collect();
        let lines = records.iter().map(|record| {
            let line = serde_json::to_string(record).expect("a record is JSON");
            format!("  {line}")
        });
        let lines: Vec<_> = lines.collect();
        let json = format!("[\n{}\n]\n", lines.join(",\n"));
        std::fs::write(path(), json).expect("the records can be written");
    }
    let json = std::fs::read_to_string(path()).expect("the records are there");
    let records: Vec<Record> = serde_json::from_str(&json).expect("the records are JSON");
    assert_eq!(records.len(), projects.len());
    for (project, record) in projects.iter().zip(&records) {
        assert_eq!((&*project.text, project.format), (&*record.text, &*record.format));
        assert_eq!(
            checksum(project),
            record.files,
            "the project for {:?} has other files now: record what is read of them",
            project.text
        );
    }
    let recorded: Vec<_> = records.into_iter().map(|record| record.readings).collect();
    if let Some(fresh) = fresh {
        assert!(fresh == recorded, "the records are not what the reader reads");
    }
    judge(&projects, &recorded);
    let plain = projects.iter().filter(|project| project.text == "plain");
    for project in plain {
        // The component has an input that no text is in the type of.
        let type_of_input = "Pulumi YAML has no input of type `map(string)`; `more` is left out";
        assert_eq!(project.left_out, [type_of_input], "nothing is wrong with a plain text");
    }
}

#[test]
fn random_texts_are_read_as_they_are() {
    if std::env::var_os("PCL_YAML_READER").is_none() {
        return skip("PCL_REQUIRE_YAML_READER", "PCL_YAML_READER is not set");
    }
    let seed = std::env::var("PCL_TEXT_SEED").map_or(1, |seed| seed.parse().expect("a number"));
    let texts = random(seed, RANDOM);
    let directory = program::directory();
    let projects: Vec<Project> =
        texts.iter().flat_map(|text| program::projects(text, &directory)).collect();
    let readings = readings(&projects).expect("there is a reader");
    judge(&projects, &readings);
}
