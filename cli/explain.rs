//! `pcl explain`: the page of a diagnostic, a function, a block, an option, a type, a keyword or a
//! member of a package, as Markdown on a terminal.

use clap::Args;
use pcl::explain::{UnknownTopic, book, explain, list, overview};
use pcl::render::wrap;

use super::inputs::PlaceArgs;
use super::output::print;
use super::schema;
use super::status::{Failure, Outcome};
use super::terminal;
use crate::everywhere::color_on_stdout;

/// Words beside a name that say what kind of thing it names.
const KINDS: [&str; 10] = [
    "attribute",
    "block",
    "diagnostic",
    "expression",
    "function",
    "keyword",
    "lint",
    "loop",
    "option",
    "type",
];

/// The longest line where nothing says how wide the output is, and the longest that reads well.
const USUAL_WIDTH: usize = 100;

#[derive(Args)]
pub(crate) struct Explain {
    /// A code or name of a diagnostic, such as PCL0301, a function, a block, an option, a type, a
    /// keyword or a resource, such as element, resource, dependsOn, list, random:RandomPet or
    /// Deployment; without one, all topics are listed
    #[arg(value_name = "TOPIC")]
    topic: Vec<String>,
    /// List all diagnostics by code
    #[arg(long, conflicts_with_all = ["topic", "all"])]
    list: bool,
    /// The book: every code with its page, and every function, as Markdown
    #[arg(long, conflicts_with = "topic")]
    all: bool,
    #[command(flatten)]
    places: PlaceArgs,
}

impl Explain {
    pub(crate) fn run(&self) -> Outcome {
        if self.all {
            return print(book());
        }
        let color = color_on_stdout();
        let page = match &self.topic[..] {
            [token] if token.contains(':') => return schema::show(token, &self.places, color),
            [] if self.list => list(),
            [] => overview(),
            words => match (page_about(words), words) {
                (Ok(page), _) => page,
                // A member of a package, such as Deployment; what is similar is said about words.
                (Err(unknown), [name]) => {
                    return schema::show_named(name, &self.places, color).unwrap_or(Err(unknown));
                }
                (Err(unknown), _) => return Err(unknown),
            },
        };
        let layout =
            Layout { width: terminal::width().unwrap_or(USUAL_WIDTH).min(USUAL_WIDTH), color };
        print(layout.render(&page))
    }
}

/// The page about a topic, which people may write in several words: `for expression`.
fn page_about(words: &[String]) -> Result<String, Failure> {
    let written = words.join(" ");
    let without_kind = || {
        let is_kind = |word: &str| KINDS.contains(&word.to_ascii_lowercase().as_str());
        let kept: Vec<&str> =
            words.iter().map(String::as_str).filter(|word| !is_kind(word)).collect();
        explain(&kept.join(" ")).ok().filter(|_| kept.len() < words.len())
    };
    let joined = || explain(&words.concat()).ok().filter(|_| words.len() > 1);
    explain(&written)
        .or_else(|unknown| without_kind().or_else(joined).ok_or(unknown))
        .map_err(|unknown| Failure::usage(message(&unknown)))
}

/// The message about a word without a page, with the command that lists topics if none is similar.
fn message(unknown: &UnknownTopic) -> String {
    if unknown.is_similar_to_nothing() {
        format!("{unknown}; `pcl explain` lists the topics")
    } else {
        unknown.to_string()
    }
}

/// The way that Markdown is printed.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// The longest line of a paragraph, in characters.
    pub width: usize,
    /// Set for escape sequences in the place of `#`, backquotes and fences.
    pub color: bool,
}

const BOLD: &str = "\u{1b}[1m";
const CODE: &str = "\u{1b}[36m";
const PLAIN: &str = "\u{1b}[0m";

impl Layout {
    /// The text of a page. Code blocks and headings are not wrapped.
    pub fn render(self, markdown: &str) -> String {
        let mut out = String::with_capacity(markdown.len() + markdown.len() / 8);
        let mut paragraph = String::new();
        let mut in_code = false;
        for line in markdown.lines() {
            let is_fence = line.starts_with("```");
            if in_code || is_fence {
                self.paragraph(&mut out, &mut paragraph);
                self.code(&mut out, line, is_fence);
                in_code ^= is_fence;
                continue;
            }
            let starts_item = line.starts_with("- ");
            if line.is_empty() || line.starts_with('#') || starts_item {
                self.paragraph(&mut out, &mut paragraph);
            }
            if line.is_empty() {
                out.push('\n');
            } else if line.starts_with('#') {
                self.heading(&mut out, line);
            } else {
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph.push_str(line.trim());
            }
        }
        self.paragraph(&mut out, &mut paragraph);
        out
    }

    fn heading(self, out: &mut String, line: &str) {
        if self.color {
            let title = line.trim_start_matches('#').trim();
            out.push_str(&format!("{BOLD}{}{PLAIN}\n", self.spans(title, BOLD)));
        } else {
            out.push_str(&format!("{line}\n"))
        }
    }

    fn code(self, out: &mut String, line: &str, is_fence: bool) {
        match (self.color, is_fence) {
            (true, true) => {}
            (true, false) if line.is_empty() => out.push('\n'),
            (true, false) => out.push_str(&format!("    {CODE}{line}{PLAIN}\n")),
            (false, _) => out.push_str(&format!("{line}\n")),
        }
    }

    /// Writes a paragraph or an item of a list and empties it.
    fn paragraph(self, out: &mut String, text: &mut String) {
        if text.is_empty() {
            return;
        }
        let indent = if text.starts_with("- ") { "  " } else { "" };
        let lines = wrap(text, self.width, indent);
        if self.color {
            // Code may go on in the next line.
            out.push_str(&self.spans(&lines, ""));
        } else {
            out.push_str(&lines);
        }
        out.push('\n');
        text.clear();
    }

    /// Colours what is between backquotes; `around` is the style of the text around it.
    fn spans(self, text: &str, around: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut is_code = false;
        for (nth, part) in text.split('`').enumerate() {
            if nth > 0 {
                is_code = !is_code;
                if is_code { out.push_str(CODE) } else { out.push_str(&format!("{PLAIN}{around}")) }
            }
            out.push_str(part);
        }
        if is_code {
            out.push_str(PLAIN);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A `b` c\n\nOne two three\nfour `five six` seven.\n\n- item one two three\n- more\n\n```pcl\na = 1 # a long line of code\n```\n";

    #[test]
    fn paragraphs_are_wrapped() {
        let layout = Layout { width: 14, color: false };
        assert_eq!(
            layout.render(PAGE),
            "# A `b` c\n\nOne two three\nfour `five\nsix` seven.\n\n- item one two\n  three\n- more\n\n```pcl\na = 1 # a long line of code\n```\n"
        );
    }

    #[test]
    fn colours_take_the_place_of_marks() {
        let layout = Layout { width: 80, color: true };
        let text = layout.render(PAGE);
        assert!(
            text.starts_with("\u{1b}[1mA \u{1b}[36mb\u{1b}[0m\u{1b}[1m c\u{1b}[0m\n"),
            "{text:?}"
        );
        assert!(!text.contains('`'), "{text:?}");
        assert!(text.contains("    \u{1b}[36ma = 1 # a long line of code\u{1b}[0m\n"));
    }
}
