//! Markdown on a terminal: paragraphs are wrapped, and headings and code have colours.

use pcl::render::wrap;

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
