//! `package { baseProviderName = ".." }`: which package, in which version, a name of the program stands for.
//!
//! The rules, with examples: `tests/spec/blocks/package.md`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use indexmap::IndexMap;
use pcl_diagnostics::{Code, Diagnostic, FileId, Fix, Span, TextEdit, TextRange};
use pcl_model::expression::quoted;
use pcl_schema::{PackageRequest, Parameterization};
use pcl_syntax::ast;
use semver::Version;

use super::attributes::{BodyNames, ignored_attribute, ignored_block, with_choices};
use super::literal::string_of;
use super::rules::{BlockRule, PACKAGE, PARAMETERIZATION};
use crate::block::attributes::insert_lines;
use crate::source::Sources;

/// The packages that a program declares, by the name that its tokens use.
pub(crate) type Descriptors = IndexMap<String, PackageRequest>;

/// Reads every `package` block of a program.
pub(crate) fn read(sources: &Sources, findings: &mut Vec<Diagnostic>) -> Descriptors {
    let blocks = sources.files.iter().flat_map(|source| {
        let blocks = source.tree.file().body().blocks();
        blocks.map(|block| (source.file, block))
    });
    let is_package = |(_, block): &(FileId, ast::Block<'_>)| {
        block.keyword().is_some_and(|word| word.text() == "package")
    };
    read_blocks(blocks.filter(is_package), findings)
}

/// Reads these `package` blocks.
pub(crate) fn read_blocks<'t>(
    blocks: impl IntoIterator<Item = (FileId, ast::Block<'t>)>,
    findings: &mut Vec<Diagnostic>,
) -> Descriptors {
    let mut descriptors = Descriptors::new();
    let mut declared: IndexMap<String, Span> = IndexMap::new();
    for (file, block) in blocks {
        let mut reader = Reader {
            file,
            findings,
            body_names: BodyNames::default(),
        };
        let Some((name, request)) = reader.block(block) else {
            continue;
        };
        let span = reader.span(block.header_range());
        match declared.get(&name) {
            None => {
                declared.insert(name.clone(), span);
                descriptors.insert(name, request);
            }
            Some(&first) => {
                let same_file = first.file == span.file;
                if same_file || descriptors.get(&name) != Some(&request) {
                    let finding = Diagnostic::error(
                        Code::DuplicatePackage,
                        span,
                        format!("package `{name}` is declared twice"),
                    )
                    .label(first, "first declared here")
                    .help("keep one of the two blocks");
                    findings.push(if same_file {
                        finding
                    } else {
                        finding.note("the two blocks differ, so it is unclear which is meant")
                    });
                }
            }
        }
    }
    descriptors
}

struct Reader<'f, 't> {
    file: FileId,
    findings: &'f mut Vec<Diagnostic>,
    body_names: BodyNames<'t>,
}

impl<'t> Reader<'_, 't> {
    fn span(&self, range: TextRange) -> Span {
        Span::new(self.file, range)
    }

    fn block(&mut self, block: ast::Block<'t>) -> Option<(String, PackageRequest)> {
        let mut labels = block.labels();
        let label = labels.next();
        if let Some(extra) = labels.next() {
            let last = labels.last().unwrap_or(extra);
            let span = self.span(extra.range().cover(last.range()));
            self.findings.push(
                Diagnostic::error(
                    Code::WrongLabelCount,
                    span,
                    "`package` blocks take no labels",
                )
                .help("name the package with `baseProviderName = \"..\"` in the body"),
            );
            return None;
        }
        let mut request = PackageRequest::new("");
        let mut named = false;
        let body = block.body()?;
        for item in body.items() {
            match item {
                ast::Item::Attribute(attribute) => {
                    named |= self.attribute(attribute, body, &mut request);
                }
                ast::Item::Block(nested) => {
                    if nested
                        .keyword()
                        .is_some_and(|word| word.text() == "parameterization")
                    {
                        request.parameterization = self.parameterization(nested);
                    } else if let Some(keyword) = nested.keyword() {
                        let span = self.span(keyword.range());
                        let finding = ignored_block(span, keyword.text(), PACKAGE.keyword);
                        let known = PACKAGE.blocks.iter().map(|block| block.keyword);
                        let is_taken = |meant: &str| {
                            body.blocks()
                                .filter_map(ast::Block::keyword)
                                .any(|keyword| keyword.text() == meant)
                        };
                        let finding = with_choices(finding, keyword.text(), span, known, is_taken);
                        self.findings.push(finding);
                    }
                }
                ast::Item::Bogus(_) => {}
            }
        }
        if let Some(label) = label {
            self.deprecated_label(block, label);
            if !named {
                request.name = label.text().into_owned();
            }
        }
        if request.name.is_empty() && !named && label.is_none() {
            // An attribute that cannot be used has been reported.
            let tries = body
                .attributes()
                .any(|attribute| is_called(attribute, "baseProviderName"));
            if !tries && !block.syntax().contains_error() {
                let range = block
                    .keyword()
                    .map_or_else(|| block.header_range(), |word| word.range());
                let span = self.span(range);
                self.findings.push(
                    Diagnostic::error(
                        Code::UnnamedPackage,
                        span,
                        "this `package` block names no package",
                    )
                    .help("add `baseProviderName = \"..\"` to its body"),
                );
            }
            return None;
        }
        let name = request.name().to_owned();
        if name.is_empty() {
            let span = self.span(block.header_range());
            self.findings.push(
                Diagnostic::error(
                    Code::UnnamedPackage,
                    span,
                    "the name of this package is empty",
                )
                .help("a parameterized package needs `name` in its `parameterization` block"),
            );
            return None;
        }
        Some((name, request))
    }

    /// Reads one attribute; whether it was a usable `baseProviderName`.
    fn attribute(
        &mut self,
        attribute: ast::Attribute<'t>,
        body: ast::Body<'t>,
        request: &mut PackageRequest,
    ) -> bool {
        let Some(name) = attribute.name() else {
            return false;
        };
        match name.text() {
            "baseProviderName" => {
                if let Some(text) = self.string(attribute) {
                    request.name = text;
                    return true;
                }
            }
            "baseProviderVersion" => {
                request.version = self.version(attribute);
            }
            "baseProviderDownloadUrl" => {
                if let Some(text) = self.string(attribute) {
                    if is_absolute_uri(&text) {
                        request.download_url = Some(text);
                    } else {
                        self.invalid(attribute, format!("`{text}` is not an absolute URL"))
                            .help("write it with its scheme, as in `https://example.com`")
                            .push(self.findings);
                    }
                }
            }
            _ => self.ignored(attribute, &PACKAGE, body),
        }
        false
    }

    fn parameterization(&mut self, block: ast::Block<'t>) -> Option<Parameterization> {
        let mut name = None;
        let mut version = None;
        let mut value = Vec::new();
        let mut sound = true;
        let body = block.body()?;
        for attribute in body.attributes() {
            let Some(key) = attribute.name() else {
                continue;
            };
            match key.text() {
                "name" => match self.string(attribute) {
                    Some(text) if text.is_empty() => {
                        sound = false;
                        self.invalid(attribute, "the name is empty".to_owned())
                            .help("write the name that the program's tokens use for the package")
                            .push(self.findings);
                    }
                    Some(text) => name = Some(text),
                    None => sound = false,
                },
                "version" => {
                    version = self.version(attribute);
                    sound &= version.is_some();
                }
                "value" => match self.string(attribute) {
                    Some(text) => match STANDARD.decode(text.as_bytes()) {
                        Ok(bytes) => value = bytes,
                        Err(_) => {
                            sound = false;
                            self.invalid(attribute, "the value is not base64".to_owned())
                                .help("write the bytes in standard base64 with padding")
                                .push(self.findings);
                        }
                    },
                    None => sound = false,
                },
                _ => self.ignored(attribute, &PARAMETERIZATION, body),
            }
        }
        sound.then(|| Parameterization {
            name: name.unwrap_or_default(),
            version: version.unwrap_or(Version::new(0, 0, 0)),
            value,
        })
    }

    fn string(&mut self, attribute: ast::Attribute<'_>) -> Option<String> {
        let value = attribute.value()?;
        let text = string_of(value);
        if text.is_none() && !matches!(value, ast::Expr::Bogus(_)) {
            let name = attribute.name().map_or("this", |name| name.text());
            let span = self.span(value.range());
            self.findings.push(
                Diagnostic::error(
                    Code::NotAStringLiteral,
                    span,
                    format!("`{name}` takes a plain quoted string"),
                )
                .note("packages are known before the program runs")
                .help(format!("write it out, as in `{name} = \"..\"`")),
            );
        }
        text
    }

    fn version(&mut self, attribute: ast::Attribute<'_>) -> Option<Version> {
        let text = self.string(attribute)?;
        match Version::parse(&text) {
            Ok(version) => Some(version),
            Err(error) => {
                invalid_version(self.value_span(attribute), &text, &error).push(self.findings);
                None
            }
        }
    }

    fn value_span(&self, attribute: ast::Attribute<'_>) -> Span {
        let range = attribute.value().map(|value| value.range());
        self.span(range.unwrap_or_else(|| attribute.syntax().range()))
    }

    fn invalid(&self, attribute: ast::Attribute<'_>, message: String) -> Diagnostic {
        Diagnostic::error(
            Code::InvalidPackageField,
            self.value_span(attribute),
            message,
        )
    }

    fn ignored(&mut self, attribute: ast::Attribute<'t>, block: &BlockRule, body: ast::Body<'t>) {
        let Some(name) = attribute.name() else { return };
        let span = self.span(name.range());
        let finding = ignored_attribute(span, name.text(), block.keyword);
        let taken = &mut self.body_names;
        let is_taken = |meant: &str| taken.contain(span.file, body, meant);
        let finding = with_choices(finding, name.text(), span, block.names(None), is_taken);
        self.findings.push(finding);
    }

    /// Pulumi takes the name from the body now; the fix moves it there, unless the body has one.
    fn deprecated_label(&mut self, block: ast::Block<'_>, label: ast::Label<'_>) {
        let span = self.span(label.range());
        let mut finding = Diagnostic::warning(
            Code::PackageLabel,
            span,
            "the label of a `package` block is deprecated",
        )
        .help("name the package with `baseProviderName` in the body");
        let is_readable = !block.syntax().contains_error();
        if let (true, Some(keyword), Some(brace)) =
            (is_readable, block.keyword(), block.open_brace())
        {
            let header = TextRange::new(keyword.range().end(), brace.range().start());
            let mut edits = vec![TextEdit::replace(self.span(header), " ")];
            let mut attributes = block.body().into_iter().flat_map(|body| body.attributes());
            if !attributes.any(|attribute| is_called(attribute, "baseProviderName")) {
                let line = format!("baseProviderName = {}", quoted(&label.text()));
                edits.extend(insert_lines(self.file, block, [line]));
            }
            finding = finding.fix(Fix::safe("move the name into the body", edits));
        }
        self.findings.push(finding);
    }
}

/// The finding for a text that is no semantic version.
pub(crate) fn invalid_version(span: Span, text: &str, error: &semver::Error) -> Diagnostic {
    let finding = Diagnostic::error(
        Code::InvalidVersion,
        span,
        format!("`{text}` is not a semantic version"),
    )
    .note(error.to_string());
    match text
        .strip_prefix('v')
        .filter(|rest| Version::parse(rest).is_ok())
    {
        // There may be no schema of that version.
        Some(rest) => finding.help("leave out the `v`").fix(Fix::unsafe_(
            format!("write `{rest}`"),
            vec![TextEdit::replace(span, format!("\"{rest}\""))],
        )),
        None => finding.help("write three numbers, as in `1.2.3`"),
    }
}

fn is_called(attribute: ast::Attribute<'_>, name: &str) -> bool {
    attribute.name().is_some_and(|word| word.text() == name)
}

/// Whether a text starts with a scheme and has something after it.
fn is_absolute_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
        && !rest.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// Lets a finding be built and given away in one expression.
trait Push {
    fn push(self, findings: &mut Vec<Diagnostic>);
}

impl Push for Diagnostic {
    fn push(self, findings: &mut Vec<Diagnostic>) {
        findings.push(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_uri_has_a_scheme() {
        assert!(is_absolute_uri("https://example.com/x"));
        assert!(is_absolute_uri("github://api.github.com/pulumi"));
        for text in ["example.com", "://x", "1ttp://x", "https:", "a b://c", ""] {
            assert!(!is_absolute_uri(text), "{text}");
        }
    }
}
