//! Names with opposite meanings, which differ by few letters: `minSize` and `maxSize`, `secret` and
//! `unsecret`.

/// Pairs of words with opposite meanings, in lower case. A longer word has the opposite of the word
/// that it begins or ends with: that of `minimum` is `maximum`.
const PAIRS: &[(&str, &str)] = &[
    ("accept", "reject"),
    ("active", "inactive"),
    ("add", "remove"),
    ("all", "any"),
    ("all", "none"),
    ("allow", "block"),
    ("allow", "deny"),
    ("any", "none"),
    ("asc", "desc"),
    ("async", "sync"),
    ("attach", "detach"),
    ("before", "after"),
    ("begin", "end"),
    ("black", "white"),
    ("bottom", "top"),
    ("ceil", "floor"),
    ("client", "server"),
    ("close", "open"),
    ("cold", "hot"),
    ("complete", "incomplete"),
    ("create", "delete"),
    ("create", "destroy"),
    ("credit", "debit"),
    ("decode", "encode"),
    ("decompress", "compress"),
    ("decrease", "increase"),
    ("decrement", "increment"),
    ("decrypt", "encrypt"),
    ("delete", "insert"),
    ("delete", "keep"),
    ("delete", "retain"),
    ("deny", "grant"),
    ("deny", "permit"),
    ("deserialize", "serialize"),
    ("destination", "source"),
    ("different", "same"),
    ("direct", "indirect"),
    ("disable", "enable"),
    ("down", "up"),
    ("dst", "src"),
    ("dynamic", "static"),
    ("eager", "lazy"),
    ("egress", "ingress"),
    ("end", "start"),
    ("even", "odd"),
    ("exclude", "include"),
    ("exclusive", "inclusive"),
    ("export", "import"),
    ("external", "internal"),
    ("fail", "pass"),
    ("fail", "succeed"),
    ("failure", "success"),
    ("false", "true"),
    ("first", "last"),
    ("from", "to"),
    ("get", "set"),
    ("global", "local"),
    ("grant", "revoke"),
    ("hard", "soft"),
    ("hide", "show"),
    ("high", "low"),
    ("higher", "lower"),
    ("immutable", "mutable"),
    ("implicit", "explicit"),
    ("in", "out"),
    ("inner", "outer"),
    ("insecure", "secure"),
    ("invalid", "valid"),
    ("invisible", "visible"),
    ("left", "right"),
    ("less", "more"),
    ("load", "save"),
    ("load", "store"),
    ("local", "remote"),
    ("long", "short"),
    ("lower", "upper"),
    ("major", "minor"),
    ("max", "min"),
    ("new", "old"),
    ("next", "previous"),
    ("no", "yes"),
    ("off", "on"),
    ("optional", "required"),
    ("primary", "secondary"),
    ("private", "public"),
    ("pull", "push"),
    ("read", "write"),
    ("receive", "send"),
    ("request", "response"),
    ("start", "stop"),
];

/// The beginnings of words, and the words, that turn what follows into its opposite.
const NEGATIONS: &[&str] = &[
    "anti", "de", "dis", "except", "exclude", "ignore", "never", "no", "non", "not", "skip", "un",
    "without",
];

/// The shortest word that a negation leaves.
const SHORTEST: usize = 3;

/// The length from which the rest is certainly a word.
const LONG: usize = 5;

/// Returns true if the opposite of `candidate` is as near to `name` as `candidate` is. Both are
/// lists of words in lower case; `distance` is that of two texts.
pub(crate) fn means_the_opposite(
    name: &[String],
    candidate: &[String],
    mut distance: impl FnMut(&str, &str) -> usize,
) -> bool {
    let (written, other) = (name.concat(), candidate.concat());
    let apart = distance(&written, &other);
    replaced(candidate).any(|opposite| distance(&written, &opposite) <= apart)
        || negated(candidate)
            .any(|(opposite, nearer)| distance(&written, &opposite) + nearer <= apart)
        || negated(name).any(|(opposite, nearer)| distance(&opposite, &other) + nearer <= apart)
}

/// The texts of some words with one of them in its opposite.
fn replaced(words: &[String]) -> impl Iterator<Item = String> {
    let pairs = PAIRS.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    pairs.flat_map(move |(own, opposite)| {
        let places = words.iter().enumerate();
        places.flat_map(move |(at, word)| {
            let behind = word.strip_prefix(own).map(|end| format!("{opposite}{end}"));
            let before = word.strip_suffix(own).filter(|start| !start.is_empty());
            let before = before.map(|start| format!("{start}{opposite}"));
            let both = [behind, before].into_iter().flatten();
            both.map(move |word| with(words, at, &word))
        })
    })
}

/// The texts of some words without a negation, each with the number of letters by which it must be
/// nearer: `unique` has none, and nothing is left of it that could be a word.
fn negated(words: &[String]) -> impl Iterator<Item = (String, usize)> {
    let places = words.iter().enumerate();
    places.flat_map(move |(at, word)| {
        let rest = NEGATIONS.iter().filter_map(|negation| word.strip_prefix(negation));
        let rest = rest.filter(|rest| rest.len() >= SHORTEST || rest.is_empty() && words.len() > 1);
        rest.map(move |rest| {
            let is_doubtful = (1..LONG).contains(&rest.len());
            (with(words, at, rest), usize::from(is_doubtful))
        })
    })
}

/// The text of some words with another one at a place.
fn with(words: &[String], at: usize, other: &str) -> String {
    let words = words.iter().enumerate();
    let words = words.map(|(place, word)| if place == at { other } else { word });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suggest::{is_same_word, related, suggest};

    /// The names that a word is a part of, in the cases of several languages.
    fn names(word: &str) -> [String; 3] {
        let (first, rest) = word.split_at(1);
        let title = format!("{}{rest}", first.to_uppercase());
        [format!("{word}size"), format!("is{title}"), format!("auto_{word}_size")]
    }

    /// A name with one letter left out or replaced.
    fn misspelled(name: &str) -> impl Iterator<Item = String> {
        let places = 0..name.len();
        places.flat_map(move |at| {
            let (before, after) = (&name[..at], &name[at + 1..]);
            [format!("{before}{after}"), format!("{before}j{after}")]
        })
    }

    #[test]
    fn no_name_is_suggested_for_its_opposite() {
        let negated = ["managed", "protect", "secret", "encrypted", "public"];
        let negated = negated.iter().flat_map(|word| {
            ["un", "dis", "non", "no"].map(|start| ((*word).to_owned(), format!("{start}{word}")))
        });
        let pairs = PAIRS.iter().map(|&(a, b)| (a.to_owned(), b.to_owned()));
        for (a, b) in pairs.chain(negated) {
            for (a, b) in names(&a).iter().zip(names(&b).iter()) {
                assert_eq!((suggest(a, [b.as_str()]), suggest(b, [a.as_str()])), (None, None));
                assert!(related(a, [b.as_str()]).is_empty(), "{a} {b}");
            }
        }
        assert!(PAIRS.is_sorted_by_key(|pair| pair.0) && NEGATIONS.is_sorted());
    }

    #[test]
    fn a_misspelled_name_is_no_opposite() {
        for &(a, b) in PAIRS {
            for (a, b) in names(a).iter().zip(names(b).iter()).take(1) {
                // A letter less may make the other word.
                for written in misspelled(a).filter(|name| !is_same_word(name, b)) {
                    let meant = suggest(&written, [a.as_str(), b]);
                    assert_ne!(meant, Some(b.as_str()), "{written} is {a}");
                }
            }
        }
    }

    #[test]
    fn the_pairs_of_functions_are_opposites() {
        for (a, b) in [
            ("secret", "unsecret"),
            ("toBase64", "fromBase64"),
            ("base64encode", "base64decode"),
            ("jsonencode", "jsondecode"),
            ("startswith", "endswith"),
            ("deleteBeforeReplace", "deleteAfterReplace"),
            ("createBeforeReplace", "deleteBeforeReplace"),
            ("actions", "notActions"),
            ("sensitive", "nonsensitive"),
            ("allowedHosts", "deniedHosts"),
            ("notEqual", "equal"),
            ("readOnly", "writeOnly"),
        ] {
            assert_eq!((suggest(a, [b]), suggest(b, [a])), (None, None), "{a} {b}");
        }
    }

    #[test]
    fn other_names_are_suggested_as_before() {
        for (written, meant) in [
            ("secrt", "secret"),
            ("unsecrt", "unsecret"),
            ("toBas64", "toBase64"),
            ("uniqueNam", "uniqueName"),
            ("nique", "unique"),
            ("nodes", "node"),
            ("imput", "input"),
            ("mxSize", "maxSize"),
            ("disc", "disk"),
            ("versoin", "version"),
            ("descripton", "description"),
            ("depend", "depends"),
        ] {
            assert_eq!(suggest(written, [meant]), Some(meant));
        }
    }
}
