//! Expressions of a wanted kind, made of the names that are there.

use crate::Random;

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Text,
    Number,
    Bool,
    Texts,
    Numbers,
    TextMap,
    /// A text or null.
    MaybeText,
    /// A list of texts or null.
    MaybeTexts,
    /// An object of the type `Cfg`.
    Config,
    Any,
}

/// A name with its steps, or an expression that needs no parentheses.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub text: String,
    pub kind: Kind,
    /// True for a collection of a type that tells nothing about its length or keys: every index and
    /// key is valid for the checker.
    pub is_open: bool,
}

impl Name {
    pub fn new(text: impl Into<String>, kind: Kind) -> Self {
        Self { text: text.into(), kind, is_open: false }
    }

    pub fn open(text: impl Into<String>, kind: Kind) -> Self {
        Self { is_open: true, ..Self::new(text, kind) }
    }
}

impl Kind {
    pub fn any(random: &mut Random) -> Self {
        const KINDS: [Kind; 8] = [
            Kind::Text,
            Kind::Text,
            Kind::Number,
            Kind::Bool,
            Kind::Texts,
            Kind::Numbers,
            Kind::TextMap,
            Kind::MaybeText,
        ];
        KINDS[random.below(KINDS.len())]
    }

    /// The type in the language.
    pub fn text(self) -> &'static str {
        match self {
            Self::Text | Self::MaybeText => "string",
            Self::Number => "number",
            Self::Bool => "bool",
            Self::Texts | Self::MaybeTexts => "list(string)",
            Self::Numbers => "list(number)",
            Self::TextMap => "map(string)",
            Self::Config | Self::Any => "any",
        }
    }

    pub fn literal(self, random: &mut Random) -> String {
        let number = random.below(4);
        match self {
            Self::Text | Self::MaybeText => format!("\"t{number}\""),
            Self::Number => number.to_string(),
            Self::Bool => (number > 1).to_string(),
            Self::Texts | Self::MaybeTexts => match number {
                0 => String::from("[]"),
                1 => String::from("[\"x\"]"),
                _ => String::from("[\"b\", \"a\", \"c\"]"),
            },
            Self::Numbers => String::from(["[1, 2]", "[]", "[3]", "[0, 5, 9]"][number]),
            Self::TextMap => {
                let maps =
                    ["{}", "{ k = \"v\" }", "{ z = \"1\", a = \"2\" }", "{ \"m-n\" = \"o\" }"];
                String::from(maps[number])
            }
            Self::Config => String::from("{ region = \"r9\" }"),
            Self::Any => String::from("\"any\""),
        }
    }
}

/// Writes an expression of a kind.
pub(super) fn write(random: &mut Random, names: &[Name], kind: Kind, depth: usize) -> String {
    Writer { random, names: names.to_vec(), next: 0 }.of(kind, depth)
}

struct Writer<'r> {
    random: &'r mut Random,
    names: Vec<Name>,
    next: usize,
}

impl Writer<'_> {
    fn of(&mut self, kind: Kind, depth: usize) -> String {
        let Some(less) = depth.checked_sub(1) else { return self.leaf(kind) };
        if self.random.below(4) == 0 {
            return self.leaf(kind);
        }
        if self.random.below(6) == 0 && kind != Kind::Config {
            let [condition, one, other] =
                [Kind::Bool, kind, kind].map(|kind| self.of(kind, less.min(1)));
            return format!("({condition} ? {one} : {other})");
        }
        match kind {
            Kind::Text => self.text(less),
            Kind::Number => self.number(less),
            Kind::Bool => self.bool(less),
            Kind::Texts => self.list(Kind::Text, less),
            Kind::Numbers => self.list(Kind::Number, less),
            Kind::TextMap => self.map(less),
            Kind::MaybeText => match self.random.below(3) {
                0 => String::from("null"),
                1 => format!("try({}[\"k\"], null)", self.open(Kind::TextMap, less)),
                _ => self.of(Kind::Text, less),
            },
            Kind::MaybeTexts => self.of(Kind::Texts, less),
            Kind::Config => self.config(less),
            Kind::Any => self.text(less),
        }
    }

    /// A name of that kind, or a literal.
    fn leaf(&mut self, kind: Kind) -> String {
        let found: Vec<usize> =
            (0..self.names.len()).filter(|&at| self.names[at].kind == kind).collect();
        if found.is_empty() || self.random.below(5) == 0 {
            return kind.literal(self.random);
        }
        // What was declared last is more interesting.
        let [one, other] = [0; 2].map(|_| found[self.random.below(found.len())]);
        self.names[one.max(other)].text.clone()
    }

    fn text(&mut self, depth: usize) -> String {
        match self.random.below(11) {
            0 | 1 => {
                let one = self.of(Kind::Text, depth);
                let kind = if self.random.below(3) == 0 { Kind::Number } else { Kind::Text };
                let other = self.leaf(kind);
                format!("\"a-${{{one}}}-${{{other}}}\"")
            }
            2 => format!("join(\"+\", {})", self.of(Kind::Texts, depth)),
            3 => format!("try({}[0], \"none\")", self.open(Kind::Texts, depth)),
            4 => format!("try({}[\"k\"], \"none\")", self.open(Kind::TextMap, depth)),
            5 => format!("lookup({}, \"a\", \"none\")", self.open(Kind::TextMap, depth)),
            6 => {
                let kind = Kind::any(self.random);
                format!("toJSON({})", self.of(kind, depth))
            }
            7 => format!(
                "element([\"e\", {}], {})",
                self.of(Kind::Text, depth),
                self.random.below(2)
            ),
            8 => format!("secret({})", self.of(Kind::Text, depth)),
            9 => {
                let maybe = self.leaf(Kind::MaybeText);
                format!("({maybe} == null ? \"missing\" : \"m-${{{maybe}}}\")")
            }
            _ => {
                let list = self.open(Kind::Texts, depth);
                format!("(length({list}) > 0 ? {list}[0] : \"none\")")
            }
        }
    }

    /// A collection that any index or key can follow.
    fn open(&mut self, kind: Kind, depth: usize) -> String {
        let is_open = |name: &&Name| name.kind == kind && name.is_open;
        let found: Vec<String> =
            self.names.iter().filter(is_open).map(|name| name.text.clone()).collect();
        if !found.is_empty() && self.random.below(3) > 0 {
            return found[self.random.below(found.len())].clone();
        }
        let over = self.of(kind, depth);
        self.next += 1;
        let [k, v] = ["k", "v"].map(|name| format!("{name}{}", self.next));
        if kind == Kind::TextMap {
            return format!("{{for {k}, {v} in {over} : {k} => {v}}}");
        }
        format!("[for {v} in {over} : \"_${{{v}}}_\"]")
    }

    fn number(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => format!("length({})", self.of(Kind::Texts, depth)),
            1 => format!("length({})", self.of(Kind::TextMap, depth)),
            2 => format!("({} + {})", self.of(Kind::Number, depth), self.leaf(Kind::Number)),
            _ => format!("({} * 2)", self.of(Kind::Number, depth)),
        }
    }

    fn bool(&mut self, depth: usize) -> String {
        match self.random.below(7) {
            0 => format!("({} > {})", self.of(Kind::Number, depth), self.leaf(Kind::Number)),
            1 => format!("({} == {})", self.of(Kind::Text, depth), self.leaf(Kind::Text)),
            2 => format!("(!{})", self.of(Kind::Bool, depth)),
            3 => format!("({} && {})", self.leaf(Kind::Bool), self.of(Kind::Bool, depth)),
            4 => format!("({} != null)", self.leaf(Kind::MaybeText)),
            5 => format!("can({}[0])", self.open(Kind::Texts, depth)),
            _ => format!("(length({}) > 1)", self.of(Kind::Texts, depth)),
        }
    }

    fn list(&mut self, element: Kind, depth: usize) -> String {
        let list = if element == Kind::Text { Kind::Texts } else { Kind::Numbers };
        match self.random.below(6) {
            0 | 1 => {
                let elements: Vec<String> =
                    (0..self.random.below(3)).map(|_| self.of(element, depth)).collect();
                format!("[{}]", elements.join(", "))
            }
            2 => {
                let over = self.of(Kind::TextMap, depth);
                self.each(&over, Kind::Text, Kind::Text, "[", "]", |writer| {
                    writer.of(element, depth)
                })
            }
            3 if element == Kind::Text => {
                format!("split(\",\", {})", self.of(Kind::Text, depth))
            }
            _ => {
                let over = self.of(list, depth);
                self.each(&over, Kind::Number, element, "[", "]", |writer| {
                    writer.of(element, depth)
                })
            }
        }
    }

    /// A loop, with or without the key, with or without a condition.
    fn each(
        &mut self,
        over: &str,
        key: Kind,
        value: Kind,
        open: &str,
        close: &str,
        body: impl FnOnce(&mut Self) -> String,
    ) -> String {
        self.next += 1;
        let [k, v] = ["k", "v"].map(|name| format!("{name}{}", self.next));
        let before = self.names.len();
        let has_key = self.random.below(2) == 0;
        if has_key {
            self.names.push(Name::new(&k, key));
        }
        self.names.push(Name::new(&v, value));
        let body = body(self);
        let condition = match self.random.below(3) {
            0 => format!(" if {}", self.of(Kind::Bool, 1)),
            _ => String::new(),
        };
        self.names.truncate(before);
        let variables = if has_key { format!("{k}, {v}") } else { v };
        format!("{open}for {variables} in {over} : {body}{condition}{close}")
    }

    fn map(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => {
                let over = self.of(Kind::TextMap, depth);
                self.next += 1;
                let [k, v] = ["k", "v"].map(|name| format!("{name}{}", self.next));
                let before = self.names.len();
                self.names.push(Name::new(&k, Kind::Text));
                self.names.push(Name::new(&v, Kind::Text));
                let value = self.of(Kind::Text, depth);
                let condition = match self.random.below(3) {
                    0 => format!(" if {}", self.of(Kind::Bool, 1)),
                    _ => String::new(),
                };
                self.names.truncate(before);
                format!("{{for {k}, {v} in {over} : {k} => {value}{condition}}}")
            }
            1 => {
                let over = self.of(Kind::Texts, depth);
                self.next += 1;
                let [k, v] = ["k", "v"].map(|name| format!("{name}{}", self.next));
                let before = self.names.len();
                self.names.push(Name::new(&k, Kind::Number));
                self.names.push(Name::new(&v, Kind::Text));
                let value = self.of(Kind::Text, depth);
                self.names.truncate(before);
                format!("{{for {k}, {v} in {over} : \"key${{{k}}}\" => {value}}}")
            }
            _ => {
                let items: Vec<String> = ["one", "k", "\"x.y\""]
                    .into_iter()
                    .take(1 + self.random.below(3))
                    .map(|key| format!("{key} = {}", self.of(Kind::Text, depth)))
                    .collect();
                format!("{{ {} }}", items.join(", "))
            }
        }
    }

    fn config(&mut self, depth: usize) -> String {
        let mut items = vec![format!("region = {}", self.of(Kind::Text, depth))];
        if self.random.below(2) == 0 {
            items.push(format!("depth = {}", self.of(Kind::Number, depth)));
        }
        if self.random.below(3) == 0 && depth > 0 {
            items.push(format!("inner = {}", self.config(depth - 1)));
        }
        format!("{{ {} }}", items.join(", "))
    }
}
