//! Paths, bytes and input that hold no program.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::{CANARY, check, codes, diagnostics, heard_the_canary, program};
use pcl_test_support::{SCHEMAS, items, pcl, pcl_with_input, position, text};

#[test]
fn bytes_that_are_not_utf8() {
    let source = b"a = \"caf\xe9\"\n# \xff\xfe\ncanary = nothingOfThisName\n";
    let (run, diagnostics) = check(&program("not-utf8", &[("main.pp", source)]));
    assert_eq!(run.status, 1);
    assert!(heard_the_canary(&diagnostics), "{}", run.stdout);
    let first = &diagnostics[0]["range"];
    assert_eq!(position(first, "start", "byte"), 8, "{}", run.stdout);
    assert_eq!(position(first, "end", "byte"), 9, "{}", run.stdout);

    let every_byte: Vec<u8> = (0..=255).collect();
    let (run, _) = check(&program("every-byte", &[("main.pp", &every_byte)]));
    assert_eq!(run.status, 1);
}

#[test]
fn a_directory_without_programs() {
    let directory = program("no-programs", &[("notes.txt", b"nothing")]);
    let (run, diagnostics) = check(&directory);
    assert_eq!((run.status, codes(&diagnostics)), (1, BTreeSet::from(["PCL0002"])));

    let path = directory.to_str().unwrap();
    let compatible = pcl(["check", "--compat", "pulumi", path]);
    assert_eq!(compatible.status, 0, "{}", compatible.stdout);
}

#[test]
fn a_path_that_does_not_exist() {
    for path in ["no/such/place", "no/such/place.pp"] {
        let (run, diagnostics) = check(Path::new(path));
        assert_eq!((run.status, codes(&diagnostics)), (2, BTreeSet::from(["PCL0001"])));
        assert!(text(&diagnostics[0], "file").contains("no/such/place"));
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read() {
    let directory = program("unreadable", &[("other.pp", CANARY.as_bytes())]);
    std::os::unix::fs::symlink("/no/such/file", directory.join("main.pp")).unwrap();
    let (run, diagnostics) = check(&directory);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(codes(&diagnostics).contains("PCL0001"), "{}", run.stdout);
    assert!(heard_the_canary(&diagnostics), "{}", run.stdout);
}

#[test]
fn one_bad_path_among_good_ones() {
    let run = pcl([
        "check",
        "--output-format",
        "json",
        "--schema-dir",
        SCHEMAS,
        "corpus/valid/locals",
        "no/such/place",
        "corpus/valid/names",
    ]);
    let document = run.json();
    let paths: Vec<_> = items(&document, "programs").map(|p| text(p, "path")).collect();
    assert_eq!(paths, ["corpus/valid/locals", "no/such/place", "corpus/valid/names"]);
    let valid: Vec<_> = items(&document, "programs").map(|p| p["valid"].clone()).collect();
    assert_eq!(valid, [true, false, true].map(Value::from));
    assert_eq!(run.status, 2);
}

#[test]
fn standard_input() {
    for (input, status) in [
        (&b""[..], 0),
        (b"a = 1\n", 0),
        (b"a = missing\n", 1),
        (b"\xff\xfe\x00", 1),
        (b"\xef\xbb\xbf", 0),
        (b"a = <<EOT\n", 1),
        (b"\"", 1),
        (b"a = \"${", 1),
        (b"/*", 1),
    ] {
        let arguments = ["check", "--output-format", "json", "--stdin-filename", "x.pp", "-"];
        let run = pcl_with_input(arguments, input);
        assert_eq!(run.status, status, "{input:?}\n{}", run.stdout);
        for diagnostic in diagnostics(&run) {
            assert_eq!(text(&diagnostic, "file"), "x.pp");
        }
    }
}
