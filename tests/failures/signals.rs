//! Signals while files are written.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::{growing, names, shown};
use pcl_test_support::{command, scratch, write};

/// Whenever the signal arrives, every file is whole, and there are no others.
#[test]
fn a_signal_while_files_are_formatted() {
    const FILES: usize = 40;
    let (old, new) = growing(5_000);
    let directory = scratch("failures-signal");
    let file_names: Vec<String> = (0..FILES).map(|nth| format!("f{nth:02}.pp")).collect();
    let mut was_interrupted = false;
    for (nth, signal) in [Signal::INT, Signal::TERM, Signal::HUP]
        .into_iter()
        .cycle()
        .take(12)
        .enumerate()
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
