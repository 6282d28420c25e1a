//! The advice about a value that does not fit.

use pcl_diagnostics::{Diagnostic, Fix, Span, TextEdit, TextRange};

use super::mismatch::NamedOutput;

/// A usual way from one kind of type to another.
pub(crate) enum Remedy {
    /// A whole resource is given where one of its outputs must be meant.
    NameOutput(NamedOutput),
    /// A list is expected of what is given; the place of it where brackets can go around it.
    PutIntoList(Option<Span>),
    /// A list of one element is given: the place of the list, and that of its element.
    TakeOutOfList(Span, TextRange),
    /// A collection is given where a bool is expected.
    CompareLength,
    /// A list is given where a number is expected.
    NameOrCountElements,
    /// A list is given where a string is expected.
    NameOrJoinElements,
    /// An object is given where a string is expected.
    NamePartOrMakeJson,
    /// A string is given where an asset is expected.
    MakeAsset,
    /// A string is given where an archive is expected.
    MakeArchive,
    /// An object is expected; one of its properties.
    WriteObject(Option<String>),
}

impl Remedy {
    /// Adds the advice to a diagnostic.
    pub(crate) fn add_to(self, diagnostic: Diagnostic) -> Diagnostic {
        let help = match self {
            Self::NameOutput(output) => output.help(),
            Self::PutIntoList(place) => {
                let diagnostic = diagnostic.help("put it into a list");
                return place
                    .into_iter()
                    .map(put_in_brackets)
                    .fold(diagnostic, Diagnostic::fix);
            }
            Self::TakeOutOfList(list, element) => {
                return diagnostic
                    .help("one value is needed here, not a list of one")
                    .fix(take_out_of_brackets(list, element));
            }
            Self::CompareLength => "compare its length, as in `length(..) > 0`".to_owned(),
            Self::NameOrCountElements => {
                "name one element, as in `[0]`, or count them with `length(..)`".to_owned()
            }
            Self::NameOrJoinElements => {
                "name one element, as in `[0]`, or join them, as in `join(\", \", ..)`".to_owned()
            }
            Self::NamePartOrMakeJson => {
                "name the part that is meant, or make JSON of the whole with `toJSON(..)`"
                    .to_owned()
            }
            Self::MakeAsset => {
                "make an asset of a path with `fileAsset(..)`, or of a text with `stringAsset(..)`"
                    .to_owned()
            }
            Self::MakeArchive => "make an archive of a path with `fileArchive(..)`".to_owned(),
            Self::WriteObject(Some(name)) => {
                format!("write an object, as in `{{ {name} = .. }}`")
            }
            Self::WriteObject(None) => "write an object, as in `{ key = .. }`".to_owned(),
        };
        diagnostic.help(help)
    }
}

fn put_in_brackets(span: Span) -> Fix {
    let edits = vec![
        TextEdit::insert(span.file, span.range.start(), "["),
        TextEdit::insert(span.file, span.range.end(), "]"),
    ];
    Fix::unsafe_("put it into a list", edits)
}

fn take_out_of_brackets(list: Span, element: TextRange) -> Fix {
    let before = TextRange::new(list.range.start(), element.start());
    let after = TextRange::new(element.end(), list.range.end());
    let edits = [before, after].map(|range| TextEdit::delete(Span::new(list.file, range)));
    Fix::unsafe_("take it out of the list", edits.to_vec())
}
