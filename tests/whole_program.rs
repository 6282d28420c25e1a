//! Files that are part of a program of several files: the diagnostics of one that is checked by
//! itself, and `--whole-programs`.

use pcl_test_support::{Run, Scratch, command, run, scratch, write};

/// A project of two files and a component of two files. Both have one mistake of their own.
struct Project(Scratch);

impl Project {
    fn new(name: &str) -> Self {
        let root = scratch(&format!("whole-program-{name}"));
        write(&root.join("Pulumi.yaml"), "name: shop\nruntime: pcl\n");
        write(
            &root.join("main.pp"),
            "a = size + zone\nb = size\nc = nowhere\ncomponent part \"./part\" {\n}\n",
        );
        write(&root.join("config.pp"), "config size int {}\nzone = 2\nd = missing\n");
        write(&root.join("part/one.pp"), "x = y\n");
        write(&root.join("part/two.pp"), "y = 1\n");
        write(&root.join("alone/one.pp"), "x = y\n");
        write(&root.join("alone/two.pp"), "y = 1\n");
        Self(root)
    }

    fn check_with_input(&self, arguments: &str, input: &str) -> Run {
        let mut command = command();
        command
            .current_dir(&*self.0)
            .args(["check", "--output-format", "concise", "-q"])
            .args(arguments.split_whitespace());
        run(command, input.as_bytes())
    }

    fn check(&self, arguments: &str) -> String {
        self.check_with_input(arguments, "").stdout
    }
}

#[test]
fn names_of_other_files_are_one_diagnostic() {
    let project = Project::new("names");
    assert_eq!(
        project.check("main.pp"),
        "main.pp:1:5: error[PCL0201] 2 names are declared in other files of this program\n\
         main.pp:3:5: error[PCL0201] there is no variable `nowhere` here\n"
    );
    assert_eq!(
        project.check("part/one.pp"),
        "part/one.pp:1:5: error[PCL0201] `y` is declared in `two.pp`, another file of this program\n"
    );
    let run = {
        let mut command = command();
        command.current_dir(&*project.0).args(["check", "part/one.pp"]);
        run(command, b"")
    };
    assert!(run.stdout.contains("`pcl check part`"), "{}", run.stdout);
    assert_eq!(run.status, 1);
}

#[test]
fn directories_that_nothing_makes_a_program_are_left_alone() {
    let project = Project::new("alone");
    std::fs::remove_file(project.0.join("Pulumi.yaml")).expect("it is there");
    assert_eq!(
        project.check("alone/one.pp"),
        "alone/one.pp:1:5: error[PCL0201] there is no variable `y` here\n"
    );
    // The component block still makes one of `part`.
    assert!(project.check("part/one.pp").contains("another file of this program"));
}

#[test]
fn compat_says_what_pulumi_says() {
    let project = Project::new("compat");
    let said = project.check("--compat pulumi part/one.pp");
    assert_eq!(said, "part/one.pp:1:5: error[PCL0201] there is no variable `y` here\n");
}

#[test]
fn whole_programs_show_what_concerns_the_files() {
    let project = Project::new("shown");
    let of_main = "main.pp:3:5: error[PCL0201] there is no variable `nowhere` here\n";
    let of_config = "config.pp:3:5: error[PCL0201] there is no variable `missing` here\n";
    assert_eq!(project.check("--whole-programs main.pp"), of_main);
    assert_eq!(project.check("--whole-programs config.pp"), of_config);
    assert_eq!(
        project.check("--whole-programs main.pp config.pp part/one.pp"),
        format!("{of_config}{of_main}")
    );
    // A program that is named as a whole is shown as a whole.
    assert_eq!(project.check("--whole-programs main.pp ."), format!("{of_config}{of_main}"));
}

#[test]
fn whole_programs_take_a_file_from_standard_input() {
    let project = Project::new("input");
    let run = project.check_with_input("--whole-programs --stdin-filename main.pp -", "a = sise\n");
    assert_eq!(run.stdout, "main.pp:1:5: error[PCL0201] there is no variable `sise` here\n");
    let run = project.check_with_input("--whole-programs --stdin-filename main.pp -", "a = size\n");
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
}
