//! The addresses of the pages about codes.

use std::borrow::Cow;
use std::fmt;

use pcl_diagnostics::Code;

/// The address of `pcl` itself.
pub(super) const INFORMATION_URL: &str = env!("CARGO_PKG_REPOSITORY");
/// The place of the code in an address.
const PLACEHOLDER: &str = "{code}";

/// The address of the pages about codes, in which `{code}` stands for the code. Where it has no
/// `{code}`, the code follows it after a slash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocsUrl(Cow<'static, str>);

impl DocsUrl {
    /// The pages of the book.
    pub const DEFAULT: Self =
        Self(Cow::Borrowed(concat!(env!("CARGO_PKG_HOMEPAGE"), "/codes/{code}.html")));

    /// An address that begins with `https://` or `http://`.
    ///
    /// # Errors
    /// Returns a description of what is wrong with the address. As it is printed to terminals, it
    /// is limited to the characters that an address may have.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let rest = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme));
        if rest.is_none_or(|rest| rest.trim_start_matches('/').is_empty()) {
            return Err("it is not an address that begins with `https://` or `http://`");
        }
        let is_allowed = |c: char| c.is_ascii_graphic() && !"\"<>\\^`|{}".contains(c);
        if !text.replace(PLACEHOLDER, "").chars().all(is_allowed) {
            return Err("it contains a character that has to be percent-encoded");
        }
        Ok(Self(Cow::Owned(text.to_owned())))
    }

    /// The address of the page about a code.
    #[must_use]
    pub fn page(&self, code: Code) -> String {
        if self.0.contains(PLACEHOLDER) {
            self.0.replace(PLACEHOLDER, code.id())
        } else {
            format!("{}/{}", self.0.trim_end_matches('/'), code.id())
        }
    }
}

impl Default for DocsUrl {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for DocsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_put_in_its_place_or_after_a_slash() {
        let page = |text| DocsUrl::parse(text).map(|url| url.page(Code::TypeNotAssignable));
        assert_eq!(page("https://a.b/pcl").unwrap(), "https://a.b/pcl/PCL0301");
        assert_eq!(page("https://a.b/pcl/").unwrap(), "https://a.b/pcl/PCL0301");
        assert_eq!(
            page("http://a.b/{code}.html#{code}").unwrap(),
            "http://a.b/PCL0301.html#PCL0301"
        );
        assert!(DocsUrl::default().page(Code::TypeNotAssignable).ends_with("/codes/PCL0301.html"));
    }

    #[test]
    fn an_address_cannot_contain_control_sequences() {
        let wrong = [
            "",
            "https://",
            "https:///",
            "file:///etc",
            "javascript:alert(1)",
            "https://a.b/\u{1b}]8;;",
            "https://a.b/ c",
            "https://a.b/{page}",
            "https://a.b/é",
        ];
        for text in wrong {
            assert!(DocsUrl::parse(text).is_err(), "{text}");
        }
    }
}
