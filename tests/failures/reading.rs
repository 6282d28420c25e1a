//! Files that cannot be read, or should not be: nothing blocks, and nothing passes for checked.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::{Unprivileged, below, make_fifo, names, pcl_below, public_scratch, set_mode, shown};
use pcl_test_support::skip;
use pcl_test_support::{Run, command, pcl, root, run, scratch, write};

const SCHEMA: &str = "{\"name\": \"zoo\", \"version\": \"1.0.0\", \"resources\": \
    {\"zoo:index:Cage\": {}}}";
const CAGE: &str = "resource cage \"zoo:index:Cage\" {}\n";

fn check(arguments: &[&str]) -> Run {
    let concise = ["--output-format", "concise"];
    pcl(["check"].iter().chain(arguments).chain(&concise))
}

#[test]
fn programs_that_are_no_files() {
    let directory = scratch("failures-no-files");
    make_fifo(&directory.join("fifo.pp"));
    symlink("/dev/zero", directory.join("device.pp")).unwrap();
    std::os::unix::net::UnixListener::bind(directory.join("socket.pp")).unwrap();
    for (name, kind) in
        [("fifo.pp", "a pipe"), ("device.pp", "a device"), ("socket.pp", "a socket")]
    {
        for path in [directory.join(name), directory.to_path_buf()] {
            let run = check(&[shown(&path)]);
            assert_eq!(run.status, 2, "{}", run.stdout);
            let told = format!("it is {kind}, not a regular file");
            assert!(run.stdout.contains(&told), "{}", run.stdout);
        }
    }
    for command in ["fmt", "dump tokens", "dump bound"] {
        let run = pcl(command.split(' ').chain([shown(&directory)]));
        assert_eq!(run.status, 2, "{command}: {}", run.stderr);
    }
    let caller = directory.join("caller");
    write(&caller.join("main.pp"), "component c \"..\" {}\n");
    assert_eq!(check(&[shown(&caller)]).status, 2);
}

#[test]
fn schemas_that_are_no_files() {
    let directory = scratch("failures-no-schemas");
    let call = "found = invoke(\"zoo:index:find\", {})\n";
    write(&directory.join("main.pp"), CAGE.to_owned() + call);
    let schemas = directory.join("named");
    fs::create_dir(&schemas).unwrap();
    let fifo = schemas.join("zoo.json");
    make_fifo(&fifo);
    let program = shown(&directory);
    let by_name = format!("zoo={}", shown(&fifo));
    for place in [["--schema-dir", shown(&schemas)], ["--schema", &by_name]] {
        for missing in ["error", "warn", "ignore"] {
            let run = pcl(["check", place[0], place[1], "--missing-schema", missing, program]);
            assert_eq!(run.status, 2, "{}{}", run.stdout, run.stderr);
            let told = format!("{}{}", run.stdout, run.stderr);
            assert!(told.contains("pipe"), "{told}");
            let diagnostics = run.stdout.matches("error[PCL0001]").count();
            // A file that is named is tried before anything is checked.
            let expected = if place[0] == "--schema" { 0 } else { 2 };
            assert_eq!(diagnostics, expected, "{told}");
        }
    }
    let run = pcl(["schema", "check", shown(&fifo)]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    fs::remove_file(&fifo).unwrap();
    symlink("/dev/zero", &fifo).unwrap();
    let run = pcl(["schema", "check", shown(&fifo)]);
    assert_eq!(run.status, 2, "{}", run.stdout);
}

/// Files beside a program that are not part of it are ignored, and block nothing either.
#[test]
fn project_files_and_caches_that_are_no_files() {
    let directory = scratch("failures-no-cache");
    write(&directory.join("main.pp"), CAGE);
    write(&directory.join("schemas/zoo.json"), large_schema());
    make_fifo(&directory.join("Pulumi.yaml"));
    let cache = directory.join("cache");
    let check = || {
        let mut command = command();
        command.args(["check", shown(&directory)]).env("PCL_CACHE_DIR", &cache);
        run(command, &[])
    };
    // An index is only cached for a file that was not just written.
    let an_hour_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
    let schema = fs::File::options().write(true).open(directory.join("schemas/zoo.json"));
    schema.unwrap().set_modified(an_hour_ago).unwrap();
    std::thread::sleep(Duration::from_millis(2100));
    assert_eq!(check().status, 0);
    let [index] = &names(&cache.join("schemas"))[..] else {
        panic!("no index is kept");
    };
    let index = cache.join("schemas").join(index);
    let whole = fs::read(&index).unwrap();
    type Damage = fn(&Path, &[u8]);
    let damages: [Damage; 5] = [
        |index, _| make_fifo(index),
        |index, _| symlink("/dev/zero", index).unwrap(),
        |index, _| fs::create_dir(index).unwrap(),
        |index, whole| fs::write(index, &whole[..whole.len() / 2]).unwrap(),
        |index, whole| fs::write(index, vec![0; whole.len()]).unwrap(),
    ];
    for damage in damages {
        let _ = fs::remove_file(&index);
        damage(&index, &whole);
        let run = check();
        assert_eq!(run.status, 0, "{}", run.stdout);
        if index.is_dir() {
            fs::remove_dir(&index).unwrap();
        }
    }
}

/// A schema of more than a megabyte, of which an index is kept.
fn large_schema() -> String {
    let cages: Vec<String> =
        (0..40_000).map(|nth| format!("\"zoo:index:Cage{nth}\": {{}}")).collect();
    let more = format!("{}, \"zoo:index:Cage\": ", cages.join(", "));
    SCHEMA.replace("\"zoo:index:Cage\": ", &more)
}

#[test]
fn a_cache_that_cannot_be_written() {
    let (directory, nobody) = (public_scratch(), Unprivileged::new());
    let directory = directory.path();
    write(&directory.join("main.pp"), CAGE);
    write(&directory.join("schemas/zoo.json"), large_schema());
    let cache = directory.join("cache");
    for mode in [0o555, 0o000] {
        fs::create_dir(&cache).unwrap();
        set_mode(&cache, mode);
        let mut command = nobody.command();
        command.args(["check", shown(directory)]).env("PCL_CACHE_DIR", &cache);
        let run = run(command, &[]);
        assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
        fs::remove_dir(&cache).unwrap();
    }
}

#[test]
fn files_above_the_limit() {
    let directory = scratch("failures-large");
    let file = directory.join("main.pp");
    fs::File::create(&file).unwrap().set_len(3 << 30).unwrap();
    for command in ["check", "fmt", "dump tree"] {
        let arguments: Vec<&str> = command.split(' ').chain([shown(&file)]).collect();
        let run = pcl_below("ulimit -v 1000000", &arguments);
        assert_eq!(run.status, 2, "{command}: {}", run.stderr);
        let told = format!("{}{}", run.stdout, run.stderr);
        assert!(told.contains("PCL0003"), "{command}: {told}");
        assert!(told.contains("larger than 256 MiB"), "{command}: {told}");
    }
    let mut endless = below("ulimit -v 2000000", &["check", "-"]);
    endless.stdin(fs::File::open("/dev/zero").unwrap());
    let output = endless.output().expect("the command runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("larger than 256 MiB"), "{told}");
}

/// Directories may be called like files; a link counts as what it leads to.
#[test]
fn directories_that_are_called_like_programs() {
    let directory = scratch("failures-directories");
    write(&directory.join("main.pp"), "x = 1\n");
    write(&directory.join("sub.pp/main.pp"), "y = missing\n");
    fs::create_dir(directory.join("empty")).unwrap();
    symlink("../sub.pp", directory.join("empty/link.pp")).unwrap();
    let run = check(&[shown(&directory)]);
    assert_eq!(run.status, 0, "{}", run.stdout);
    let run = check(&["-r", shown(&directory)]);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(run.stderr.contains("checked 2 programs"), "{}", run.stderr);
    let run = check(&[shown(&directory.join("empty/link.pp"))]);
    assert_eq!(run.status, 1, "{}", run.stdout);
}

#[test]
fn names_that_are_not_utf8() {
    let directory = scratch("failures-names-in-bytes");
    write(&directory.join("main.pp"), "x=1\n");
    let name = OsString::from_vec(b"caf\xe9.pp".to_vec());
    if fs::write(directory.join(&name), "y=missing\n").is_err() {
        skip("PCL_REQUIRE_SYSTEM", "names of files must be UTF-8 here");
        return;
    }
    for command in [&["check"][..], &["check", "-r"], &["fmt", "-r"], &["dump", "ast"]] {
        let run = pcl(command.iter().chain(&[shown(&directory)]));
        assert_eq!(run.status, 2, "{command:?}: {}", run.stderr);
        let told = format!("{}{}", run.stdout, run.stderr);
        assert!(told.contains("its name is not UTF-8"), "{command:?}: {told}");
    }
    assert_eq!(fs::read(directory.join(&name)).unwrap(), b"y=missing\n");
    let mut by_name = command();
    by_name.arg("check").arg(directory.join(&name));
    assert_eq!(run(by_name, &[]).status, 2);
    let caller = directory.join("caller");
    write(&caller.join("main.pp"), "component c \"..\" {}\n");
    let run = check(&[shown(&caller)]);
    assert_eq!(run.status, 2, "{}", run.stdout);
}

/// No system call accepts a path this long, so the file there cannot be read.
#[test]
fn paths_beyond_the_limit() {
    let directory = scratch("failures-long-paths");
    write(&directory.join("main.pp"), "x = 1\n");
    let name = "d".repeat(200);
    let mut place =
        rustix::fs::open(&*directory, rustix::fs::OFlags::DIRECTORY, rustix::fs::Mode::empty())
            .unwrap();
    for _ in 0..25 {
        rustix::fs::mkdirat(&place, &name, rustix::fs::Mode::RWXU).unwrap();
        let flags = rustix::fs::OFlags::DIRECTORY;
        place = rustix::fs::openat(&place, &name, flags, rustix::fs::Mode::empty()).unwrap();
    }
    for command in ["check", "fmt"] {
        let run = pcl([command, "-r", shown(&directory)]);
        assert_eq!(run.status, 2, "{command}: {}", run.stderr);
        let told = format!("{}{}", run.stdout, run.stderr);
        assert!(told.contains("File name too long"), "{command}: {told}");
    }
}

#[test]
fn directories_that_may_not_be_read() {
    let (directory, nobody) = (public_scratch(), Unprivileged::new());
    let directory = directory.path();
    write(&directory.join("main.pp"), "x = 1\n");
    write(&directory.join("sub/main.pp"), "y = missing\n");
    write(&directory.join("caller/main.pp"), "component c \"../sub\" {}\n");
    write(&directory.join("user/main.pp"), CAGE);
    write(&directory.join("user/schemas/zoo.json"), SCHEMA);
    let caller = directory.join("caller");
    let user = directory.join("user");
    let closed = [directory.join("sub"), directory.join("user/schemas")];
    for place in &closed {
        set_mode(place, 0o000);
    }
    for arguments in [
        &["check", "-r", shown(directory)][..],
        &["fmt", "-r", shown(directory)],
        &["check", shown(&caller)],
        &["dump", "bound", shown(&caller)],
        &["check", shown(&user)],
        &["check", "--missing-schema", "ignore", shown(&user)],
        &["check", "--schema-dir", shown(&closed[1]), shown(&user)],
    ] {
        let mut command = nobody.command();
        command.args(arguments);
        let run = run(command, &[]);
        assert_eq!(run.status, 2, "{arguments:?}: {}{}", run.stdout, run.stderr);
        let told = format!("{}{}", run.stdout, run.stderr);
        assert!(
            told.contains("your permissions") || told.contains("Permission denied"),
            "{arguments:?}: {told}"
        );
    }
    for place in &closed {
        set_mode(place, 0o777);
    }
}

/// While a program is checked, another process writes, cuts, replaces and removes its file and its
/// schema.
#[test]
fn files_that_change_while_they_are_read() {
    let directory = scratch("failures-changing");
    let (source, schema) = (directory.join("main.pp"), directory.join("schemas/zoo.json"));
    let program = CAGE.to_owned() + &"# filler\n".repeat(50_000);
    let large = large_schema();
    let (draft, is_over) = (directory.join("draft"), AtomicBool::new(false));
    write(&source, &program);
    write(&schema, &large);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for nth in 0.. {
                let (place, content) = match nth % 2 {
                    0 => (&source, program.as_bytes()),
                    _ => (&schema, large.as_bytes()),
                };
                let _ = match nth / 2 % 4 {
                    0 => fs::write(place, &content[..content.len() / 2]),
                    1 => fs::write(place, content),
                    2 => fs::write(&draft, content).and_then(|()| fs::rename(&draft, place)),
                    _ => fs::remove_file(place),
                };
                if is_over.load(Ordering::SeqCst) {
                    return;
                }
            }
        });
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(3) {
            for command in ["check", "fmt"] {
                let run = pcl([command, shown(&directory)]);
                assert!((0..=2).contains(&run.status), "{}", run.stderr);
            }
        }
        is_over.store(true, Ordering::SeqCst);
    });
}

/// Links that lead nowhere and in circles are reported, not followed.
#[test]
fn links_without_an_end() {
    let directory = scratch("failures-links");
    write(&directory.join("main.pp"), "x = 1\n");
    symlink("circle.pp", directory.join("circle.pp")).unwrap();
    symlink("nowhere", directory.join("dangling.pp")).unwrap();
    symlink(".", directory.join("self")).unwrap();
    let run = check(&["-r", shown(&directory)]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    for name in ["circle.pp", "dangling.pp"] {
        assert!(run.stdout.contains(name), "{}", run.stdout);
    }
}

/// A plugin directory whose marker file blocks.
#[test]
fn marker_files_that_are_no_files() {
    let home = scratch("failures-markers");
    let plugin = home.join("plugins/resource-zoo-v1.0.0");
    fs::create_dir_all(&plugin).unwrap();
    for name in ["PulumiPlugin.yaml", "schema-zoo.json"] {
        make_fifo(&plugin.join(name));
    }
    write(&home.join("program/main.pp"), CAGE);
    let mut command = command();
    command
        .args(["check", shown(&home.join("program"))])
        .env("PULUMI_HOME", &*home)
        .current_dir(root())
        .stdin(Stdio::null());
    let run = run(command, &[]);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(run.stdout.contains("PCL0408"), "{}", run.stdout);
}
