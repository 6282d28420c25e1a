//! The limits of files, as SECURITY.md lists them: each is an error, or a warning where the file is
//! optional, and nobody reads what is above it.

use std::fs::File;

use pcl_test_support::{command, run, scratch, write};

const MEBI: u64 = 1 << 20;

/// A file that is one byte too large, and a command that would read it.
const LARGE: [(&str, u64, &str, i32); 10] = [
    ("main.pp", 256, "check", 2),
    ("schemas/zoo.json", 1024, "schema check schemas/zoo.json", 2),
    ("state.json", 1024, "state ls state.json", 2),
    ("mock.json", 64, "preview --mock mock.json", 2),
    ("pcl.toml", 16, "check", 2),
    ("Pulumi.yaml", 16, "check", 2),
    ("Pulumi.dev.yaml", 16, "preview --stack dev", 2),
    ("schemas/pcl-schemas.lock", 16, "schema sync --locked", 2),
    (".pclignore", 1, "check -r", 0),
    ("sub/.gitignore", 1, "check -r", 0),
];

#[test]
fn every_kind_of_file_has_a_limit() {
    for (file, limit, arguments, status) in LARGE {
        let place = scratch("hostile-limits");
        write(&place.join("Pulumi.yaml"), "name: shop\nruntime: pcl\n");
        write(&place.join("main.pp"), "resource cage \"zoo:index:Cage\" {\n}\n");
        write(
            &place.join("schemas/zoo.json"),
            r#"{"name": "zoo", "resources": {"zoo:index:Cage": {}}}"#,
        );
        write(&place.join("sub/main.pp"), "a = 1\n");
        write(&place.join(".git/HEAD"), "");
        // All of it is a hole that takes no room.
        let large = File::create(place.join(file)).expect("a file");
        large.set_len(limit * MEBI + 1).expect("a hole");
        let mut command = command();
        command.args(arguments.split(' ')).current_dir(&*place);
        let run = run(command, b"");
        let all = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.status, status, "{file}: {all}");
        let said = match limit {
            1024 => "larger than 1 GiB".to_owned(),
            limit => format!("larger than {limit} MiB"),
        };
        assert!(all.contains(&said), "{file}: {all}");
    }
}
