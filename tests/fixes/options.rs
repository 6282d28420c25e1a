//! Options outside of the `options` block, of every kind and in every order: the fixes of a body
//! make one block.

use std::path::Path;

use pcl::Fixes;
use pcl_test_support::fixes::{Program, settles};
use pcl_test_support::{SCHEMAS, root};

use crate::inputs::Set;
use pcl_test_support::Random;

/// Items outside of the block, each with the option that it sets.
const DISPLACED: [(&str, &str); 8] = [
    ("  count = 2\n", "range"),
    ("  depends_on = [\n    other\n  ]\n", "dependsOn"),
    ("  provider = given # theirs\n", "provider"),
    ("  lifecycle {\n    prevent_destroy = true\n  }\n", "protect"),
    ("  lifecycle {\n    ignore_changes = [tags]\n  }\n", "ignoreChanges"),
    ("  retainOnDelete = true\n", "retainOnDelete"),
    ("  options = { deletedWith = other }\n", "deletedWith"),
    ("  opts = {\n    parent = other\n  }\n", "parent"),
];

/// Other items of the body.
const OTHERS: [&str; 4] = [
    "  cidr = \"10.0.0.0/16\"\n",
    "  # a comment\n",
    "\n",
    "  options {\n    version = \"2.1.0\"\n  }\n",
];

/// The number of programs.
const PROGRAMS: usize = 60;

/// A program with a resource, and the options that are outside of its block.
fn program(random: &mut Random, directory: &Path) -> (Program, Vec<&'static str>) {
    let mut items: Vec<&str> = vec![OTHERS[0]];
    items.extend(OTHERS[1..].iter().filter(|_| random.below(2) == 0));
    let mut options = Vec::new();
    for (text, option) in DISPLACED {
        if random.below(2) == 0 {
            items.push(text);
            options.push(option);
        }
    }
    for at in (1..items.len()).rev() {
        items.swap(at, random.below(at + 1));
    }
    let text = format!(
        "resource \"other\" \"harbor:network:Network\" {{\n  cidr = \"10.1.0.0/16\"\n}}\n\
         resource \"given\" \"pulumi:providers:harbor\" {{\n  region = \"north\"\n}}\n\
         resource \"main\" \"harbor:network:Network\" {{\n{}}}\n",
        items.concat()
    );
    let program = Program {
        name: text.clone(),
        directory: directory.to_owned(),
        files: vec![("main.pp".to_owned(), text)],
        original: None,
    };
    (program, options)
}

/// Every program keeps the laws, and ends with one block that has each option once.
pub fn all_in_one_block(seed: u64, directory: &Path) {
    let set = Set::new(vec![root().join(SCHEMAS)], Vec::new());
    let mut random = Random::new(seed);
    for _ in 0..PROGRAMS {
        let (program, options) = program(&mut random, directory);
        let fixed = set.workspace.fix(&program.target(), Fixes::Safe, |_, _| true);
        let text = fixed.files.first().map_or(&program.name, |file| &file.new);
        let blocks = text.matches("  options {").count();
        let had = program.name.contains("  options {");
        assert_eq!(blocks, usize::from(had || !options.is_empty()), "{text}");
        for option in options {
            let lines = text.lines().map(str::trim_start);
            let sets = lines.filter(|line| line.starts_with(&format!("{option} = ")));
            assert_eq!(sets.count(), 1, "{option}\n{text}");
        }
        assert!(fixed.checked.is_valid(), "{}\n{text}", program.name);
        assert_eq!(settles(&set.workspace, &program), Ok(()));
    }
}
