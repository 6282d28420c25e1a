//! Shapes of the files in YAML, JSON and TOML that commands read: each reader with each form that
//! once was slow in one of them.
//!
//! The reader of packages in `GeneratePackage` is that of `pcl schema check`.

use super::Command::{Check, Import, Mock, Preview, Schema, StateCheck, Sync};
use super::{Shape, each, main_file};

type Files = Vec<(String, String)>;

/// A program, and another file.
fn beside(name: &str, text: String) -> Files {
    let mut files = main_file("output \"o\" {\n  value = 1\n}\n");
    files.push((name.to_owned(), text));
    files
}

/// Lines two spaces further right.
fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("  {line}\n")).collect()
}

fn project(lines: String) -> Files {
    beside("Pulumi.yaml", format!("name: shop\nruntime: pcl\n{lines}pcl: {{}}\n"))
}

fn project_config(lines: String) -> Files {
    let config = indented(&lines);
    beside("Pulumi.yaml", format!("name: shop\nruntime: pcl\nconfig:\n{config}"))
}

fn stack(lines: String) -> Files {
    let mut files = project(String::new());
    files.push(("Pulumi.dev.yaml".to_owned(), format!("config:\n{}", indented(&lines))));
    files
}

fn schema_yaml(lines: String) -> Files {
    let text = format!("name: wide\nversion: 1.0.0\n{lines}resources:\n{}", indented(&lines));
    beside("schemas/wide.yaml", text)
}

fn schema_json(fields: String) -> Files {
    let text = format!(
        "{{\"name\":\"wide\",\"version\":\"1.0.0\",{fields}\"resources\":{{{fields}\"a\":{{}}}}}}"
    );
    beside("schemas/wide.json", text)
}

fn state(fields: String) -> Files {
    let resource = format!(
        "{{\"urn\":\"urn:pulumi:dev::shop::harbor:network:Network::n\",\"custom\":true,\
         \"id\":\"i\",\"type\":\"harbor:network:Network\",{fields}\
         \"inputs\":{{{fields}\"cidr\":\"\"}}}}"
    );
    let text =
        format!("{{\"version\":3,{fields}\"deployment\":{{{fields}\"resources\":[{resource}]}}}}");
    beside("state.json", text)
}

fn mock(fields: String) -> Files {
    let text = format!(
        "{{\"resources\":{{\"a:b:C\":{{\"outputs\":{{{fields}\"z\":1}}}}}},\"calls\":{{}}}}"
    );
    beside("mock.json", text)
}

fn lock(fields: String) -> Files {
    let text = format!("{{{fields}\"format_version\":\"1.0\",\"packages\":[]}}");
    beside("schemas/pcl-schemas.lock", text)
}

fn settings(lines: String) -> Files {
    beside("pcl.toml", lines)
}

/// Forms of block collections, as lines.
mod yaml {
    use super::each;

    pub fn keys(n: usize) -> String {
        each(n, |i| format!("é{i}: 1\n"))
    }

    /// Levels of indentation, which make a text of `4 * n` bytes.
    pub fn depth(n: usize) -> String {
        let levels = (2 * n * 4).isqrt();
        each(levels, |i| format!("{}a:\n", " ".repeat(i)))
    }

    pub fn mappings(n: usize) -> String {
        let named = each(n / 2, |i| format!("  k{i}:\n    a: 1\n"));
        format!("l:\n{}m:\n{named}", "- a: 1\n".repeat(n / 2))
    }

    pub fn repeated(n: usize) -> String {
        format!("a: &a [1]\nl:\n{}", each(n, |i| format!("- &b{i} [*a]\n- *b{i}\n")))
    }
}

/// Forms of fields, each with a comma behind it.
mod json {
    use super::each;

    pub fn keys(n: usize) -> String {
        each(n, |i| format!("\"é{i}\":1,"))
    }

    pub fn depth(n: usize) -> String {
        let (lists, objects) = ("[".repeat(n), "{\"a\":".repeat(n));
        format!("\"l\":{lists}{}1{}{},", objects, "}".repeat(n), "]".repeat(n))
    }

    pub fn mappings(n: usize) -> String {
        let named = each(n / 2, |i| format!("\"k{i}\":{{\"a\":1}},"));
        let listed = "{\"a\":1},".repeat(n / 2);
        format!("\"l\":[{listed}1],\"m\":{{{named}\"z\":1}},")
    }

    pub fn repeated(n: usize) -> String {
        "\"a\":1,\n".repeat(n)
    }
}

/// Forms of tables.
mod toml {
    use super::each;

    pub fn keys(n: usize) -> String {
        each(n, |i| format!("\"é{i}\" = 1\n"))
    }

    pub fn depth(n: usize) -> String {
        format!("a.{}b = {}1\n", "a.".repeat(n), "[".repeat(n))
    }

    pub fn mappings(n: usize) -> String {
        let named = each(n / 2, |i| format!("[m.k{i}]\na = 1\n"));
        format!("{}{named}", "[[l]]\na = 1\n".repeat(n / 2))
    }

    pub fn repeated(n: usize) -> String {
        each(n, |i| format!("a.b.c.d{i} = 1\n"))
    }
}

/// The shapes of readers: a name, a command, a syntax, and what makes the files of a text.
macro_rules! shapes {
    ($($name:literal $($failed:ident)?: $command:ident, $syntax:ident => $files:ident;)*) => {
        pub const SHAPES: &[Shape] = &[$(
            Shape::new(concat!($name, ": keys"), 100, &[$command], |n| $files($syntax::keys(n)))$(.$failed())?,
            Shape::new(concat!($name, ": depth"), 400, &[$command], |n| $files($syntax::depth(n)))$(.$failed())?,
            Shape::new(concat!($name, ": lists of mappings"), 100, &[$command], |n| $files($syntax::mappings(n)))$(.$failed())?,
            Shape::new(concat!($name, ": repeated parts"), 60, &[$command], |n| $files($syntax::repeated(n)))$(.$failed())?,
        )*];
    };
}

shapes! {
    "project" failed: Check, yaml => project;
    "configuration of a project": Preview, yaml => project_config;
    "settings of a stack": Preview, yaml => stack;
    "schema in YAML" failed: Schema, yaml => schema_yaml;
    "schema in JSON" failed: Schema, json => schema_json;
    "schema in YAML of a program": Check, yaml => schema_yaml;
    "state": StateCheck, json => state;
    "state to import": Import, json => state;
    "answers": Mock, json => mock;
    "lock file": Sync, json => lock;
    "pcl.toml": Check, toml => settings;
}
