//! Inflection: English words for one and for many. Names made of them are for people; nothing
//! depends on them.

/// Words that are the same for one and many.
const UNINFLECTED: &[&str] = &[
    "data",
    "deer",
    "equipment",
    "fish",
    "info",
    "information",
    "metadata",
    "money",
    "news",
    "series",
    "sheep",
    "species",
];

/// One, and many.
const IRREGULAR: &[(&str, &str)] = &[
    ("analysis", "analyses"),
    ("axis", "axes"),
    ("child", "children"),
    ("foot", "feet"),
    ("half", "halves"),
    ("index", "indexes"),
    ("knife", "knives"),
    ("leaf", "leaves"),
    ("life", "lives"),
    ("man", "men"),
    ("matrix", "matrices"),
    ("person", "people"),
    ("shelf", "shelves"),
    ("vertex", "vertices"),
    ("woman", "women"),
];

/// `word` for many: `box` gives `boxes`, `subnetId` gives `subnetIds`.
pub(super) fn plural(word: &str) -> String {
    if let Some(known) = replaced(word, |(one, many)| (one, many)) {
        return known;
    }
    let lower = word.to_ascii_lowercase();
    if UNINFLECTED.iter().any(|same| lower.ends_with(same)) {
        return word.to_owned();
    }
    let ends_with = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
    if ends_with(&["s", "x", "z", "ch", "sh"]) {
        return format!("{word}es");
    }
    match word.strip_suffix('y') {
        Some(stem) if !stem.is_empty() && !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => {
            format!("{stem}ies")
        }
        _ => format!("{word}s"),
    }
}

/// `word` for one: `boxes` gives `box`. A word that is not for many stays.
pub(super) fn singular(word: &str) -> String {
    if let Some(known) = replaced(word, |(one, many)| (many, one)) {
        return known;
    }
    let lower = word.to_ascii_lowercase();
    if UNINFLECTED.iter().any(|same| lower.ends_with(same)) || lower.len() < 2 {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    let endings = ["sses", "xes", "zes", "ches", "shes"];
    if endings.iter().any(|ending| lower.ends_with(ending))
        && let Some((stem, _)) = word.split_at_checked(word.len() - "es".len())
    {
        return stem.to_owned();
    }
    match word.strip_suffix('s') {
        Some(stem) if !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// `word` with an irregular ending exchanged; the ending may follow other words, as in
/// `firstChild`.
fn replaced(
    word: &str,
    from_to: impl Fn((&'static str, &'static str)) -> (&'static str, &'static str),
) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    IRREGULAR.iter().find_map(|&pair| {
        let (from, to) = from_to(pair);
        let at = lower.strip_suffix(from)?.len();
        let (before, ending) = word.split_at_checked(at)?;
        let is_capitalised = ending.starts_with(|c: char| c.is_ascii_uppercase());
        let begins_word = before.is_empty() || is_capitalised;
        let mut made = String::from(before);
        if is_capitalised {
            made.push_str(&pcl_syntax::capitalized(to))
        } else {
            made.push_str(to)
        }
        begins_word.then_some(made)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        for (one, many) in [
            ("x", "xes"),
            ("id", "ids"),
            ("box", "boxes"),
            ("policy", "policies"),
            ("key", "keys"),
            ("ref", "refs"),
            ("class", "classes"),
            ("batch", "batches"),
            ("child", "children"),
            ("firstChild", "firstChildren"),
            ("metadata", "metadata"),
        ] {
            assert_eq!(plural(one), many);
            assert_eq!(singular(many), one);
        }
        for (word, one) in [
            ("xs", "x"),
            ("s", "s"),
            ("status", "status"),
            ("this", "this"),
            ("address", "address"),
            ("é", "é"),
        ] {
            assert_eq!(singular(word), one);
        }
    }
}
