//! Checking a package schema by itself, apart from any program.

use std::path::Path;

use pcl_diagnostics::{Code, Diagnostic, FileId, Severity, SourceMap, SourceText, Span, TextRange};
use pcl_schema::{
    Finding, Loader, ProblemKind, ProblemSeverity, Syntax, read_source, validate, validate_among,
};

use crate::render::Report;

/// A schema file that was checked.
pub struct CheckedSchema {
    /// The file as people named it.
    pub path: String,
    /// Its text.
    pub sources: SourceMap,
    /// The findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the file could be read.
    pub readable: bool,
}

impl CheckedSchema {
    /// The findings, for a renderer.
    #[must_use]
    pub fn report(&self) -> Report<'_> {
        Report {
            path: &self.path,
            sources: &self.sources,
            diagnostics: &self.diagnostics,
        }
    }
}

/// Checks a schema file against all that schemas have to be. `.json.gz`, `.yaml` and `.yml` are read, too. What it refers to in other packages is checked
/// when there is a loader of these.
#[must_use]
pub fn check_schema(path: &Path, others: Option<&dyn Loader>) -> CheckedSchema {
    let display = path.to_string_lossy().into_owned();
    match read_source(path) {
        Ok((bytes, syntax)) => check_schema_text(&display, bytes, syntax, others),
        Err(error) => {
            let mut sources = SourceMap::new();
            let place = Span::new(sources.add(display.clone(), ""), TextRange::empty(0));
            let message = format!("cannot read `{display}`: {error}");
            CheckedSchema {
                path: display,
                sources,
                diagnostics: vec![Diagnostic::error(Code::UnreadableSource, place, message)],
                readable: false,
            }
        }
    }
}

/// The same for a schema in memory.
///
/// ```
/// use pcl::schema::Syntax;
/// let checked = pcl::check_schema_text("zoo.yaml", "name: zoo\nversion: one\n", Syntax::Yaml, None);
/// assert_eq!(checked.diagnostics[0].code, pcl::diagnostics::Code::SchemaHeader);
/// assert_eq!(checked.sources.slice(checked.diagnostics[0].primary), "one");
/// ```
#[must_use]
pub fn check_schema_text(
    path: &str,
    bytes: impl Into<Vec<u8>>,
    syntax: Syntax,
    others: Option<&dyn Loader>,
) -> CheckedSchema {
    let bytes = bytes.into();
    let findings = match others {
        Some(others) => validate_among(&bytes, syntax, others),
        None => validate(&bytes, syntax),
    };
    let mut sources = SourceMap::new();
    let text = text(bytes);
    let file = sources.add(path, text.clone());
    let diagnostics = findings
        .into_iter()
        .map(|finding| diagnostic(finding, file, &text));
    CheckedSchema {
        path: path.to_owned(),
        diagnostics: diagnostics.collect(),
        sources,
        readable: true,
    }
}

/// The text of a file. Bytes that are not UTF-8 become question marks, so that every offset stays what it is.
fn text(bytes: Vec<u8>) -> SourceText {
    match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) => {
            let mut text = String::with_capacity(error.as_bytes().len());
            for chunk in error.as_bytes().utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|_| '?'));
            }
            text.into()
        }
    }
}

fn diagnostic(finding: Finding, file: FileId, text: &str) -> Diagnostic {
    // The ranges are of bytes; what is not UTF-8 may have moved the ends of characters.
    let boundary = |offset: u32, step: i64| {
        let mut at = i64::from(offset).min(text.len() as i64);
        while !text.is_char_boundary(at as usize) {
            at += step;
        }
        at as u32
    };
    let span = |range: std::ops::Range<u32>| {
        let (start, end) = (boundary(range.start, -1), boundary(range.end, 1));
        Span::new(file, TextRange::new(start, end.max(start)))
    };
    let severity = match finding.severity {
        ProblemSeverity::Warning => Severity::Warning,
        ProblemSeverity::Error => Severity::Error,
    };
    let code = code(finding.kind);
    let mut diagnostic = Diagnostic::error(code, span(finding.range), finding.message)
        .with_severity(severity)
        .note(format!("at {}", finding.path));
    for (range, message) in finding.related {
        diagnostic = diagnostic.label(span(range), message);
    }
    diagnostic.help(help(finding.kind))
}

fn code(kind: ProblemKind) -> Code {
    use ProblemKind as Kind;
    match kind {
        Kind::NoSchema => Code::SchemaDocument,
        Kind::BadHeader => Code::SchemaHeader,
        Kind::BadToken => Code::SchemaToken,
        Kind::UnknownType
        | Kind::UnknownPrimitive
        | Kind::MissingItems
        | Kind::ShortUnion
        | Kind::EmptyDiscriminator => Code::SchemaType,
        Kind::BadReference => Code::SchemaReference,
        Kind::DanglingType | Kind::DanglingResource => Code::SchemaDanglingReference,
        Kind::MissingPackage => Code::UnknownPackage,
        Kind::BrokenTarget => Code::InvalidSchemaMember,
        Kind::BadConstant | Kind::MissingEnvironment => Code::SchemaConstant,
        Kind::ReservedName | Kind::UnprintableName => Code::SchemaPropertyName,
        Kind::UnknownRequired => Code::SchemaRequired,
        Kind::RemovedKey => Code::SchemaRemovedKey,
        Kind::BadMethod => Code::SchemaMethod,
        Kind::BadMultiArgument => Code::SchemaMultiArgument,
        Kind::EndlessType => Code::SchemaEndlessType,
        Kind::Collision => Code::SchemaCollision,
        Kind::BadDocReference => Code::SchemaDocReference,
        Kind::DuplicateKey => Code::SchemaDuplicateKey,
        // `Unreadable`, and what later versions of the schema crate may add.
        _ => Code::SchemaValue,
    }
}

fn help(kind: ProblemKind) -> &'static str {
    use ProblemKind as Kind;
    match kind {
        Kind::NoSchema => "a schema is one JSON or YAML object with at least a `name`",
        Kind::BadHeader => "the package cannot be used until this is mended",
        Kind::BadToken => "write tokens as `package:module:Name`, the root module as `index`",
        Kind::UnknownType | Kind::UnknownPrimitive => {
            "a type is boolean, integer, number, string, array, object, a `$ref` or a `oneOf`"
        }
        Kind::MissingItems => "say in `items` what the array holds",
        Kind::ShortUnion => "write the one type instead of a union",
        Kind::EmptyDiscriminator => "name the property that tells the members apart",
        Kind::BadReference => "write `#/types/TOKEN`, `#/resources/TOKEN` or `#/provider`",
        Kind::DanglingType => "declare the type in `types`, or correct the reference",
        Kind::DanglingResource => "declare the resource, or correct the reference",
        Kind::MissingPackage => {
            "say where it is with `--schema-dir` or `--schema`, or leave what needs it unchecked with `--missing-schema ignore`"
        }
        Kind::BrokenTarget => "whoever publishes the other package has to mend it",
        Kind::BadConstant => "write a value of the type, or leave it out",
        Kind::MissingEnvironment => "list the variables in `environment`",
        Kind::ReservedName | Kind::UnprintableName => "give the property another name",
        Kind::UnknownRequired => "declare the property, or take its name out of the list",
        Kind::RemovedKey => "put `plain` into the type of each property that it is true for",
        Kind::BadMethod => {
            "a method is a function `RESOURCE/NAME` of this package whose first input is `__self__`"
        }
        Kind::BadMultiArgument => "list every input once, in the order of the arguments",
        Kind::EndlessType => "make one of the properties on the way optional",
        Kind::Collision => "give one of them another name",
        Kind::BadDocReference => "correct the reference, or take it out of the text",
        Kind::DuplicateKey => "remove one of them",
        _ => "correct the value",
    }
}
