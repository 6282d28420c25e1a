//! The limits of Pulumi YAML, as diagnostics.

use pcl::document::{Document, Place};

/// Something that the program says and Pulumi YAML cannot.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The limit that the program exceeds.
    pub limit: Limit,
    /// The place in the program.
    pub place: Place,
    /// A description in one sentence.
    pub message: String,
}

impl Diagnostic {
    pub(super) fn new(limit: Limit, place: Place, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            limit,
            place,
            message,
        }
    }

    /// One line of text: `file:line:column: warning: message`.
    #[must_use]
    pub fn line(&self, document: &Document) -> String {
        let file = document.file(self.place);
        let path = file.map_or("", |file| file.path.as_str());
        let start = self.place.start;
        let (line, column) = (start.line, start.column);
        format!("{path}:{line}:{column}: warning: {}", self.message)
    }
}

macro_rules! limits {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        /// The kinds of things that Pulumi YAML has no words for.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Limit {
            $($(#[doc = $doc])* $name,)*
        }

        impl Limit {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// A description for people.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc)*).trim_ascii(),)* }
            }
        }
    };
}

limits! {
    /// arithmetic, comparisons and logic
    Operator,
    /// `condition ? a : b`, also as a directive in a template
    Conditional,
    /// `for`, splats and loops in templates
    Loop,
    /// the option `range`: several resources of one block
    Range,
    /// functions without a counterpart
    Function,
    /// methods of resources, called with `call`
    Method,
    /// computed and unusual keys
    Key,
    /// hooks
    Hook,
    /// options without a counterpart, and options that have to be literals and are none
    Option,
    /// config of a type without a counterpart, and defaults that are computed
    Config,
    /// components that need each other
    Circle,
    /// references to what was left out
    LeftOut,
    /// what did not bind
    Unbound,
}
