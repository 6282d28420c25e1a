//! `package { baseProviderName = ".." }`: the package, in a certain version, that a name of the
//! program refers to.
//!
//! The rules, with examples: `tests/spec/blocks/package.md`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use indexmap::IndexMap;
use pcl_diagnostics::{Code, Diagnostic, FileId, Fix, Span, TextEdit, TextRange};
use pcl_language::{BlockRule, PACKAGE, PARAMETERIZATION};
use pcl_schema::{PackageRequest, Parameterization};
use pcl_syntax::{ast, quoted};
use semver::Version;

use crate::block::download_url;
use crate::block::literal::string_of;
use crate::declared_names::BodyNames;
use crate::habits::edits::insert_lines;
use crate::packages::Descriptors;
use crate::program_files::Sources;
use crate::wording::{ignored_attribute, ignored_block, not_a_string, with_choices};

/// Reads every `package` block of a program.
pub(crate) fn read(sources: &Sources, diagnostics: &mut Vec<Diagnostic>) -> Descriptors {
    let blocks = sources
        .files
        .iter()
        .flat_map(|source| source.tree.file().body().blocks().map(|block| (source.file, block)));
    let packages = blocks.filter(|(_, block)| block.has_keyword(PACKAGE.keyword));
    read_blocks(packages, diagnostics)
}

/// The packages that the `package` blocks of some files describe, in the order of the text. What is
/// wrong with the blocks is found when they are bound.
///
/// ```
/// use pcl_binder::{Sources, described_packages};
/// use pcl_diagnostics::SourceMap;
///
/// let text = "package {\n  baseProviderName = \"zoo\"\n}\n";
/// let sources = Sources::from_texts([("zoo.pp", text)], &mut SourceMap::new());
/// assert_eq!(described_packages(&sources)[0].name(), "zoo");
/// ```
pub fn described_packages(sources: &Sources) -> Vec<PackageRequest> {
    read(sources, &mut Vec::new()).into_values().collect()
}

/// Reads these `package` blocks.
pub(crate) fn read_blocks<'t>(
    blocks: impl IntoIterator<Item = (FileId, ast::Block<'t>)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Descriptors {
    let mut descriptors = Descriptors::new();
    let mut declared: IndexMap<String, Span> = IndexMap::new();
    for (file, block) in blocks {
        let mut reader = Reader { file, diagnostics, body_names: BodyNames::default() };
        let Some((name, request)) = reader.block(block) else { continue };
        let span = reader.span(block.header_range());
        match declared.get(&name) {
            None => {
                declared.insert(name.clone(), span);
                descriptors.insert(name, request);
            }
            Some(&first) => {
                let same_file = first.file == span.file;
                if same_file || descriptors.get(&name) != Some(&request) {
                    diagnostics.push(duplicate_package(span, &name, first));
                }
            }
        }
    }
    descriptors
}

struct Reader<'f, 't> {
    file: FileId,
    diagnostics: &'f mut Vec<Diagnostic>,
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
            self.diagnostics.push(surplus_label(span));
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
                    if nested.has_keyword(PARAMETERIZATION.keyword) {
                        request.parameterization = self.parameterization(nested);
                    } else if let Some(keyword) = nested.keyword() {
                        let span = self.span(keyword.range());
                        let diagnostic = ignored_block(span, keyword.text(), PACKAGE.keyword);
                        let known = PACKAGE.blocks.iter().map(|block| block.keyword);
                        let is_taken =
                            |meant: &str| body.blocks().any(|block| block.has_keyword(meant));
                        let diagnostic =
                            with_choices(diagnostic, keyword.text(), span, known, is_taken);
                        self.diagnostics.push(diagnostic);
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
            let tries = body.attributes().any(|attribute| attribute.is_named("baseProviderName"));
            if !tries && !block.syntax().contains_error() {
                let range =
                    block.keyword().map_or_else(|| block.header_range(), |word| word.range());
                let span = self.span(range);
                let message = "this `package` block does not name a package";
                let diagnostic = Diagnostic::error(Code::UnnamedPackage, span, message)
                    .help("add `baseProviderName = \"..\"` to its body");
                self.diagnostics.push(diagnostic);
            }
            return None;
        }
        let name = request.name().to_owned();
        if name.is_empty() {
            let span = self.span(block.header_range());
            let message = "the name of this package is empty";
            let diagnostic = Diagnostic::error(Code::UnnamedPackage, span, message)
                .help("a parameterized package needs `name` in its `parameterization` block");
            self.diagnostics.push(diagnostic);
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
        let Some(name) = attribute.name() else { return false };
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
                    let is_read = download_url::is_of_request(&text);
                    if is_read && download_url::is_absolute(&text) {
                        request.download_url = Some(text);
                    } else {
                        let span = self.value_span(attribute);
                        let diagnostic = not_a_url(span, &text);
                        self.diagnostics.push(if is_read { diagnostic.ours() } else { diagnostic });
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
            let Some(key) = attribute.name() else { continue };
            match key.text() {
                "name" => match self.string(attribute) {
                    Some(text) if text.is_empty() => {
                        sound = false;
                        let help = "write the name that the program's tokens use for the package";
                        self.refuse(attribute, "the name is empty".to_owned(), help);
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
                            let help = "write the bytes in standard base64 with padding";
                            self.refuse(attribute, "the value is not base64".to_owned(), help);
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
            let note = "packages are known before the program runs";
            self.diagnostics.push(not_a_string(span, name, note));
        }
        text
    }

    fn version(&mut self, attribute: ast::Attribute<'_>) -> Option<Version> {
        let text = self.string(attribute)?;
        match Version::parse(&text) {
            Ok(version) => Some(version),
            Err(error) => {
                let span = self.value_span(attribute);
                self.diagnostics.push(invalid_version(span, &text, &error));
                None
            }
        }
    }

    /// Reports a value that an attribute does not take.
    fn refuse(&mut self, attribute: ast::Attribute<'_>, message: String, help: &str) {
        let span = self.value_span(attribute);
        let diagnostic = Diagnostic::error(Code::InvalidPackageField, span, message);
        self.diagnostics.push(diagnostic.help(help));
    }

    fn value_span(&self, attribute: ast::Attribute<'_>) -> Span {
        let range = attribute.value().map(|value| value.range());
        self.span(range.unwrap_or_else(|| attribute.syntax().range()))
    }

    fn ignored(&mut self, attribute: ast::Attribute<'t>, block: &BlockRule, body: ast::Body<'t>) {
        let Some(name) = attribute.name() else { return };
        let span = self.span(name.range());
        let diagnostic = ignored_attribute(span, name.text(), block.keyword);
        let taken = &mut self.body_names;
        let is_taken = |meant: &str| taken.contain(span.file, body, meant);
        let diagnostic = with_choices(diagnostic, name.text(), span, block.names(None), is_taken);
        self.diagnostics.push(diagnostic);
    }

    /// Reports the label of a block. Pulumi takes the name from the body now; the fix moves it
    /// there, unless the body has one.
    fn deprecated_label(&mut self, block: ast::Block<'_>, label: ast::Label<'_>) {
        let mut fix = None;
        let is_readable = !block.syntax().contains_error();
        if let (true, Some(keyword), Some(brace)) =
            (is_readable, block.keyword(), block.open_brace())
        {
            let header = TextRange::new(keyword.range().end(), brace.range().start());
            let mut edits = vec![TextEdit::replace(self.span(header), " ")];
            let mut attributes = block.body().into_iter().flat_map(|body| body.attributes());
            if !attributes.any(|attribute| attribute.is_named("baseProviderName")) {
                let line = format!("baseProviderName = {}", quoted(&label.text()));
                edits.extend(insert_lines(self.file, block, [line]));
            }
            fix = Some(Fix::safe("move the name into the body", edits));
        }
        let message = "the label of a `package` block is deprecated";
        let span = self.span(label.range());
        let diagnostic = Diagnostic::warning(Code::PackageLabel, span, message)
            .help("name the package with `baseProviderName` in the body")
            .fix(fix);
        self.diagnostics.push(diagnostic);
    }
}

/// A second block for a package. The block at `first` counts; in another file it may repeat the
/// block, but not differ from it.
fn duplicate_package(span: Span, name: &str, first: Span) -> Diagnostic {
    let message = format!("package `{name}` is declared twice");
    let diagnostic = Diagnostic::error(Code::DuplicatePackage, span, message)
        .label(first, "first declared here")
        .help("keep one of the two blocks");
    if first.file == span.file {
        diagnostic
    } else {
        diagnostic.note("the two blocks differ, so it is unclear which is meant")
    }
}

/// A block with several labels.
fn surplus_label(span: Span) -> Diagnostic {
    Diagnostic::error(Code::WrongLabelCount, span, "`package` blocks take no labels")
        .help("name the package with `baseProviderName = \"..\"` in the body")
}

/// A text that is not a semantic version.
pub(crate) fn invalid_version(span: Span, text: &str, error: &semver::Error) -> Diagnostic {
    let message = format!("`{text}` is not a semantic version");
    let diagnostic = Diagnostic::error(Code::InvalidVersion, span, message).note(error.to_string());
    let rest = text.strip_prefix('v');
    match rest.filter(|rest| Version::parse(rest).is_ok()) {
        // There may be no schema of that version.
        Some(rest) => diagnostic.help("leave out the `v`").fix(Fix::unsafe_(
            format!("write `{rest}`"),
            vec![TextEdit::replace(span, format!("\"{rest}\""))],
        )),
        None => diagnostic.help("write three numbers, as in `1.2.3`"),
    }
}

/// A text that is no address with a scheme.
fn not_a_url(span: Span, text: &str) -> Diagnostic {
    let message = format!("`{text}` is not an absolute URL");
    Diagnostic::error(Code::InvalidPackageField, span, message)
        .help("write it with its scheme, as in `https://example.com`")
}
