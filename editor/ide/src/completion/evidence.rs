//! Evidence about which completion is meant: the words of names, and the value that is there
//! already.

use pcl::binder::{Node, NodeKind};
use pcl::diagnostics::TextRange;
use pcl::language::{ResourceOption, Takes};
use pcl::model::relations::Conversion;
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::schema::{Token, Version};
use pcl::syntax::{SyntaxKind, SyntaxTree, parse_expression};

use super::held::Held;
use super::item::Completion;
use super::parts::first;
use crate::{Analysis, FilePosition};

/// The longest value that is looked at.
const LONGEST: usize = 20_000;

/// The number of bytes of a value whose words are read.
const MOST_READ: usize = 200;

/// The rank of what does not fit.
pub(super) const UNFIT: u8 = 9;

/// The evidence that two names with nothing but the same words have.
pub(super) const SAME: u32 = 100;

/// The words of a name in camel, snake or kebab case, or of a text, in lower case and the singular.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    let mut was_lower = false;
    for character in text.chars() {
        if !character.is_alphanumeric() {
            is_open = false;
            continue;
        }
        let starts = character.is_uppercase() && was_lower;
        was_lower = !character.is_uppercase();
        if !is_open || starts {
            words.push(String::new());
            is_open = true;
        }
        if let Some(word) = words.last_mut() {
            word.extend(character.to_lowercase());
        }
    }
    for word in &mut words {
        let is_plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
        if is_plural {
            word.pop();
        }
    }
    words
}

/// The name in a token, which is its last part.
pub(super) fn name_in(token: &str) -> &str {
    token.rsplit([':', '/']).next().unwrap_or_default()
}

/// The share of the letters of two names that are in words of both, up to [`SAME`].
pub(super) fn likeness(a: &[String], b: &[String]) -> u32 {
    let length = |words: &[String]| words.iter().map(String::len).sum::<usize>();
    let common: usize = a.iter().filter(|word| b.contains(word)).map(String::len).sum();
    let all = length(a) + length(b);
    (2 * common * SAME as usize).checked_div(all).unwrap_or_default() as u32
}

/// The sign behind a key that is being written, and the value behind that: `= "x"`.
pub(super) struct Following {
    /// The type of the value, if there is one that can be read.
    ty: Option<TypeId>,
    /// The words of a string or name.
    words: Vec<String>,
    /// Set for an object with keys.
    has_keys: bool,
    /// Set for a string.
    is_text: bool,
    /// Set for a string that is a version.
    is_version: bool,
    /// Set for a list of names, or of nothing.
    is_list: bool,
    /// The part of the program that it names, in a list the first.
    named: Option<Named>,
}

/// The kind of node that a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Provider,
    Resource,
    Value,
}

impl Following {
    /// The value behind a position, if `=` or a colon is there.
    pub(super) fn read(analysis: &mut Analysis, at: FilePosition) -> Option<Self> {
        let text = value_text(analysis.tree(at.file)?, at.offset)?.unwrap_or_default().to_owned();
        let has_text = !text.is_empty();
        let parsed = parse_expression(text.clone());
        let words = words(text.get(..MOST_READ).unwrap_or(&text));
        let has_keys = text.starts_with('{') && text.contains(['=', ':']);
        let first = text.trim_start_matches(['[', ' ', '\n']);
        let is_list = text.starts_with('[') && !first.starts_with(['"', '{']);
        let item = text.split(['=', ':']).nth(1).filter(|_| has_keys).map(str::trim_start);
        let first = item.unwrap_or(first);
        let named = named(analysis, at, first);
        let is_text = text.starts_with('"');
        let is_version = is_text && Version::parse(text.trim_matches('"')).is_ok();
        let file = analysis.checked.sources.add("", text);
        let program = &mut analysis.checked.program;
        let (value, _) = program.bind_expression(&parsed, file);
        Some(Self {
            ty: value.map(|value| program.exprs[value].ty).filter(|_| has_text),
            words,
            has_keys,
            is_text,
            is_version,
            is_list,
            named,
        })
    }

    /// The name of an option, which is inserted before this value.
    pub(super) fn before_option(
        &self,
        types: &mut TypeStore,
        item: Completion,
        (option, ty): (ResourceOption, TypeId),
    ) -> Completion {
        let has = |known: &[&str]| self.words.iter().any(|word| known.contains(&word.as_str()));
        let is_several = self.is_list || self.has_keys;
        let fits = match (Held::of(option), option.row().rule.takes) {
            (Some(held), _) => {
                let own = if held.is_provider { Named::Provider } else { Named::Resource };
                self.named == Some(own) && is_several == held.is_list
            }
            (None, Takes::Properties) => self.is_list && self.named.is_none(),
            (None, Takes::Hooks) => self.has_keys && has(&["before", "after", "on"]),
            _ => match option {
                ResourceOption::CustomTimeouts => {
                    self.has_keys && has(&["create", "read", "update", "delete"])
                }
                ResourceOption::PluginDownloadUrl => has(&["http", "https", "github"]),
                // Nearly any value can be one.
                ResourceOption::Range => matches!(self.named, None | Some(Named::Value)),
                ResourceOption::Version => self.is_version,
                _ => return self.before(types, item, ty),
            },
        };
        let is_bool = has(&["true", "false"]) && self.words.len() == 1;
        let has_paths = self.is_list && self.named.is_none();
        let evidence = match option {
            ResourceOption::Range if is_bool || has_paths || self.is_text => 100,
            ResourceOption::Range => 250,
            _ => 300,
        };
        self.key(item, fits.then_some(evidence))
    }

    /// The key of a property of a type, which is inserted before this value.
    pub(super) fn before(&self, types: &mut TypeStore, item: Completion, ty: TypeId) -> Completion {
        let evidence = self.evidence(types, &item.label, ty);
        self.key(item, evidence)
    }

    fn key(&self, item: Completion, evidence: Option<u32>) -> Completion {
        let text = item.text.trim_end().trim_end_matches('=').trim_end().to_owned();
        let item = Completion { text, snippet: None, ..item };
        match evidence {
            Some(evidence) => Completion { evidence: item.evidence + evidence, ..item },
            None => item.rank(UNFIT),
        }
    }

    /// The evidence that a property of a type has this value; `None` if it cannot have it.
    fn evidence(&self, types: &mut TypeStore, name: &str, ty: TypeId) -> Option<u32> {
        let Some(value) = self.ty else { return Some(0) };
        let own = match types.convert(ty, value) {
            Conversion::Safe if types.assignable(ty, value) => 200,
            // A boolean can be a string, but hardly is one.
            Conversion::Safe => 100,
            Conversion::Unsafe => 0,
            Conversion::No => return None,
        };
        let bonus = match types.get(first(types, ty)) {
            Type::Enum(_) | Type::Const { .. } => 60,
            Type::Object(_) | Type::Nominal(_) if self.has_keys => 60,
            Type::Dynamic => 0,
            _ => 20,
        };
        Some(own + bonus + likeness(&words(name), &self.words))
    }
}

/// The kind of node that the name at the start of a text stands for.
fn named(analysis: &Analysis, at: FilePosition, text: &str) -> Option<Named> {
    let end = text.find(|it: char| !it.is_alphanumeric() && it != '_' && it != '-');
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    let module = analysis.module(analysis.module_of(at.file)?);
    let (_, node) = module.nodes_with_ids().find(|(_, node)| {
        *node.name == *name && node.kind != NodeKind::Output && node.kind != NodeKind::Hook
    })?;
    Some(if rest.starts_with('.') {
        // A member, which can be a resource only in rare cases.
        Named::Value
    } else if is_provider(node) {
        Named::Provider
    } else if node.kind.is_resource() || node.kind == NodeKind::Component {
        Named::Resource
    } else {
        Named::Value
    })
}

/// Returns whether a node is a provider.
pub(crate) fn is_provider(node: &Node) -> bool {
    let token = node.token.as_deref().and_then(Token::parse);
    token.is_some_and(|token| token.provider_of().is_some())
}

/// The text of the value behind `=` or a colon, up to the end of its last line; `None` inside if
/// there is none, or a very long one.
fn value_text(tree: &SyntaxTree, offset: u32) -> Option<Option<&str>> {
    let tokens = tree.tokens();
    let mut index = tree.token_at(offset).index();
    let is_before = |kind| matches!(kind, SyntaxKind::Whitespace | SyntaxKind::QuoteClose);
    while tokens.range(index).start() < offset || is_before(tokens.kind(index)) {
        index += 1;
        if index as usize >= tokens.len() {
            return None;
        }
    }
    if !matches!(tokens.kind(index), SyntaxKind::Equals | SyntaxKind::Colon) {
        return None;
    }
    let start = tokens.range(index).end();
    let (mut depth, mut end) = (0_usize, start);
    for index in index + 1..tokens.len() as u32 {
        let (kind, range) = (tokens.kind(index), tokens.range(index));
        match kind {
            SyntaxKind::LBrace
            | SyntaxKind::LBracket
            | SyntaxKind::LParen
            | SyntaxKind::QuoteOpen
            | SyntaxKind::HeredocOpen
            | SyntaxKind::InterpolationOpen
            | SyntaxKind::ControlOpen => depth += 1,
            SyntaxKind::RBrace
            | SyntaxKind::RBracket
            | SyntaxKind::RParen
            | SyntaxKind::QuoteClose
            | SyntaxKind::HeredocClose
            | SyntaxKind::SequenceClose => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => break,
            },
            SyntaxKind::Newline | SyntaxKind::Comma | SyntaxKind::LineComment if depth == 0 => {
                break;
            }
            _ => {}
        }
        end = range.end();
        if (end - start) as usize > LONGEST {
            return Some(None);
        }
    }
    let text = tree.text().get(TextRange::new(start, end).to_usize())?.trim();
    Some((!text.is_empty()).then_some(text))
}
