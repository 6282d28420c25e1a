//! Completion: what can be written at a place.

mod blocks;
mod context;
mod labels;
mod values;

use pcl::diagnostics::Span;
use serde::Serialize;

pub(crate) use self::context::{Construct, context, enclosing_call};
use crate::{Analysis, FilePosition};

/// The most completions of one kind that are offered at once.
const MAX_OFFERED: usize = 300;

/// A text that can be written at a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Completion {
    /// The text that is shown, and that what is typed is compared with.
    pub label: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// Its type or a few words about it.
    pub detail: Option<String>,
    /// The text that is inserted.
    pub text: String,
    /// The text with the marks of a snippet, for editors that know them.
    pub snippet: Option<String>,
    /// Completions with lower numbers come first.
    #[serde(skip)]
    pub rank: u8,
    /// Set if it should not be used any more.
    #[serde(rename = "deprecated")]
    pub is_deprecated: bool,
    /// Documentation in Markdown, where it costs nothing.
    pub documentation: Option<String>,
    /// The member of a package whose documentation can be asked for.
    #[serde(skip)]
    pub token: Option<String>,
    /// The position of the member of a package among those that are closest to what was typed, and
    /// to which the characters of the label need not be.
    #[serde(skip)]
    pub(crate) closeness: Option<usize>,
    /// The text to compare with what was typed, if it is not the label.
    #[serde(skip)]
    pub filter: Option<String>,
}

/// The kind of a completion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CompletionKind {
    /// A word of the language.
    Keyword,
    /// The type of a resource or value.
    Type,
    /// A package.
    Package,
    /// A directory.
    Directory,
    /// An input, option or key.
    Property,
    /// A member of a value.
    Member,
    /// A resource.
    Resource,
    /// Another name.
    Variable,
    /// A function.
    Function,
    /// A value of an enumeration, or a constant.
    Value,
}

/// The completions at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completions {
    /// The text that each of them replaces.
    pub replaced: Span,
    /// The completions, the best first.
    pub items: Vec<Completion>,
    /// Set if there are more, which typing on reveals.
    pub is_incomplete: bool,
}

impl Completion {
    pub(crate) fn new(label: impl Into<String>, kind: CompletionKind) -> Self {
        let label = label.into();
        Self {
            text: label.clone(),
            label,
            kind,
            detail: None,
            snippet: None,
            rank: 5,
            is_deprecated: false,
            documentation: None,
            token: None,
            closeness: None,
            filter: None,
        }
    }

    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub(crate) fn inserting(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    pub(crate) fn snippet(mut self, snippet: impl Into<String>) -> Self {
        self.snippet = Some(snippet.into());
        self
    }

    pub(crate) const fn rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }

    pub(crate) fn documented(mut self, text: impl Into<String>) -> Self {
        self.documentation = Some(text.into());
        self
    }
}

/// The completions at a position.
pub fn completions(analysis: &mut Analysis, at: FilePosition) -> Option<Completions> {
    let context = context(analysis.tree(at.file)?, at)?;
    let replaced = Span::new(at.file, context.word);
    let mut items = match &context.construct {
        Construct::Declaration => blocks::declarations(),
        Construct::Label { keyword, index } => labels::labels(analysis, &context, keyword, *index),
        Construct::BodyItem => blocks::items(analysis, &context),
        Construct::Key(path) => values::keys(analysis, &context, path),
        Construct::Member { dot } => values::members(analysis, FilePosition::new(at.file, *dot)),
        Construct::Value { path, call, is_quoted } => {
            values::values(analysis, &context, path, call.as_ref(), *is_quoted)
        }
    };
    items.retain_mut(|item| {
        let is_typed = fits(&context.prefix, &item.label);
        if !is_typed && item.closeness.is_some() {
            item.filter = Some(context.prefix.clone());
        }
        is_typed || item.closeness.is_some()
    });
    items.sort_by(|a, b| {
        let key = |item: &Completion| {
            let closeness = item.closeness.unwrap_or(usize::MAX);
            (item.rank, !item.label.starts_with(&context.prefix), closeness)
        };
        key(a).cmp(&key(b)).then_with(|| a.label.cmp(&b.label))
    });
    // What is close to other words is found with them alone.
    let is_close = items.iter().any(|item| item.filter.is_some());
    let is_incomplete = is_close || items.len() > MAX_OFFERED;
    items.truncate(MAX_OFFERED);
    Some(Completions { replaced, items, is_incomplete })
}

/// Returns whether the characters of what is typed occur in a label in this order, without regard
/// to case.
fn fits(typed: &str, label: &str) -> bool {
    let mut characters = label.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|wanted| characters.any(|found| found == wanted))
}
