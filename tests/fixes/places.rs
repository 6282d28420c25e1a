//! The places that offer fixes.

use std::fmt;

use pcl::diagnostics::Code;

/// Every place, in order: the code of its diagnostic and the title of its fix, see [`pattern`].
pub const PLACES: &[(&str, &str)] = &[
    ("PCL0004", "end the line"),
    ("PCL0004", "remove it"),
    ("PCL0004", "use a plain space"),
    ("PCL0004", "write _"),
    ("PCL0006", "write _"),
    ("PCL0007", "use double quotes"),
    ("PCL0008", "use double quotes"),
    ("PCL0009", "remove it"),
    ("PCL0009", "start a new line"),
    ("PCL0009", "use a comma"),
    ("PCL0010", "add _"),
    ("PCL0010", "remove it"),
    ("PCL0010", "remove the quote"),
    ("PCL0010", "use double quotes"),
    ("PCL0010", "write _"),
    ("PCL0010", "write _ for each line ending"),
    ("PCL0011", "use double quotes"),
    ("PCL0013", "add a line ending"),
    ("PCL0014", "write _"),
    ("PCL0018", "remove the backslash"),
    ("PCL0018", "write _"),
    ("PCL0018", "write it twice"),
    ("PCL0018", "write the path with _"),
    ("PCL0102", "remove the quotes"),
    ("PCL0102", "write it as an attribute of PCL"),
    ("PCL0103", "remove it"),
    ("PCL0104", "write _"),
    ("PCL0106", "add _"),
    ("PCL0108", "put it in double quotes"),
    ("PCL0108", "remove it"),
    ("PCL0108", "start a new line"),
    ("PCL0108", "write _"),
    ("PCL0109", "remove the comma"),
    ("PCL0109", "start a new line"),
    ("PCL0110", "remove the _"),
    ("PCL0110", "write _ in a body"),
    ("PCL0111", "add _"),
    ("PCL0111", "move the brace up"),
    ("PCL0112", "put the label in quotes"),
    ("PCL0112", "put the type in quotes"),
    ("PCL0112", "separate the labels with spaces"),
    ("PCL0116", "remove it"),
    ("PCL0116", "start a new line"),
    ("PCL0121", "remove the _"),
    ("PCL0121", "remove the comma"),
    ("PCL0121", "remove the space"),
    ("PCL0121", "write _"),
    ("PCL0123", "add _"),
    ("PCL0124", "add _"),
    ("PCL0124", "write _"),
    ("PCL0126", "write _"),
    ("PCL0127", "write the indexes in brackets"),
    ("PCL0128", "add _"),
    ("PCL0128", "write _"),
    ("PCL0129", "add _"),
    ("PCL0129", "write _"),
    ("PCL0132", "add a comma"),
    ("PCL0132", "write _"),
    ("PCL0132", "write the values as PCL does"),
    ("PCL0133", "add _"),
    ("PCL0135", "add a comma"),
    ("PCL0135", "write _"),
    ("PCL0136", "add _"),
    ("PCL0138", "add _"),
    ("PCL0139", "add _"),
    ("PCL0139", "write _"),
    ("PCL0140", "add a comma"),
    ("PCL0140", "write _"),
    ("PCL0141", "add _"),
    ("PCL0145", "add _"),
    ("PCL0145", "write _"),
    ("PCL0146", "add _"),
    ("PCL0148", "remove _"),
    ("PCL0150", "add _"),
    ("PCL0151", "add _"),
    ("PCL0152", "add _"),
    ("PCL0156", "write _"),
    ("PCL0161", "add _"),
    ("PCL0162", "add _"),
    ("PCL0163", "remove it"),
    ("PCL0165", "write _"),
    ("PCL0167", "write _"),
    ("PCL0168", "leave _ alone on its line"),
    ("PCL0168", "write _"),
    ("PCL0169", "write _"),
    ("PCL0170", "call the function of PCL"),
    ("PCL0170", "remove _"),
    ("PCL0170", "remove the line"),
    ("PCL0171", "write the list in brackets"),
    ("PCL0171", "write the object in braces"),
    ("PCL0172", "write _"),
    ("PCL0173", "write it with _"),
    ("PCL0174", "put the _ first"),
    ("PCL0175", "call the function of PCL"),
    ("PCL0175", "write it without a method"),
    ("PCL0177", "write a plain string"),
    ("PCL0177", "write it without triple quotes"),
    ("PCL0178", "put it in double quotes"),
    ("PCL0178", "write the expression alone"),
    ("PCL0179", "write a plain step"),
    ("PCL0179", "write it with _"),
    ("PCL0180", "begin the comment with _"),
    ("PCL0181", "write the type of PCL"),
    ("PCL0182", "put it in double quotes"),
    ("PCL0201", "add quotes"),
    ("PCL0201", "call _"),
    ("PCL0201", "swap the labels"),
    ("PCL0201", "use _"),
    ("PCL0201", "write _"),
    ("PCL0204", "call the function"),
    ("PCL0204", "write _"),
    ("PCL0204", "write a _ block"),
    ("PCL0204", "write a provider resource"),
    ("PCL0204", "write locals outside of any block"),
    ("PCL0205", "add a name"),
    ("PCL0206", "make it a comment"),
    ("PCL0206", "make the value secret"),
    ("PCL0206", "rename to _"),
    ("PCL0206", "write _"),
    ("PCL0206", "write the type as a label"),
    ("PCL0207", "rename to _"),
    ("PCL0213", "rename to _"),
    ("PCL0213", "write an attribute"),
    ("PCL0213", "write them as options"),
    ("PCL0214", "swap the labels"),
    ("PCL0214", "write _"),
    ("PCL0217", "rename to _"),
    ("PCL0301", "join them in a template"),
    ("PCL0301", "remove the _"),
    ("PCL0301", "rename to _"),
    ("PCL0301", "split it into words"),
    ("PCL0301", "swap the arguments"),
    ("PCL0301", "use _"),
    ("PCL0301", "wrap it in _"),
    ("PCL0301", "write _"),
    ("PCL0301", "write a template"),
    ("PCL0301", "write one object per entry"),
    ("PCL0301", "write the number alone"),
    ("PCL0302", "remove the index"),
    ("PCL0302", "rename to _"),
    ("PCL0302", "use _"),
    ("PCL0303", "write _"),
    ("PCL0307", "take it from all elements"),
    ("PCL0315", "rename to _"),
    ("PCL0316", "write _"),
    ("PCL0401", "swap the labels"),
    ("PCL0401", "write _"),
    ("PCL0401", "write the name and the token"),
    ("PCL0402", "write _"),
    ("PCL0404", "move it out of _"),
    ("PCL0404", "move it to _"),
    ("PCL0404", "remove it"),
    ("PCL0404", "rename to _"),
    ("PCL0404", "write an _ block"),
    ("PCL0405", "add what is missing"),
    ("PCL0408", "write _"),
    ("PCL0409", "write _"),
    ("PCL0412", "write _"),
    ("PCL0502", "write _"),
    ("PCL0507", "move the name into the body"),
    ("PCL0511", "write it as a relative path"),
    ("PCL0601", "call _"),
    ("PCL0601", "invoke _"),
    ("PCL0601", "write a template"),
    ("PCL0608", "write _"),
    ("PCL0609", "pass no arguments"),
    ("PCL0612", "call _"),
    ("PCL0701", "remove it"),
    ("PCL0706", "write the value alone"),
    ("PCL0708", "refer to the resource _"),
    ("PCL0709", "write _"),
    ("PCL0710", "write _"),
    ("PCL0711", "remove the comment"),
    ("PCL0711", "remove the second name"),
    ("PCL0711", "remove the unused names"),
    ("PCL0712", "put it at the beginning"),
    ("PCL0712", "rename to _"),
    ("PCL0712", "write _"),
    ("PCL0713", "add a _ block"),
    ("PCL0714", "add quotes"),
    ("PCL0715", "keep the branch that is used"),
    ("PCL0716", "rename to _"),
    ("PCL0801", "encode what _ reads"),
    ("PCL0801", "index the outputs of the stack"),
    ("PCL0801", "leave out _"),
    ("PCL0801", "name the package in a label too"),
    ("PCL0801", "write _"),
    ("PCL0801", "write a conditional"),
    ("PCL0803", "write the module _"),
    ("PCL0804", "write _"),
];

/// A place that offers a fix: the code of its diagnostic, and the title of the fix with `_` for
/// each name in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub code: &'static str,
    pub title: String,
}

impl Place {
    pub fn of(code: Code, title: &str) -> Self {
        Self {
            code: code.id(),
            title: pattern(title),
        }
    }
}

impl From<(&'static str, &'static str)> for Place {
    fn from((code, title): (&'static str, &'static str)) -> Self {
        let title = title.to_owned();
        Self { code, title }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.code, self.title)
    }
}

/// A title with `_` for what it quotes and for numbers.
pub fn pattern(title: &str) -> String {
    let mut pattern = String::new();
    let mut rest = title;
    while let Some(at) = rest.find(['`', '"']) {
        let quote = &rest[at..=at];
        let Some(len) = rest[at + 1..].rfind(quote) else {
            break;
        };
        pattern.push_str(&rest[..at]);
        pattern.push('_');
        rest = &rest[at + 1 + len + 1..];
    }
    pattern.push_str(rest);
    let words = pattern.split(' ').map(|word| match word.parse::<f64>() {
        Ok(_) => "_",
        Err(_) => word,
    });
    words.collect::<Vec<_>>().join(" ")
}
