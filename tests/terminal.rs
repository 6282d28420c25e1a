//! The command on a real terminal: one that `tmux` emulates.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use pcl_test_support::{command, skip, write};
use tempfile::TempDir;

/// The longest that a command may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// An error whose headline is long.
const LONG: &str = "size = lenght_of_everything_that_is_in_the_harbour_of_the_north([1, 2])\n";
const LINK: &str = "\u{1b}]8;;https://";

/// A terminal of 50 columns with a shell in a directory of its own. It ends with the test.
struct Terminal {
    place: TempDir,
}

impl Terminal {
    /// `None` where there is no `tmux`.
    fn new() -> Option<Self> {
        // The path of a socket has to be short.
        let place = TempDir::new().expect("a directory can be made");
        let terminal = Self { place };
        let shell = "exec env -i PATH=/usr/bin:/bin PS1='> ' TERM=xterm-256color sh";
        let size = ["-x", "50", "-y", "60"];
        let start = ["-f", "/dev/null", "new-session", "-d"];
        let started = terminal.try_tmux(&[&start[..], &size, &[shell]].concat());
        if !started.is_ok_and(|output| output.status.success()) {
            skip("PCL_REQUIRE_REPORTS", "tmux cannot be started");
            return None;
        }
        let raw = format!("cat >> '{}'", terminal.raw().display());
        terminal.tmux(&["pipe-pane", &raw]);
        terminal.run(&format!("cd '{}'", terminal.place.path().display()));
        Some(terminal)
    }

    fn path(&self) -> &Path {
        self.place.path()
    }

    /// The file with everything that was written to the terminal.
    fn raw(&self) -> std::path::PathBuf {
        self.path().join("raw")
    }

    fn try_tmux(&self, arguments: &[&str]) -> std::io::Result<Output> {
        let mut tmux = Command::new("tmux");
        tmux.args(["-u", "-S"]).arg(self.path().join("socket"));
        tmux.env_remove("TMUX").args(arguments).output()
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = self.try_tmux(arguments).expect("tmux runs");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("a screen is text")
    }

    /// Types a command; what is written to the terminal until it ends.
    fn run(&self, line: &str) -> String {
        let before = self.written().len();
        self.tmux(&["send-keys", "-l", &format!("{line}; printf 'END%d\\n' 7")]);
        self.tmux(&["send-keys", "Enter"]);
        let start = Instant::now();
        loop {
            let written = self.written().split_off(before);
            if let Some((output, _)) = written.split_once("END7") {
                return output.to_owned();
            }
            assert!(start.elapsed() < PATIENCE, "{line}: {written}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn written(&self) -> String {
        let bytes = fs::read(self.raw()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The text on the screen.
    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// Waits until the screen shows a text, and returns the screen.
    fn wait_for(&self, text: &str) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if screen.contains(text) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "{text}: {screen}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Runs `pcl check` with these variables set.
    fn check(&self, variables: &str, arguments: &str) -> String {
        let pcl = command().get_program().to_string_lossy().into_owned();
        self.run(&format!("{variables} '{pcl}' check {arguments}"))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.try_tmux(&["kill-server"]);
    }
}

#[test]
fn codes_are_links_where_the_terminal_can() {
    let Some(terminal) = Terminal::new() else { return };
    write(&terminal.path().join("a/main.pp"), LONG);
    let count = |variables: &str, arguments: &str| {
        let written = terminal.check(variables, arguments);
        assert!(written.contains("PCL0601"), "{written}");
        written.matches(LINK).count()
    };
    for able in ["FORCE_HYPERLINK=1", "TERM_PROGRAM=WezTerm", "VTE_VERSION=7001"] {
        assert_eq!(count(able, "a"), 1, "{able}");
        assert_eq!(count(able, "a --output-format concise"), 1, "{able}");
        assert_eq!(count(able, "a | cat"), 0, "{able}: never in a pipe");
        let file = "a --output-format full=file > out; cat out file";
        assert_eq!(count(able, file), 0, "{able}: never in a file");
        assert_eq!(count(able, "a --output-format github"), 0, "{able}");
    }
    assert_eq!(count("", "a"), 0);
    let able = "TERM_PROGRAM=WezTerm";
    assert_eq!(count(&format!("{able} FORCE_HYPERLINK=0"), "a"), 0);
    assert_eq!(count(&format!("{able} NO_COLOR=1"), "a"), 0);
    assert_eq!(count(able, "a --color never"), 0);
    let written = terminal.check(able, "a --docs-url https://pages.example.com/pcl");
    let link = "\u{1b}]8;;https://pages.example.com/pcl/PCL0601\u{1b}\\PCL0601\u{1b}]8;;\u{1b}\\";
    assert!(written.contains(link), "{written:?}");
}

#[test]
fn headlines_are_wrapped_to_the_terminal() {
    let Some(terminal) = Terminal::new() else { return };
    let text = "resource a \"harbor:network:Network\" {}\n";
    write(&terminal.path().join("a/main.pp"), text);
    for variables in ["", "TERM_PROGRAM=WezTerm"] {
        terminal.run("clear");
        terminal.check(variables, "a");
        let screen = terminal.screen();
        let mut lines = screen.lines().skip_while(|line| !line.starts_with("error["));
        let headline: Vec<&str> = lines.by_ref().take_while(|line| !line.contains('┌')).collect();
        assert!(headline.len() > 1, "{screen}");
        assert!(headline.iter().all(|line| line.chars().count() <= 50), "{screen}");
        // Wrapped by the command, not by the terminal: words are whole, later lines indented.
        assert!(headline[1..].iter().all(|line| line.starts_with("  ")), "{screen}");
        let words = headline.join(" ");
        let words: Vec<&str> = words.split_whitespace().collect();
        let plain = terminal.check("", "a --output-format concise | cat");
        let message = plain.lines().find_map(|line| line.split_once("error[PCL")).expect("a line");
        assert!(words.join(" ").contains(message.1[6..].trim()), "{screen}\n{plain}");
    }
}

#[test]
fn a_long_run_shows_its_progress() {
    let Some(terminal) = Terminal::new() else { return };
    // As many programs as take more than a second here.
    let text: String = (0..100).map(|n| format!("v{n} = [{n}, length([{n}])]\n")).collect();
    let mut count = 0;
    let mut written = String::new();
    // A run that takes longer on its own may be faster in the terminal.
    while !written.contains("checking [") && count < 5000 {
        for _ in 0..100 {
            count += 1;
            write(&terminal.path().join(format!("all/p{count}/main.pp")), &text);
        }
        write(&terminal.path().join("all/p1/main.pp"), LONG);
        write(&terminal.path().join("all/p99/main.pp"), LONG);
        let start = Instant::now();
        let mut check = command();
        check.args(["check", "-r", "-j", "1"]).arg(terminal.path().join("all"));
        check.output().expect("it runs");
        if start.elapsed() > Duration::from_millis(1200) {
            terminal.run("clear");
            written = terminal.check("", "-r -j 1 all");
        }
    }
    assert!(written.contains("checking ["), "{written:?}");
    assert!(written.contains(&format!("/{count} programs")), "{written:?}");
    let screen = terminal.screen();
    assert!(!screen.contains("checking ["), "it is removed: {screen}");
    assert!(screen.contains(&format!("checked {count} programs: 2 errors")), "{screen}");
    assert_eq!(screen.matches("error[PCL0601]").count(), 2, "{screen}");

    for quiet in ["-r -j 1 all -q", "-r -j 1 all 2> errors", "-j 1 all/p1"] {
        let written = terminal.check("", quiet);
        assert!(!written.contains("checking ["), "{quiet}: {written:?}");
    }
    let errors = fs::read_to_string(terminal.path().join("errors")).expect("it is written");
    assert!(!errors.contains("checking ["), "{errors}");
}

/// Each report takes the place of the one before; Ctrl-C ends the command.
#[test]
fn a_watch_shows_the_latest_report() {
    let Some(terminal) = Terminal::new() else { return };
    let file = terminal.path().join("a/main.pp");
    write(&file, LONG);
    let pcl = command().get_program().to_string_lossy().into_owned();
    terminal.tmux(&["send-keys", "-l", &format!("'{pcl}' check a --watch")]);
    terminal.tmux(&["send-keys", "Enter"]);
    terminal.wait_for("1 error");
    terminal.wait_for("press Ctrl-C");
    write(&file, "size = 1\n");
    let screen = terminal.wait_for("no errors");
    assert!(!screen.contains("lenght_of"), "{screen}");
    terminal.wait_for("press Ctrl-C");
    terminal.tmux(&["send-keys", "C-c"]);
    let status = terminal.run("echo status $?");
    assert!(status.contains("status 130"), "{status}");
}
