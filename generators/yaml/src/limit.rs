//! The limits of Pulumi YAML.

use pcl::diagnostics::Code;
use pcl::document::Place;
use pcl::generated::Unsupported;

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

            /// A description for people, which is [`Unsupported::kind`].
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
    /// options without a counterpart, and options that have to be literals and are not
    Option,
    /// config of a type without a counterpart, and defaults that are null, empty or computed
    Config,
    /// components that need each other
    Circle,
    /// components without a source
    Sourceless,
    /// values of another type than their place expects
    Conversion,
    /// references to what was left out
    LeftOut,
    /// what did not bind
    Unbound,
}

impl Limit {
    /// Something at a place that exceeds this limit.
    pub(crate) fn at(self, place: Place, message: impl Into<String>) -> Unsupported {
        let code = match self {
            Self::LeftOut => Code::LeftOut,
            _ => Code::NoCounterpart,
        };
        Unsupported::new(code, self.description(), place, message)
    }
}
