//! Little stack, little memory, many threads.

use crate::{pcl_below, shown};
use pcl_test_support::{scratch, write};

/// The smallest address space, in steps of 2 MB, in which the command starts at all.
fn smallest_address_space() -> usize {
    let starts = |kilobytes: &usize| {
        let limited = crate::below(&format!("ulimit -v {kilobytes}"), &["version"]).output();
        limited.is_ok_and(|output| output.status.success())
    };
    let sizes = (2_000..400_000).step_by(2_000);
    sizes.into_iter().find(starts).expect("the command starts")
}

#[test]
fn a_small_stack() {
    let directory = scratch("failures-small-stack");
    let nested = format!("a = {}1{}\n", "[".repeat(250), "]".repeat(250));
    write(&directory.join("main.pp"), nested);
    for command in ["check", "fmt", "dump bound", "dump ast"] {
        let arguments: Vec<&str> = command.split(' ').chain([shown(&directory)]).collect();
        let run = pcl_below("ulimit -s 256", &arguments);
        assert_eq!(run.status, 0, "{command}: {}", run.stderr);
    }
}

/// Memory that only makes it faster is not required.
#[test]
fn a_small_memory() {
    let directory = scratch("failures-small-memory");
    write(&directory.join("main.pp"), "x = 1\n");
    let least = smallest_address_space();
    let limit = format!("ulimit -v {}", least + 12_000);
    let run = pcl_below(&limit, &["check", shown(&directory)]);
    assert_eq!(run.status, 0, "{}", run.stderr);
}

/// With a small stack, the work needs a thread, for whose stack there is no memory.
#[test]
fn no_thread_at_all() {
    let least = smallest_address_space();
    let limits = format!("ulimit -s 256 && ulimit -v {}", least + 4_000);
    let run = pcl_below(&limits, &["check", "corpus/valid/webserver"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("cannot start a thread"), "{}", run.stderr);
}

/// A file that is too large for the memory cannot be read.
#[test]
fn no_memory_for_a_file() {
    let directory = scratch("failures-no-memory");
    let file = std::fs::File::create(directory.join("main.pp")).unwrap();
    file.set_len(200 << 20).unwrap();
    let run = pcl_below("ulimit -v 150000", &["check", shown(&directory)]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stdout.contains("PCL0001"), "{}", run.stdout);
}

#[test]
fn more_threads_than_anybody_needs() {
    let directory = scratch("failures-threads");
    for nth in 0..300 {
        write(&directory.join(format!("p{nth}/main.pp")), "x = 1\n");
    }
    let run = pcl_below("ulimit -v 1000000", &["check", "-r", "-j", "100000", shown(&directory)]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("300 programs"), "{}", run.stderr);
}
