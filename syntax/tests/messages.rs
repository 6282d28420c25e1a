//! The wording of diagnostics: one text for each code, and what their fixes do.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write;

use pcl_diagnostics::{Applicability, Code, Diagnostic, SourceMap, apply};
use pcl_newcomers::{parse, parse_expression};

/// Texts for what the vectors do not show.
const MORE: &[(&str, &str)] = &[
    ("heredoc marker at the end", "h = <<END\none\nEND"),
    ("comment", "a = 1 /* open"),
    ("bytes", "\u{1A}"),
    ("wrong end of a heredoc", "a = <<EOT\none\nEOF\nb = 1\n"),
    ("wrong end before another heredoc", "a = <<EOT\none\nEOF\nb = <<EOT\ntwo\nEOT\n"),
    ("declaration", "let a = 1\n"),
    ("yaml", "a =\n  - 1\n  - 2\n"),
    ("word operator", "a = true and not false\n"),
    ("conditional", "a = 1 if true else 2\n"),
    ("comprehension", "a = [b for b in c]\n"),
    ("method", "a = b.split(\",\")\n"),
    ("arrow function", "a = b => c\n"),
    ("prefixed string", "a = f\"{b}\"\n"),
    ("interpolation", "a = ${b}\n"),
    ("missing value", "a = b ?? c\n"),
    ("comment of SQL", "-- a\nb = 1\n"),
    ("type", "config a list<int> {\n}\n"),
    ("text", "a = nginx:latest\n"),
    ("UTF-16", "a\0 \0=\0 \x001\0\n\0"),
    ("YAML file", "name: a\nruntime: yaml\n"),
];

/// Every text of the vectors that is UTF-8, and those of `MORE`.
fn texts() -> Vec<(String, String, bool)> {
    let vectors = support::vectors();
    let vectors = vectors.iter().filter_map(|vector| {
        let source = vector["source"].as_str()?.to_owned();
        let is_expression = vector["entry"].as_str() == Some("expr");
        Some((vector["id"].as_str()?.to_owned(), source, is_expression))
    });
    let more = MORE.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned(), false));
    let deep = format!("a = {}1{}\n", "(".repeat(300), ")".repeat(300));
    vectors.chain(more).chain([("deep".to_owned(), deep, false)]).collect()
}

fn diagnostics(source: &str, is_expression: bool) -> (SourceMap, Vec<Diagnostic>) {
    let tree = if is_expression { parse_expression(source) } else { parse(source) };
    let mut sources = SourceMap::new();
    let file = sources.add("main.pp", source);
    let errors = tree.errors().iter();
    let alone: Vec<Diagnostic> = errors.map(|error| error.to_diagnostic(file, &tree)).collect();
    // Those that another one leads to are left out.
    for diagnostic in tree.diagnostics(file) {
        assert!(alone.contains(&diagnostic), "{source}: {diagnostic:?}");
    }
    (sources, alone)
}

#[test]
fn every_code_has_its_words() {
    let mut seen: BTreeMap<Code, String> = BTreeMap::new();
    for (_, source, is_expression) in texts() {
        let (sources, found) = diagnostics(&source, is_expression);
        for diagnostic in found {
            if seen.contains_key(&diagnostic.code) {
                continue;
            }
            let mut text = String::new();
            let shown: String = source.chars().take(70).collect();
            let _ = writeln!(text, "{} {}", diagnostic.code.id(), diagnostic.code.name());
            let _ = writeln!(text, "    in    {shown:?}");
            let _ = writeln!(
                text,
                "    {} {:?} {}",
                diagnostic.severity.as_str(),
                diagnostic.primary.range,
                diagnostic.message
            );
            for label in &diagnostic.labels {
                let _ = writeln!(text, "    label {:?} {}", label.span.range, label.message);
            }
            if let Some(help) = &diagnostic.help {
                let _ = writeln!(text, "    help  {help}");
            }
            for fix in &diagnostic.fixes {
                let file = diagnostic.primary.file;
                let (mended, _) = apply(&sources, file, std::slice::from_ref(fix));
                let mended: String = mended.chars().take(70).collect();
                let _ = writeln!(
                    text,
                    "    fix   {} ({}): {mended:?}",
                    fix.title,
                    fix.applicability.as_str()
                );
            }
            seen.insert(diagnostic.code, text);
        }
    }
    let all: String = seen.values().map(String::as_str).collect();
    insta::assert_snapshot!("messages", all);

    let band = |code: &&Code| code.is_syntax() && code.id() >= "PCL0003";
    let silent: Vec<_> = Code::ALL
        .iter()
        .filter(band)
        .filter(|code| !seen.contains_key(code))
        .map(|code| code.name())
        .collect();
    // The first takes 4 GiB; the second needs bytes, which the test of the vectors has; the third
    // one has a page.
    assert_eq!(silent, ["file-too-large", "lex-bad-utf8", "conflict-marker"]);
}

#[test]
fn messages_are_in_style() {
    for (id, source, is_expression) in texts() {
        for diagnostic in diagnostics(&source, is_expression).1 {
            let texts = [&diagnostic.message].into_iter().chain(&diagnostic.help);
            for text in texts.chain(diagnostic.labels.iter().map(|label| &label.message)) {
                let first = text.chars().next().unwrap_or(' ');
                assert!(
                    !first.is_uppercase() || text.starts_with("PCL") || text.starts_with("U+"),
                    "{id}: {text}"
                );
                assert!(!text.ends_with('.') && !text.is_empty(), "{id}: {text}");
            }
            assert!(diagnostic.help.is_some(), "{id}: {} has no help", diagnostic.code.name());
            let end = source.len() as u32;
            assert!(diagnostic.primary.range.end() <= end, "{id}");
        }
    }
}

/// Headers with a wrong quote, the only diagnostic about each, the place that it blames, and the
/// header that its fix makes.
const HEADERS: &[[&str; 4]] = &[
    [r#"a " "x:y:Z""#, "there is one quote too many here", "\"", r#"a "x:y:Z""#],
    [r#"a b x:y/z:Z""#, "this label has no opening quote", "x:y/z:Z\"", r#"a b "x:y/z:Z""#],
    [r#"a b" "x:y:Z""#, "this label has no opening quote", "b\"", r#"a "b" "x:y:Z""#],
    [r#"a b "x:y:Z"#, "this label has no closing quote", "\"x:y:Z", r#"a b "x:y:Z""#],
    [r#"a "b "x:y:Z""#, "this label has no closing quote", "\"b", r#"a "b" "x:y:Z""#],
    [r#"a "b c"#, "this label has no closing quote", "\"b", r#"a "b" c"#],
    [r#"a b "x:y:Z"""#, "there is one quote too many here", "\"", r#"a b "x:y:Z""#],
    [r#"a b ""x:y:Z""#, "there is one quote too many here", "\"", r#"a b "x:y:Z""#],
    [r#"a b "map(c, d)"""#, "there is one quote too many here", "\"", r#"a b "map(c, d)""#],
    [r#"a b "x:y:Z" ""#, "there is one quote too many here", "\"", r#"a b "x:y:Z""#],
    [r#"a b ""#, "there is one quote too many here", "\"", "a b"],
    [r#"a " b"#, "there is one quote too many here", "\"", "a b"],
    ["a b 'x:y:Z'", "a string is not written in single quotes", "'x:y:Z'", r#"a b "x:y:Z""#],
    ["a b `x:y:Z`", "a string is not written in backticks", "`x:y:Z`", r#"a b "x:y:Z""#],
    ["a b “x:y:Z”", "a string is not written in typographic quotes", "“x:y:Z”", r#"a b "x:y:Z""#],
    ["a b ‘x:y:Z’", "a string is not written in typographic quotes", "‘x:y:Z’", r#"a b "x:y:Z""#],
    ["a b “x:y:Z\"", "a string is not written in typographic quotes", "“", r#"a b "x:y:Z""#],
    ["a b 'x:y:Z\"", "a string is not written in single quotes", "'", r#"a b "x:y:Z""#],
    ["a b \"x:y:Z'", "this quote does not match the other one", "'", r#"a b "x:y:Z""#],
    ["a b \"x:y:Z”", "this quote does not match the other one", "”", r#"a b "x:y:Z""#],
    ["a b x:y:Z", "expected a label or `{`, found `:`", ":", r#"a b "x:y:Z""#],
];

#[test]
fn quotes_of_headers_are_mended() {
    for &[header, message, place, mended] in HEADERS {
        // With and without indentation, and on one line.
        for rest in [" {\n  x = 1\n}\ny = 2\n", " {\nx = 1\n}\ny = 2\n", " { }\n"] {
            let (sources, found) = diagnostics(&format!("{header}{rest}"), false);
            let [diagnostic] = &found[..] else {
                panic!("{header}{rest}: {found:#?}");
            };
            let blamed =
                sources.text(diagnostic.primary.file).get(diagnostic.primary.range.to_usize());
            assert_eq!((diagnostic.message.as_str(), blamed), (message, Some(place)), "{header}");
            let (text, applied) = apply(&sources, diagnostic.primary.file, &diagnostic.fixes);
            assert_eq!((text.as_str(), applied), (&*format!("{mended}{rest}"), 1));
            assert_eq!(diagnostics(&text, false).1, []);
        }
    }
}

/// A string that only looks like a label, and headers with more than one wrong quote.
#[test]
fn other_open_strings_end_with_their_lines() {
    for text in ["a = \"b {\n", "a \"b c\" \"d {\n}\n", "a \" b\" \"c {\n}\n"] {
        let found = diagnostics(text, false).1;
        let messages: Vec<_> = found.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        assert_eq!(messages, ["this string is not closed on its line"], "{text}");
    }
}

#[test]
fn safe_fixes_mend() {
    for (id, source, is_expression) in texts() {
        let (sources, found) = diagnostics(&source, is_expression);
        for diagnostic in &found {
            for fix in &diagnostic.fixes {
                let file = diagnostic.primary.file;
                let (mended, applied) = apply(&sources, file, std::slice::from_ref(fix));
                assert_eq!(applied, 1, "{id}: {} does not fit", fix.title);
                if fix.applicability != Applicability::Safe {
                    continue;
                }
                let left = diagnostics(&mended, is_expression).1;
                assert!(
                    left.len() < found.len(),
                    "{id}: {} leaves {:?} in {mended:?}",
                    fix.title,
                    left.iter().map(|f| f.code.name()).collect::<Vec<_>>()
                );
            }
        }
    }
}
