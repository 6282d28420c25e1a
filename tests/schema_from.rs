//! `pcl schema add --from`: schemas in files, folders and archives.
#![cfg(feature = "remote")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use pcl_test_support::{Run, Scratch, command, run, scratch, write};

const ZOO: &str = r#"{"name": "zoo", "resources": {"zoo:index:Cage": {}}}"#;

const ZOO_2: &str = r#"{"name": "zoo", "version": "2.0.0"}"#;

const ARK: &str = r#"{"name": "ark", "version": "1.0.0"}"#;

/// The place of the schema in a provider's repository.
const PLACE: &str = "provider/cmd/pulumi-resource-zoo/schema.json";

struct Place(Scratch);

impl Place {
    fn new(name: &str) -> Self {
        let place = Self(scratch(&format!("schema-from-{name}")));
        write(&place.0.join("project/Pulumi.yaml"), "name: test\n");
        place
    }

    fn write(&self, name: &str, content: &str) {
        write(&self.0.join(name), content);
    }

    /// Runs `pcl schema add` in the project.
    fn add(&self, arguments: &str) -> Run {
        let mut command = command();
        let words = arguments.split_whitespace();
        command.args(["schema", "add"]).args(words).current_dir(self.0.join("project"));
        run(command, b"")
    }

    /// Adds a schema, and returns the name and the content of its file.
    fn added(&self, arguments: &str) -> (String, String) {
        let run = self.add(arguments);
        assert_eq!(run.status, 0, "{arguments}: {}", run.stderr);
        let (_, path) = run.stderr.trim().rsplit_once(": ").expect("a path");
        let path = PathBuf::from(path);
        let content = fs::read_to_string(self.0.join("project").join(&path)).expect("a file");
        (path.file_name().expect("a name").to_string_lossy().into_owned(), content)
    }

    /// Adds nothing, and returns what is said.
    fn refused(&self, arguments: &str) -> String {
        let run = self.add(arguments);
        assert_eq!((run.status, &*run.stdout), (2, ""), "{arguments}: {}", run.stderr);
        assert!(!self.0.join("project/schemas").exists(), "{arguments}");
        run.stderr
    }

    /// Writes an archive of files, with a link in a tar.
    fn archive(&self, name: &str, files: &[(&str, &str)]) {
        let file = File::create(self.0.join(name)).expect("a file");
        if name.ends_with(".zip") {
            let mut zip = zip::ZipWriter::new(file);
            for (path, content) in files {
                zip.start_file(*path, zip::write::SimpleFileOptions::default()).expect("an entry");
                zip.write_all(content.as_bytes()).expect("its content");
            }
            zip.finish().expect("a zip");
            return;
        }
        let mut tar = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        tar.append_link(&mut header, "link/schema.json", "/etc/passwd").expect("a link");
        for (path, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            tar.append_data(&mut header, path, content.as_bytes()).expect("an entry");
        }
        tar.into_inner().expect("a tar").finish().expect("a gz");
    }
}

fn named(name: &str, content: &str) -> (String, String) {
    (name.to_owned(), content.to_owned())
}

#[test]
fn files() {
    let place = Place::new("files");
    place.write("schema.json", ZOO);
    place.write("zoo-3.1.0.json", ZOO);
    place.write("schema.yaml", "name: zoo\nversion: 1.2.0\nresources:\n  zoo:index:Cage: {}\n");
    let packed = File::create(place.0.join("schema.json.gz")).expect("a file");
    let mut packed = GzEncoder::new(packed, Compression::fast());
    packed.write_all(ZOO_2.as_bytes()).expect("its content");
    packed.finish().expect("a gz");

    assert_eq!(place.added("zoo --from ../schema.json"), named("zoo.json", ZOO));
    assert_eq!(place.added("zoo@4.16.0 --from ../schema.json"), named("zoo-4.16.0.json", ZOO));
    assert_eq!(place.added("zoo --from ../zoo-3.1.0.json"), named("zoo-3.1.0.json", ZOO));
    assert_eq!(place.added("zoo --from ../schema.json.gz"), named("zoo-2.0.0.json", ZOO_2));
    let (name, content) = place.added("zoo --from ../schema.yaml");
    assert_eq!(name, "zoo-1.2.0.json");
    let json: serde_json::Value = serde_json::from_str(&content).expect("JSON");
    assert_eq!(json["version"], "1.2.0");

    place.write("schema.json", r#"{"name": "zoo", "description": "other"}"#);
    let other = place.add("zoo --from ../schema.json");
    assert!(other.status == 2 && other.stderr.contains("`--force`"), "{}", other.stderr);
    place.added("zoo --from ../schema.json --force");
}

#[test]
fn folders() {
    let place = Place::new("folders");
    let repository = format!("pulumi-zoo/{PLACE}");
    place.write(&repository, ZOO);
    // A smaller copy for the plugin, and the files of other packages.
    place.write("pulumi-zoo/provider/cmd/pulumi-resource-zoo/schema-embed.json", ZOO_2);
    place.write("pulumi-zoo/examples/node_modules/zoo/schema.json", ZOO_2);
    place.write("pulumi-zoo/tests/schema.json", ARK);
    place.write("pulumi-zoo/tests/copy/schema.json", ZOO);
    assert_eq!(place.added("zoo --from ../pulumi-zoo"), named("zoo.json", ZOO));
    assert_eq!(place.added("ark --from ../pulumi-zoo"), named("ark-1.0.0.json", ARK));
    let two = place.add("ark zoo --from ../pulumi-zoo");
    assert_eq!(two.status, 0, "{}", two.stderr);
}

#[test]
fn archives() {
    let place = Place::new("archives");
    for (archive, root, kept) in [
        ("a.zip", "github.com/pulumi/pulumi-zoo/provider/v4@v4.16.0", "zoo-4.16.0.json"),
        ("b.tar.gz", "pulumi-zoo-4.17.0", "zoo-4.17.0.json"),
        ("c.download", "pulumi-zoo-main", "zoo.json"),
    ] {
        let path = format!("{root}/{PLACE}");
        place.archive(archive, &[(&path, ZOO), ("docs/schema.json", ARK)]);
        let added = place.added(&format!("zoo --from ../{archive}"));
        assert_eq!(added, named(kept, ZOO), "{archive}");
    }
    assert!(!place.0.join("project/docs").exists());
}

#[test]
fn what_is_none_or_several() {
    let place = Place::new("none");
    place.write("empty/readme.md", "");
    place.write("others/schema.json", ARK);
    place.write("others/zoo.json", "[]");
    place.write("several/a/schema.json", ZOO);
    place.write("several/b/schema.json", ZOO_2);
    place.write("broken.json", "{\"name\": ");
    place.write("ark.json", ARK);
    place.archive("several.zip", &[("a/schema.json", ZOO), ("b/schema.json", ZOO_2)]);
    fs::write(place.0.join("cut.zip"), b"PK\x03\x04 and no more").expect("a file");
    let said: Vec<String> = [
        "zoo --from ../empty",
        "zoo --from ../others",
        "zoo --from ../several",
        "zoo --from ../several.zip",
        "zoo --from ../broken.json",
        "zoo --from ../ark.json",
        "ark@2.0.0 --from ../ark.json",
        "zoo --from ../cut.zip",
    ]
    .into_iter()
    .map(|arguments| format!("$ pcl schema add {arguments}\n{}", place.refused(arguments)))
    .collect();
    insta::assert_snapshot!(said.join("\n"));
    let nowhere = place.refused("zoo --from ../nowhere");
    assert!(nowhere.contains("cannot read `../nowhere`"), "{nowhere}");
    place.write("versions/zoo-1.0.0.json", ZOO);
    place.write("versions/zoo-2.0.0.json", ZOO_2);
    let versions = place.refused("zoo --from ../versions");
    assert!(versions.contains("help: ask for a version, such as `zoo@2.0.0`"), "{versions}");
    // A version chooses among several.
    assert_eq!(place.added("zoo@2.0.0 --from ../several").0, "zoo-2.0.0.json");
}

/// Links lead anywhere.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let place = Place::new("links");
    place.write("elsewhere/schema.json", ZOO);
    fs::create_dir(place.0.join("folder")).expect("a directory");
    for (to, link) in
        [("../elsewhere", "folder/a"), ("../elsewhere/schema.json", "folder/schema.json")]
    {
        std::os::unix::fs::symlink(to, place.0.join(link)).expect("a link");
    }
    let said = place.refused("zoo --from ../folder");
    assert!(said.contains("there is no schema of zoo"), "{said}");
}
