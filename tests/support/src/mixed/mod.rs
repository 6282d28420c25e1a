//! Programs of the package `lab` that mix ranges, loops, conditions, outputs, optional values,
//! components and functions, the same ones for each seed.
//!
//! Most of them are valid. They avoid what fails while a program runs, so that all that a language
//! does differently shows in what is registered.

mod expression;

use std::fmt::Write as _;
use std::ops::Range;

use serde_json::{Value as Json, json};

use self::expression::{Kind, Name};
use crate::Random;

/// The seeds that the environment asks for: `PCL_MIXED_COUNT` of them, or this number, from
/// `PCL_MIXED_SEED` on.
pub fn seeds(count: u64) -> Range<u64> {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let first = number("PCL_MIXED_SEED", 1);
    first..first + number("PCL_MIXED_COUNT", count)
}

/// A program in the form of the recorded registrations: `files`, `config` and `responses`.
pub fn mixed_program(seed: u64) -> Json {
    let mut random = Random::new(seed);
    let has_component = random.below(3) > 0;
    let mut files = serde_json::Map::new();
    let inner = has_component.then(|| Module::component(&mut random));
    if let Some(inner) = &inner {
        files.insert("part/part.pp".to_owned(), json!(inner.text));
    }
    let main = Module::program(&mut random, inner.as_ref());
    files.insert("main.pp".to_owned(), json!(main.text));
    json!({
        "id": format!("mixed-{seed}"),
        "files": files,
        "features": ["CALL_OUTPUT_VALUES", "INVOKE_OUTPUT_VALUES", "REGISTER_RESOURCE_OUTPUT_VALUES"],
        "raw": true,
        "config": { "proj:word": "given", "proj:count": "2" },
        "responses": { "lab:index:Box": answer(), "lab:index:getThing": answer() },
    })
}

/// The answer about each resource and function.
fn answer() -> Json {
    json!({ "outputs": {
        "count": 2,
        "flag": true,
        "hidden": { "$secret": "HID" },
        "info": { "addr": "10.0.0.1", "port": 80, "sub": { "addr": "10.0.0.2" } },
        "infos": [{ "addr": "x", "port": 1 }, { "addr": "y" }],
        "list": ["l0", "l1"],
        "out": "OUT",
        "result": "found",
        "text": "described",
    } })
}

/// The text of a program or component while it is written.
struct Module {
    text: String,
    names: Vec<Name>,
    /// The resources without a range.
    singles: Vec<String>,
    /// The resources with one.
    ranges: Vec<String>,
    inputs: Vec<(String, Kind)>,
    outputs: Vec<(String, Kind)>,
    next: usize,
}

impl Module {
    fn new() -> Self {
        Self {
            text: String::new(),
            names: Vec::new(),
            singles: Vec::new(),
            ranges: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            next: 0,
        }
    }

    fn component(random: &mut Random) -> Self {
        let mut module = Self::new();
        for _ in 0..2 + random.below(4) {
            let kind = Kind::any(random);
            let name = module.name("in");
            let _ = writeln!(module.text, "config {name} \"{}\" {{", kind.text());
            if kind == Kind::MaybeText {
                module.text.push_str("  default = null\n");
            } else if random.below(4) == 0 {
                let _ = writeln!(module.text, "  default = {}", kind.literal(random));
            }
            module.text.push_str("}\n");
            module.inputs.push((name.clone(), kind));
            module.names.push(Name::open(name, kind));
        }
        module.statements(random, 2, None);
        for at in 0..1 + random.below(3) {
            let kind = Kind::any(random);
            let value = module.expression(random, kind, 2);
            let _ = writeln!(module.text, "output out{at} {{\n  value = {value}\n}}");
            module.outputs.push((format!("out{at}"), kind));
        }
        module
    }

    fn program(random: &mut Random, inner: Option<&Self>) -> Self {
        let mut module = Self::new();
        let configs = [
            ("word", Kind::Text, "string", None),
            ("count", Kind::Number, "int", None),
            ("maybe", Kind::MaybeText, "string", Some("null")),
            ("words", Kind::Texts, "list(string)", Some("[\"p\", \"q\"]")),
            ("secretWord", Kind::Text, "string", Some("\"hush\"")),
        ];
        for (name, kind, ty, default) in configs {
            if random.below(2) == 0 {
                continue;
            }
            let _ = writeln!(module.text, "config {name} \"{ty}\" {{");
            if let Some(default) = default {
                let _ = writeln!(module.text, "  default = {default}");
            }
            if name == "secretWord" {
                module.text.push_str("  secret = true\n");
            }
            module.text.push_str("}\n");
            module.names.push(Name::open(name, kind));
        }
        let before = 1 + random.below(3);
        module.statements(random, before, None);
        module.statements(random, 2, inner);
        module.statements(random, 2, None);
        for at in 0..1 + random.below(3) {
            let kind = Kind::any(random);
            let value = module.expression(random, kind, 3);
            let _ = writeln!(module.text, "output result{at} {{\n  value = {value}\n}}");
        }
        module
    }

    fn name(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("{stem}{}", self.next)
    }

    fn expression(&self, random: &mut Random, kind: Kind, depth: usize) -> String {
        expression::write(random, &self.names, kind, depth)
    }

    fn statements(&mut self, random: &mut Random, count: usize, inner: Option<&Self>) {
        for _ in 0..count {
            match (inner, random.below(6)) {
                (Some(inner), 0..3) => self.use_component(random, inner),
                (_, 0 | 1) => {
                    let kind = Kind::any(random);
                    let value = self.expression(random, kind, 3);
                    let name = self.name("local");
                    let _ = writeln!(self.text, "{name} = {value}");
                    self.names.push(Name::new(name, kind));
                }
                (_, 2) => self.call(random),
                _ => self.resource(random),
            }
        }
    }

    /// `name = invoke("lab:index:getThing", { .. })`
    fn call(&mut self, random: &mut Random) {
        let given = self.expression(random, Kind::Text, 2);
        let name = self.name("found");
        let _ = writeln!(
            self.text,
            "{name} = invoke(\"lab:index:getThing\", {{\n  name = {given}\n}})"
        );
        self.names.push(Name::new(format!("{name}.list"), Kind::MaybeTexts));
        self.names.push(Name::new(format!("{name}.result"), Kind::MaybeText));
    }

    fn resource(&mut self, random: &mut Random) {
        let name = self.name("box");
        let (kind, range, mut names) = self.range(random);
        names.extend(self.names.iter().cloned());
        let mut body = String::new();
        if let Some(range) = &range {
            let _ = writeln!(body, "    range = {range}");
        }
        if !self.singles.is_empty() && random.below(3) == 0 {
            let on = &self.singles[random.below(self.singles.len())];
            let option = ["dependsOn", "parent", "deletedWith"][random.below(3)];
            let on = if option == "dependsOn" { format!("[{on}]") } else { on.clone() };
            let _ = writeln!(body, "    {option} = {on}");
        } else if !self.ranges.is_empty() && random.below(3) == 0 {
            let on = &self.ranges[random.below(self.ranges.len())];
            let _ = writeln!(body, "    dependsOn = [{on}]");
        }
        let _ = writeln!(self.text, "resource {name} \"lab:index:Box\" {{");
        if !body.is_empty() {
            let _ = writeln!(self.text, "  options {{\n{body}  }}");
        }
        let inputs = [
            ("name", Kind::Text),
            ("size", Kind::Number),
            ("on", Kind::Bool),
            ("tags", Kind::TextMap),
            ("items", Kind::Texts),
            ("extra", Kind::Any),
            ("cfg", Kind::Config),
        ];
        for (input, kind) in inputs {
            if random.below(3) == 0 {
                let kind = if kind == Kind::Any { Kind::any(random) } else { kind };
                let value = expression::write(random, &names, kind, 2);
                let _ = writeln!(self.text, "  {input} = {value}");
            }
        }
        self.text.push_str("}\n");
        self.declare(random, &name, kind);
    }

    /// The kind of a range, the range, and the names that it defines.
    fn range(&mut self, random: &mut Random) -> (Option<Kind>, Option<String>, Vec<Name>) {
        let (kind, key, value) = match random.below(9) {
            0 => (Kind::Number, None, Some(Kind::Number)),
            1 => (Kind::Bool, None, None),
            2 => (Kind::Texts, Some(Kind::Number), Some(Kind::Text)),
            3 => (Kind::TextMap, Some(Kind::Text), Some(Kind::Text)),
            _ => return (None, None, Vec::new()),
        };
        let range = match kind {
            // Not so many that they take long.
            Kind::Number => match random.below(3) {
                0 => random.below(4).to_string(),
                1 => format!("length({})", self.expression(random, Kind::Texts, 1)),
                _ => self.small_number(random),
            },
            kind => self.expression(random, kind, 2),
        };
        let part = |name: &str, kind: Option<Kind>| kind.map(|kind| Name::new(name, kind));
        let names = part("range.key", key).into_iter().chain(part("range.value", value));
        (Some(kind), Some(range), names.collect())
    }

    fn small_number(&self, random: &mut Random) -> String {
        let small = |name: &&Name| name.text.ends_with(".count") || name.text == "count";
        let found: Vec<&Name> = self.names.iter().filter(small).collect();
        match found.len() {
            0 => String::from("2"),
            count => found[random.below(count)].text.clone(),
        }
    }

    /// Makes what a resource has known to the expressions that follow.
    fn declare(&mut self, random: &mut Random, name: &str, range: Option<Kind>) {
        if range.is_some() {
            self.ranges.push(name.to_owned());
        }
        let mut add = |text: String, kind| self.names.push(Name::open(text, kind));
        match range {
            None => {
                self.singles.push(name.to_owned());
                for (member, kind) in [
                    ("out", Kind::Text),
                    ("hidden", Kind::Text),
                    ("count", Kind::Number),
                    ("list", Kind::Texts),
                    ("info.addr", Kind::MaybeText),
                    ("id", Kind::Text),
                ] {
                    if random.below(2) == 0 {
                        add(format!("{name}.{member}"), kind);
                    }
                }
            }
            Some(Kind::Bool) => {}
            Some(Kind::TextMap) => {
                add(format!("{{for k, v in {name} : k => v.out}}"), Kind::TextMap)
            }
            Some(_) => match random.below(3) {
                0 => add(format!("try({name}[0].out, \"none\")"), Kind::Text),
                1 => add(format!("({name}[*].out)"), Kind::Texts),
                _ => add(format!("length({name})"), Kind::Number),
            },
        }
    }

    fn use_component(&mut self, random: &mut Random, inner: &Self) {
        let name = self.name("part");
        let _ = writeln!(self.text, "component {name} \"./part\" {{");
        for (input, kind) in &inner.inputs {
            let value = self.expression(random, *kind, 2);
            let _ = writeln!(self.text, "  {input} = {value}");
        }
        self.text.push_str("}\n");
        for (output, kind) in &inner.outputs {
            self.names.push(Name::new(format!("{name}.{output}"), *kind));
        }
    }
}
