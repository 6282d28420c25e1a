//! Sets of URNs that a caller names: literally, or with `*` for any text without `:`, and `**` for
//! any text.

use pcl_values::Urn;
use rustc_hash::FxHashSet;

/// A set of URNs. An empty one sets no limits.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    literals: FxHashSet<Urn>,
    named: Vec<Urn>,
    patterns: Vec<String>,
}

impl Targets {
    /// The set of these URNs and patterns.
    pub fn new(texts: impl IntoIterator<Item = String>) -> Self {
        let mut targets = Self::default();
        for text in texts {
            if text.contains('*') {
                targets.patterns.push(text);
            } else {
                let urn = Urn::from(text);
                targets.literals.insert(urn.clone());
                targets.named.push(urn);
            }
        }
        targets
    }

    /// Returns true if the set has elements.
    pub fn is_constrained(&self) -> bool {
        !self.literals.is_empty() || !self.patterns.is_empty()
    }

    /// Returns true for an element, and for everything if the set has none.
    pub fn contains(&self, urn: &Urn) -> bool {
        !self.is_constrained()
            || self.literals.contains(urn)
            || self.patterns.iter().any(|pattern| matches(pattern, urn.as_str()))
    }

    /// The URNs that the caller has named literally.
    pub fn named(&self) -> &[Urn] {
        &self.named
    }

    /// Adds an element, unless the set sets no limits.
    pub(crate) fn add(&mut self, urn: &Urn) {
        if self.is_constrained() {
            self.literals.insert(urn.clone());
        }
    }
}

/// Returns true if a text has the form of a pattern.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    // The places in the pattern after which the text so far may end.
    let mut places = vec![false; pattern.len() + 1];
    if let Some(first) = places.first_mut() {
        *first = true;
    }
    skip_stars(pattern, &mut places);
    for &byte in text {
        let mut next = vec![false; pattern.len() + 1];
        for (at, _) in places.iter().enumerate().filter(|(_, is_place)| **is_place) {
            let (stays, moves) = match pattern.get(at) {
                Some(b'*') => (byte != b':' || is_double(pattern, at), false),
                Some(literal) => (false, *literal == byte),
                None => (false, false),
            };
            if let Some(place) = next.get_mut(at).filter(|_| stays) {
                *place = true;
            }
            if let Some(place) = next.get_mut(at + 1).filter(|_| moves) {
                *place = true;
            }
        }
        skip_stars(pattern, &mut next);
        places = next;
    }
    places.last() == Some(&true)
}

/// Returns true if the star at a place has another one beside it.
fn is_double(pattern: &[u8], at: usize) -> bool {
    pattern.get(at + 1) == Some(&b'*') || at > 0 && pattern.get(at - 1) == Some(&b'*')
}

/// Adds the places behind stars, which may stand for nothing.
fn skip_stars(pattern: &[u8], places: &mut [bool]) {
    for (at, byte) in pattern.iter().enumerate() {
        if *byte == b'*'
            && places.get(at) == Some(&true)
            && let Some(after) = places.get_mut(at + 1)
        {
            *after = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_text() {
        let urn = Urn::from("urn:pulumi:dev::shop::a:b:C::web-1");
        for (pattern, is_match) in [
            ("urn:pulumi:dev::shop::a:b:C::web-1", true),
            ("urn:pulumi:dev::shop::a:b:C::web-*", true),
            ("urn:pulumi:dev::shop::a:*:C::web-1", true),
            ("*::web-1", false),
            ("**::web-1", true),
            ("**web**", true),
            ("**::web", false),
            ("**", true),
        ] {
            let targets = Targets::new([pattern.to_owned()]);
            assert_eq!(targets.contains(&urn), is_match, "{pattern}");
        }
        assert!(Targets::default().contains(&urn));
    }
}
