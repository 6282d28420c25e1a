//! `concise`: `path:line:column: severity[CODE] message`, one line for each diagnostic.

use std::borrow::Cow;
use std::io::Write;

use super::docs_url::DocsUrl;
use super::layout::Layout;
use super::part::Part;
use super::report::{Look, Report};
use super::text::one_line;
use pcl_diagnostics::{Code, Diagnostic, Severity};

pub(super) const LAYOUT: Layout =
    Layout { name: "concise", is_for_people: true, part: render, ..Layout::PLAIN };

/// The lines of one program, each a piece.
fn render(report: &Report, look: Look) -> Part {
    let mut part = Part::default();
    for diagnostic in &report.diagnostics {
        write(&mut part.bytes, diagnostic, report, look);
        part.end_piece(diagnostic);
    }
    part
}

/// Writes the line of a diagnostic.
pub(super) fn write(out: &mut Vec<u8>, diagnostic: &Diagnostic, report: &Report, look: Look) {
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
pub(super) fn code(code: Code, docs_url: &DocsUrl, look: Look) -> Cow<'static, str> {
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
    use super::super::{Format, samples};

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
