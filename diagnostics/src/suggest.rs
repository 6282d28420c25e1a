//! "Did you mean": the candidate nearest to a misspelled name.

use std::cmp::Reverse;

use crate::opposite::means_the_opposite;

/// Names of more bytes than this are not compared.
const LONGEST: usize = 256;

/// The prefixes that other languages of Pulumi write before the names of functions.
const PREFIXES: [&str; 7] = ["Fn::", "core::", "fn::", "pulumi.", "pulumi::", "std.", "std::"];

/// The name without a prefix that other languages of Pulumi write before it.
///
/// ```
/// assert_eq!(pcl_diagnostics::without_prefix("fn::secret"), "secret");
/// ```
pub fn without_prefix(name: &str) -> &str {
    let mut rests = PREFIXES.iter().filter_map(|prefix| name.strip_prefix(prefix));
    rests.find(|rest| !rest.is_empty()).unwrap_or(name)
}

/// Returns the candidate that `name` is most likely meant to be, if any is near enough.
///
/// Near is: equal without regard to case, `-` and `_`; or an edit distance (insert, delete,
/// replace, swap of neighbours) of at most a third of the longer name. Of equally near candidates
/// the first in byte order wins, so that the answer does not depend on the order of the candidates.
/// Names of more than 256 bytes are near to nothing.
///
/// A candidate with the opposite meaning is never the answer, however near it is: `unsecret` for
/// `secret`, `maxSize` for `minSize`. The prefixes of [`without_prefix`] do not count.
///
/// A caller with many candidates for many names limits the time by [`Comparisons`].
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    suggest_where(name, candidates, |_| true)
}

/// Returns what [`suggest`] does of the candidates that are wanted. Only those that are near enough
/// are asked.
pub fn suggest_where<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    is_wanted: impl Fn(&str) -> bool,
) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let mut written = Word::new(without_prefix(name));
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == name || candidate.is_empty() || candidate.len() > LONGEST {
            continue;
        }
        let most = best.map_or(usize::MAX, |(distance, _)| distance);
        if let Some(distance) = written.distance(candidate, most)
            && best.is_none_or(|best| (distance, candidate) < best)
            && (distance == 0 || !written.is_opposite_of(candidate))
            && is_wanted(candidate)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, text)| text)
}

/// Returns true if two names are equal without regard to case, `-` and `_`: one word, spelled as
/// two languages spell it.
///
/// ```
/// assert!(pcl_diagnostics::is_same_word("depends_on", "dependsOn"));
/// assert!(!pcl_diagnostics::is_same_word("depend_on", "dependsOn"));
/// ```
pub fn is_same_word(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        folded_ascii(a).eq(folded_ascii(b))
    } else {
        folded(a).eq(folded(b))
    }
}

/// Returns the candidates that share a word with `name`, the best first and three at most: those
/// that begin with its words or that its words begin with.
///
/// They are for names that nothing is near to, such as `ipAddress` in the place of `ip`.
///
/// ```
/// assert_eq!(pcl_diagnostics::related("ipAddress", ["id", "ip", "ipv6"]), ["ip"]);
/// assert_eq!(pcl_diagnostics::related("val", ["key", "value"]), ["value"]);
/// ```
pub fn related<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    const MOST: usize = 3;
    if name.len() > LONGEST {
        return Vec::new();
    }
    let own = words(name);
    let mut rows = Rows::default();
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    for candidate in candidates {
        if candidate == name || candidate.is_empty() || candidate.len() > LONGEST {
            continue;
        }
        let other = words(candidate);
        if let Some(rank) = relation(&own, &other)
            && !means_the_opposite(&own, &other, |a, b| rows.between(a, b))
        {
            found.push((rank, candidate.len().abs_diff(name.len()), candidate));
        }
    }
    found.sort_unstable();
    let best = found.first().map(|&(rank, ..)| rank);
    let best = found.into_iter().filter(|&(rank, ..)| Some(rank) == best);
    best.take(MOST).map(|(.., candidate)| candidate).collect()
}

/// The words of a name in camel, snake or kebab case, in lower case.
///
/// ```
/// assert_eq!(pcl_diagnostics::words("NodePool"), ["node", "pool"]);
/// ```
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut ends = true;
    let mut was_upper = true;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            ends = true;
            continue;
        }
        let starts = ends || (c.is_uppercase() && !was_upper);
        (ends, was_upper) = (false, c.is_uppercase());
        match words.last_mut() {
            Some(word) if !starts => word.extend(c.to_lowercase()),
            _ => words.push(c.to_lowercase().collect()),
        }
    }
    words
}

/// The closeness of names that share words: 0 if one begins with the other's words, 1 if one ends
/// with them, 2 if one has all words of the other, 3 if one is an abbreviation of the other.
fn relation(own: &[String], other: &[String]) -> Option<usize> {
    const SHORTEST: usize = 3;
    let begins = own.starts_with(other) || other.starts_with(own);
    let ends = own.ends_with(other) || other.ends_with(own);
    let abbreviates = |short: &[String], long: &[String]| match (short, long) {
        ([short], [long, ..]) => short.len() >= SHORTEST && long.starts_with(short.as_str()),
        _ => false,
    };
    let has_all = |many: &[String], few: &[String]| few.iter().all(|word| many.contains(word));
    if own.is_empty() || other.is_empty() {
        None
    } else if begins {
        Some(0)
    } else if ends {
        Some(1)
    } else if has_all(own, other) || has_all(other, own) {
        Some(2)
    } else {
        (abbreviates(own, other) || abbreviates(other, own)).then_some(3)
    }
}

/// The time that misspelled names may take, all those of a program together.
///
/// As many names as programs have by accident are compared with everything that they may mean. A
/// program with thousands of unknown names is not misspelled but broken: nothing is suggested for
/// the later ones.
#[derive(Clone, Debug)]
pub struct Comparisons {
    /// The cost so far, in units of about a hundred machine instructions.
    cost: usize,
    most: usize,
}

impl Default for Comparisons {
    fn default() -> Self {
        Self::among(0)
    }
}

impl Comparisons {
    /// For names that may mean one of so many: a dozen misspelled ones can be compared, however
    /// many there are.
    pub const fn among(candidates: usize) -> Self {
        Self { cost: 0, most: 300_000 + candidates.saturating_mul(100) }
    }

    /// Returns what [`suggest`] does, as long as there is time.
    pub fn suggest<'a, Names>(&mut self, name: &str, candidates: Names) -> Option<&'a str>
    where
        Names: IntoIterator<Item = &'a str, IntoIter: ExactSizeIterator>,
    {
        let candidates = candidates.into_iter();
        if self.may_compare(name, candidates.len()) { suggest(name, candidates) } else { None }
    }

    /// The names for a message about `name`, as [`enumerate`] takes them: if it does not list all,
    /// those come first that share words with `name`, then those that begin like it.
    pub fn nearest_first<'a>(
        &mut self,
        name: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Vec<&'a str> {
        let mut names: Vec<&str> = names.into_iter().collect();
        if is_too_long(names.len()) && self.may_compare(name, names.len()) {
            let own = words(name);
            names.sort_by_cached_key(|other| {
                let shared = words(other).iter().filter(|word| own.contains(word)).count();
                let alike = name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
                Reverse((shared, alike))
            });
        }
        names
    }

    /// Returns whether `name` may still be compared with so many others.
    pub fn may_compare(&mut self, name: &str, others: usize) -> bool {
        if name.len() > LONGEST {
            return false;
        }
        let each = 1 + name.len() * name.len() / 64;
        self.cost = self.cost.saturating_add(each.saturating_mul(others));
        self.cost <= self.most
    }
}

/// The most names that a message lists; of more, it lists only [`SOME`].
const ALL: usize = 12;

/// The number of names that a message lists of those that are too many.
const SOME: usize = 8;

/// Names in a row, in backquotes, for a message; of more than a dozen, the first eight and the
/// number of the others. Empty when there are none.
///
/// ```
/// assert_eq!(pcl_diagnostics::enumerate(["cidr", "id"]), "`cidr`, `id`");
/// ```
pub fn enumerate<'a, Names>(names: Names) -> String
where
    Names: IntoIterator<Item = &'a str, IntoIter: ExactSizeIterator>,
{
    let names = names.into_iter();
    let shown = if is_too_long(names.len()) { SOME } else { ALL };
    let more = names.len().saturating_sub(shown);
    let shown: Vec<String> = names.take(shown).map(|name| format!("`{name}`")).collect();
    let mut text = shown.join(", ");
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

/// Returns true if [`enumerate`] does not list all of so many names.
pub const fn is_too_long(count: usize) -> bool {
    count > ALL
}

/// A misspelled name with the facts that each candidate is compared with.
struct Word<'n> {
    name: &'n str,
    letters: Letters,
    rows: Rows,
}

impl<'n> Word<'n> {
    fn new(name: &'n str) -> Self {
        Self { name, letters: Letters::of(name), rows: Rows::default() }
    }

    /// Returns true if `candidate` means the opposite.
    fn is_opposite_of(&mut self, candidate: &str) -> bool {
        let (own, other) = (words(self.name), words(candidate));
        means_the_opposite(&own, &other, |a, b| self.rows.between(a, b))
    }

    /// The distance from `candidate`, if it is near enough and at most `most`.
    fn distance(&mut self, candidate: &str, most: usize) -> Option<usize> {
        let (own, other) = (self.letters, Letters::of(candidate));
        let is_same = if own.is_ascii && other.is_ascii {
            own.kinds == other.kinds && folded_ascii(self.name).eq(folded_ascii(candidate))
        } else {
            folded(self.name).eq(folded(candidate))
        };
        if is_same {
            return Some(0);
        }
        let longest = own.count.max(other.count);
        // A name of which nothing is left is another name.
        let shortest = own.count.min(other.count);
        let bound = (longest / 3).max(1).min(shortest.saturating_sub(1)).min(most);
        // A letter that is missing in the other name takes a separate edit.
        let lacking = (own.kinds & !other.kinds).count_ones();
        let lacking = lacking.max((other.kinds & !own.kinds).count_ones()) as usize;
        let longer = own.count.abs_diff(other.count);
        if bound == 0 || longer > bound || lacking > bound {
            return None;
        }
        if own.is_ascii && other.is_ascii {
            let (own, other) = (self.name.as_bytes(), candidate.as_bytes());
            return self.rows.distance(own, other, bound);
        }
        let [own, other] = [self.name, candidate].map(|name| name.chars().collect::<Vec<_>>());
        self.rows.distance(&own, &other, bound)
    }
}

/// A name without case, `-` and `_`.
fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase)
}

/// The same of a name in ASCII.
fn folded_ascii(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|byte| !matches!(byte, b'-' | b'_')).map(|byte| byte.to_ascii_lowercase())
}

/// The characters of a name.
#[derive(Clone, Copy)]
struct Letters {
    /// The number of characters.
    count: usize,
    /// A bit for each letter and digit that occurs, without case, and one for all that is not
    /// ASCII.
    kinds: u64,
    is_ascii: bool,
}

/// The bit of each byte in [`Letters::kinds`]. A table takes half of the instructions that
/// comparisons take, and every name of a program is compared with a misspelled one.
#[expect(clippy::indexing_slicing, reason = "the loop ends with the last entry")]
const KINDS: [u64; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            letter @ b'a'..=b'z' => 1 << (letter - b'a'),
            letter @ b'A'..=b'Z' => 1 << (letter - b'A'),
            digit @ b'0'..=b'9' => 1 << (digit - b'0' + 26),
            0x80.. => 1 << 63,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

impl Letters {
    #[expect(clippy::indexing_slicing, reason = "the table has an entry for each byte")]
    fn of(name: &str) -> Self {
        let kinds = name.bytes().fold(0, |kinds, byte| kinds | KINDS[usize::from(byte)]);
        let is_ascii = kinds >> 63 == 0;
        let count = if is_ascii { name.len() } else { name.chars().count() };
        Self { count, kinds, is_ascii }
    }
}

/// Room for the table of a distance: a row, the one before it, and the one before that.
#[derive(Default)]
struct Rows {
    row: Vec<usize>,
    last: Vec<usize>,
    before: Vec<usize>,
}

impl Rows {
    /// The distance of two texts.
    fn between(&mut self, a: &str, b: &str) -> usize {
        let [a, b] = [a, b].map(|text| text.chars().collect::<Vec<_>>());
        let most = a.len().max(b.len());
        self.distance(&a, &b, most).unwrap_or(most)
    }

    /// The optimal string alignment distance, or `None` above `bound`.
    #[expect(
        clippy::indexing_slicing,
        reason = "rows are one longer than `b`; `i` is at most the length of `a`, `j` that of `b`"
    )]
    fn distance<T: PartialEq>(&mut self, a: &[T], b: &[T], bound: usize) -> Option<usize> {
        let Self { row, last, before } = self;
        let far = bound + 1;
        last.clear();
        last.extend(0..=b.len());
        for other in [&mut *row, &mut *before] {
            other.clear();
            other.resize(b.len() + 1, far);
        }
        for i in 1..=a.len() {
            // Cells off the diagonal by more than the bound are beyond it.
            let (first, end) = (i.saturating_sub(bound).max(1), (i + bound).min(b.len()));
            row[first - 1] = if first == 1 { i } else { far };
            let mut least = row[first - 1];
            for j in first..=end {
                let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut cost = replace.min(last[j] + 1).min(row[j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    cost = cost.min(before[j - 2] + 1);
                }
                row[j] = cost;
                least = least.min(cost);
            }
            if end < b.len() {
                row[end + 1] = far;
            }
            if least > bound {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        (last[b.len()] <= bound).then_some(last[b.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_typing_mistakes() {
        assert_eq!(suggest("lenght", ["length", "max"]), Some("length"));
        assert_eq!(suggest("resorce", ["read", "resource"]), Some("resource"));
        assert_eq!(suggest("bucket_name", ["bucket", "bucketName"]), Some("bucketName"));
        assert_eq!(suggest("zone", ["resource", "length"]), None);
        assert_eq!(suggest("a", ["b"]), None);
        assert_eq!(suggest("same", ["same"]), None);
    }

    #[test]
    fn ties_are_broken_by_byte_order() {
        assert_eq!(suggest("cat", ["hat", "bat"]), Some("bat"));
        assert_eq!(suggest("cat", ["bat", "hat"]), Some("bat"));
    }

    #[test]
    fn long_names_are_near_to_nothing() {
        let long = "name".repeat(20_000);
        let near = format!("{long}s");
        assert_eq!(suggest(&long, [near.as_str(), "name"]), None);
        assert_eq!(suggest("name", [near.as_str(), "names"]), Some("names"));
        assert!(!Comparisons::default().may_compare(&long, 1));
    }

    #[test]
    fn many_names_are_not_compared() {
        let names: Vec<String> = (0..2_000).map(|at| format!("name{at}")).collect();
        let mut comparisons = Comparisons::default();
        let mut suggested = |name: &String| {
            let names = names.iter().map(String::as_str);
            comparisons.suggest(&format!("{name}s"), names).is_some()
        };
        assert!(names[..50].iter().all(&mut suggested));
        let later = names[1_000..].iter().filter(|name| suggested(name));
        assert!(later.count() < 100);
    }

    /// The definition of "near", without a thought to time.
    fn nearest<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
        let fold = |name: &str| folded(name).collect::<String>();
        let distance = |candidate: &str| {
            let (a, b): (Vec<_>, Vec<_>) = (name.chars().collect(), candidate.chars().collect());
            let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
            for i in 0..=a.len() {
                for j in 0..=b.len() {
                    table[i][j] = i.max(j);
                    if i > 0 && j > 0 {
                        let replace = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                        table[i][j] = replace.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    }
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
                    }
                }
            }
            let (longest, shortest) = (a.len().max(b.len()), a.len().min(b.len()));
            match table[a.len()][b.len()] {
                _ if fold(name) == fold(candidate) => Some(0),
                distance => {
                    (distance <= (longest / 3).max(1) && distance < shortest).then_some(distance)
                }
            }
        };
        let others = candidates.iter().filter(|other| !other.is_empty() && **other != name);
        let near = others.filter_map(|other| Some((distance(other)?, *other)));
        near.min().map(|(_, nearest)| nearest)
    }

    #[test]
    fn the_answer_is_the_nearest() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut found = 0;
        for _ in 0..20_000 {
            let alphabet = ['a', 'b', 'A', '_', 'é', 'c', 'd', 'e'];
            let letters = 2 + random(7);
            let mut word = || {
                let length = random(10);
                let letter = |_| alphabet[random(letters) as usize];
                (0..length).map(letter).collect::<String>()
            };
            let name = word();
            let candidates: Vec<String> = (0..4).map(|_| word()).collect();
            let candidates: Vec<&str> = candidates.iter().map(String::as_str).collect();
            let meant = suggest(&name, candidates.iter().copied());
            assert_eq!(meant, nearest(&name, &candidates), "{name} {candidates:?}");
            found += usize::from(meant.is_some());
        }
        assert!(found > 2_000, "{found}");
    }
}
