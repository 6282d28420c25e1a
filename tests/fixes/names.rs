//! The law of names: no fix declares a name twice, neither alone nor with the others.
//!
//! The programs have several files, which use and declare a few names in the ways of PCL, of
//! Terraform and of Pulumi's libraries.

use std::path::Path;

use pcl::diagnostics::{Applicability, Code, Diagnostic, Fix, apply};
use pcl::{Checked, Fixes};
use pcl_test_support::Random;
use pcl_test_support::fixes::Program;

use crate::inputs::Set;

/// Items that declare the name `N` or use it.
const ITEMS: [&str; 22] = [
    "config \"N\" \"string\" {\n}\n",
    "N = 1\n",
    "output \"N\" {\n  value = config.get(\"N\")\n}\n",
    "x = config.get(\"N\")\n",
    "x = \"${config.requireSecret(\"N\")}\"\n",
    "N = config.require(\"N\")\n",
    "N = cfg.getInt(\"M\")\n",
    "const N = new pulumi.Config().get(\"N\");\n",
    "const x = config.requireInt(\"N\");\n",
    "variable \"N\" {\n}\n",
    "variable \"N\" {\n  type = string\n}\n",
    "locals {\n  N = 1\n}\n",
    "locals {\n  M = 1\n  N = 2\n}\n",
    "module \"N\" {\n  source = \"./N\"\n}\n",
    "provider \"N\" {\n}\n",
    "resource \"toy:index:N\" {\n}\n",
    "read \"toy:index:N\" {\n}\n",
    "resource \"toy:index:M\" \"N\" {\n}\n",
    "resource \"toy_thing\" \"N\" {\n}\n",
    "resource \"N\" \"toy:index:M\" {\n  size = var.N\n}\n",
    "resource N, \"toy:index:M\" {\n}\n",
    "N 1\n",
];

/// The names. Few, so that they meet.
const NAMES: [&str; 3] = ["size", "zone", "null"];

/// The number of programs.
const PROGRAMS: usize = 400;

fn program(random: &mut Random, directory: &Path) -> Program {
    let mut files = Vec::new();
    for at in 0..1 + random.below(3) {
        let mut text = String::new();
        for item in 0..1 + random.below(4) {
            let mut names = [0, 1].map(|_| NAMES[random.below(NAMES.len())]);
            names.sort_unstable();
            let written = ITEMS[random.below(ITEMS.len())];
            let written = written.replace('N', names[0]).replace('M', names[1]);
            text.push_str(&written.replace("x =", &format!("x{at}{item} =")));
        }
        files.push((format!("f{at}.pp"), text));
    }
    Program { name: "names".to_owned(), directory: directory.to_owned(), files, original: None }
}

/// The names that are declared more than once, each as often as that is reported.
fn repeated(checked: &Checked) -> Vec<String> {
    let is_top = |diagnostic: &&Diagnostic| {
        matches!(diagnostic.code, Code::AlreadyDeclared | Code::BodyAttrRedefined)
    };
    let mut names: Vec<String> = (checked.diagnostics.iter().filter(is_top))
        .filter_map(|diagnostic| diagnostic.message.split('`').nth(1))
        .map(str::to_owned)
        .collect();
    names.sort_unstable();
    names
}

/// The names that a fix declares again: those reported more often than before.
fn declared_again(before: &Checked, after: &Checked) -> Vec<String> {
    let mut left = repeated(before);
    let mut new = repeated(after);
    new.retain(|name| match left.iter().position(|known| known == name) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    });
    new
}

fn fixed(program: &Program, checked: &Checked, fix: &Fix) -> Program {
    let mut fixed = program.clone();
    for (file, (_, text)) in checked.program.module.files.iter().zip(&mut fixed.files) {
        *text = apply(&checked.sources, *file, std::slice::from_ref(fix)).0;
    }
    fixed
}

/// Applies each fix of many programs alone, and all of them together.
pub fn none_is_declared_twice(seed: u64, directory: &Path) {
    let set = Set::new(Vec::new(), Vec::new());
    let check = |program: &Program| set.workspace.check(&program.target());
    let mut random = Random::new(seed);
    let mut applied = 0;
    for _ in 0..PROGRAMS {
        let program = program(&mut random, directory);
        let before = check(&program);
        for diagnostic in &before.diagnostics {
            for fix in &diagnostic.fixes {
                if fix.applicability == Applicability::DisplayOnly {
                    continue;
                }
                let fixed = fixed(&program, &before, fix);
                let again = declared_again(&before, &check(&fixed));
                let (from, to) = (&program.files, &fixed.files);
                assert!(again.is_empty(), "{}: {again:?}\n{from:#?}\n{to:#?}", fix.title);
                applied += 1;
            }
        }
        for fixes in [Fixes::Safe, Fixes::Unsafe] {
            let fixed = set.workspace.fix(&program.target(), fixes, |_, _| true);
            let again = declared_again(&before, &fixed.checked);
            let (from, to) = (&program.files, &fixed.files);
            assert!(again.is_empty(), "{fixes:?}: {again:?}\n{from:#?}\n{to:#?}");
        }
    }
    assert!(applied > PROGRAMS, "{applied} fixes");
    every_use_finds_the_declaration(&set, directory);
}

/// Calls that read one variable, in one file or in several: the fix of one declares it, and those
/// of the others use it.
fn every_use_finds_the_declaration(set: &Set, directory: &Path) {
    let reads = [
        "output \"a\" {\n  value = config.get(\"size\")\n}\n",
        "output \"b\" {\n  value = config.requireSecret(\"size\")\n}\n",
        "output \"size\" {\n  value = config.getInt(\"size\")\n}\n",
    ];
    let together = vec![("main.pp".to_owned(), reads.concat())];
    let apart = reads.iter().zip(["a.pp", "b.pp", "c.pp"]);
    let apart = apart.map(|(text, name)| (name.to_owned(), (*text).to_owned()));
    for files in [together, apart.collect()] {
        let program = Program {
            name: "reads".to_owned(),
            directory: directory.to_owned(),
            files,
            original: None,
        };
        let target = program.target();
        let fixed = set.workspace.fix(&target, Fixes::Unsafe, |_, _| true);
        let text: String = fixed.files.iter().map(|file| &*file.new).collect();
        assert!(fixed.checked.is_valid(), "{text}");
        assert_eq!(text.matches("config \"size\"").count(), 1, "{text}");
        assert!(text.contains("value = secret(size)"), "{text}");
    }
}
