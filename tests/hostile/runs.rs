//! Programs that compute, build or read without end. Each run ends soon with one PCL1007 at a
//! place, in a memory that is limited.

use std::process::Command;

use crate::program;
use pcl_test_support::{Run, command, run, scratch, write};

/// The most address space of a run, in KiB.
const MEMORY: u32 = 500_000;

/// The most seconds of processor time of a run; it is a debug build that runs.
const SECONDS: u32 = 60;

/// Previews a program with limits of the system.
fn preview(name: &str, source: &str, arguments: &[&str]) -> Run {
    preview_in(MEMORY, name, source, arguments)
}

/// Previews a program in so many KiB of address space.
fn preview_in(memory: u32, name: &str, source: &str, arguments: &[&str]) -> Run {
    let directory = program(name, &[("main.pp", source.as_bytes())]);
    let pcl = command();
    let mut limited = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        let script = format!("ulimit -v {memory} && ulimit -t {SECONDS} && exec \"$@\"");
        shell.args(["-c", &script, "sh"]).arg(pcl.get_program());
        shell
    } else {
        Command::new(pcl.get_program())
    };
    limited.args(["preview", "--missing-schema", "ignore"]).args(arguments).arg(&*directory);
    run(limited, b"")
}

/// The run ends with one PCL1007, at this line and column.
#[track_caller]
fn ends(name: &str, source: &str, arguments: &[&str], place: &str) {
    let run = preview(name, source, arguments);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let codes = run.stderr.matches("error[").count();
    assert_eq!((codes, run.stderr.matches("error[PCL1007]").count()), (1, 1), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("main.pp:{place}")), "{}", run.stderr);
}

/// An expression for a list of so many thousand elements, longer than `range` makes.
fn list_of(thousands: usize) -> String {
    let thousand = "0".repeat(1_000);
    format!("split(\"\", join(\"\", [for i in range({thousands}) : \"{thousand}\"]))")
}

/// A list of ones.
fn ones(count: usize) -> String {
    format!("l = [{}]\n", "1, ".repeat(count))
}

#[test]
fn parts_are_counted_while_a_loop_builds() {
    for rounds in [3, 90, 1000] {
        let program = format!(
            "{}x = [for a in range({rounds}) : [for b in l : [for c in l : 1]]]\n",
            ones(1000)
        );
        ends("loops", &program, &[], "2:5");
    }
    let program =
        format!("{}x = [for a in l : {{ for b in l : \"${{b}}\" => l... }}]\n", ones(1000));
    ends("groups", &program, &[], "2:");
    let long = list_of(500);
    let program = format!("x = split(\"\", \"abcdefgh\")\ny = [for a in {long} : x][*][*]\n");
    ends("splats", &program, &[], "2:");
}

#[test]
fn texts_and_lists_that_a_function_makes() {
    let list = format!("y = split(\",\", \"{}\")\n", "a,".repeat(100_000));
    ends("split", &format!("{list}z = [for a in y : [for b in y : a]]\n"), &[], "2:");
    let million = list_of(1_000);
    let lists: String = (0..40).map(|at| format!("a{at} = {million}\n")).collect();
    ends("lists", &lists, &[], "5:");
    let texts = format!(
        "a = join(\"\", [for i in {million} : \"${{i}} is one number of many of them\"])\n\
         b = [for i in {million} : \"${{a}}${{i}}\"]\n"
    );
    ends("texts", &texts, &[], "");
    let long = list_of(200);
    let objects = format!(
        "a = {{ for i, text in {long} : \"${{i}}\" => i }}\nb = [for i in {long} : entries(a)]\n"
    );
    ends("entries", &objects, &[], "2:");
}

#[test]
fn resources_of_a_range() {
    let resource = |name: &str, range: &str, input: &str| {
        format!(
            "resource {name} \"a:b:C\" {{\n  options {{\n    range = {range}\n  }}\n  x = {input}\n}}\n"
        )
    };
    ends("range", &resource("r", "1000000", "range.value"), &[], "3:13");
    ends("range-of-list", &resource("r", &list_of(1_000), "range.value"), &[], "3:13");
    // Several that are below the limit add up.
    let several: String = (0..4).map(|at| resource(&format!("r{at}"), "50000", "1")).collect();
    ends("ranges", &several, &[], "");
    // So do their inputs, and those of single resources.
    let large = format!("a = {}\n{}", list_of(100), resource("r", "1000", "a"));
    ends("range-with-inputs", &large, &[], "");
    let single: String =
        (0..20).map(|at| format!("resource r{at} \"a:b:C\" {{\n  x = a\n}}\n")).collect();
    ends("inputs", &format!("a = {}\n{single}", list_of(1_000)), &[], "");
}

#[test]
fn components_of_components() {
    let directory = scratch("hostile-components");
    let text = |below: &str| {
        format!("component a \"{below}\" {{\n  options {{\n    range = 200\n  }}\n}}\n")
    };
    write(&directory.join("main.pp"), text("./b"));
    write(&directory.join("b/main.pp"), text("../c"));
    write(&directory.join("c/main.pp"), text("../d"));
    write(&directory.join("d/main.pp"), "resource r \"a:b:C\" {}\n");
    let mut pcl = command();
    pcl.args(["preview", "--missing-schema", "ignore"]).arg(&*directory);
    let run = run(pcl, b"");
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert_eq!(run.stderr.matches("error[PCL1007]").count(), 1, "{}", run.stderr);
}

#[test]
fn steps_without_a_result() {
    let program = format!(
        "{}x = [for a in l : 1 if length([for b in l : b if length([for c in l : c if false]) > 0]) > 0]\n",
        ones(500)
    );
    let steps = ["--max-steps", "1000000"];
    ends("steps", &program, &steps, "2:");
    let [long, million] = [100, 1_000].map(list_of);
    let program = format!("x = [for a in {long} : can([for b in {long} : b / 0])]\n");
    ends("failures", &program, &steps, "1:");
    let program = format!("a = {million}\nx = [for b in {long} : 1 if a == [for c in a : c]]\n");
    ends("comparisons", &program, &[], "2:");
    let program = format!("x = [for a in {long} : try({million}, {million})]\n");
    ends("tries", &program, &[], "1:");
}

/// A check tries a program, as an editor does after each edit. It gives up early, and says nothing
/// then: the program may run with other limits.
#[cfg(unix)]
#[test]
fn a_check_takes_few_steps() {
    let program = format!(
        "{}x = [for a in l : 1 if length([for b in l : b if length([for c in l : c if false]) > 0]) > 0]\n",
        ones(2000)
    );
    for defaults in ["", "config \"size\" \"int\" {\n  default = 1\n}\n"] {
        let program = format!("{defaults}{program}");
        let directory = crate::program("check-steps", &[("main.pp", program.as_bytes())]);
        let mut pcl = Command::new("sh");
        pcl.args(["-c", "ulimit -t 10 && exec \"$@\"", "sh"]);
        pcl.arg(command().get_program()).arg("check").arg(&*directory);
        let check = run(pcl, b"");
        assert_eq!((check.status, &*check.stdout), (0, ""), "{}", check.stderr);
    }
}

#[test]
fn files_of_archives() {
    let directory = scratch("hostile-archives");
    write(&directory.join("main.pp"), "x = fileArchive(\"files\")\ny = fileAsset(\"large\")\n");
    for at in 0..50 {
        write(&directory.join(format!("files/{at}")), "x");
    }
    write(&directory.join("large"), "x".repeat(5000));
    let preview = |arguments: &[&str]| {
        let mut pcl = command();
        pcl.arg("preview").arg(&*directory).args(arguments);
        run(pcl, b"")
    };
    assert_eq!(preview(&[]).status, 0);
    for (arguments, place) in
        [(["--max-files", "40"], "1:17"), (["--max-file-bytes", "4000"], "2:15")]
    {
        let run = preview(&arguments);
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert_eq!(run.stderr.matches("error[PCL1007]").count(), 1, "{}", run.stderr);
        assert!(run.stderr.contains(&format!("main.pp:{place}")), "{}", run.stderr);
    }
}

/// A loop reports a limited number of errors.
#[test]
fn failures_of_all_rounds() {
    let million = list_of(1_000);
    let program = format!("x = [for a in {million} : [for b in range(9) : b / 0]]\n");
    let run = preview("rounds", &program, &[]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.len() < 100_000, "{}", run.stderr.len());
}

/// The rounds of a loop and the instances of a resource that fail at one place are one mistake.
#[test]
fn a_mistake_in_a_loop_is_reported_once() {
    let loops = format!("x = [for a in {} : 1 / 0]\n", list_of(1_000));
    let inner = "x = [for a in range(1000) : [for b in range(9) : a / (b - b)]]\n";
    let instances = "zero = 1 - 1\nresource r \"a:b:C\" {\n  options {\n    range = 9\n  }\n  x = 1 / zero\n}\n";
    for (name, program) in [("loop", &*loops), ("inner", inner), ("instances", instances)] {
        let run = preview(&format!("once-{name}"), program, &[]);
        assert_eq!(run.status, 1);
        assert_eq!(run.stderr.matches("error[").count(), 1, "{}", run.stderr);
    }
}

/// The node that comes to a limit of the run is the same, however many are evaluated at once.
#[test]
fn the_place_of_a_limit_does_not_depend_on_threads() {
    let program: String = (0..40)
        .map(|at| {
            format!(
                "resource r{at} \"a:b:C\" {{\n  options {{\n    range = 20\n  }}\n  \
                 x = length([for a in range(200) : a])\n}}\n"
            )
        })
        .collect();
    let limited = |threads: &str| {
        let arguments = ["--max-steps", "100000", "--parallel", threads];
        // The stack of each thread takes 16 MiB of the address space, which is not memory.
        let run = preview_in(MEMORY + 40 * (16 << 10), "threads", &program, &arguments);
        assert!(run.stderr.contains("error[PCL1007]"), "{}", run.stderr);
        let place = run.stderr.split_once("main.pp");
        place.map(|(_, place)| place.to_owned())
    };
    let one = limited("1");
    for threads in ["2", "8", "0"] {
        assert_eq!(limited(threads), one);
    }
}

/// An instance of a resource costs its inputs and 1 kB at most, even if its id is read: the process
/// itself takes 80 MB of the limit, and 1.7 kB each would be too much.
#[cfg(target_os = "linux")]
#[test]
fn an_instance_costs_little() {
    let program = concat!(
        "resource r \"a:b:C\" {\n",
        "  length = 3\n",
        "  prefix = \"p-${range.value}\"\n",
        "  options {\n    range = 100000\n  }\n",
        "}\n",
        "output ids {\n  value = [for one in r : one.id]\n}\n",
    );
    let run = preview_in(250_000, "instances", program, &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
}
