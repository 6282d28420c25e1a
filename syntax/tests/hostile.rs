//! Hostile texts: deep, long, or unclosed. Each is read on a small stack, with every error put into
//! words.
//!
//! That the cost grows in step with the length is measured in `tests/growth` of the root package.

use pcl_newcomers::parse;
use pcl_syntax::SyntaxTree;

/// The stack of a thread of a server.
const STACK: usize = 2 << 20;

/// Parses on a small stack and makes a diagnostic of every error.
fn survive(name: &'static str, text: String) -> SyntaxTree {
    let run = move || {
        let tree = parse(text.as_str());
        for error in tree.errors() {
            let _ = error.to_diagnostic(pcl_diagnostics::FileId(0), &tree);
        }
        tree
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    let tree = thread.expect("a thread").join().expect("no panic");
    assert_eq!(tree.verify(), Ok(()), "{name}");
    tree
}

fn nested(open: &str, close: &str, depth: usize) -> String {
    format!("a = {}1{}\n", open.repeat(depth), close.repeat(depth))
}

const CONSTRUCTS: &[(&str, &str, &str)] = &[
    ("parentheses", "(", ")"),
    ("tuples", "[", "]"),
    ("objects", "{ a = ", "}"),
    ("interpolations", "\"${", "}\""),
    ("calls", "f(", ")"),
    ("indexes", "a[b + ", "]"),
    ("for expressions", "[for x in y: ", "]"),
    ("negations", "-", ""),
    ("conditionals", "a ? b : ", ""),
    ("splats", "a[", "]"),
    ("heredocs", "<<E\n${", "}\nE\n"),
    ("directives", "\"%{ if a }${", "}%{ endif }\""),
];

#[test]
fn deep_nesting_is_refused_with_one_error() {
    for &(name, open, close) in CONSTRUCTS {
        let tree = survive(name, nested(open, close, 10_000));
        assert!(tree.is_refused(), "{name}");
        assert!(tree.errors().len() <= 3, "{name}: {} errors", tree.errors().len());
    }
}

#[test]
fn a_mistake_of_every_line_is_one_error() {
    for (name, line) in [("mappings", "a: 1\n"), ("keys of JSON", "\"a\": 1,\n")] {
        let tree = survive(name, line.repeat(20_000));
        assert_eq!(tree.errors().len(), 1, "{name}");
    }
}

#[test]
fn directives_of_one_template_nest_too_deep() {
    for close in ["%{ endif }", ""] {
        let directives = "%{ if a }".repeat(1_000) + &close.repeat(1_000);
        let tree = survive("directives", format!("a = \"{directives}\"\n"));
        assert!(tree.is_refused());
        assert!(tree.errors().len() <= 4, "{} errors", tree.errors().len());
    }
}

#[test]
fn deep_nesting_that_is_not_closed() {
    for &(name, open, _) in CONSTRUCTS {
        let tree = survive(name, nested(open, "", 10_000));
        assert!(tree.errors().len() <= 4, "{name}: {} errors", tree.errors().len());
    }
}

#[test]
fn what_nests_a_little_is_accepted() {
    for &(name, open, close) in CONSTRUCTS {
        let tree = survive(name, nested(open, close, 80));
        assert_eq!(tree.errors(), [], "{name}");
    }
}

#[test]
fn blocks_nest() {
    let text = |depth: usize| format!("{}{}", "a {\n".repeat(depth), "}\n".repeat(depth));
    assert_eq!(survive("blocks", text(200)).errors(), []);
    assert!(survive("blocks", text(10_000)).is_refused());
    survive("open blocks", "a {\n".repeat(10_000));
    survive("closed blocks", "}\n".repeat(10_000));
}

#[test]
fn chains_are_unlimited() {
    let chain = |piece: &str| format!("a = b{}\n", piece.repeat(5_000));
    for (name, piece) in [
        ("sum", " + 1"),
        ("comparison", " == c"),
        ("attributes", ".c"),
        ("constant indexes", "[0]"),
        ("computed indexes", "[c]"),
        ("full splats", "[*]"),
        ("attribute splats", ".*[0]"),
        ("mixed", ".c[0][d]"),
    ] {
        let tree = survive(name, chain(piece));
        assert_eq!(tree.errors(), [], "{name}");
        assert!(!pcl_syntax::dump(&tree).is_empty());
    }
}

#[test]
fn long_things() {
    let n = 100_000;
    let mut attributes = String::new();
    for i in 0..n {
        attributes += &format!("a{i} = {i}\n");
    }
    assert_eq!(survive("attributes", attributes).errors(), []);
    assert_eq!(survive("labels", format!("a {}{{}}\n", "\"b\" ".repeat(n))).errors(), []);
    assert_eq!(survive("name", format!("{} = 1\n", "a".repeat(10 * n))).errors(), []);
    assert_eq!(survive("digits", format!("a = {}\n", "1".repeat(10 * n))).errors(), []);
    assert!(survive("points", format!("a = 1{}2\n", ".".repeat(n))).is_refused());
    assert_eq!(survive("string", format!("a = \"{}\"\n", "x".repeat(10 * n))).errors(), []);
    assert_eq!(survive("dollars", format!("a = \"{}\"\n", "$".repeat(n))).errors(), []);
    assert_eq!(survive("comment", format!("/*{}*/\n", "*".repeat(10 * n))).errors(), []);
    assert_eq!(survive("elements", format!("a = [{}]\n", "1,".repeat(n))).errors(), []);
    let interpolations = survive("interpolations", format!("a = \"{}\"\n", "${b}".repeat(n / 4)));
    assert_eq!(interpolations.errors(), []);
    let marks = "\u{301}".repeat(n);
    assert_eq!(survive("combining marks", format!("a = \"e{marks}\"\n")).errors(), []);
}

#[test]
fn long_templates_have_their_values() {
    use pcl_syntax::ast::{Expr, TemplatePart};
    let n = 20_000;
    let lines = "    0123456\n".repeat(n);
    let directives = "%{ if a }b%{ endif }\n".repeat(n / 10);
    for text in [
        format!("a = <<-E\n{lines}    E\n"),
        format!("a = <<-E\n{directives}    E\n"),
        format!("a = \"{}\"\n", "%{ if a }b%{ endif }".repeat(n / 10)),
        format!("a = \"{}\"\n", "\\n$${".repeat(n)),
    ] {
        let tree = survive("template", text);
        let value = tree.file().body().attributes().next().and_then(|a| a.value());
        let parts = match value {
            Some(Expr::Heredoc(heredoc)) => heredoc.parts(),
            Some(Expr::Template(template)) => template.parts(),
            other => panic!("{other:?}"),
        };
        for part in parts {
            if let TemplatePart::If(directive) = part {
                assert_eq!(directive.then_parts().count(), 1);
            }
        }
    }
}

#[test]
fn floods_of_errors() {
    let n = 20_000;
    for (name, piece) in [
        ("at signs", "@"),
        ("spaced at signs", "@ "),
        ("closers", ")"),
        ("braces", "}"),
        ("open braces", "{"),
        ("quotes", "\""),
        ("open interpolations", "\"${"),
        ("escaped quotes in open interpolations", "\"${\\\""),
        ("single quotes", "'"),
        ("mixed quotes", "'`{"),
        ("comment openers", "/*a"),
        ("semicolons", "a = 1;"),
        ("attributes on one line", "a = 1 "),
        ("unclosed strings", "a = \"\n"),
        ("unclosed lists", "a = [1, 2\n"),
        ("unclosed objects", "a = {\nb = 1\n"),
        ("unclosed calls", "a = f(\n"),
        ("unclosed heredocs", "a = <<E\n"),
        ("heredocs with many markers", "a = <<-E\n  b\n E x\n"),
        ("unclosed blocks", "a \"b\" {\n"),
        ("wrong closers", "a = [(}]\n"),
        ("indented closers", "a = [\n  (\n ]\n"),
        ("bad escapes", "a = \"\\q\"\n"),
        ("carriage returns", "\r"),
        ("less than", "<"),
        ("heredoc introducers", "<<E"),
        ("directives", "\"%{ if "),
        ("unclosed interpolations", "a = \"${f(\"\n"),
        ("words", "a b\n"),
        ("dots", "a."),
        ("colons", "a::"),
    ] {
        let tree = survive(name, piece.repeat(n));
        assert!(tree.is_refused(), "{name}");
    }
}

/// Each of these makes the lexer or the parser look at a line again; what nests or follows must not
/// multiply that.
#[test]
fn lines_that_are_read_again() {
    let n = 2_000;
    let (open, close) = ("\"${".repeat(100), "}\"".repeat(50));
    for (name, text) in [
        ("heredocs in templates", format!("{open}\n{close}${{<<A\n{}", "}\nA\n".repeat(n))),
        ("lines of templates", format!("{open}\n").repeat(n / 10)),
        (
            "a long line and many short ones",
            format!("\"{}${{\n{}", "x".repeat(100 * n), "\"\n".repeat(10 * n)),
        ),
        (
            "strings among closers in one line",
            format!("{}{}", "%{".repeat(10 * n), "}\"[in".repeat(10 * n)),
        ),
    ] {
        survive(name, text);
    }
}

/// Lines with many errors, each of which looks at its line for a fix.
#[test]
fn floods_of_fixes() {
    let n = 20_000;
    for (name, text) in [
        (
            "semicolons after a long indentation",
            format!("{}{}", "\t".repeat(2 * n), "a;".repeat(n)),
        ),
        (
            "open quotes behind labels",
            format!("a {}{}{{\n", "\"b\" ".repeat(40), "‘ ".repeat(55)).repeat(n / 100),
        ),
    ] {
        assert!(survive(name, text).is_refused(), "{name}");
    }
}

#[test]
fn unfinished_texts() {
    for text in [
        "\"",
        "\"\\",
        "\"$",
        "\"%",
        "\"${",
        "\"${a",
        "\"${a}",
        "\"%{",
        "\"%{ if",
        "\"%{ if a }",
        "<<E",
        "<<E\n",
        "<<E\nx",
        "<<E\n${",
        "/*",
        "(",
        "[",
        "[for",
        "{",
        "{a",
        "{a =",
        "f(",
        "f(a,",
        "a[",
        "a[*",
        "a.",
        "a.*.",
        "a::",
        "a ? b",
        "[(])",
        "{[}]",
        "\"${ ( }\"",
        "\"${ { }\"",
        "(~}",
        "[~}",
        "{~}",
        "f(~}",
        "\u{FEFF}\u{FEFF}",
        "\u{85}\u{2028}\u{2029}",
    ] {
        for frame in [
            "{}",
            "a = {}",
            "a = {}\n",
            "a = {}\nb = 1\n",
            "svc {\n  a = {}\n}\n",
            "a = {} junk @ )\n",
        ] {
            let tree = survive("unfinished", frame.replace("{}", text));
            assert!(
                !tree.errors().is_empty() || frame == "{}" || text.contains('\u{FEFF}'),
                "{frame} {text}"
            );
        }
    }
    for text in ["svc {", "svc \"", "svc { a = 1", "svc \"a", "svc \"a\" \"", "svc a"] {
        assert!(survive("unfinished block", text.to_owned()).is_refused(), "{text}");
    }
}
