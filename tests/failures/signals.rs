//! Signals while files are written.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::{growing, names, shown};
use pcl_test_support::{command, pcl, scratch, write};

/// Whenever the signal arrives, every file is whole, and there are no others.
#[test]
fn a_signal_while_files_are_formatted() {
    const FILES: usize = 40;
    let (old, new) = growing(5_000);
    let directory = scratch("failures-signal");
    let file_names: Vec<String> = (0..FILES).map(|nth| format!("f{nth:02}.pp")).collect();
    let mut was_interrupted = false;
    for (nth, signal) in
        [Signal::INT, Signal::TERM, Signal::HUP].into_iter().cycle().take(12).enumerate()
    {
        for (at, name) in file_names.iter().enumerate() {
            write(&directory.join(name), &old);
            if at % 2 == 1 {
                // A second name: such files are written in place.
                let other = directory.join(format!("{name}.other"));
                let _ = fs::remove_file(&other);
                fs::hard_link(directory.join(name), other).unwrap();
            }
        }
        let before = names(&directory);
        let mut child = command()
            .args(["fmt", shown(&directory)])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let first = directory.join(&file_names[0]);
        // From the first written file on, at another moment each time.
        while fs::read(&first).unwrap() == old.as_bytes() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(700 * nth as u64));
        let pid = Pid::from_child(&child);
        let _ = kill_process(pid, signal);
        let status = child.wait().expect("it ends");
        was_interrupted |= status.code().is_none();
        for name in &file_names {
            let content = fs::read_to_string(directory.join(name)).unwrap();
            assert!(content == old || content == new, "{name} is not whole");
        }
        assert_eq!(names(&directory), before);
    }
    assert!(was_interrupted, "every signal came too late");
}

/// A process that is killed says nothing. A file is whole, or has its old content in a backup
/// beside it; the next run names everything that is left.
#[test]
fn a_run_that_is_killed_leaves_nothing_unnamed() {
    const FILES: usize = 20;
    let (old, new) = growing(5_000);
    let directory = scratch("failures-killed");
    for nth in 0..16 {
        for at in 0..FILES {
            let file = directory.join(format!("f{at:02}.pp"));
            write(&file, &old);
            // A second name: such files are written in place.
            let _ = fs::hard_link(file, directory.join(format!("f{at:02}.other")));
        }
        let before = names(&directory);
        let mut child = command()
            .args(["fmt", shown(&directory)])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let first = directory.join("f00.pp");
        while fs::read(&first).unwrap() == old.as_bytes() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(300 * nth));
        let _ = kill_process(Pid::from_child(&child), Signal::KILL);
        child.wait().expect("it ends");
        let after = names(&directory);
        let left: Vec<&String> = after.iter().filter(|name| !before.contains(name)).collect();
        for at in 0..FILES {
            let content = fs::read_to_string(directory.join(format!("f{at:02}.pp"))).unwrap();
            let start = format!("f{at:02}.pp.");
            let mut backups = left.iter().filter(|name| name.starts_with(&start));
            let is_saved =
                backups.any(|name| fs::read_to_string(directory.join(name)).unwrap() == old);
            assert!(content == old || content == new || is_saved, "f{at:02} is lost");
        }
        let again = pcl(["fmt", "--check", shown(&directory)]);
        assert_eq!(again.stderr.matches("warning: `").count(), left.len(), "{}", again.stderr);
        for name in left {
            assert!(again.stderr.contains(name.as_str()), "{}", again.stderr);
            fs::remove_file(directory.join(name)).unwrap();
        }
    }
}

#[test]
fn what_a_run_has_left_is_named_by_the_next_one_that_writes() {
    let directory = scratch("failures-left");
    write(&directory.join("main.pp"), "a = 1\n");
    write(&directory.join("main.pp.a1B2c3.backup"), "a = 0\n");
    write(&directory.join(".pcl-a1B2c3.tmp"), "a = 2\n");
    for arguments in
        [&["fmt"][..], &["fmt", "--check"], &["check", "--fix"], &["check", "--fix", "--diff"]]
    {
        for path in [&*directory, &directory.join("main.pp")] {
            let run = pcl([arguments, &[shown(path)]].concat());
            assert_eq!(run.stderr.matches("warning: ").count(), 2, "{}", run.stderr);
            for name in
                ["main.pp.a1B2c3.backup` has the content that `", ".pcl-a1B2c3.tmp` is left"]
            {
                assert!(run.stderr.contains(name), "{}", run.stderr);
            }
        }
    }
    assert_eq!(names(&directory).len(), 3, "nothing is removed");
}
