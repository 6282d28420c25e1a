use pcl::diagnostics::Span;
use pcl_ide::{FilePosition, folds, selections};

use crate::support::marked;

/// The folds of a text, each as the first and the last line that it is on.
fn shown(text: &str) -> Vec<String> {
    let (analysis, Span { file, .. }) = marked(text);
    let lines = analysis.checked.sources.line_index(file);
    let show = |fold: pcl_ide::Fold| {
        let [start, end] = [fold.range.start(), fold.range.end()].map(|at| lines.line_of(at));
        let kind = if fold.is_comment { " comment" } else { "" };
        format!("{start}-{end}{kind}")
    };
    folds(&analysis, file).into_iter().map(show).collect()
}

/// The selections around the cursor, from the innermost.
fn around(text: &str) -> Vec<String> {
    let (analysis, at) = marked(text);
    let selections = selections(&analysis, FilePosition::start_of(at));
    let source = analysis.checked.sources.text(at.file);
    let text = |range: pcl::diagnostics::TextRange| source[range.to_usize()].to_owned();
    selections.into_iter().map(text).collect()
}

#[test]
fn what_is_longer_than_a_line_is_folded() {
    for (text, expected) in [
        ("# a\n# b\n\n# c\na = 1 # d\n# e\n", &["0-1 comment"] as &[&str]),
        ("/* x\n y */\nb = 1\n// c\n# d", &["0-1 comment", "3-4 comment"]),
        ("config a string {\n  default = \"x\"\n}\nconfig b string {}\n", &["0-2"]),
        ("b = [\n  1,\n  {\n    c = 1\n  },\n]\n", &["0-5", "2-4"]),
        ("d = <<E\ntext\n${length(\n[1])}\nE\n", &["0-4", "2-3"]),
        ("d = <<E\n%{ if true }\na\n%{ endif }\nE\n", &["0-4", "1-3"]),
        ("f = (\n1)\ng = {for x in [1] :\n x => x}\n", &["0-1", "2-3"]),
        ("a = [\n1\nresource x {\n", &[]),
        ("", &[]),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn a_selection_grows() {
    for (text, expected) in [
        (
            "t = {\n  name = \"ab▮c ${d}\"\n  e = 1\n}\n",
            &[
                "abc ",
                "abc ${d}",
                "\"abc ${d}\"",
                "name = \"abc ${d}\"",
                "name = \"abc ${d}\"\n  e = 1",
                "{\n  name = \"abc ${d}\"\n  e = 1\n}",
                "t = {\n  name = \"abc ${d}\"\n  e = 1\n}",
                "t = {\n  name = \"abc ${d}\"\n  e = 1\n}\n",
            ] as &[&str],
        ),
        (
            "a = length( [1, 2▮3] )\n",
            &[
                "23",
                "1, 23",
                "[1, 23]",
                "length( [1, 23] )",
                "a = length( [1, 23] )",
                "a = length( [1, 23] )\n",
            ],
        ),
        (
            "output o {\n  value = 1▮\n  a = 2\n}",
            &[
                "1",
                "value = 1",
                "value = 1\n  a = 2",
                "{\n  value = 1\n  a = 2\n}",
                "output o {\n  value = 1\n  a = 2\n}",
            ],
        ),
        ("resource t \"orc▮hard\" {}", &["orchard", "\"orchard\"", "resource t \"orchard\" {}"]),
        (
            "a = <<E\nté▮xt\nE\n",
            &["téxt\n", "<<E\ntéxt\nE", "a = <<E\ntéxt\nE", "a = <<E\ntéxt\nE\n"],
        ),
        ("a = 1\n\n▮\nb = 2\n", &["a = 1\n\n\nb = 2\n"]),
        ("res▮ource x \"", &["resource", "resource x \""]),
        ("▮", &[""]),
    ] {
        assert_eq!(around(text), expected, "{text}");
    }
}
