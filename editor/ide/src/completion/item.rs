//! A completion.

use serde::Serialize;

/// The most completions of one kind that are offered at once.
pub(super) const MAX_OFFERED: usize = 300;

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
    /// Among those with the same rank, completions with higher numbers come first.
    #[serde(skip)]
    pub(crate) evidence: u32,
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
    /// A file.
    File,
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
            evidence: 0,
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

    pub(crate) const fn evidence(mut self, evidence: u32) -> Self {
        self.evidence = evidence;
        self
    }

    pub(crate) const fn closeness(mut self, closeness: Option<usize>) -> Self {
        self.closeness = closeness;
        self
    }

    pub(crate) fn documented(mut self, text: impl Into<String>) -> Self {
        self.documentation = Some(text.into());
        self
    }
}

/// A text in a snippet, in which some characters are marks.
pub(super) fn snippet_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '$' | '}' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Returns whether the characters of what is typed occur in a label in this order, without regard
/// to case.
pub(super) fn fits(typed: &str, label: &str) -> bool {
    let mut characters = label.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|wanted| characters.any(|found| found == wanted))
}
