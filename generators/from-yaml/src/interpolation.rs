//! The language inside of strings: `${name.member["key"][0]}`, and `$$` for a dollar sign.

/// A piece of a string.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// A text.
    Text(String),
    /// A reference: a name, and the steps from its value to a part of it.
    Reference(String, Vec<Step>),
}

/// A step from a value to a part of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// `.name` or `["name"]`
    Key(String),
    /// `[0]`
    Index(u64),
}

/// The pieces of a string; a text is never empty, and two texts are never next to each other.
///
/// # Errors
/// Returns the reason why a reference cannot be read.
pub(crate) fn pieces(text: &str) -> Result<Vec<Piece>, &'static str> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        plain.push_str(before);
        if let Some(behind) = behind.strip_prefix('$') {
            plain.push('$');
            rest = behind;
        } else if let Some(inside) = behind.strip_prefix('{') {
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            let (reference, behind) = reference(inside)?;
            pieces.push(reference);
            rest = behind;
        } else {
            plain.push('$');
            rest = behind;
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

/// The reference at the start of a text, and what is behind its brace.
fn reference(text: &str) -> Result<(Piece, &str), &'static str> {
    let mut steps = Vec::new();
    let mut rest = text;
    loop {
        if let Some(behind) = rest.strip_prefix('}') {
            let mut steps = steps.into_iter();
            return match steps.next() {
                Some(Step::Key(name)) => Ok((Piece::Reference(name, steps.collect()), behind)),
                Some(Step::Index(_)) => Err("a reference begins with a name, not with an index"),
                None => Err("the braces are empty, expected a name"),
            };
        }
        if let Some(behind) = rest.strip_prefix('.') {
            rest = behind;
        } else if let Some(inside) = rest.strip_prefix('[') {
            let (step, behind) = subscript(inside)?;
            steps.push(step);
            rest = behind;
        } else {
            let end = rest.find(['.', '[', '}']).ok_or("expected `}` at the end of a reference")?;
            let (name, behind) = rest.split_at(end);
            steps.push(Step::Key(name.to_owned()));
            rest = behind;
        }
    }
}

/// The step in brackets, and the text behind them.
fn subscript(text: &str) -> Result<(Step, &str), &'static str> {
    let Some(mut rest) = text.strip_prefix('"') else {
        let (index, behind) = text.split_once(']').ok_or("expected `]` behind an index")?;
        let index = index.strip_prefix('+').unwrap_or(index).parse();
        let index = index.map_err(|_| "an index is a whole number, or a key in quotes")?;
        return Ok((Step::Index(index), behind));
    };
    let mut key = String::new();
    loop {
        let end = rest.find(['"', '\\']).ok_or("expected `\"` at the end of a key")?;
        let (before, behind) = rest.split_at(end);
        key.push_str(before);
        if let Some(behind) = behind.strip_prefix("\\\"") {
            key.push('"');
            rest = behind;
        } else if let Some(behind) = behind.strip_prefix('\\') {
            key.push('\\');
            rest = behind;
        } else {
            let behind = behind.strip_prefix("\"]").ok_or("expected `]` behind a key")?;
            return Ok((Step::Key(key), behind));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_texts_and_references() {
        let key = |text: &str| Step::Key(text.to_owned());
        let text = |text: &str| Piece::Text(text.to_owned());
        let to = |name: &str, steps: Vec<Step>| Piece::Reference(name.to_owned(), steps);
        for (written, meant) in [
            ("", vec![]),
            ("a $b", vec![text("a $b")]),
            ("$${a}", vec![text("${a}")]),
            ("$$${a}", vec![text("$"), to("a", vec![])]),
            ("${a.b[\"c.d\"][0]}", vec![to("a", vec![key("b"), key("c.d"), Step::Index(0)])]),
            ("x${a}y", vec![text("x"), to("a", vec![]), text("y")]),
            ("${[\"a b\"].c}", vec![to("a b", vec![key("c")])]),
            ("${a[\"\\\"\\n\"]}", vec![to("a", vec![key("\"\\n")])]),
        ] {
            assert_eq!(pieces(written), Ok(meant), "{written}");
        }
        for written in
            ["${", "${a", "${}", "${[0]}", "${a[x]}", "${a[-1]}", "${a[\"b}", "${a[\"b\"}"]
        {
            assert!(pieces(written).is_err(), "{written}");
        }
    }
}
