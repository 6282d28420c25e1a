//! The results of the checker: the expressions and their ranges, the diagnostics, and that it never
//! runs out of stack.

use std::fmt::Write;

use pcl_diagnostics::{Diagnostic, FileId, Reporter, SourceMap, apply};
use pcl_model::expression::{Checker, ExprArena, FreeNames, Names, in_words};
use pcl_model::scope::{Definition, Scopes};
use pcl_model::types::TypeStore;
use pcl_test_support::stack::on_a_small_stack;
use pcl_test_support::type_text::parse_type;

/// Names that the tests refer to.
const SCOPE: &[(&str, &str)] = &[
    ("n", "int"),
    ("s", "string"),
    ("ok", "bool"),
    ("o", "object({name = string, size = int})"),
    ("xs", "list(object({a = object({b = string}), tags = list(string)}))"),
    ("names", "list(string)"),
    ("later", "output(object({ip = string}))"),
];

/// A bound expression with all that belongs to it.
struct Bound {
    types: TypeStore,
    exprs: ExprArena,
    diagnostics: Vec<Diagnostic>,
}

fn bind(source: &str) -> Bound {
    bind_with(source, SCOPE.iter().copied())
}

/// Binds `source` where these names have these types.
fn bind_with<'a>(source: &str, names: impl IntoIterator<Item = (&'a str, &'a str)>) -> Bound {
    let tree = pcl_syntax::parse_expression(source);
    let mut types = TypeStore::new();
    let mut scopes = Scopes::new();
    let scope = scopes.new_root();
    for (name, ty) in names {
        let ty = parse_type(&mut types, ty).unwrap();
        let definition = Definition::variable(types.symbol(name), ty);
        scopes.define(scope, definition).unwrap();
    }
    let mut exprs = ExprArena::new();
    let mut reporter = Reporter::default();
    let id = Checker {
        types: &mut types,
        scopes: &mut scopes,
        exprs: &mut exprs,
        reporter: &mut reporter,
        names: Names::Values,
        own: None,
        file: FileId(0),
    }
    .bind(tree.expression().unwrap(), scope);
    let all: Vec<_> = exprs.iter().map(|(id, _)| id).collect();
    assert_eq!(exprs.subtree(id).collect::<Vec<_>>(), all, "an expression belongs to nothing");
    Bound { types, exprs, diagnostics: reporter.into_diagnostics() }
}

/// Every expression that `source` is bound to as `kind start..end type`, then the diagnostics.
fn check(source: &str) -> String {
    let Bound { mut types, exprs, diagnostics } = bind(source);
    let mut text = String::new();
    for (_, expr) in exprs.iter() {
        let shown = types.pretty(expr.ty);
        let written = &source[expr.range.to_usize()];
        writeln!(
            text,
            "{:18} {:9} {written:?}: {shown}",
            expr.kind.name(),
            format!("{:?}", expr.range)
        )
        .unwrap();
    }
    for diagnostic in &diagnostics {
        let at = &source[diagnostic.primary.range.to_usize()];
        writeln!(
            text,
            "{} {}: {} at {at:?}",
            diagnostic.severity.as_str(),
            diagnostic.code,
            diagnostic.message
        )
        .unwrap();
        for label in &diagnostic.labels {
            writeln!(
                text,
                "  label: {} at {:?}",
                label.message,
                &source[label.span.range.to_usize()]
            )
            .unwrap();
        }
        for note in &diagnostic.notes {
            writeln!(text, "  note: {note}").unwrap();
        }
        if let Some(help) = &diagnostic.help {
            writeln!(text, "  help: {help}").unwrap();
        }
        for fix in &diagnostic.fixes {
            writeln!(text, "  fix ({}): {}", fix.applicability.as_str(), fix.title).unwrap();
        }
    }
    text
}

fn report(sources: &[&str]) -> String {
    sources.iter().map(|source| format!("{source}\n{}\n", check(source))).collect()
}

#[test]
fn expressions_and_their_ranges() {
    insta::assert_snapshot!(report(&[
        "-5",
        "- -(6)",
        "\"\"",
        "\"a${n}b\"",
        "\"${(n)}\"",
        "\"%{if ok}yes%{endif}\"",
        "\"%{for x in names}<${x}>%{endfor}\"",
        "(o).name",
        "\"${o}\".name",
        "{ a = 1, \"b\" = s, (s) = 2 }",
        "xs[0].a.b",
        "xs[n].a.b",
        "xs[*].a.b",
        "xs.*.a.b",
        "xs[*].tags[*]",
        "xs[*].tags[n]",
        "xs.*.tags[0]",
        "o[*].name",
        "[for i, x in names: \"${i}\" if ok]",
        "{for x in names: x => n...}",
        "ok ? (n) : 2",
        "join(\",\", names)",
        "max([1, n]...)",
    ]));
}

#[test]
fn diagnostics() {
    insta::assert_snapshot!(report(&[
        "nmaes",
        "lenght(names)",
        "length",
        "o.nmae",
        "o.NAME",
        "o[\"nmae\"]",
        "later.pi + 1",
        "s.x",
        "[1, 2][2]",
        "[1, 2].x",
        "names + 1",
        "ok ? names : (gone)",
        "names ? 1 : 2",
        "{ a = 1, a = 2 }",
        "{ (names) = 1 }",
        "[for k, k in names: k]",
        "[for x in n: x]",
        "names[{}]",
        "join(\",\")",
        "join(\",\", [\"a\", [\"b\"]])",
        "stack(1, 2)",
        "element(o, 0)",
        "lookup(names, s)",
        "recover(s, error)",
        "try()",
        "assetArchive({ a = fileAsset(\"a\"), b = 1 })",
        "pulumiResourceName(o)",
    ]));
}

/// Every fix that is offered gives text that reads, with fewer diagnostics than before.
#[test]
fn fixes_mend() {
    let mut text = String::new();
    for source in [
        "nmaes",
        "lenght(names)",
        "o.NAME",
        "o[\"nmae\"]",
        "xs.tags",
        "\"a\" + \"b\"",
        "\"port \" + n",
        "(\"a\") + (o.name)",
        "join(\",\", \"a\")",
        "join(\",\", (s))",
        "join([s], names)",
        "join(\",\", [\"a\", [ \"b\" /* only */ ]])",
        "[ok] ? 1 : 2",
    ] {
        let before = bind(source).diagnostics;
        let fixes: Vec<_> = before.iter().flat_map(|found| found.fixes.clone()).collect();
        assert!(!fixes.is_empty(), "nothing is offered for {source}");
        let mut map = SourceMap::new();
        let file = map.add("main.pp", source);
        let (mended, _) = apply(&map, file, &fixes);
        assert!(pcl_syntax::parse_expression(&*mended).errors().is_empty());
        assert!(bind(&mended).diagnostics.len() < before.len(), "{mended}");
        writeln!(text, "{source}  ->  {mended}").unwrap();
    }
    insta::assert_snapshot!(text);
}

/// No fix is offered where changing the text would not help.
#[test]
fn fixes_that_would_not_mend_are_not_offered() {
    for source in ["\"cost $\" + n", "join(\",\", <<EOT\na\nEOT\n)", "names + \"x\""] {
        let found = bind(source).diagnostics;
        assert!(!found.is_empty(), "{source}");
        assert!(found.iter().all(|found| found.fixes.is_empty()), "{source}");
    }
}

fn free(source: &str) -> Vec<String> {
    let tree = pcl_syntax::parse_expression(source);
    let mut names = Vec::new();
    FreeNames::default().each(tree.expression().unwrap(), |name| {
        names.push(format!("{}@{}", name.text(), name.range().start()));
    });
    names
}

#[test]
fn free_names_respect_scopes() {
    assert_eq!(free("a + b.c[d]"), ["a@0", "b@4", "d@8"]);
    assert_eq!(free("[for x in x: x]"), ["x@10"]);
    assert_eq!(free("{for k, v in c: k => v + w if k}"), ["c@13", "w@25"]);
    assert_eq!(free("length(recover(a, error))"), ["a@15"]);
    assert_eq!(free("recover(error, error)"), ["error@8"]);
    assert_eq!(free("{ a = b, (c) = d, e.f = 1 }"), ["b@6", "c@10", "d@15", "e@18"]);
    assert_eq!(
        free("\"${a}%{if b}${c}%{else}${d}%{endif}%{for x in e}${x}${f}%{endfor}\"").len(),
        6
    );
    assert_eq!(free("xs[*].a[i][*].b[j]"), ["xs@0", "i@8", "j@16"]);
}

#[test]
fn chains_of_any_length() {
    let sources = [
        vec!["n"; 5_000].join(" + "),
        format!("o{}", ".name".repeat(5_000)),
        format!("names{}", "[n]".repeat(5_000)),
        format!("names{}", "[*]".repeat(5_000)),
        format!("xs{}", "[n].a".repeat(5_000)),
        format!("xs{}", ".*.a[0]".repeat(5_000)),
    ];
    for source in sources {
        on_a_small_stack(move || {
            check(&source);
            free(&source);
        });
    }
}

#[test]
fn nesting_up_to_the_limit_of_the_parser() {
    let nest = |open: &str, inner: &str, close: &str| {
        let depth = pcl_syntax::MAX_DEPTH - 2;
        open.repeat(depth) + inner + &close.repeat(depth)
    };
    let sources = [
        nest("(", "n", ")"),
        nest("[", "n", "]"),
        nest("{ a = ", "n", " }"),
        nest("[for x in names: ", "x", "]"),
        nest("-", "n", ""),
        nest("max(", "n", ")"),
        nest("\"a${", "n", "}\""),
        nest("ok ? 1 : ", "n", ""),
        nest("names[n + ", "0", "]"),
        nest("xs[*][n + ", "0", "]"),
        format!("\"{}\"", nest("%{if ok}", "a", "%{endif}")),
        format!("\"{}\"", nest("%{for x in names}", "a", "%{endfor}")),
    ];
    for source in sources {
        on_a_small_stack(move || {
            check(&source);
            free(&source);
        });
    }
}

#[test]
fn guesses_at_misspelled_names_are_rationed() {
    let names: Vec<String> = (0..1_000).map(|index| format!("variable{index}")).collect();
    let unknown: Vec<String> = (0..200).map(|index| format!("variabel{index}")).collect();
    let source = format!("[{}]", unknown.join(", "));
    let scope = names.iter().map(|name| (name.as_str(), "int"));
    let diagnostics = bind_with(&source, scope).diagnostics;
    assert_eq!(diagnostics.len(), 200);
    let guesses = |at: usize| {
        let mut fixes = diagnostics[at].fixes.iter();
        fixes.any(|fix| fix.title.starts_with("use `variable"))
    };
    assert!(guesses(0));
    assert!(!guesses(199));
}

#[test]
fn types_are_words() {
    let mut types = TypeStore::new();
    for (ty, words) in [
        ("list(string)", "a list of strings"),
        ("map(list(int))", "a map of lists of ints"),
        ("list(object({a = string}))", "a list of objects"),
        ("tuple(string, string)", "a list of strings"),
        ("tuple(string, bool)", "a list"),
        ("output(string)", "a string"),
        ("union(none, string)", "a string"),
        ("union(string, list(string))", "a string or a list of strings"),
        ("list(list(list(list(list(int)))))", "a list of lists of lists of lists"),
        (
            "output(union(bool, number, list(dynamic), map(output(dynamic))))",
            "a bool, a number, a list or a map",
        ),
        (
            "union(list(bool), list(int), list(string), map(bool), map(int), map(string), set(int))",
            "a list, a set or a map",
        ),
        ("tuple()", "an empty list"),
        ("list(dynamic)", "a list"),
    ] {
        let parsed = parse_type(&mut types, ty).unwrap();
        assert_eq!(in_words(&mut types, parsed), words, "{ty}");
    }
}
