//! The advice about a value that does not fit.

use pcl_diagnostics::{Diagnostic, Fix, Span, TextEdit, TextRange};

use super::mismatch::{Outputs, with_outputs};

/// A usual way from one kind of type to another.
pub(crate) enum Remedy {
    /// A whole resource is given where one of its outputs must be meant.
    NameOutput(Span, Outputs),
    /// A list is expected of what is given; the place of it where brackets can go around it.
    PutIntoList {
        /// The place of the value, if brackets can be written around it.
        place: Option<Span>,
        /// True if the value has the type of an element.
        is_certain: bool,
    },
    /// A list of objects is expected and one object is given that has other properties.
    WriteListOfObjects,
    /// A list of objects with a name and a value each is expected, and a map is given: its place,
    /// and the list that means the same.
    ListEntries(Option<(Span, String)>),
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
            Self::NameOutput(span, outputs) => return with_outputs(diagnostic, span, &outputs),
            Self::WriteListOfObjects => "wrap the object in `[ ]`".to_owned(),
            Self::ListEntries(None) => {
                "write one object per entry, as in `[{ name = .., value = .. }]`".to_owned()
            }
            Self::ListEntries(Some((span, list))) => {
                return diagnostic
                    .help(format!("write one object per entry, as in `{list}`"))
                    .fix(Fix::unsafe_(
                        "write one object per entry",
                        vec![TextEdit::replace(span, list)],
                    ));
            }
            Self::PutIntoList { place, is_certain } => {
                let diagnostic = diagnostic.help("wrap it in `[ ]`");
                return place
                    .into_iter()
                    .map(|place| put_in_brackets(place, is_certain))
                    .fold(diagnostic, Diagnostic::fix);
            }
            Self::TakeOutOfList(list, element) => {
                return diagnostic
                    .help("expected one value, found a list of one: remove the `[ ]`")
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
                "name one of its properties, or write it as JSON with `toJSON(..)`".to_owned()
            }
            Self::MakeAsset => {
                "use `fileAsset(..)` for a path, or `stringAsset(..)` for the content itself"
                    .to_owned()
            }
            Self::MakeArchive => "use `fileArchive(..)` for a path".to_owned(),
            Self::WriteObject(Some(name)) => {
                format!("write an object, as in `{{ {name} = .. }}`")
            }
            Self::WriteObject(None) => "write an object, as in `{ key = .. }`".to_owned(),
        };
        diagnostic.help(help)
    }
}

fn put_in_brackets(span: Span, is_certain: bool) -> Fix {
    let edits = vec![
        TextEdit::insert(span.file, span.range.start(), "["),
        TextEdit::insert(span.file, span.range.end(), "]"),
    ];
    let title = "wrap it in `[ ]`";
    if is_certain {
        Fix::safe(title, edits)
    } else {
        Fix::unsafe_(title, edits)
    }
}

fn take_out_of_brackets(list: Span, element: TextRange) -> Fix {
    let before = TextRange::new(list.range.start(), element.start());
    let after = TextRange::new(element.end(), list.range.end());
    let edits = [before, after].map(|range| TextEdit::delete(Span::new(list.file, range)));
    Fix::unsafe_("remove the `[ ]`", edits.to_vec())
}
