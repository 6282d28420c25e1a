//! Blocks, components and texts that are damaged.

use crate::{CANARY, check, codes, heard_the_canary, program, refused};
use pcl_test_support::{SCHEMAS, corpus, items, pcl, root, scratch, write};

#[test]
fn blocks_without_their_labels() {
    refused("output", "output {}");
    refused("resource", "resource \"x\" {}");
    for block in ["resource", "read", "config", "output", "component", "hook"] {
        refused(&format!("bare-{block}"), &format!("{block} {{}}\n"));
        refused(&format!("many-{block}"), &format!("{block} \"a\" \"b\" \"c\" \"d\" {{}}\n"));
    }
}

#[test]
fn type_labels_that_do_not_parse() {
    for (nth, label) in
        ["list(", "", " ", "(", "list(string", "\\\"", "object({", "5 5", "list(list(", "é"]
            .iter()
            .enumerate()
    {
        refused(&format!("config-label-{nth}"), &format!("config \"a\" \"{label}\" {{}}\n"));
        refused(
            &format!("output-label-{nth}"),
            &format!("output \"a\" \"{label}\" {{\n  value = 1\n}}\n"),
        );
    }
}

#[test]
fn a_block_type_that_nobody_knows() {
    let diagnostics = refused("unknown-block", "wibble \"x\" {\n  a = 1\n}\n");
    assert!(codes(&diagnostics).contains("PCL0204"));
}

#[test]
fn components_that_include_each_other() {
    let directory = program(
        "component-circle",
        &[
            ("main.pp", format!("component \"a\" \"./a\" {{}}{CANARY}").as_bytes()),
            ("a/main.pp", b"component \"b\" \"../b\" {}\n"),
            ("b/main.pp", b"component \"a\" \"../a\" {}\ncomponent \"top\" \"..\" {}\n"),
        ],
    );
    let (run, diagnostics) = check(&directory);
    assert_eq!(run.status, 1);
    assert!(heard_the_canary(&diagnostics), "{}", run.stdout);
    assert!(codes(&diagnostics).contains("PCL0501"), "{}", run.stdout);
}

/// The valid programs of the corpus, truncated at many places and with single bytes missing, are
/// checked. One run checks all of them.
#[test]
fn programs_cut_off_anywhere() {
    let directory = scratch("hostile-cuts");
    let mut paths = Vec::new();
    for name in corpus("valid") {
        let path = root().join("corpus/valid").join(&name).join("main.pp");
        let Ok(source) = std::fs::read(path) else { continue };
        for cut in (1..source.len()).step_by(29) {
            let path = directory.join(format!("{name}-{cut}.pp"));
            write(&path, &source[..cut]);
            paths.push(path);
            let path = directory.join(format!("{name}-without-{cut}.pp"));
            write(&path, [&source[..cut], &source[cut + 1..]].concat());
            paths.push(path);
        }
    }
    assert!(!paths.is_empty());
    let mut arguments: Vec<_> = ["check", "--output-format", "json", "--schema-dir", SCHEMAS]
        .map(std::ffi::OsString::from)
        .into();
    arguments.extend(paths.iter().map(|path| path.as_os_str().to_owned()));
    let run = pcl(arguments);
    assert_eq!(items(&run.json(), "programs").count(), paths.len());
}
