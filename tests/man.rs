//! The manual pages: one for each command, which manual page readers accept.

use std::path::Path;
use std::process::Command;

use pcl_test_support::{file_name, pcl, scratch, skip, sorted};

/// The text of a page, as a reader shows it; `None` without a reader. Complaints fail the test.
fn rendered(page: &Path) -> Option<String> {
    let mandoc: [&str; 3] = ["mandoc", "-Tutf8", "-Wwarning"];
    let man = ["man", "--warnings=all", "--local-file"];
    for [program, arguments @ ..] in [mandoc, man] {
        let mut command = Command::new(program);
        command.args(arguments).arg(page).env("LC_ALL", "C.UTF-8");
        command.env("MANROFFOPT", "-c").env("MANWIDTH", "200");
        let Ok(output) = command.output() else { continue };
        let complaints = String::from_utf8_lossy(&output.stderr);
        let serious = |line: &&str| line.contains("ERROR") || line.contains("UNSUPP");
        match program {
            "mandoc" => assert_eq!(complaints.lines().find(serious), None, "{page:?}"),
            _ => assert_eq!(complaints, "", "{page:?}"),
        }
        assert!(program == "mandoc" || output.status.success(), "{page:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        // Bold and underlined characters are printed twice.
        let mut plain = String::new();
        for c in text.chars() {
            match c {
                '\u{8}' => drop(plain.pop()),
                c => plain.push(c),
            }
        }
        return Some(plain);
    }
    None
}

#[test]
fn every_command_has_a_page() {
    let place = scratch("man");
    let directory = place.join("new/man1");
    let run = pcl(["man", &directory.display().to_string()]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let pages = sorted(&directory);
    let count = format!("wrote {} manual pages to ", pages.len());
    assert!(run.stderr.starts_with(&count), "{}", run.stderr);
    let names: Vec<String> = pages.iter().map(file_name).collect();
    for name in ["pcl.1", "pcl-check.1", "pcl-schema-add.1", "pcl-man.1"] {
        assert!(names.iter().any(|other| other == name), "{name}");
    }
    let own = std::fs::read_to_string(directory.join("pcl.1")).expect("it is there");
    assert_eq!(pcl(["man"]).stdout, own);

    for page in &pages {
        let name = file_name(page).replace(".1", "");
        let source = std::fs::read_to_string(page).expect("it is there");
        assert!(source.ends_with('\n'), "{name}");
        let Some(text) = rendered(page) else {
            return skip("PCL_REQUIRE_MAN", "there is neither `mandoc` nor `man`");
        };
        for part in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS"] {
            assert!(text.lines().any(|line| line == part), "{name}: {part}\n{text}");
        }
        assert!(text.contains(&format!("{name} - ")), "{name}\n{text}");
        // Every option that the help lists, by its long name. Aliases are in brackets.
        let command: Vec<&str> = name.split('-').skip(1).chain(["--help"]).collect();
        let help = pcl(command).stdout;
        for line in help.lines().map(str::trim_start) {
            let option = line.split_whitespace().find(|word| word.starts_with("--"));
            let option = option.filter(|it| line.starts_with('-') && !it.ends_with(']'));
            assert!(option.is_none_or(|it| text.contains(it)), "{name}: {line}\n{text}");
        }
        if name != "pcl" {
            let parent = name.rsplit_once('-').expect("it has a parent").0;
            assert!(text.contains(&format!("{parent}(1)")), "{name}\n{text}");
        }
    }
}

#[test]
fn a_directory_that_cannot_be_made_is_an_error() {
    let place = scratch("man-error");
    pcl_test_support::write(&place.join("file"), "");
    let run = pcl(["man", &place.join("file/man1").display().to_string()]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.starts_with("error: cannot create the directory `"), "{}", run.stderr);
}
