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
        Self { files: files.iter().map(file).collect(), limit: None }
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
        let below = self.files.keys().filter_map(|path| path.strip_prefix(&folder));
        let entries: BTreeSet<(&str, bool)> = below
            .map(|path| match path.split_once('/') {
                Some((name, _)) => (name, true),
                None => (path, false),
            })
            .collect();
        if entries.is_empty() {
            Err(ErrorKind::NotADirectory.into())
        } else {
            // The order does not matter.
            Ok(entries.into_iter().rev().map(entry).collect())
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
    Entry { name: name.to_owned(), is_directory }
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
            None => Archive::of(members(vector["members"].as_object().unwrap(), &files), &files),
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
    let files = Files::with(&[("host/a.txt", b"hi"), ("/b.txt", b"hi"), ("host/x.tar", b"tar")]);
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
    assert!(matches!(kind("ftp://host/a.txt"), ContentErrorKind::Scheme));
    assert!(matches!(kind("a.txt"), ContentErrorKind::Scheme));
    let kind = Archive::remote("http://host/a.txt", &files).unwrap_err().kind;
    assert!(matches!(kind, ContentErrorKind::NotAnArchive));
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let files = Files::with(&[("a.txt", b"hi"), ("bad.tgz", b"no gzip"), ("bad.zip", b"no zip")]);
    let kind = |path| Archive::file(path, &files).unwrap_err().kind;
    assert!(matches!(kind("a.txt"), ContentErrorKind::NotAnArchive));
    assert!(matches!(kind(""), ContentErrorKind::Empty));
    assert!(matches!(kind("absent.zip"), ContentErrorKind::Io(_)));
    for bad in ["bad.tgz", "bad.zip"] {
        let member = Member::Archive(Archive::file(bad, &files).unwrap());
        assert!(Archive::of([("m".into(), member)].into(), &files).is_err());
    }
    assert!(Asset::file("a.txt", &NoContents).is_err());
    let limited = Files { limit: Some(1), ..files };
    let kind = Asset::file("a.txt", &limited).unwrap_err().kind;
    assert!(matches!(kind, ContentErrorKind::TooLarge(_)));
}

/// A header of a tar archive, in which blank fields are left blank.
fn tar_header(name: &str, kind: u8, size: &str) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[124..124 + size.len()].copy_from_slice(size.as_bytes());
    header[156] = kind;
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    header
}

/// A zip archive of these members, which are not packed.
fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in members {
        let mut sum = flate2::Crc::new();
        sum.update(text.as_bytes());
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        for number in [sum.sum(), text.len() as u32, text.len() as u32] {
            common.extend(number.to_le_bytes());
        }
        common.extend([name.len() as u8, 0, 0, 0]);
        directory.extend([b"PK\x01\x02\x14\0".as_slice(), &common, &[0; 10]].concat());
        directory.extend((archive.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        archive.extend([b"PK\x03\x04", &*common, name.as_bytes(), text.as_bytes()].concat());
    }
    let count = [members.len() as u8, 0].repeat(2);
    let [size, start] = [directory.len(), archive.len()].map(|it| (it as u32).to_le_bytes());
    let end = [b"PK\x05\x06\0\0\0\0", &*count, &size, &start, &[0; 2]].concat();
    [archive, directory, end].concat()
}

/// The hash of an archive of one archive file, of these bytes.
fn nested(path: &str, bytes: &[u8]) -> Result<String, ContentErrorKind> {
    let files = Files { limit: Some(1 << 30), ..Files::with(&[(path, bytes)]) };
    let member = Member::Archive(Archive::file(path, &files).unwrap());
    let archive = Archive::of([("m".into(), member)].into(), &files);
    archive.map(|it| it.hash).map_err(|error| error.kind)
}

#[test]
fn archive_files_are_read_as_the_engine_reads_them() {
    let texts = [("a", "first"), ("b", "")];
    let members = texts.map(|(name, text)| {
        let asset = Member::Asset(Asset::text(text.into()));
        (name.to_owned(), asset)
    });
    let member = Member::Archive(Archive::of(members.into(), &NoContents).unwrap());
    let expected = Archive::of([("m".into(), member)].into(), &NoContents).unwrap();

    let twice = [texts.as_slice(), &[("a", "second")]].concat();
    assert_eq!(nested("x.zip", &zip(&twice)).unwrap(), expected.hash);

    let content = |text: &str| format!("{text:\0<512}").into_bytes();
    let tar = [
        tar_header("folder/", b'5', "           "),
        tar_header("a", b'0', "00000000005"),
        content("first"),
        tar_header("b", 0, ""),
    ];
    assert_eq!(nested("x.tar", &tar.concat()).unwrap(), expected.hash);
}

#[test]
fn a_name_takes_no_more_memory_than_a_name_needs() {
    for kind in [b'L', b'K', b'x', b'g'] {
        let mut tar = tar_header("long", kind, "00010000000");
        tar.resize(512 + 0o1000_0000, b'n');
        let error = nested("x.tar", &tar).unwrap_err();
        let reason = "it is not a valid archive: a name is too long";
        assert_eq!(error.to_string(), reason, "{kind}");
    }
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
