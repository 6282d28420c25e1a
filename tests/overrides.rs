//! Configuration files that extend others, and lints and levels of single files. The rules are in
//! `docs/configuration.md`.

use std::fs::create_dir_all;

use pcl_test_support::{Run, Scratch, scratch};

/// An unused local; the lint does not run by default.
const UNUSED: &str = "size = 1\n";

/// A repository with two programs.
fn repository(name: &str) -> Scratch {
    let place = scratch(&format!("overrides-{name}"));
    create_dir_all(place.join(".git")).expect("a directory is made");
    place.write("shop/main.pp", UNUSED);
    place.write("shop/gen.pp", "sum = 2\n");
    place.write("examples/small/main.pp", UNUSED);
    place
}

fn check(place: &Scratch, arguments: &str) -> Run {
    place.run(&format!("check --output-format concise {arguments}"))
}

/// The places of the diagnostics and their levels.
fn reported(place: &Scratch, arguments: &str) -> Vec<String> {
    let run = check(place, arguments);
    let place_of = |line: &str| {
        let (place, rest) = line.split_once(": ").expect("a place");
        let file = place.split(':').next().unwrap_or_default();
        format!("{file} {}", rest.split_whitespace().next().unwrap_or_default())
    };
    run.stdout.lines().map(place_of).collect()
}

#[test]
fn levels_hold_in_the_files_that_match() {
    let place = repository("levels");
    place.write(
        "pcl.toml",
        "select = [\"unused\"]\n\
         [[overrides]]\nfiles = [\"examples/\"]\nignore = [\"unused-local\"]\n\
         [[overrides]]\nfiles = [\"gen.pp\"]\nlevels = { unused-local = \"error\" }\n",
    );
    let all = ["shop/gen.pp error[PCL0701]", "shop/main.pp warning[PCL0701]"];
    assert_eq!(reported(&place, "-r ."), all);
    let names = ["shop examples/small", "./shop examples/small", "examples/small/ shop/../shop"];
    for names in names {
        assert_eq!(reported(&place, names).len(), 2, "{names}");
    }
    assert_eq!(reported(&place, "shop/main.pp"), ["shop/main.pp warning[PCL0701]"]);
    assert!(reported(&place, "examples/small --output-format concise").is_empty());
    // Flags are stronger, and files that match nothing have none of it.
    assert_eq!(reported(&place, "-r . --warn unused-local").len(), 3);
    assert!(reported(&place, "-r . --isolated").is_empty());
}

/// A lint that only an override chooses runs in its files alone.
#[test]
fn lints_run_in_the_files_that_match() {
    let place = repository("lints");
    place.write("pcl.toml", "[[overrides]]\nfiles = [\"gen.pp\"]\nselect = [\"unused-local\"]\n");
    assert_eq!(reported(&place, "-r ."), ["shop/gen.pp warning[PCL0701]"]);
    // Later overrides are stronger.
    place.write(
        "pcl.toml",
        "[[overrides]]\nfiles = [\"*.pp\"]\nselect = [\"unused-local\"]\n\
         [[overrides]]\nfiles = [\"shop/**\", \"!shop/gen.pp\"]\nselect = [\"suspicious\"]\n",
    );
    let all = ["examples/small/main.pp warning[PCL0701]", "shop/gen.pp warning[PCL0701]"];
    assert_eq!(reported(&place, "-r ."), all);
    // A comment is unused only where its lint runs.
    place.write("shop/main.pp", "size = 1 // pcl-ignore: unused-local\n");
    assert_eq!(reported(&place, "-r ."), all);
}

/// `--select` and comments see the levels of single files as they see those of all.
#[test]
fn flags_replace_what_an_override_chooses() {
    let place = repository("flags");
    place.write("pcl.toml", "[[overrides]]\nfiles = [\"gen.pp\"]\nselect = [\"unused-local\"]\n");
    assert!(reported(&place, "-r . --select suspicious").is_empty());
    assert_eq!(reported(&place, "-r . --select unused").len(), 3);
    let shown = place.run("config show shop").stdout;
    let expected =
        "\n[[overrides]]  # pcl.toml:1\nfiles = [\"gen.pp\"]\nselect = [\"unused-local\"]\n";
    assert!(shown.ends_with(expected), "{shown}");
    let shown = place.run("config show shop --output-format json").stdout;
    let shown: serde_json::Value = serde_json::from_str(&shown).expect("it is JSON");
    assert_eq!(shown["overrides"][0]["settings"]["select"][0], "unused-local");
}

#[test]
fn a_file_adds_to_the_one_that_it_extends() {
    let place = repository("extend");
    place.write(
        "strict.pcl.toml",
        "select = [\"unused\"]\nexclude = [\"/examples\"]\nlevels = { unused-local = \"error\" }\n\
         [[overrides]]\nfiles = [\"gen.pp\"]\nignore = [\"unused-local\"]\n",
    );
    place.write("shop/pcl.toml", "extend = \"../strict.pcl.toml\"\n");
    assert_eq!(reported(&place, "shop"), ["shop/main.pp error[PCL0701]"]);
    // What the file itself says is stronger than all that it extends.
    let levels = "extend = \"../strict.pcl.toml\"\nlevels = { unused-local = \"warn\" }\n";
    place.write("shop/pcl.toml", levels);
    let all = ["shop/gen.pp warning[PCL0701]", "shop/main.pp warning[PCL0701]"];
    assert_eq!(reported(&place, "shop"), all);
    // Paths are relative to the file that they are in.
    place.write("pcl.toml", "extend = \"strict.pcl.toml\"\n");
    assert_eq!(reported(&place, "-r ."), all);
    let shown = place.run("config show shop").stdout;
    assert!(shown.contains("# extends "), "{shown}");
    assert!(shown.contains("select = [\"unused\"]  # strict.pcl.toml:1\n"), "{shown}");
    // The key of a project file extends too.
    place.write("examples/Pulumi.yaml", "name: x\npcl: { extend: ../strict.pcl.toml }\n");
    let error = ["examples/small/main.pp error[PCL0701]"];
    assert_eq!(reported(&place, "examples/small"), error);
}

#[test]
fn a_file_that_is_extended_is_read_once() {
    let place = repository("once");
    place.write("base.pcl.toml", "selct = []\n");
    place.write("shop/pcl.toml", "extend = \"../base.pcl.toml\"\n");
    place.write("examples/pcl.toml", "extend = \"../base.pcl.toml\"\n");
    let run = check(&place, "-r .");
    assert_eq!(run.status, 2);
    let expected = "base.pcl.toml:1:1: error[PCL0022] unknown setting `selct`\n";
    assert_eq!(run.stdout, expected);
    assert_eq!(run.stderr.matches("not checked").count(), 1, "{}", run.stderr);
}

#[test]
fn what_cannot_be_extended_is_an_error() {
    let place = repository("refused");
    let outside = scratch("overrides-outside");
    outside.write("x.pcl.toml", "secret = 1\n");
    let outside = outside.join("x.pcl.toml").display().to_string();
    place.write("loop.pcl.toml", "extend = \"shop/pcl.toml\"\n");
    place.write("notes.toml", "x = 1\n");
    let cases = [
        ("1", "`extend` expects a string, found an integer"),
        ("\"gone.pcl.toml\"", "`gone.pcl.toml` is not valid for `extend`: there is no such file"),
        ("\"../notes.toml\"", "the name of the file has to be `pcl.toml` or to end in `.pcl.toml`"),
        ("\"..\"", "the name of the file has to be `pcl.toml`"),
        ("\"pcl.toml\"", "a file cannot extend itself"),
        ("\"//host/pcl.toml\"", "a path of the network cannot be set in a file of a project"),
        (&format!("'{outside}'"), "it is outside of the git repository"),
    ];
    for (value, expected) in cases {
        place.write("shop/pcl.toml", format!("extend = {value}\n"));
        let run = check(&place, "shop");
        assert_eq!(run.status, 2, "{value}");
        assert!(run.stdout.starts_with("shop/pcl.toml:1:10: error[PCL0021] "), "{}", run.stdout);
        assert!(run.stdout.contains(expected), "{}", run.stdout);
        assert!(!run.stdout.contains("secret"), "{}", run.stdout);
        assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    }
    place.write("shop/pcl.toml", "extend = \"../loop.pcl.toml\"\n");
    let run = check(&place, "shop");
    let expected = "loop.pcl.toml:1:10: error[PCL0021] `shop/pcl.toml` is not valid for `extend`: \
                    it extends this file\n";
    assert_eq!((run.status, &*run.stdout), (2, expected));
}

/// Paths in a file that several links lead to are relative to each link.
#[cfg(unix)]
#[test]
fn a_linked_file_is_read_at_each_link() {
    let place = repository("links");
    let text = "select = [\"unused\"]\n[[overrides]]\nfiles = [\"/main.pp\"]\nselect = []\n";
    place.write("base.toml", text);
    for program in ["shop", "examples/small"] {
        let link = place.join(program).join("pcl.toml");
        std::os::unix::fs::symlink(place.join("base.toml"), link).expect("a link is made");
    }
    assert_eq!(reported(&place, "-r ."), ["shop/gen.pp warning[PCL0701]"]);
}

/// A link cannot lead out of the repository.
#[cfg(unix)]
#[test]
fn a_link_out_of_the_repository_is_not_followed() {
    let place = repository("link");
    let outside = scratch("overrides-link-outside");
    outside.write("x.pcl.toml", "secret = 1\n");
    let target = outside.join("x.pcl.toml");
    std::os::unix::fs::symlink(target, place.join("x.pcl.toml")).expect("a link is made");
    place.write("shop/pcl.toml", "extend = \"../x.pcl.toml\"\n");
    let run = check(&place, "shop");
    assert_eq!(run.status, 2);
    assert!(run.stdout.contains("it is outside of the git repository"), "{}", run.stdout);
}

#[test]
fn an_override_has_files_and_levels_only() {
    let place = repository("wrong");
    let cases = [
        ("overrides = 1", "1:13: error[PCL0021] `overrides` expects a list of tables, found "),
        ("[overrides]\nfiles = [\"a\"]", "1:1: error[PCL0021] `overrides` expects a list of "),
        ("[[overrides]]\nignore = [\"unused\"]", "1:1: error[PCL0021] an override needs `files`\n"),
        ("[[overrides]]\nfiles = \"a\"", "2:9: error[PCL0021] `files` expects a list of strings"),
        ("[[overrides]]\nfiles = []", "2:9: error[PCL0021] `files` expects at least one glob"),
        ("[[overrides]]\nfiles = [1]", "2:10: error[PCL0021] `files` expects a string, found an "),
        ("[[overrides]]\nfiles = [\"{a\"]", "2:10: error[PCL0021] `{a` is not valid for `files`: "),
        (
            "[[overrides]]\nfiles = [\"a\"]\ncompat = \"none\"",
            "3:1: error[PCL0021] `compat` cannot be set for some files only\n",
        ),
        (
            "[[overrides]]\nfiles = [\"a\"]\nrules = {}",
            "3:1: error[PCL0022] unknown setting `rules`\n",
        ),
        (
            "[[overrides]]\nfiles = [\"a\"]\nlevels = { unused = \"off\" }",
            "3:21: error[PCL0021] `unused` expects `error`, `warn` or `ignore`, found `off`\n",
        ),
    ];
    for (file, expected) in cases {
        place.write("pcl.toml", file);
        let run = check(&place, "shop");
        assert_eq!(run.status, 2, "{file}");
        let expected = format!("pcl.toml:{expected}");
        assert!(run.stdout.starts_with(&expected), "{}\n{expected}", run.stdout);
        assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    }
    for (name, meant) in [("per-file-ignores", "overrides"), ("extends", "extend")] {
        place.write("pcl.toml", format!("{name} = []\n"));
        let run = place.run("check shop");
        assert!(run.stdout.contains(&format!("did you mean `{meant}`?")), "{}", run.stdout);
    }
    // Flags and the environment have no files.
    let run = place.run("check shop --isolated --setting overrides=[]");
    assert!(run.stderr.contains("unknown setting `overrides`"), "{}", run.stderr);
}
