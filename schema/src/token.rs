//! Tokens, and the modules that they name.

use regex_lite::Regex;

/// A token taken apart: `package:module:name`, where `package:name` and `package::name` mean the
/// module `index`.
///
/// ```
/// use pcl_schema::Token;
/// let token = Token::parse("random:RandomPet").unwrap();
/// assert_eq!((token.package, token.module, token.name), ("random", "index", "RandomPet"));
/// assert_eq!(Token::parse("pulumi:providers:aws").unwrap().owner(), "aws");
/// assert!(Token::parse("random").is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token<'t> {
    /// The first part.
    pub package: &'t str,
    /// The second part; `index` where it is missing or empty.
    pub module: &'t str,
    /// The last part.
    pub name: &'t str,
}

impl<'t> Token<'t> {
    /// `None` when the text has not two or three parts, or when the package or the name is empty.
    pub fn parse(text: &'t str) -> Option<Self> {
        TokenParts::split(text)?.token()
    }

    /// The package whose provider this is, for `pulumi:providers:NAME`.
    pub fn provider_of(self) -> Option<&'t str> {
        (self.package == "pulumi" && self.module == "providers").then_some(self.name)
    }

    /// The name of the package that the member is looked up in: of a provider its own.
    pub fn owner(self) -> &'t str {
        self.provider_of().unwrap_or(self.package)
    }
}

/// The rule that makes modules of the second parts of tokens: group 1 of the regular expression
/// `meta.moduleFormat`. The default is `(.*)`: the whole part is the module.
///
/// ```
/// use pcl_schema::ModuleFormat;
/// let format = ModuleFormat::parse("(.*)(?:/[^/]*)")?;
/// assert_eq!(format.module_of("aws:s3/bucket:Bucket"), "s3");
/// assert_eq!(format.module_of("aws:index/provider:Provider"), "");
/// assert_eq!(ModuleFormat::default().module_of("aws:s3/bucket:Bucket"), "s3/bucket");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone)]
pub struct ModuleFormat {
    pattern: Box<str>,
    rule: Rule,
}

/// A format as it is applied. Two forms of the expression cover nearly all packages and need no
/// regular expression.
#[derive(Debug, Clone)]
enum Rule {
    /// `(.*)`: the whole part.
    Whole,
    /// `(.*)(?:/[^/]*)` and the like: the part before the last such byte, and nothing without one.
    BeforeLast(u8),
    /// Anything else.
    Pattern(Regex),
}

/// The format of packages that name none.
const WHOLE: &str = "(.*)";

impl Default for ModuleFormat {
    fn default() -> Self {
        Self { pattern: WHOLE.into(), rule: Rule::Whole }
    }
}

impl ModuleFormat {
    /// Reads `meta.moduleFormat`. An empty text is the default.
    ///
    /// # Errors
    /// Returns the reason why the text is no regular expression.
    pub fn parse(pattern: &str) -> Result<Self, String> {
        let before = ['/', '_', '-']
            .into_iter()
            .find(|separator| pattern == format!("(.*)(?:{separator}[^{separator}]*)"));
        let rule = match before {
            _ if pattern.is_empty() || pattern == WHOLE => return Ok(Self::default()),
            Some(separator) => Rule::BeforeLast(separator as u8),
            None => Rule::Pattern(Regex::new(pattern).map_err(|error| error.to_string())?),
        };
        Ok(Self { pattern: pattern.into(), rule })
    }

    /// The regular expression.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The module that a second part denotes; empty for the root module, and where the format does
    /// not fit.
    fn apply<'t>(&self, part: &'t str) -> &'t str {
        let module = self.captured(part).unwrap_or_default();
        if module == "index" { "" } else { module }
    }

    /// The part of a second part that the format captures; `None` if it does not fit.
    pub(crate) fn captured<'t>(&self, part: &'t str) -> Option<&'t str> {
        match &self.rule {
            Rule::Whole => Some(part),
            Rule::BeforeLast(separator) => {
                memchr::memrchr(*separator, part.as_bytes()).and_then(|at| part.get(..at))
            }
            Rule::Pattern(regex) => Some(regex.captures(part)?.get(1)?.as_str()),
        }
    }

    /// The module of a token as it is written: empty for the root module, for tokens that have not
    /// three parts, and for those of the engine itself.
    pub fn module_of<'t>(&self, token: &'t str) -> &'t str {
        TokenParts::split(token).map_or("", |parts| self.module_of_parts(parts))
    }

    pub(crate) fn module_of_parts<'t>(&self, token: TokenParts<'t>) -> &'t str {
        match token {
            TokenParts { package: "pulumi", second: "pulumi" | "providers", .. }
            | TokenParts { third: None, .. } => "",
            TokenParts { second, .. } => self.apply(second),
        }
    }
}

/// The two or three parts of a token between colons, as they are written.
#[derive(Clone, Copy)]
pub(crate) struct TokenParts<'t> {
    package: &'t str,
    second: &'t str,
    third: Option<&'t str>,
}

impl<'t> TokenParts<'t> {
    pub fn split(text: &'t str) -> Option<Self> {
        let (package, rest) = split_at_byte(text, b':')?;
        let (second, third) = match split_at_byte(rest, b':') {
            Some((second, third)) => (second, Some(third)),
            None => (rest, None),
        };
        let is_more = third.is_some_and(|third| memchr::memchr(b':', third.as_bytes()).is_some());
        (!is_more).then_some(Self { package, second, third })
    }

    pub fn token(self) -> Option<Token<'t>> {
        let (module, name) = match self.third {
            Some(name) if self.second.is_empty() => ("index", name),
            Some(name) => (self.second, name),
            None => ("index", self.second),
        };
        let package = self.package;
        (!package.is_empty() && !name.is_empty()).then_some(Token { package, module, name })
    }
}

/// The texts before and behind the first of an ASCII byte.
pub(crate) fn split_at_byte(text: &str, byte: u8) -> Option<(&str, &str)> {
    let at = memchr::memchr(byte, text.as_bytes())?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_two_or_three_parts() {
        let parts = |text| Token::parse(text).map(|t| (t.package, t.module, t.name));
        assert_eq!(parts("a:b"), Some(("a", "index", "b")));
        assert_eq!(parts("a::b"), Some(("a", "index", "b")));
        assert_eq!(parts("a:m/n:b"), Some(("a", "m/n", "b")));
        for malformed in ["", "a", ":", "a:", ":b", "::", "a::", ":m:b", "a:m:b:c"] {
            assert_eq!(parts(malformed), None, "{malformed}");
        }
    }

    #[test]
    fn modules() {
        let cases: [(&str, &[(&str, &str)]); 4] = [
            (
                "(.*)",
                &[
                    ("p:m/n:T", "m/n"),
                    ("p:index:T", ""),
                    ("p::T", ""),
                    ("p:T", ""),
                    ("pulumi:pulumi:S", ""),
                ],
            ),
            (
                "(.*)(?:/[^/]*)",
                &[
                    ("p:s3/bucket:B", "s3"),
                    ("p:s3:B", ""),
                    ("p:index/pet:P", ""),
                    ("p:a/b/c:D", "a/b"),
                ],
            ),
            (
                "(.*)(?:_[^_]*)",
                &[
                    ("p:mod_Res:Res", "mod"),
                    ("p:index_Res:Res", ""),
                    ("p:mod/nested_R:R", "mod/nested"),
                ],
            ),
            (
                r"(\w+)_v\d+",
                &[("p:core_v1:Pod", "core"), ("p:core:Pod", ""), ("p:index_v2:Pod", "")],
            ),
        ];
        for (pattern, tokens) in cases {
            let format = ModuleFormat::parse(pattern).unwrap();
            let general = ModuleFormat {
                rule: Rule::Pattern(Regex::new(pattern).unwrap()),
                pattern: pattern.into(),
            };
            for (token, module) in tokens {
                assert_eq!(format.module_of(token), *module, "{pattern} {token}");
                assert_eq!(general.module_of(token), *module, "{pattern} {token}");
            }
        }
        assert!(ModuleFormat::parse("(").is_err());
    }
}
