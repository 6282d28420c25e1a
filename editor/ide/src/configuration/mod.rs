//! Configuration files while they are written: `pcl.toml`, and the key `pcl` of `Pulumi.yaml`. What
//! is offered and explained comes from the table of settings, through its JSON Schema.

mod lexer;
mod outline;
mod settings;

use std::collections::HashSet;

use pcl::diagnostics::{FileId, Selector, Span, TextRange};
use serde_json::Value;

use self::lexer::unquoted;
use self::outline::{Outline, Place, Slot, Step, Written, outline};
use self::settings::{Settings, Shape, default, documentation, meaning, shape};
use crate::completion::best;
use crate::{Completion, CompletionKind, Completions, Hover};

/// The language of a configuration file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// `pcl.toml`, whose settings are at the top.
    Toml,
    /// `Pulumi.yaml`, whose settings are under the key `pcl`.
    Yaml,
}

/// The key of the settings in a project file.
const SECTION: &str = "pcl";

/// The completions at an offset of a configuration file: keys that are not there yet, headers of
/// tables, and values.
///
/// ```
/// use pcl_ide::configuration::{Language, completions};
///
/// let text = "missing-schema = \n";
/// let found = completions(text, 17, Language::Toml).expect("a value");
/// let texts: Vec<&str> = found.items.iter().map(|item| &*item.text).collect();
/// assert_eq!(texts, ["\"error\"", "\"ignore\"", "\"warn\""]);
/// ```
pub fn completions(text: &str, offset: u32, language: Language) -> Option<Completions> {
    let Outline { written, place } = outline(text, language, offset);
    let place = place?;
    let word = text.get(place.word.to_usize()).unwrap_or_default();
    if word.contains('\n') {
        // Editors replace words of one line.
        return None;
    }
    let before = text.get(..place.word.start() as usize).unwrap_or_default();
    let writer = Writer {
        settings: Settings::known(),
        language,
        written: &written,
        place: &place,
        quote: word.chars().next().filter(|it| matches!(it, '"' | '\'')),
        is_after_colon: language == Language::Yaml && before.ends_with(':'),
    };
    let items = writer.items()?;
    let typed = TextRange::new(place.word.start(), offset);
    let typed = text.get(typed.to_usize()).unwrap_or_default();
    Some(best(items, unquoted(typed), span(place.word)))
}

/// The explanation of the key or of the name of a code at an offset of a configuration file.
pub fn hover(text: &str, offset: u32, language: Language) -> Option<Hover> {
    let written = outline(text, language, offset).written;
    let touches = |it: &&Written| (it.range.start()..=it.range.end()).contains(&offset);
    let found = written.iter().find(touches)?;
    let settings = Settings::known();
    let outer = settings.at(own_path(language, &found.path)?)?;
    let step = Step::Key(found.text.clone());
    let setting = settings.step(outer, &step).and_then(documentation);
    let is_name = || {
        let items = settings.step(outer, &Step::Item(0)).map(|items| settings.values(items));
        settings.names(outer).contains(&&*found.text)
            || items.is_some_and(|items| items.contains(&&*found.text))
    };
    let text = match setting {
        Some(setting) => setting,
        None if is_name() => meaning(&found.text)?,
        None => return None,
    };
    let markdown = format!("**`{}`**\n\n{text}", found.text);
    Some(Hover { span: span(found.range), markdown })
}

/// The place in the only file there is.
fn span(range: TextRange) -> Span {
    Span::new(FileId(0), range)
}

/// The path of settings that a path in the file is; `None` outside of them.
fn own_path(language: Language, path: &[Step]) -> Option<&[Step]> {
    match (language, path) {
        (Language::Toml, path) => Some(path),
        (Language::Yaml, [Step::Key(first), rest @ ..]) if first == SECTION => Some(rest),
        (Language::Yaml, _) => None,
    }
}

/// Makes the completions of a place.
struct Writer<'a> {
    settings: &'a Settings,
    language: Language,
    written: &'a [Written],
    place: &'a Place,
    /// The quote that the word at the place starts with.
    quote: Option<char>,
    /// Set right after a colon, which has to be followed by a space.
    is_after_colon: bool,
}

impl Writer<'_> {
    fn items(&self) -> Option<Vec<Completion>> {
        let Place { path, slot, .. } = self.place;
        let schema = self.settings.at(own_path(self.language, path)?);
        Some(match (slot, self.language) {
            (Slot::Key, _) => self.keys(schema?),
            (Slot::Value, _) => self.values(schema?, "[", "]"),
            (Slot::Line, Language::Yaml) => {
                [self.keys(schema?), self.values(schema?, "- ", "")].concat()
            }
            // A table that is not known ends with the next header.
            (Slot::Line, Language::Toml) => {
                let keys = schema.map(|table| self.keys(table));
                [keys.unwrap_or_default(), self.headers()].concat()
            }
            (Slot::Header, _) => self.headers(),
            (Slot::Separator | Slot::End, _) => return None,
        })
    }

    /// The keys or items that a table or list has already, the word at the place left out.
    fn written(&self, path: &[Step]) -> HashSet<&str> {
        let own = self.written.iter().filter(|it| it.path == path);
        let others = own.filter(|it| !self.place.word.contains_range(it.range));
        others.map(|it| &*it.text).collect()
    }

    /// The keys of a table that are not there yet.
    fn keys(&self, table: &Value) -> Vec<Completion> {
        let own = self.settings.keys(table).map(|(name, schema)| {
            let item = described(name, schema);
            item.inserting(self.key(name, Some(schema)))
        });
        let names = self.settings.names(table).into_iter().map(|name| {
            let item = selector(name, CompletionKind::Property);
            item.inserting(self.key(name, None))
        });
        let written = self.written(&self.place.path);
        own.chain(names).filter(|item| !written.contains(&*item.label)).collect()
    }

    fn key(&self, name: &str, schema: Option<&Value>) -> String {
        let quote = self.quote.map(String::from).unwrap_or_default();
        // A table of YAML begins on the next line.
        let is_block = schema.is_some_and(|it| matches!(shape(it), Shape::Table | Shape::Tables));
        let separator = match self.language {
            _ if self.place.has_separator => "",
            Language::Toml => " = ",
            Language::Yaml if is_block && self.place.slot == Slot::Line => ":",
            Language::Yaml => ": ",
        };
        format!("{quote}{name}{quote}{separator}")
    }

    /// The headers of tables at the top, and in the item of a list of tables that the place is in.
    fn headers(&self) -> Vec<Completion> {
        let item = self.place.path.get(..2).filter(|path| matches!(path, [_, Step::Item(_)]));
        let outer = std::iter::once(&[][..]).chain(item);
        let headers = outer.flat_map(|outer| {
            let prefix = match outer {
                [Step::Key(name), ..] => format!("{name}."),
                _ => String::new(),
            };
            let written = self.written(outer);
            let tables = self.settings.at(outer).into_iter().flat_map(|it| self.settings.keys(it));
            tables.filter_map(move |(name, schema)| {
                let header = match shape(schema) {
                    Shape::Table if written.contains(name) => return None,
                    Shape::Table => format!("[{prefix}{name}]"),
                    Shape::Tables => format!("[[{prefix}{name}]]"),
                    Shape::List | Shape::Other => return None,
                };
                Some(described(header, schema).rank(6))
            })
        });
        headers.collect()
    }

    /// The values of a setting or the items of a list. An item that is the whole value of a setting
    /// gets what makes it a list.
    fn values(&self, schema: &Value, before: &str, after: &str) -> Vec<Completion> {
        let path = &self.place.path;
        let (list, schema, [before, after]) = match path.split_last() {
            _ if shape(schema) == Shape::List => {
                let Some(items) = self.settings.step(schema, &Step::Item(0)) else {
                    return Vec::new();
                };
                (Some(&**path), items, [before, after])
            }
            Some((Step::Item(_), list)) => (Some(list), schema, ["", ""]),
            _ => (None, schema, ["", ""]),
        };
        let space = if self.is_after_colon { " " } else { "" };
        let is_text = schema.get("enum").is_some();
        let written = list.map(|list| self.written(list)).unwrap_or_default();
        let names = self.settings.values(schema).into_iter();
        let names = names.filter(|name| !written.contains(name));
        let items = names.map(|name| {
            let quote = match (self.quote, self.language) {
                (Some(quote), _) => String::from(quote),
                (None, Language::Toml) if is_text => "\"".to_owned(),
                (None, _) => String::new(),
            };
            let text = format!("{space}{before}{quote}{name}{quote}{after}");
            selector(name, CompletionKind::Value).inserting(text)
        });
        items.collect()
    }
}

/// A key or a header with what its schema says about it.
fn described(label: impl Into<String>, schema: &Value) -> Completion {
    let mut item = Completion::new(label, CompletionKind::Property);
    item.detail = default(schema).map(|value| format!("default: {value}"));
    item.documentation = documentation(schema);
    item
}

/// A name, which is one of a code or group in most places. Groups come first, and numbers last,
/// which say less than the names of the same codes.
fn selector(name: &str, kind: CompletionKind) -> Completion {
    let mut item = Completion::new(name, kind);
    item.detail = meaning(name);
    item.rank = match Selector::parse(name) {
        Some(selector) if selector.is_group => 3,
        Some(_) if name.starts_with("PCL") => 5,
        _ => 4,
    };
    item
}
