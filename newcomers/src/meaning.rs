//! The meaning of a name that only other languages have, read off the name and the steps after it.
//!
//! The rules, with examples: `tests/spec/habits/names.md`.

use pcl_syntax::ast::{self, StepKind};

use crate::terraform;

/// The meaning of an undefined name with the names of the steps after it.
pub enum Meaning<'t> {
    /// A declared name behind a foreign prefix, such as `var.`.
    Behind(Behind<'t>),
    /// The value or the key of the present element.
    Element(&'static str),
    /// A call of a function without arguments.
    Call {
        /// The name of the function.
        function: &'static str,
        /// Set if it certainly gives what was meant.
        certain: bool,
    },
    /// A constant under another name.
    Word {
        /// The boolean that it is in PCL; without one it is `null`.
        constant: Option<bool>,
        /// Set if the word is nothing but that constant in its own language.
        certain: bool,
    },
    /// A string without quotes.
    Text(&'t str),
    /// A data source of this type.
    DataSource(&'t str),
    /// Something that PCL has not.
    Absent(Absent),
}

/// A declared name, and how it was written.
pub struct Behind<'t> {
    /// The kind of what comes before it.
    pub prefix: Prefix,
    /// The name of the declaration, as it was written.
    pub written: &'t str,
    /// The declaration; `None` when there is none.
    pub declared: Option<String>,
    /// The steps that are part of the mistake.
    pub steps: usize,
}

/// The kind of a prefix that PCL has not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefix {
    /// `var.`, `local.`
    Variable,
    /// `module.`
    Module,
    /// `aws_vpc.`, `resource.aws_vpc.`, `data.aws_vpc.`
    Type,
}

/// A thing that PCL has not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absent {
    /// `self`, `this`: the block that the name is in.
    Own,
    /// `process.env`, `os.environ`: variables of the environment.
    Environment,
}

/// The words for constants that are nothing else in their own languages.
const WORDS: &[(&str, Option<bool>)] = &[
    ("FALSE", Some(false)),
    ("False", Some(false)),
    ("NIL", None),
    ("NULL", None),
    ("None", None),
    ("Null", None),
    ("TRUE", Some(true)),
    ("True", Some(true)),
    ("nil", None),
    ("none", None),
    ("undefined", None),
];

/// The words that YAML takes for booleans.
const SWITCHES: &[(&str, bool)] = &[("no", false), ("off", false), ("on", true), ("yes", true)];

/// The meaning of an undefined name. `is_declared` says which names the program declares.
pub fn meaning<'t>(name: ast::Name<'t>, is_declared: impl Fn(&str) -> bool) -> Option<Meaning<'t>> {
    let text = name.text();
    let steps = || {
        let steps = name.traversal().into_iter().flat_map(ast::Traversal::steps);
        steps.map_while(|step| match step.kind() {
            StepKind::Attribute(word) => Some(word.text()),
            _ => None,
        })
    };
    let (first, second) = (steps().next(), steps().nth(1));
    let declared = |name: &str| {
        if is_declared(name) {
            Some(name.to_owned())
        } else {
            terraform::camel(name).filter(|camel| is_declared(camel))
        }
    };
    let behind = |prefix, written: &'t str, steps| {
        Some(Meaning::Behind(Behind { prefix, written, declared: declared(written), steps }))
    };
    match (text, first, second) {
        ("resource" | "data", Some(_), Some(name)) if declared(name).is_some() => {
            behind(Prefix::Type, name, 2)
        }
        ("data", Some(kind), _) => Some(Meaning::DataSource(kind)),
        ("resource", Some(name), _) if declared(name).is_some() => behind(Prefix::Type, name, 1),
        (
            "var" | "vars" | "variable" | "variables" | "local" | "locals" | "config",
            Some(name),
            _,
        ) => behind(Prefix::Variable, name, 1),
        ("module" | "component", Some(name), _) => behind(Prefix::Module, name, 1),
        ("each", Some("value"), _) | ("count", Some("index"), _) => Some(Meaning::Element("value")),
        ("each", Some("key"), _) => Some(Meaning::Element("key")),
        ("terraform", Some("workspace"), _) => Some(call("stack", true)),
        ("path", Some("module"), _) => Some(call("cwd", false)),
        ("path", Some("root"), _) => Some(call("rootDirectory", false)),
        ("path", Some("cwd"), _) | ("pulumi", Some("cwd"), _) => Some(call("cwd", true)),
        ("pulumi", Some("stack"), _) => Some(call("stack", true)),
        ("pulumi", Some("project"), _) => Some(call("project", true)),
        ("pulumi", Some("organization"), _) => Some(call("organization", true)),
        ("pulumi", Some("rootDirectory"), _) => Some(call("rootDirectory", true)),
        ("self" | "this", _, _) => Some(Meaning::Absent(Absent::Own)),
        ("process", Some("env"), _) | ("os", Some("environ" | "env"), _) => {
            Some(Meaning::Absent(Absent::Environment))
        }
        ("env" | "ENV" | "environ", _, _) if name.traversal().is_some() => {
            Some(Meaning::Absent(Absent::Environment))
        }
        (text, Some(name), None) if terraform::is_provider(text) && declared(name).is_some() => {
            behind(Prefix::Type, name, 1)
        }
        (text, Some(name), _) if terraform::is_type(text) && declared(name).is_some() => {
            behind(Prefix::Type, name, 1)
        }
        (text, None, None) if name.traversal().is_none() => word(text),
        (text, Some(size), None) if is_machine_type(text, size) => {
            let whole = name.traversal()?;
            (whole.steps().count() == 1).then(|| Meaning::Text(whole.syntax().text()))
        }
        _ => None,
    }
}

fn call<'t>(function: &'static str, certain: bool) -> Meaning<'t> {
    Meaning::Call { function, certain }
}

fn word(text: &str) -> Option<Meaning<'_>> {
    if let Some((_, constant)) = WORDS.iter().find(|(word, _)| *word == text) {
        return Some(Meaning::Word { constant: *constant, certain: true });
    }
    let switch = SWITCHES.iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
    if let Some(&(_, value)) = switch {
        return Some(Meaning::Word { constant: Some(value), certain: false });
    }
    // A name with a digit behind a dash is that of a region or of a size.
    let mut parts = text.split('-').skip(1);
    parts.any(|part| part.starts_with(|c: char| c.is_ascii_digit())).then_some(Meaning::Text(text))
}

/// Returns true if two words are a type of machine, such as `t2.micro` or `m5.2xlarge`.
fn is_machine_type(family: &str, size: &str) -> bool {
    const SIZES: [&str; 7] = ["large", "medium", "metal", "micro", "nano", "small", "xlarge"];
    let digits = family.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letters = family.len() - digits.len();
    let size = size.trim_start_matches(|c: char| c.is_ascii_digit());
    (1..=3).contains(&letters)
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && family.len() <= 6
        && SIZES.contains(&size)
}
