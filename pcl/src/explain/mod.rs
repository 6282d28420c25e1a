//! Pages about the language and its diagnostics: those of `pcl explain`.
//!
//! ```
//! let page = pcl::explain::explain("dependsOn").expect("an option");
//! assert!(page.starts_with("# The option `dependsOn`"));
//!
//! let unknown = pcl::explain::explain("elemnt").expect_err("a misspelled function");
//! assert!(unknown.to_string().ends_with("did you mean `element`?"));
//! ```

mod overview;
mod topic;
mod words;

use std::fmt;

use pcl_diagnostics::{Code, related, suggest};
use pcl_language::{Construct, construct};
use pcl_model::functions::usage;

pub use overview::{list, overview};
pub use topic::{Topic, topics};
pub use words::Word;

/// The pages about a code or name of a diagnostic, a function, a block, an option, a type, a
/// keyword or a group of lints, in Markdown. A word that means several things has several pages.
///
/// # Errors
/// Returns an error, which names similar topics, if there is no page.
pub fn explain(written: &str) -> Result<String, UnknownTopic> {
    let found = find(written);
    if found.is_empty() {
        return Err(UnknownTopic::new(written));
    }
    let pages: Vec<String> = found.iter().map(Topic::page).collect();
    Ok(pages.join("\n"))
}

/// Every topic of a name, without regard to case where no topic has exactly that name.
pub fn find(written: &str) -> Vec<Topic> {
    if let Some(code) = Code::parse(written).or_else(|| numbered(written)) {
        return vec![Topic::Code(code)];
    }
    let meant = words::FOREIGN.iter().find(|(other, _)| *other == written);
    if let Some((_, name)) = meant {
        let is_meant = |topic: &Topic| topic.name() == *name && !topic.is_function();
        return topics().filter(is_meant).collect();
    }
    let exact: Vec<Topic> = topics().filter(|topic| topic.name() == written).collect();
    if !exact.is_empty() {
        return exact;
    }
    let is_same = |topic: &Topic| topic.name().eq_ignore_ascii_case(written);
    topics().filter(is_same).collect()
}

/// The code of which people write the number alone, such as `301`.
fn numbered(written: &str) -> Option<Code> {
    let is_number = written.bytes().all(|byte| byte.is_ascii_digit());
    Code::parse(&format!("PCL{written:0>4}")).filter(|_| is_number)
}

/// A word without a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTopic {
    written: String,
    /// The releases that had a function of that name.
    existed: Option<String>,
    /// The names of similar topics, the most similar first.
    similar: Vec<&'static str>,
}

impl UnknownTopic {
    fn new(written: &str) -> Self {
        let known = construct(&format!("function.{written}"));
        let removed = known.filter(|it| it.removed.is_some());
        let codes = Code::ALL.iter().flat_map(|code| [code.id(), code.name()]);
        let names: Vec<&'static str> = codes.chain(topics().map(|topic| topic.name())).collect();
        let mut similar: Vec<&'static str> =
            suggest(written, names.iter().copied()).into_iter().collect();
        for other in related(written, names.iter().copied()) {
            if !similar.contains(&other) {
                similar.push(other);
            }
        }
        Self { written: written.to_owned(), existed: removed.map(Construct::releases), similar }
    }

    /// Returns true if nothing can be suggested.
    pub const fn is_similar_to_nothing(&self) -> bool {
        self.similar.is_empty() && self.existed.is_none()
    }
}

impl fmt::Display for UnknownTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = &self.written;
        if let Some(releases) = &self.existed {
            return write!(f, "the function `{written}` existed {releases}");
        }
        write!(f, "there is no page about `{written}`")?;
        let similar: Vec<String> = self.similar.iter().map(|it| format!("`{it}`")).collect();
        match &similar[..] {
            [] => Ok(()),
            [only] => write!(f, "; did you mean {only}?"),
            [first @ .., last] => write!(f, "; did you mean {} or {last}?", first.join(", ")),
        }
    }
}

impl std::error::Error for UnknownTopic {}

/// The book: every code by number with its page, then the functions, each on a line, in Markdown.
pub fn book() -> String {
    let mut book = "# What pcl says\n\n\
        The packages in the examples are inventions.\n\n"
        .to_owned();
    for &code in Code::ALL {
        book.push_str(&code.titled_page("##"));
        book.push('\n');
    }
    book.push_str("# Functions\n\n`pcl explain NAME` tells more.\n\n");
    for function in pcl_language::functions() {
        book.push_str(&format!("- `{}`: {}\n", usage(function), function.summary));
    }
    book
}
