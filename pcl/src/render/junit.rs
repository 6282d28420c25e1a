//! `junit`: a test suite for each program, and in it a failed test case for each diagnostic, as
//! described by `docs/formats/junit.xsd`.

use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

use super::paths::Paths;
use super::report::Report;
use super::text::{explanation, is_unsafe, one_line, replace};
use crate::render::part::Layout;
use crate::render::part::Part;
use pcl_diagnostics::{Diagnostic, Severity};

pub(super) const LAYOUT: Layout = Layout {
    name: "junit",
    open: |_| OPEN.into(),
    part: |report, _| Part::whole(render(report)),
    close: |_, _, summary| match summary.left_out {
        left_out if left_out.is_empty() => CLOSE.into(),
        left_out => format!("  <!-- {left_out} -->\n{CLOSE}").into_bytes(),
    },
    ..Layout::PLAIN
};

const OPEN: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pcl\">\n";
const CLOSE: &str = "</testsuites>\n";

/// The test suite of one program.
fn render(report: &Report) -> Vec<u8> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    // Writing to a vector does not fail.
    let _ = suite(&mut writer, report);
    let mut out = writer.into_inner();
    out.push(b'\n');
    out
}

fn suite(writer: &mut Writer<Vec<u8>>, report: &Report) -> std::io::Result<()> {
    let all = report.diagnostics.len();
    let is_bug = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Bug;
    let bugs = report.diagnostics.iter().filter(is_bug).count();
    let mut start = BytesStart::new("testsuite");
    attribute(&mut start, "name", &report.path);
    attribute(&mut start, "tests", &all.max(1).to_string());
    attribute(&mut start, "failures", &(all - bugs).to_string());
    attribute(&mut start, "errors", &bugs.to_string());
    attribute(&mut start, "skipped", "0");
    attribute(&mut start, "time", "0");
    writer.write_event(Event::Start(start))?;
    let mut paths = Paths::new(report);
    for diagnostic in &report.diagnostics {
        case(writer, report, diagnostic, &mut paths)?;
    }
    if report.diagnostics.is_empty() {
        let mut case = BytesStart::new("testcase");
        attribute(&mut case, "name", "no diagnostics");
        attribute(&mut case, "classname", &report.path);
        attribute(&mut case, "time", "0");
        writer.write_event(Event::Empty(case))?;
    }
    writer.write_event(Event::End(BytesEnd::new("testsuite")))
}

fn case(
    writer: &mut Writer<Vec<u8>>,
    report: &Report,
    diagnostic: &Diagnostic,
    paths: &mut Paths<'_>,
) -> std::io::Result<()> {
    let file = diagnostic.primary.file;
    let place = report.sources.position(file, diagnostic.primary.range.start());
    let (line, column) = (place.line, place.column);
    let (code, severity) = (diagnostic.code, diagnostic.severity.as_str());
    let path = paths.below_current(file);

    let mut case = BytesStart::new("testcase");
    let name = format!("{code} {} at {line}:{column}", code.name());
    attribute(&mut case, "name", &name);
    attribute(&mut case, "classname", &path);
    attribute(&mut case, "file", &path);
    attribute(&mut case, "line", &line.to_string());
    attribute(&mut case, "time", "0");
    writer.write_event(Event::Start(case))?;

    let element = match diagnostic.severity {
        Severity::Bug => "error",
        Severity::Error | Severity::Warning => "failure",
    };
    let mut failure = BytesStart::new(element);
    attribute(&mut failure, "message", &diagnostic.message);
    attribute(&mut failure, "type", severity);
    writer.write_event(Event::Start(failure))?;
    let message = explanation(diagnostic, &report.sources, |file| paths.below_current(file));
    let path = one_line(&path);
    let text = format!("{path}:{line}:{column}: {severity}[{code}] {message}");
    writer.write_event(Event::Text(BytesText::new(&valid(&text))))?;
    writer.write_event(Event::End(BytesEnd::new(element)))?;
    writer.write_event(Event::End(BytesEnd::new("testcase")))
}

/// Adds an attribute; its value is escaped.
fn attribute(element: &mut BytesStart<'_>, name: &str, value: &str) {
    element.push_attribute((name, &*valid(value)));
}

/// Text in which the characters that XML does not allow are replaced.
fn valid(text: &str) -> String {
    let is_line_end = |c| matches!(c, '\n' | '\r');
    let text = replace(text, |c| {
        (is_unsafe(c) && !is_line_end(c)) || matches!(c, '\u{FFFE}' | '\u{FFFF}')
    });
    text.into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{self, sample};
    use super::super::{Format, Report};
    use pcl_diagnostics::{Code, Diagnostic, Span, TextRange};

    fn render(report: &Report) -> String {
        String::from_utf8(Format::Junit.render(report, false)).unwrap()
    }

    #[test]
    fn a_case_for_each_diagnostic() {
        insta::assert_snapshot!(render(&samples::rich()), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="pcl">
        <testsuite name="web" tests="2" failures="2" errors="0" skipped="0" time="0">
          <testcase name="PCL0202 already-declared at 3:8" classname="web/main.pp" file="web/main.pp" line="3" time="0">
            <failure message="`names` is declared twice" type="error">web/main.pp:3:8: error[PCL0202] `names` is declared twice
        note: a name stands for one thing in the whole program
        help: give one of them another name
        web/main.pp:1:8: first declared here
        web/extra.pp:1:1: another file</failure>
          </testcase>
          <testcase name="PCL0601 unknown-function at 5:8" classname="web/main.pp" file="web/main.pp" line="5" time="0">
            <failure message="there is no function `lenght`" type="warning">web/main.pp:5:8: warning[PCL0601] there is no function `lenght`
        help: did you mean `length`?</failure>
          </testcase>
        </testsuite>
        </testsuites>
        "#);
    }

    #[test]
    fn a_program_without_diagnostics_passes() {
        let (sample, _) = sample("");
        insta::assert_snapshot!(render(&sample), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="pcl">
        <testsuite name="web" tests="1" failures="0" errors="0" skipped="0" time="0">
          <testcase name="no diagnostics" classname="web" time="0"/>
        </testsuite>
        </testsuites>
        "#);
    }

    #[test]
    fn every_character_is_valid() {
        let (mut sample, file) = sample("");
        let span = Span::new(file, TextRange::empty(0));
        let message = "<a & \"b\">\n]]>\u{0}\u{1b}\u{ffff}\u{85}é";
        sample.diagnostics = vec![Diagnostic::bug(span, message)];
        assert_eq!(sample.diagnostics[0].code, Code::Internal);
        insta::assert_snapshot!(render(&sample), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="pcl">
        <testsuite name="web" tests="1" failures="0" errors="1" skipped="0" time="0">
          <testcase name="PCL0901 internal at 1:1" classname="web/main.pp" file="web/main.pp" line="1" time="0">
            <error message="&lt;a &amp; &quot;b&quot;&gt;&#10;]]&gt;␀␛��é" type="bug">web/main.pp:1:1: bug[PCL0901] &lt;a &amp; &quot;b&quot;&gt;␊]]&gt;␀␛��é</error>
          </testcase>
        </testsuite>
        </testsuites>
        "#);
    }
}
