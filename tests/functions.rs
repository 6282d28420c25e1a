//! The tables of functions: their examples are right, the pages of `tests/spec` show every
//! function, and `docs/functions.md` is generated from the tables.

use std::fmt::Write as _;
use std::sync::Arc;

use pcl::binder::{Bound, NodeBody, NodeKind, Options, Sources, bind};
use pcl::diagnostics::SourceMap;
use pcl::language::{Area, FunctionRow, functions};
use pcl::model::expression::ExprKind;
use pcl::model::functions::{returns, usage};
use pcl::schema::MemoryLoader;
use pcl::syntax::ast::{AstNode, Expr};
use pcl_test_support::programs::{pages, programs};
use pcl_test_support::{generated, root};

/// The declarations that the examples refer to.
const PRELUDE: &str = r#"
resource bucket "toy:index:Bucket" {}
resource network "pulumi:pulumi:StackReference" { name = "org/network/prod" }
config password string { secret = true }
config server "object({ ip = string })" { secret = true }
config settings "object({ region = string })" {}
config sizes "map(int)" {}
config subnets "list(string)" {}
config tags "map(string)" {}
config zones "list(string)" {}
"#;

const SCHEMA: &str = r##"{ "name": "toy", "version": "1.0.0",
  "resources": { "toy:index:Bucket": {
    "properties": { "url": { "type": "string" } }, "required": ["url"],
    "methods": { "sign": "toy:index:Bucket/sign" } } },
  "functions": {
    "toy:index:Bucket/sign": {
      "inputs": { "properties": { "__self__": { "$ref": "#/resources/toy:index:Bucket" }, "name": { "type": "string" } }, "required": ["__self__"] },
      "outputs": { "properties": { "url": { "type": "string" } } } },
    "toy:index:find": {
      "inputs": { "properties": { "name": { "type": "string" } } },
      "outputs": { "properties": { "id": { "type": "string" } } } } } }"##;

/// Every example binds without a diagnostic, and the call in it has the documented parameters.
#[test]
fn examples_are_right() {
    for function in functions() {
        let program = if is_of_type_labels(function) {
            format!("config x {:?} {{}}\n", function.example)
        } else {
            format!("x = {}\n{PRELUDE}", function.example)
        };
        let bound = bound(program);
        assert!(bound.diagnostics.is_empty(), "{}: {:?}", function.example, bound.diagnostics);

        if is_of_type_labels(function) {
            continue;
        }
        let x = bound.program.module.find(NodeKind::Local, "x");
        let x = x.expect("the example is the value of a local");
        let NodeBody::Local(value) = bound.program.module.node(x).body else {
            panic!("{} has no value", function.example);
        };
        let exprs = &bound.program.exprs;
        let found = exprs.subtree(value).find_map(|id| match &exprs[id].kind {
            ExprKind::Call(call) if bound.program.types.name(call.name) == function.name => {
                Some(call.signature.clone())
            }
            _ => None,
        });
        let signature = found.expect("an example calls its function");
        let mut taken: Vec<String> =
            signature.parameters.iter().map(|p| p.name.to_string()).collect();
        taken.extend(signature.variadic.map(|rest| format!("...{}", rest.name)));
        // However many arguments `try` has, it takes them all.
        if function.name != "try" {
            assert_eq!(parameters(&usage(function)), taken, "{}", function.name);
        }
    }
}

/// A value of the type `any` is accepted in the place of each argument, and so is a secret one.
#[test]
fn every_function_takes_values_of_any_type() {
    // These decide which member of a package is called.
    const NAMES: [(&str, usize); 3] = [("invoke", 0), ("call", 0), ("call", 1)];
    let mut tried = 0;
    for function in functions() {
        if is_of_type_labels(function) {
            continue;
        }
        let parameters = parameters(&usage(function));
        let example = format!("x = {}\n", function.example);
        let arguments = arguments(&example, function.name);
        for value in ["anything", "secret(anything)"] {
            let mut calls: Vec<String> = Vec::new();
            for (at, range) in arguments.iter().enumerate() {
                if !NAMES.contains(&(function.name, at)) {
                    let mut call = example.clone();
                    call.replace_range(range.clone(), value);
                    calls.push(call);
                }
            }
            if !NAMES.contains(&(function.name, 0)) {
                let all: Vec<&str> = parameters.iter().map(|_| value).collect();
                calls.push(format!("x = {}({})\n", function.name, all.join(", ")));
            }
            for call in calls {
                let program = format!("{call}config anything any {{}}\n{PRELUDE}");
                let bound = bound(program);
                assert!(bound.diagnostics.is_empty(), "{call}: {:?}", bound.diagnostics);
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

/// The places of the arguments in the first call of a function.
fn arguments(program: &str, name: &str) -> Vec<std::ops::Range<usize>> {
    let tree = pcl::syntax::parse(program);
    let mut nodes = tree.root().descendants();
    let call = nodes.find_map(|node| match Expr::cast(node) {
        Some(Expr::Call(call)) if call.name() == name => Some(call),
        _ => None,
    });
    let call = call.expect("an example calls its function");
    let ranges = call.arguments().map(|argument| argument.range());
    ranges.map(|range| range.start() as usize..range.end() as usize).collect()
}

/// A program of one file, bound with the schema.
fn bound(program: String) -> Bound {
    let mut loader = MemoryLoader::default();
    loader.add(SCHEMA).expect("the schema is a package");
    let mut map = SourceMap::new();
    let sources = Sources::from_texts([("main.pp", program)], &mut map);
    bind(&sources, &mut map, Arc::new(loader), &Options::default())
}

fn is_of_type_labels(function: &FunctionRow) -> bool {
    function.area == Area::Types
}

/// The names of the parameters in `f(a: list(T), b?: int) -> T`.
fn parameters(usage: &str) -> Vec<String> {
    let (_, rest) = usage.split_once('(').expect("a parenthesis");
    let (list, _) = rest.rsplit_once(") -> ").expect("a result");
    let mut depth = 0;
    let parts = list.split(|c| {
        depth += i32::from(matches!(c, '(' | '{')) - i32::from(matches!(c, ')' | '}'));
        c == ',' && depth == 0
    });
    let names = parts.filter_map(|part| part.split_once(':'));
    names.map(|(name, _)| name.trim().trim_end_matches('?').to_owned()).collect()
}

/// The reference shows each function at work, in a program.
#[test]
fn no_function_is_missing_in_the_reference() {
    let mut text = String::new();
    for page in pages(&root().join("tests/spec")) {
        let source = std::fs::read_to_string(&page).expect("a page is text");
        for program in programs(&page.display().to_string(), &source) {
            text.extend(program.files.into_values());
        }
    }
    for function in functions() {
        let call = format!("{}(", function.name);
        let is_called = text.match_indices(&call).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ':'))
        });
        assert!(is_called, "no page shows `{call}..)`");
    }
}

#[test]
fn the_page_of_functions_is_generated() {
    generated("docs/functions.md", &page());
}

fn page() -> String {
    let mut page = String::from(
        "# Functions\n\n\
         All functions of the language. A letter such as `T` is a type that depends on the arguments,\n\
         `name?` is an optional argument, and `...name` is any number of arguments. A value is eventual if\n\
         it is an output or promise. The pages in [tests/spec/functions](../tests/spec/functions) show and\n\
         test the behaviour of each function; `pcl explain element` prints the entry of `element`. This\n\
         page is generated by `tests/functions.rs` from the tables that the checker uses.\n",
    );
    for &area in Area::ALL {
        let _ = write!(page, "\n## {}\n", area.name());
        for function in functions().filter(|function| function.area == area) {
            let _ = write!(
                page,
                "\n### {}\n\n```\n{}\n```\n\n{}.\nReturns {}.\nAvailable {}.\n\n```pcl\n{}\n```\n",
                function.name,
                usage(function),
                sentence(function.summary),
                returns(function),
                function.construct.releases(),
                function.example
            );
        }
    }
    page
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
