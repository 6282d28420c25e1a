//! Programs of literals: every block, operator and function, with values of right and wrong types.

use std::fmt::Write as _;

/// A package whose resources have inputs of each kind.
pub const SCHEMA: &str = r##"{
  "name": "toy", "version": "1.0.0",
  "types": { "toy:index:Part": { "type": "object", "properties": {
    "size": { "type": "integer" }, "name": { "type": "string" } } } },
  "resources": { "toy:index:Car": {
    "inputProperties": {
      "name": { "type": "string" }, "fast": { "type": "boolean" }, "seats": { "type": "integer" },
      "weight": { "type": "number" }, "tags": { "type": "object", "additionalProperties": { "type": "string" } },
      "parts": { "type": "array", "items": { "$ref": "#/types/toy:index:Part" } } },
    "properties": {
      "name": { "type": "string" }, "fast": { "type": "boolean" }, "seats": { "type": "integer" },
      "weight": { "type": "number" }, "speed": { "type": "number" },
      "tags": { "type": "object", "additionalProperties": { "type": "string" } } },
    "required": ["name", "fast", "seats", "weight", "speed", "tags"] } } }"##;

/// The program of the component.
pub const PART: &str = r#"config size int {
}
config label string {
  default = "none"
}
inverse = 12 / size
output half {
  value = size / 2
}
output word {
  value = element(split("-", label), 0)
}
output given {
  value = size > 100 ? 1 / (size - size) : inverse
}
"#;

/// The kinds of values that expressions are made for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    Bool,
    List,
    Object,
}

const KINDS: [Kind; 5] = [Kind::Number, Kind::Text, Kind::Bool, Kind::List, Kind::Object];

/// Makes one program from a seed.
pub struct Generator {
    state: u64,
    /// The names of what is declared, with their kinds.
    known: Vec<(String, Kind)>,
    text: String,
}

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self { state: seed, known: Vec::new(), text: String::new() }
    }

    /// A number below `end` (splitmix64).
    fn below(&mut self, end: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    fn one<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    fn kind(&mut self) -> Kind {
        KINDS[self.below(KINDS.len())]
    }

    /// A program of a few blocks.
    pub fn program(mut self) -> String {
        for at in 0..1 + self.below(5) {
            match self.below(10) {
                0..4 => self.local(at),
                4 => self.output(at),
                5 => self.config(at),
                6 | 7 => self.resource(at),
                8 => self.component(at),
                _ => self.read(at),
            }
        }
        self.text
    }

    fn local(&mut self, at: usize) {
        let kind = self.kind();
        let value = self.expression(kind, 3);
        _ = writeln!(self.text, "v{at} = {value}");
        self.known.push((format!("v{at}"), kind));
    }

    fn output(&mut self, at: usize) {
        let kind = self.kind();
        let value = self.expression(kind, 3);
        _ = writeln!(self.text, "output o{at} {{\n  value = {value}\n}}");
    }

    fn config(&mut self, at: usize) {
        let (ty, kind) = [
            ("int", Kind::Number),
            ("number", Kind::Number),
            ("string", Kind::Text),
            ("bool", Kind::Bool),
            ("list(string)", Kind::List),
            ("any", Kind::Object),
        ][self.below(6)];
        let value = match self.below(8) {
            0 => String::from("null"),
            1 => String::from("\"\""),
            _ => self.expression(kind, 1),
        };
        _ = writeln!(self.text, "config c{at} \"{ty}\" {{\n  default = {value}\n}}");
        self.known.push((format!("c{at}"), kind));
    }

    fn resource(&mut self, at: usize) {
        let mut body = String::new();
        let mut given = Vec::new();
        if self.below(4) == 0 {
            body += "  __logicalName = \"same\"\n";
        }
        for (name, kind) in [
            ("name", Kind::Text),
            ("fast", Kind::Bool),
            ("seats", Kind::Number),
            ("weight", Kind::Number),
            ("tags", Kind::Object),
        ] {
            if self.below(4) == 0 {
                let value = self.expression(kind, 2);
                _ = writeln!(body, "  {name} = {value}");
                given.push((format!("r{at}.{name}"), kind));
            }
        }
        let ranged = self.range();
        if let Some(range) = &ranged {
            _ = writeln!(body, "  options {{\n    range = {range}\n  }}");
        }
        _ = writeln!(self.text, "resource r{at} \"toy:index:Car\" {{\n{body}}}");
        let steps = [".name", "[0].name", "[1]", "[\"a\"].name", "[\"zz\"]", "", "[-1]"];
        let step = match ranged {
            None => ".name",
            Some(_) => self.one(&steps),
        };
        if self.below(2) == 0 {
            _ = writeln!(self.text, "u{at} = r{at}{step}");
        }
        if ranged.is_none() {
            self.known.append(&mut given);
            self.known.push((format!("r{at}.speed"), Kind::Number));
            self.known.push((format!("r{at}"), Kind::Object));
        }
    }

    /// A range of literals, or none.
    fn range(&mut self) -> Option<String> {
        let fixed = [
            "0",
            "1",
            "2",
            "-1",
            "1.5",
            "true",
            "false",
            "null",
            "\"a\"",
            "[]",
            "[1, 2]",
            "{}",
            "{ a = 1, b = 2 }",
            "1 - 2",
            "range(2)",
        ];
        match self.below(5) {
            0..3 => None,
            3 => Some(self.one(&fixed).to_owned()),
            _ => {
                let kind = self.kind();
                Some(self.expression(kind, 1))
            }
        }
    }

    fn component(&mut self, at: usize) {
        let sizes = ["1", "0", "\"three\"", "\"3\"", "2.5", "101", "true", "[1]", "null"];
        let size = match self.below(3) {
            0 => self.one(&sizes).to_owned(),
            1 => String::from("4"),
            _ => self.expression(Kind::Number, 1),
        };
        let label = match self.below(3) {
            0 => format!("  label = {}\n", self.expression(Kind::Text, 1)),
            _ => String::new(),
        };
        let options = match self.range() {
            Some(range) if self.below(3) == 0 => {
                format!("  options {{\n    range = {range}\n  }}\n")
            }
            _ => String::new(),
        };
        _ = writeln!(
            self.text,
            "component p{at} \"./part\" {{\n  size = {size}\n{label}{options}}}"
        );
        if options.is_empty() && self.below(2) == 0 {
            let output = self.one(&["half", "word", "given"]);
            _ = writeln!(self.text, "w{at} = p{at}.{output}");
        }
    }

    fn read(&mut self, at: usize) {
        let id = self.expression(Kind::Text, 1);
        _ = writeln!(self.text, "read d{at} \"toy:index:Car\" {{\n  id = {id}\n}}");
    }

    /// An expression that is mostly of a kind.
    fn expression(&mut self, kind: Kind, depth: usize) -> String {
        let kind = match self.below(24) {
            0 => self.kind(),
            _ => kind,
        };
        let names: Vec<&(String, Kind)> = self.known.iter().filter(|it| it.1 == kind).collect();
        let names: Vec<String> = names.iter().map(|it| it.0.clone()).collect();
        if !names.is_empty() && self.below(3) == 0 {
            return names[self.below(names.len())].clone();
        }
        if depth == 0 || self.below(4) == 0 {
            return self.literal(kind);
        }
        let depth = depth - 1;
        match self.below(12) {
            0 => {
                let [condition, one, other] =
                    [Kind::Bool, kind, kind].map(|kind| self.expression(kind, depth));
                format!("({condition} ? {one} : {other})")
            }
            1 => format!("try({}, {})", self.expression(kind, depth), self.literal(kind)),
            2 => {
                let value = self.expression(kind, depth);
                format!("{{ a = {value} }}.{}", self.one(&["a", "a", "a", "b"]))
            }
            3 => {
                let (one, other) = (self.expression(kind, depth), self.literal(kind));
                let index = self.one(&["0", "1", "1 - 1", "2", "-1", "\"1\"", "0.5", "3 - 1"]);
                format!("[{one}, {other}][{index}]")
            }
            4 => {
                let value = self.expression(kind, depth);
                let key = self.one(&["\"a\"", "\"b\"", "\"a${\"\"}\"", "0"]);
                format!("lookup({{ a = {value} }}, {key})")
            }
            5 => {
                let value = self.expression(kind, depth);
                let at = self.one(&["0", "1", "7", "-1", "\"0\"", "0.5"]);
                format!("element([{value}], {at})")
            }
            _ => self.operation(kind, depth),
        }
    }

    /// An operator or function whose result is of a kind.
    fn operation(&mut self, kind: Kind, depth: usize) -> String {
        let mut given = |kind| self.expression(kind, depth);
        match kind {
            Kind::Number => {
                let (one, other, list) =
                    (given(Kind::Number), given(Kind::Number), given(Kind::List));
                let of = given(Kind::Text);
                match self.below(9) {
                    0 => format!("({one} + {other})"),
                    1 => format!("({one} / {other})"),
                    2 => format!("({one} % {other})"),
                    3 => format!("({one} * {other})"),
                    4 => format!("-({one})"),
                    5 => format!("length({list})"),
                    6 => format!("length({of})"),
                    7 => format!("max({one}, {other})"),
                    _ => format!("length({one})"),
                }
            }
            Kind::Text => {
                let (text, number, list) =
                    (given(Kind::Text), given(Kind::Number), given(Kind::List));
                let other = given(Kind::Object);
                let file = self.one(&["there.txt", "nope.txt", "part"]).to_owned();
                match self.below(12) {
                    0 => format!("\"a${{{text}}}b\""),
                    1 => format!("\"${{{number}}}\"",),
                    2 => format!("join(\",\", {list})"),
                    3 => format!("toJSON({other})"),
                    4 => format!("toBase64({text})"),
                    5 => format!("fromBase64({text})"),
                    6 => format!("sha1({text})"),
                    7 => String::from("\"x${null}\""),
                    8 => format!("readFile(\"{}\")", file.replace("part", "there.txt")),
                    9 => format!("filebase64(\"{}\")", file.replace("part", "there.txt")),
                    10 => format!("\"%{{ if {} }}y%{{ endif }}\"", self.literal(Kind::Bool)),
                    _ => format!("\"%{{ for x in {list} }}${{x}}%{{ endfor }}\""),
                }
            }
            Kind::Bool => {
                let (one, other) = (given(Kind::Bool), given(Kind::Bool));
                let (left, right) = (given(Kind::Number), given(Kind::Number));
                match self.below(6) {
                    0 => format!("({one} && {other})"),
                    1 => format!("({one} || {other})"),
                    2 => format!("!({one})"),
                    3 => format!("({left} < {right})"),
                    4 => format!("({left} == {right})"),
                    _ => format!("can({left})"),
                }
            }
            Kind::List => {
                let (list, text) = (given(Kind::List), given(Kind::Text));
                let (number, test) = (given(Kind::Number), given(Kind::Bool));
                let object = given(Kind::Object);
                match self.below(7) {
                    0 => format!("[for x in {list} : x]"),
                    1 => format!("[for k, x in {object} : k if {test}]"),
                    2 => format!("split({text}, {})", self.literal(Kind::Text)),
                    3 => format!("[{number}, {text}]"),
                    4 => format!("range({})", self.one(&["3", "0", "-1", "2.5", "\"2\""])),
                    5 => format!("{list}[*]"),
                    _ => format!("[singleOrNone({list})]"),
                }
            }
            Kind::Object => {
                let (list, number) = (given(Kind::List), given(Kind::Number));
                match self.below(4) {
                    0 => format!("{{ a = {number}, b = {list} }}"),
                    1 => format!("{{ for x in {list} : \"k${{x}}\" => {number} }}"),
                    2 => format!("{{ (\"k${{{number}}}\") = {list} }}"),
                    _ => format!("{{ for k, x in {list} : k => x }}"),
                }
            }
        }
    }

    fn literal(&mut self, kind: Kind) -> String {
        let choices: &[&str] = match kind {
            Kind::Number => &["0", "1", "2", "7", "-3", "1.5", "\"4\"", "1e400", "null"],
            Kind::Text => {
                &["\"\"", "\"a\"", "\"true\"", "\"12\"", "\"a-b\"", "\"YQ==\"", "3", "true", "null"]
            }
            Kind::Bool => &["true", "false", "true", "false", "\"true\"", "\"yes\"", "1", "null"],
            Kind::List => &["[]", "[1, 2]", "[\"a\", \"a\"]", "[1]", "[null]", "{ a = 1 }", "null"],
            Kind::Object => &["{}", "{ a = 1 }", "{ a = 1, b = \"x\" }", "[1]", "null"],
        };
        // The last ones are wrong, or nearly so.
        let end = match self.below(6) {
            0 => choices.len(),
            _ => choices.len() - 3,
        };
        choices[self.below(end)].to_owned()
    }
}
