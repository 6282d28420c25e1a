//! Names that look like something else when they are printed.

use pcl::render::Format;
use pcl_test_support::{pcl, scratch, write};

/// A sequence that a terminal obeys, and a line that GitHub's runner obeys.
const NAME: &str = "e\u{1b}[31mvil\n::error::x";

#[test]
fn no_name_reaches_a_reader_of_lines() {
    let directory = scratch("hostile-names");
    let program = directory.join(NAME);
    let file = program.join(format!("{NAME}.pp"));
    write(&file, "a  = missing\nresource r \"far:a:B\" {}\na = 1\n");
    let urn = "urn:pulumi:dev::shop::z:i:C::a\\n::error::x";
    let state = format!(
        "{{\"version\":3,\"deployment\":{{\"resources\":[{{\"urn\":\"{urn}\",\"custom\":true,\
         \"id\":\"i\\n::error::x\",\"type\":\"z:i:C\",\"parent\":\"{urn}\",\
         \"inputs\":{{\"k\\n::error::x\":\"v\\n::error::x\"}}}}]}}}}"
    );
    write(&program.join("state.json"), &state);
    let path = |path: &std::path::Path| path.to_str().expect("it is UTF-8").to_owned();
    let paths = [path(&program), path(&file), path(&program.join("state.json"))];
    let [program, file, state] = &paths;
    let missing = path(&directory.join(NAME).join("no.pp"));
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["check", "--diff", program],
        vec!["check", "--statistics", program],
        vec!["fmt", "--check", program],
        vec!["fmt", "--diff", program],
        vec!["preview", program],
        vec!["graph", program],
        vec!["graph", "--output-format", "mermaid", program],
        vec!["dump", "tokens", file],
        vec!["convert", "--to", "yaml", program],
        vec!["schema", "sync", "--locked", program],
        vec!["state", "ls", state],
        vec!["state", "show", "i", state],
        vec!["state", "graph", state],
        vec!["state", "graph", "--output-format", "mermaid", state],
        vec!["import", state],
        vec!["import", "--missing-schema", "ignore", state],
        vec!["state", "ls", &missing],
        vec!["fmt", &missing],
    ];
    for format in Format::ALL.map(Format::name) {
        let report = ["--output-format", format];
        for words in [
            ["check", program].as_slice(),
            &["check", &missing],
            &["state", "check", state],
            &["state", "check", &missing],
            &["schema", "check", state],
        ] {
            commands.push([words, &report].concat());
        }
    }
    for words in commands {
        let run = pcl(words.iter().copied());
        for text in [&run.stdout, &run.stderr] {
            let obeyed = |line: &&str| line.trim_start().starts_with("::error::x");
            assert_eq!(text.split(['\n', '\r']).find(obeyed), None, "{words:?}: {text}");
            assert!(!text.contains('\u{1b}'), "{words:?}: {text}");
        }
    }
}
