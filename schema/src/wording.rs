//! The names in descriptions, which differ between languages.
//!
//! Bridged packages write a name once for each language, as attributes of a tag around it:
//! `` <span pulumi-lang-nodejs="`vpcUuid`" pulumi-lang-hcl="`vpc_uuid`">`vpc_uuid`</span> ``.

use std::borrow::Cow;

/// The language whose names a text is to have.
///
/// ```
/// use pcl_schema::Wording;
///
/// let text = r#"Set <span pulumi-lang-nodejs="`vpcId`" pulumi-lang-go="`VpcId`">`vpc_id`</span>."#;
/// assert_eq!(Wording::Pcl.of(text), "Set `vpcId`.");
/// assert_eq!(Wording::Go.of(text), "Set `VpcId`.");
/// assert_eq!(Wording::Java.of(text), "Set `vpc_id`.");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Wording {
    /// PCL, whose names are those of Node.js.
    #[default]
    Pcl,
    /// C# and the other languages of .NET.
    Dotnet,
    /// Go.
    Go,
    /// Terraform's language.
    Hcl,
    /// Java.
    Java,
    /// JavaScript and TypeScript.
    Nodejs,
    /// Python.
    Python,
    /// Pulumi YAML.
    Yaml,
}

impl Wording {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Pcl,
        Self::Dotnet,
        Self::Go,
        Self::Hcl,
        Self::Java,
        Self::Nodejs,
        Self::Python,
        Self::Yaml,
    ];

    /// The language's name in the attributes of schemas; `pcl` for PCL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pcl => "pcl",
            Self::Dotnet => "dotnet",
            Self::Go => "go",
            Self::Hcl => "hcl",
            Self::Java => "java",
            Self::Nodejs => "nodejs",
            Self::Python => "python",
            Self::Yaml => "yaml",
        }
    }

    /// The text with the names of this language, without the tags. A name that is not given for the
    /// language is the one inside the tag.
    pub fn of(self, text: &str) -> Cow<'_, str> {
        let language = match self {
            Self::Pcl => Self::Nodejs.name(),
            own => own.name(),
        };
        if !text.contains(OPEN) {
            return Cow::Borrowed(text);
        }
        let mut worded = String::with_capacity(text.len());
        let mut tags = Tags { rest: text };
        for tag in tags.by_ref() {
            let inside = tag.inside.unwrap_or_default();
            let own = tag.inside.and_then(|_| tag.attribute(language));
            worded.push_str(tag.before);
            worded.push_str(own.unwrap_or(inside));
        }
        worded.push_str(tags.rest);
        Cow::Owned(worded)
    }
}

/// The names that the tags of a text have in two languages, in the order of the text.
pub(crate) fn names_in(text: &str, languages: [Wording; 2]) -> impl Iterator<Item = [&str; 2]> {
    let tags = Tags { rest: text };
    tags.filter_map(move |tag| {
        let [one, other] = languages.map(|language| tag.attribute(language.name()));
        Some([one?, other?])
    })
}

/// The tags of a text that hold the names of languages.
struct Tags<'t> {
    rest: &'t str,
}

/// A tag, with the text between it and the one before it.
struct Tag<'t> {
    before: &'t str,
    attributes: &'t str,
    /// The text inside; `None` if the tag is not closed.
    inside: Option<&'t str>,
}

const OPEN: &str = "<span pulumi-lang-";
const CLOSE: &str = "</span>";

impl<'t> Iterator for Tags<'t> {
    type Item = Tag<'t>;

    fn next(&mut self) -> Option<Tag<'t>> {
        let (before, tag) = self.rest.split_once(OPEN)?;
        let end = end_of_attributes(tag)?;
        let (attributes, content) = (tag.get(..end)?, tag.get(end + 1..)?);
        let nearest = content.split(OPEN).next().unwrap_or(content);
        let inside = nearest.split_once(CLOSE).map(|(inside, _)| inside);
        self.rest = match inside {
            Some(inside) => content.get(inside.len() + CLOSE.len()..)?,
            None => content,
        };
        Some(Tag { before, attributes, inside })
    }
}

impl<'t> Tag<'t> {
    /// The value for a language.
    fn attribute(&self, language: &str) -> Option<&'t str> {
        let mut rest = self.attributes;
        while let Some((name, value)) = rest.split_once("=\"") {
            let (value, after) = value.split_once('"')?;
            let name = name.trim_start();
            if name.strip_prefix("pulumi-lang-").unwrap_or(name) == language {
                return Some(value);
            }
            rest = after;
        }
        None
    }
}

/// The place of the `>` that ends a tag: the first one outside of quotes.
fn end_of_attributes(tag: &str) -> Option<usize> {
    let mut quoted = false;
    tag.bytes().position(|byte| {
        quoted ^= byte == b'"';
        byte == b'>' && !quoted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text for all languages is, in each of them, the text that someone wrote for it.
    #[test]
    fn every_language_gets_its_own_text() {
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let words = ["`vpc_id`", " aws.Vpc ", "a > b", "", "<b>", "x=y", "\n\n", "é."];
        for _ in 0..2_000 {
            let mut text = String::new();
            let mut expected = Wording::ALL.map(|wording| (wording, String::new()));
            for _ in 0..random(6) {
                let plain = words[random(words.len())];
                let inside = words[random(words.len())];
                let names = Wording::ALL.map(|wording| {
                    let name = (random(3) > 0).then(|| words[random(words.len())]);
                    (wording, name.filter(|_| wording != Wording::Pcl))
                });
                let attributes: Vec<String> = names
                    .iter()
                    .filter_map(|(wording, name)| {
                        Some(format!("pulumi-lang-{}=\"{}\"", wording.name(), (*name)?))
                    })
                    .collect();
                let is_tag = !attributes.is_empty();
                text.push_str(plain);
                if is_tag {
                    text.push_str(&format!("<span {}>{inside}</span>", attributes.join(" ")));
                }
                for (wording, expected) in &mut expected {
                    let wanted = match wording {
                        Wording::Pcl => Wording::Nodejs,
                        own => *own,
                    };
                    let name = names.iter().find(|(wording, _)| *wording == wanted);
                    let name = name.and_then(|(_, name)| *name).unwrap_or(inside);
                    expected.push_str(plain);
                    expected.push_str(if is_tag { name } else { "" });
                }
            }
            for (wording, expected) in expected {
                assert_eq!(wording.of(&text), expected, "{wording:?} of {text}");
            }
        }
    }

    #[test]
    fn tags_that_are_broken_lose_no_text() {
        for (text, expected) in [
            ("a <span pulumi-lang-go=\"b\">c", "a c"),
            ("a <span pulumi-lang-go=\"b\" c", "a <span pulumi-lang-go=\"b\" c"),
            ("<span pulumi-lang-go=\"b\">c<span pulumi-lang-go=\"d\">e</span>", "cd"),
            ("<span class=\"x\">a</span>", "<span class=\"x\">a</span>"),
        ] {
            assert_eq!(Wording::Go.of(text), expected);
        }
    }
}
