//! Assets and archives: their hashes against recorded ones (`tests/vectors/content_hashes.json`),
//! and content that is hostile.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind, Read as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use pcl_values::{Archive, Asset, Content, ContentErrorKind, Contents, Entry, Member, NoContents};
use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::vectors::{file, list};

/// Files in memory, by their paths.
#[derive(Default)]
struct Files {
    files: BTreeMap<String, Vec<u8>>,
    limit: Option<u64>,
}

impl Files {
    fn with(files: &[(&str, &[u8])]) -> Self {
        let file = |(path, bytes): &(&str, &[u8])| ((*path).to_owned(), bytes.to_vec());
        Self {
            files: files.iter().map(file).collect(),
            limit: None,
        }
    }
}

fn normal(path: &str) -> &str {
    path.trim_start_matches("./").trim_end_matches('/')
}

impl Contents for Files {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        let bytes = self.files.get(normal(path)).ok_or(ErrorKind::NotFound)?;
        Ok(Content::of(bytes))
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        let folder = format!("{}/", normal(path));
        let below = self
            .files
            .keys()
            .filter_map(|path| path.strip_prefix(&folder));
        let entries: BTreeSet<(&str, bool)> = below
            .map(|path| match path.split_once('/') {
                Some((name, _)) => (name, true),
                None => (path, false),
            })
            .collect();
        match entries.is_empty() {
            true => Err(ErrorKind::NotADirectory.into()),
            // The order does not matter.
            false => Ok(entries.into_iter().rev().map(entry).collect()),
        }
    }

    fn fetch(&self, uri: &str) -> io::Result<Content<'_>> {
        self.file(uri.split_once("://").map_or(uri, |(_, path)| path))
    }

    fn limit(&self) -> u64 {
        self.limit.unwrap_or(1 << 20)
    }
}

fn entry((name, is_directory): (&str, bool)) -> Entry {
    Entry {
        name: name.to_owned(),
        is_directory,
    }
}

fn recorded_files(file: &Value) -> Files {
    let mut files = BTreeMap::new();
    for (path, content) in file["files"].as_object().unwrap() {
        let decode = |json: &Value| STANDARD.decode(json.as_str().unwrap()).unwrap();
        let bytes = match (content, &content["unpacked"]) {
            (Value::String(text), _) => text.clone().into_bytes(),
            (_, Value::String(packed)) => {
                let packed = decode(&file["files"][packed]["base64"]);
                let mut bytes = Vec::new();
                GzDecoder::new(&*packed).read_to_end(&mut bytes).unwrap();
                bytes
            }
            _ => decode(&content["base64"]),
        };
        files.insert(path.clone(), bytes);
    }
    Files { files, limit: None }
}

fn members(fields: &Map<String, Value>, files: &Files) -> BTreeMap<String, Member> {
    let member = |(name, content): (&String, &Value)| {
        let text = |part: &str| content[part].as_str();
        let member = if let Some(text) = text("text") {
            Member::Asset(Asset::text(text.into()))
        } else if let Some(path) = text("file") {
            Member::Asset(Asset::file(path, files).unwrap())
        } else if let Some(path) = text("path") {
            Member::Archive(Archive::file(path, files).unwrap())
        } else {
            let inner = members(content["members"].as_object().unwrap(), files);
            Member::Archive(Archive::of(inner, files).unwrap())
        };
        (name.clone(), member)
    };
    fields.iter().map(member).collect()
}

#[test]
fn recorded_hashes() {
    let file = file("content_hashes.json");
    let files = recorded_files(&file);
    for vector in list(&file, "archives") {
        let archive = match vector["path"].as_str() {
            Some(path) => Archive::file(path, &files),
            None => Archive::of(
                members(vector["members"].as_object().unwrap(), &files),
                &files,
            ),
        };
        let hash = archive.as_ref().ok().map(|archive| archive.hash.as_str());
        assert_eq!(hash, vector["hash"].as_str(), "{}", vector["name"]);
    }
    for vector in list(&file, "assets") {
        let asset = Asset::file(vector["path"].as_str().unwrap(), &files).unwrap();
        assert_eq!(asset.hash, vector["hash"]);
    }
}

#[test]
fn remote_content() {
    let files = Files::with(&[
        ("host/a.txt", b"hi"),
        ("/b.txt", b"hi"),
        ("host/x.tar", b"tar"),
    ]);
    let text = Asset::text("hi".into());
    for uri in ["https://host/a.txt", "file:///b.txt"] {
        let asset = Asset::remote(uri, &files).unwrap();
        assert!(asset.has_content_of(&text), "{uri}");
    }
    // The bytes of an archive file are hashed as they are.
    let archive = Archive::remote("http://host/x.tar", &files).unwrap();
    assert_eq!(archive.hash, Asset::text("tar".into()).hash);
    let kind = |uri| Asset::remote(uri, &files).unwrap_err().kind;
    assert!(matches!(kind(""), ContentErrorKind::Empty));
    assert!(matches!(kind("ftp://host/a.txt"), ContentErrorKind::Io(_)));
    assert!(matches!(kind("a.txt"), ContentErrorKind::Io(_)));
    let kind = Archive::remote("http://host/a.txt", &files)
        .unwrap_err()
        .kind;
    assert!(matches!(kind, ContentErrorKind::NotAnArchive));
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let files = Files::with(&[
        ("a.txt", b"hi"),
        ("bad.tgz", b"no gzip"),
        ("bad.zip", b"no zip"),
    ]);
    let kind = |path| Archive::file(path, &files).unwrap_err().kind;
    assert!(matches!(kind("a.txt"), ContentErrorKind::NotAnArchive));
    assert!(matches!(kind(""), ContentErrorKind::Empty));
    assert!(matches!(kind("absent.zip"), ContentErrorKind::Io(_)));
    for bad in ["bad.tgz", "bad.zip"] {
        let member = Member::Archive(Archive::file(bad, &files).unwrap());
        assert!(Archive::of([("m".into(), member)].into(), &files).is_err());
    }
    assert!(Asset::file("a.txt", &NoContents).is_err());
    let limited = Files {
        limit: Some(1),
        ..files
    };
    let kind = Asset::file("a.txt", &limited).unwrap_err().kind;
    assert!(matches!(kind, ContentErrorKind::TooLarge(_)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Bytes of archives may be anything.
    #[test]
    fn no_archive_panics(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..20),
        cut in any::<prop::sample::Index>(),
        name in prop::sample::select(vec!["x.tar", "x.tgz", "x.zip"]),
    ) {
        let mut files = recorded_files(&file("content_hashes.json"));
        let bytes = files.files.get_mut(name).unwrap();
        for (place, byte) in flips {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate(cut.index(2 * bytes.len()));
        let member = Member::Archive(Archive::file(name, &files).unwrap());
        let _ = Archive::of([("m".into(), member)].into(), &files);
    }
}
