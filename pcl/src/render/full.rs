//! `full`: snippets of the text with labels, then notes, help and suggested edits. Drawn by
//! codespan-reporting. `concise`: `path:line:column: severity[CODE] message`, one line for each.

use std::borrow::Cow;
use std::io::Write as _;

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::Error;
use codespan_reporting::term::termcolor::Buffer;
use codespan_reporting::term::{
    self, Chars, Config, Renderer, Styles, StylesWriter, WriteStyle as _,
};
use pcl_diagnostics::{Code, Diagnostic, Severity};

use super::excerpt::{Excerpt, Mark};
use super::fix;
use super::report::{DocsUrl, Look, Report};
use super::text::one_line;
use crate::render::part::{Layout, Part};
use crate::render::text::wrap;

pub(super) const LAYOUT: Layout =
    Layout { name: "full", is_for_people: true, part: render, ..Layout::PLAIN };

pub(super) const CONCISE: Layout =
    Layout { name: "concise", is_for_people: true, part: concise, ..Layout::PLAIN };

/// The snippets of one program, each a piece.
fn render(report: &Report, look: Look) -> Part {
    let styles = Styles::default();
    let config = Config::default();
    let mut part = Part::default();
    for diagnostic in &report.diagnostics {
        let excerpt = Excerpt::new(&report.sources, &marks(diagnostic));
        let drawn = drawing(diagnostic, &excerpt, report, look);
        let mut buffer = if look.color { Buffer::ansi() } else { Buffer::no_color() };
        let mut writer = StylesWriter::new(&mut buffer, &styles);
        let is_drawn = match without_text(diagnostic, report) {
            Some(path) => draw_path(&mut Renderer::new(&mut writer, &config), &drawn, &path),
            None => term::emit_to_write_style(&mut writer, &config, &excerpt, &drawn),
        };
        if is_drawn.is_ok() {
            part.bytes.extend_from_slice(buffer.as_slice());
        } else {
            // No diagnostic is lost, even if its snippet cannot be drawn.
            write_line(&mut part.bytes, diagnostic, report, look);
        }
        part.end_piece(diagnostic);
    }
    part
}

/// The path of a diagnostic's file if there is nothing to show of it: it is a directory, was not
/// read, or is empty.
fn without_text<'a>(diagnostic: &Diagnostic, report: &'a Report) -> Option<Cow<'a, str>> {
    let file = diagnostic.primary.file;
    let has_none = diagnostic.labels.is_empty() && report.sources.text(file).is_empty();
    has_none.then(|| one_line(report.sources.path(file)))
}

/// Draws a diagnostic with the path of its file in place of a snippet.
fn draw_path(
    renderer: &mut Renderer<'_, '_>,
    drawn: &codespan::Diagnostic<usize>,
    path: &str,
) -> Result<(), Error> {
    /// The columns before the signs of the path and of notes, less a space.
    const PADDING: usize = 1;
    renderer.render_header(None, drawn.severity, drawn.code.as_deref(), &drawn.message)?;
    write!(renderer, "{:PADDING$} ", "")?;
    renderer.set_source_border()?;
    write!(renderer, "{}", Chars::default().snippet_start)?;
    renderer.reset()?;
    writeln!(renderer, " {path}")?;
    if !drawn.notes.is_empty() {
        renderer.render_snippet_empty(PADDING, drawn.severity, 0, &[])?;
    }
    for note in &drawn.notes {
        renderer.render_snippet_note(PADDING, note)?;
    }
    renderer.render_empty()
}

/// The places of a diagnostic, the primary one first.
fn marks(diagnostic: &Diagnostic) -> Vec<Mark<'_>> {
    let primary = Mark { span: diagnostic.primary, message: "" };
    let others =
        diagnostic.labels.iter().map(|label| Mark { span: label.span, message: &label.message });
    std::iter::once(primary).chain(others).collect()
}

fn drawing(
    diagnostic: &Diagnostic,
    excerpt: &Excerpt<'_>,
    report: &Report,
    look: Look,
) -> codespan::Diagnostic<usize> {
    let (sources, width) = (&report.sources, look.width);
    let severity = match diagnostic.severity {
        Severity::Warning => codespan::Severity::Warning,
        Severity::Error => codespan::Severity::Error,
        Severity::Bug => codespan::Severity::Bug,
    };
    let labels = excerpt.marks().enumerate().map(|(nth, (file, range, message))| {
        let style =
            if nth == 0 { codespan::LabelStyle::Primary } else { codespan::LabelStyle::Secondary };
        codespan::Label::new(style, file, range).with_message(one_line(message))
    });
    let notes = diagnostic
        .notes
        .iter()
        .map(|note| wrapped_note(format!("note: {}", one_line(note)), width));
    let help =
        diagnostic.help.iter().map(|help| wrapped_note(format!("help: {}", one_line(help)), width));
    let fixes = diagnostic.fixes.iter().map(|each| fix::describe(each, sources));
    codespan::Diagnostic::new(severity)
        .with_code(code(diagnostic.code, &report.settings.docs_url, look))
        .with_message(headline(diagnostic, width))
        .with_labels(labels.collect())
        .with_notes(notes.chain(help).chain(fixes).collect())
}

/// The message in lines of `width`, of which the first begins with the severity and the code.
fn headline(diagnostic: &Diagnostic, width: Option<usize>) -> String {
    let message = one_line(&diagnostic.message);
    let Some(width) = width else { return message.into_owned() };
    let start = format!("{}[{}]:", diagnostic.severity.as_str(), diagnostic.code.id());
    let lines = wrap(&format!("{start} {message}"), width, "  ");
    let lines = lines.strip_prefix(&start).unwrap_or(&lines);
    lines.trim_start().to_owned()
}

/// A note in lines of `width`, which begin behind the sign of the note.
fn wrapped_note(note: String, width: Option<usize>) -> String {
    /// The columns before a note of a file with a few hundred lines.
    const BEFORE: usize = 6;
    match width {
        Some(width) => wrap(&note, width.saturating_sub(BEFORE), ""),
        None => note,
    }
}

/// The lines of one program, each a piece.
fn concise(report: &Report, look: Look) -> Part {
    let mut part = Part::default();
    for diagnostic in &report.diagnostics {
        write_line(&mut part.bytes, diagnostic, report, look);
        part.end_piece(diagnostic);
    }
    part
}

/// Writes the line of a diagnostic.
fn write_line(out: &mut Vec<u8>, diagnostic: &Diagnostic, report: &Report, look: Look) {
    let file = diagnostic.primary.file;
    let place = report.sources.position(file, diagnostic.primary.range.start());
    let path = one_line(report.sources.path(file));
    let message = one_line(&diagnostic.message);
    let (on, off) = if look.color { (style(diagnostic.severity), "\x1b[0m") } else { ("", "") };
    // Writing to a vector does not fail.
    let _ = writeln!(
        out,
        "{path}:{}:{}: {on}{}[{}]{off} {message}",
        place.line,
        place.column,
        diagnostic.severity.as_str(),
        code(diagnostic.code, &report.settings.docs_url, look),
    );
}

/// A code, on terminals that can do this a link to its page.
fn code(code: Code, docs_url: &DocsUrl, look: Look) -> Cow<'static, str> {
    if look.hyperlinks {
        format!("\x1b]8;;{}\x1b\\{code}\x1b]8;;\x1b\\", docs_url.page(code)).into()
    } else {
        code.id().into()
    }
}

fn style(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "\x1b[1;33m",
        Severity::Error | Severity::Bug => "\x1b[1;31m",
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::samples::{self, sample};
    use super::*;
    use pcl_diagnostics::{Code, Span, TextRange};

    fn draw(sample: &Report) -> String {
        String::from_utf8(render(sample, Look::default()).bytes).expect("text")
    }

    fn one(text: &str, start: u32, end: u32) -> String {
        let (mut sample, file) = sample(text);
        let span = Span::new(file, TextRange::new(start, end));
        sample.diagnostics = vec![Diagnostic::error(Code::UndefinedVariable, span, "here")];
        draw(&sample)
    }

    #[test]
    fn labels_notes_help_and_fixes() {
        insta::assert_snapshot!(draw(&samples::rich()), @r#"
        error[PCL0202]: `names` is declared twice
          ┌─ web/main.pp:3:8
          │
        1 │ config "names" "list(string)" {}
          │        ------- first declared here
        2 │ 
        3 │ config "names" "number" {}
          │        ^^^^^^^
          │
          ┌─ web/extra.pp:1:1
          │
        1 │ size = 1
          │ ---- another file
          │
          = note: a name stands for one thing in the whole program
          = help: give one of them another name

        warning[PCL0601]: there is no function `lenght`
          ┌─ web/main.pp:5:8
          │
        5 │ size = lenght(names)
          │        ^^^^^^
          │
          = help: did you mean `length`?
          = fix: call `length`
            - size = lenght(names)
            + size = length(names)
        "#);
    }

    #[test]
    fn headlines_and_notes_are_wrapped() {
        let (mut sample, file) = sample("a = b\n");
        let span = Span::new(file, TextRange::new(4, 5));
        let message = "`targets` of `harbor:network:LoadBalancer` must be a list of strings";
        sample.diagnostics = vec![
            Diagnostic::error(Code::TypeNotAssignable, span, message)
                .help("name one element, as in `[0]`, or join them, as in `join(\", \", ..)`"),
        ];
        let look = Look { color: false, width: Some(50), ..Look::default() };
        let drawn = String::from_utf8(render(&sample, look).bytes).expect("text");
        insta::assert_snapshot!(drawn, @r#"
        error[PCL0301]: `targets` of
          `harbor:network:LoadBalancer` must be a list of
          strings
          ┌─ web/main.pp:1:5
          │
        1 │ a = b
          │     ^
          │
          = help: name one element, as in `[0]`, or join
            them, as in `join(", ", ..)`
        "#);
    }

    #[test]
    fn a_range_over_two_lines() {
        insta::assert_snapshot!(one("a = [\n  b,\n]\nc = 1\n", 4, 12), @r"
        error[PCL0201]: here
          ┌─ web/main.pp:1:5
          │  
        1 │   a = [
          │ ╭─────^
        2 │ │   b,
        3 │ │ ]
          │ ╰─^
        ");
    }

    #[test]
    fn a_newline_and_the_end_of_the_file() {
        insta::assert_snapshot!(one("a = \nb = 1\n", 4, 5), @r"
        error[PCL0201]: here
          ┌─ web/main.pp:1:5
          │
        1 │ a = 
          │     ^
        ");
        insta::assert_snapshot!(one("a = 1\n", 6, 6), @r"
        error[PCL0201]: here
          ┌─ web/main.pp:2:1
          │
        2 │ 
          │ ^
        ");
    }

    #[test]
    fn without_text_there_is_no_snippet() {
        let (mut sample, file) = sample("");
        let span = Span::new(file, TextRange::empty(0));
        sample.diagnostics = vec![
            Diagnostic::error(Code::UnreadableSource, span, "there is no file `web/main.pp`")
                .help("check the path and its permissions"),
            Diagnostic::error(Code::UnreadableSource, span, "here"),
        ];
        insta::assert_snapshot!(draw(&sample), @r"
        error[PCL0001]: there is no file `web/main.pp`
          ┌─ web/main.pp
          │
          = help: check the path and its permissions

        error[PCL0001]: here
          ┌─ web/main.pp
        ");
        let look = Look { color: true, ..Look::default() };
        let drawn = String::from_utf8(render(&sample, look).bytes).expect("text");
        assert!(drawn.contains("┌─\u{1b}[0m web/main.pp\n"), "{drawn:?}");
    }

    #[test]
    fn a_long_line_is_clipped() {
        let text = format!("a = [{}b{}]\n", "1, ".repeat(100), ", é".repeat(100_000));
        insta::assert_snapshot!(one(&text, 305, 306), @r"
        error[PCL0201]: here
          ┌─ web/main.pp:1:306
          │
        1 │ …, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, b, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é, é…
          │                                                                                  ^
        ");
    }

    #[test]
    fn a_long_range_shows_its_first_line() {
        let text = format!("a = [\n{}]\n", "  1,\n".repeat(100));
        insta::assert_snapshot!(one(&text, 4, text.len() as u32 - 1), @r"
        error[PCL0201]: here
          ┌─ web/main.pp:1:5
          │
        1 │ a = [
          │     ^
        ");
    }

    #[test]
    fn control_characters_are_shown_as_pictures() {
        let text = one("a = \"\u{1b}[2J\" + b\n", 13, 14);
        assert!(!text.contains('\u{1b}'), "{text}");
        insta::assert_snapshot!(text, @r#"
        error[PCL0201]: here
          ┌─ web/main.pp:1:14
          │
        1 │ a = "␛[2J" + b
          │              ^
        "#);
    }

    #[test]
    fn a_range_that_does_not_fit_is_still_drawn() {
        assert!(one("é", 1, 900).contains("main.pp:1:"));
    }

    #[test]
    fn one_line_for_each_diagnostic() {
        let sample = samples::rich();
        let text = Format::Concise.render(&sample, false);
        insta::assert_snapshot!(String::from_utf8(text).unwrap(), @r"
        web/main.pp:3:8: error[PCL0202] `names` is declared twice
        web/main.pp:5:8: warning[PCL0601] there is no function `lenght`
        ");
    }
}
