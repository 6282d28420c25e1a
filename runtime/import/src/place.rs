//! The places of values in the resources that are written.

use pcl_diagnostics::Span;
use pcl_state::Resource;
use pcl_state::json::Key;

/// The place of a value in the resource that is written.
pub(crate) struct Place<'s> {
    /// The place of the resource in the program.
    pub at: usize,
    /// The resource.
    pub resource: Resource<'s>,
    /// The URN of the resource.
    pub urn: String,
    /// The property at the top, and the steps from it.
    pub path: Vec<Step>,
    /// True if a run adds the constants that the program leaves out.
    pub fills_constants: bool,
    /// The place to blame: inside a secret, that of the secret.
    pub span: Option<Span>,
}

/// A step to a part of a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Name(String),
    Index(usize),
    /// A name inside of a secret.
    Secret,
}

impl Step {
    /// The step to the value of a key.
    pub fn of(key: Key<'_>) -> Self {
        if key.is_secret() { Self::Secret } else { Self::Name(key.text().into_owned()) }
    }
}

impl Place<'_> {
    /// The path as people write it; names inside of secrets are not shown.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for step in &self.path {
            match step {
                Step::Name(name) if !pcl_syntax::is_identifier(name) => {
                    text.push_str(&format!("[{name:?}]"));
                }
                Step::Name(name) => {
                    text.push_str(if text.is_empty() { "" } else { "." });
                    text.push_str(name);
                }
                Step::Index(index) => text.push_str(&format!("[{index}]")),
                Step::Secret => text.push_str("[secret]"),
            }
        }
        text
    }

    /// The names of the path, from the property at the top to the nearest one.
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.path.iter().filter_map(|step| match step {
            Step::Name(name) => Some(name.as_str()),
            Step::Index(_) | Step::Secret => None,
        })
    }
}
