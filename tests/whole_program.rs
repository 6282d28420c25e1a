//! Files that are part of a program of several files: the diagnostics of one that is checked by
//! itself, and `--whole-programs`.

use pcl_test_support::{Run, Scratch, scratch};

/// A project of two files and a component of two files. Both have one mistake of their own.
fn project(name: &str) -> Scratch {
    let project = scratch(&format!("whole-program-{name}"));
    project.write("Pulumi.yaml", "name: shop\nruntime: pcl\n");
    let main = "a = size + zone\nb = size\nc = nowhere\ncomponent part \"./part\" {\n}\n";
    project.write("main.pp", main);
    project.write("config.pp", "config size int {}\nzone = 2\nd = missing\n");
    for directory in ["part", "alone"] {
        project.write(&format!("{directory}/one.pp"), "x = y\n");
        project.write(&format!("{directory}/two.pp"), "y = 1\n");
    }
    project
}

fn check_with_input(project: &Scratch, arguments: &str, input: &str) -> Run {
    let arguments = format!("check --output-format concise -q {arguments}");
    project.run_with_input(&arguments, input)
}

fn check(project: &Scratch, arguments: &str) -> String {
    check_with_input(project, arguments, "").stdout
}

#[test]
fn names_of_other_files_are_one_diagnostic() {
    let project = project("names");
    assert_eq!(
        check(&project, "main.pp"),
        "main.pp:1:5: error[PCL0201] 2 names are declared in other files of this program\n\
         main.pp:3:5: error[PCL0201] there is no variable `nowhere` here\n"
    );
    assert_eq!(
        check(&project, "part/one.pp"),
        "part/one.pp:1:5: error[PCL0201] `y` is declared in `two.pp`, another file of this program\n"
    );
    let run = project.run("check part/one.pp");
    assert!(run.stdout.contains("`pcl check part`"), "{}", run.stdout);
    assert_eq!(run.status, 1);
}

#[test]
fn directories_that_nothing_makes_a_program_are_left_alone() {
    let project = project("alone");
    std::fs::remove_file(project.join("Pulumi.yaml")).expect("it is there");
    assert_eq!(
        check(&project, "alone/one.pp"),
        "alone/one.pp:1:5: error[PCL0201] there is no variable `y` here\n"
    );
    // The component block still makes one of `part`.
    assert!(check(&project, "part/one.pp").contains("another file of this program"));
}

#[test]
fn compat_says_what_pulumi_says() {
    let project = project("compat");
    let said = check(&project, "--compat pulumi part/one.pp");
    assert_eq!(said, "part/one.pp:1:5: error[PCL0201] there is no variable `y` here\n");
}

#[test]
fn whole_programs_show_what_concerns_the_files() {
    let project = project("shown");
    let of_main = "main.pp:3:5: error[PCL0201] there is no variable `nowhere` here\n";
    let of_config = "config.pp:3:5: error[PCL0201] there is no variable `missing` here\n";
    assert_eq!(check(&project, "--whole-programs main.pp"), of_main);
    assert_eq!(check(&project, "--whole-programs config.pp"), of_config);
    assert_eq!(
        check(&project, "--whole-programs main.pp config.pp part/one.pp"),
        format!("{of_config}{of_main}")
    );
    // A program that is named as a whole is shown as a whole.
    assert_eq!(check(&project, "--whole-programs main.pp ."), format!("{of_config}{of_main}"));
}

#[test]
fn whole_programs_take_a_file_from_standard_input() {
    let project = project("input");
    let run =
        check_with_input(&project, "--whole-programs --stdin-filename main.pp -", "a = sise\n");
    assert_eq!(run.stdout, "main.pp:1:5: error[PCL0201] there is no variable `sise` here\n");
    let run =
        check_with_input(&project, "--whole-programs --stdin-filename main.pp -", "a = size\n");
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
}
