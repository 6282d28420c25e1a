//! "Did you mean": the candidate nearest to a misspelled name.

/// The candidate that `name` is most likely meant to be, if any is near enough.
///
/// Near is: equal without regard to case, `-` and `_`; or an edit distance (insert, delete, replace, swap of neighbours) of
/// at most a third of the longer name. Of equally near candidates the first in byte order wins, so that the answer does not
/// depend on the order of the candidates.
#[must_use]
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(name);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == name || candidate.is_empty() {
            continue;
        }
        let longest = name.chars().count().max(candidate.chars().count());
        let bound = (longest / 3).max(1);
        let distance = if fold(candidate) == folded {
            0
        } else {
            match distance(name, candidate, bound) {
                Some(distance) if distance < longest => distance,
                _ => continue,
            }
        };
        if best.is_none_or(|(d, text)| (distance, candidate) < (d, text)) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, text)| text)
}

/// Names in a row, in backquotes, for a message; of more than a dozen the rest is counted. Empty when there are none.
///
/// ```
/// assert_eq!(pcl_diagnostics::enumerate(["cidr", "id"]), "`cidr`, `id`");
/// ```
#[must_use]
pub fn enumerate<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let mut names = names.into_iter();
    let shown: Vec<String> = names
        .by_ref()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect();
    let mut text = shown.join(", ");
    let more = names.count();
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The optimal string alignment distance, or `None` above `bound`.
fn distance(a: &str, b: &str, bound: usize) -> Option<usize> {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    if a.len().abs_diff(b.len()) > bound {
        return None;
    }
    let width = b.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    let mut row: Vec<usize> = vec![0; width];
    for i in 1..=a.len() {
        row[0] = i;
        let mut least = i;
        for j in 1..width {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut cost = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            row[j] = cost;
            least = least.min(cost);
        }
        if least > bound {
            return None;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    (last[b.len()] <= bound).then_some(last[b.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_typing_mistakes() {
        assert_eq!(suggest("lenght", ["length", "max"]), Some("length"));
        assert_eq!(suggest("resorce", ["read", "resource"]), Some("resource"));
        assert_eq!(
            suggest("bucket_name", ["bucket", "bucketName"]),
            Some("bucketName")
        );
        assert_eq!(suggest("zone", ["resource", "length"]), None);
        assert_eq!(suggest("a", ["b"]), None);
        assert_eq!(suggest("same", ["same"]), None);
    }

    #[test]
    fn ties_are_broken_by_byte_order() {
        assert_eq!(suggest("cat", ["hat", "bat"]), Some("bat"));
        assert_eq!(suggest("cat", ["bat", "hat"]), Some("bat"));
    }
}
