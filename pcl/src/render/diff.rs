//! Differences between two texts, line by line.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// The lines around a change that are shown.
const CONTEXT: usize = 3;

/// The lines of either text that are compared at once, as long as a change fits in half of them.
///
/// The histogram algorithm looks at all lines again for each change: 2,400 changes in 7,200 lines
/// take 636 million instructions at once, and 137 million in windows of this size.
const WINDOW: usize = 512;

/// The unchanged lines before a window that are compared with it: where a change could be shown at
/// several places, the lines around it decide.
const BEFORE: usize = 32;

/// A unified diff of two texts of a file.
pub fn unified_diff(path: &str, old: &str, new: &str) -> String {
    let [old, new] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let hunks = changes(&old, &new);
    let mut out = format!("--- {path}\n+++ {path}\n");
    let mut rest = &*hunks;
    while !rest.is_empty() {
        // Changes whose context touches are shown together.
        let mut gaps = rest.iter().zip(rest.iter().skip(1));
        let length = gaps
            .position(|(one, next)| next.old[0] - one.old[1] > 2 * CONTEXT)
            .map_or(rest.len(), |at| at + 1);
        let (together, later) = rest.split_at(length);
        write_hunks(&mut out, together, &old, &new);
        rest = later;
    }
    out
}

/// The lines of a new text that the old one does not have, counted from 0.
///
/// ```
/// assert_eq!(pcl::render::changed_lines("a\nb\n", "a\nx\nb\ny\n"), [1..2, 3..4]);
/// ```
pub fn changed_lines(old: &str, new: &str) -> Vec<Range<usize>> {
    let [old, new] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let lines = changes(&old, &new).into_iter().map(|hunk| hunk.new[0]..hunk.new[1]);
    lines.filter(|lines| !lines.is_empty()).collect()
}

/// The start and end of a change, in lines of either text.
pub(crate) struct Hunk {
    pub old: [usize; 2],
    pub new: [usize; 2],
}

impl Hunk {
    /// The change, where it was found in lines that begin behind so many others.
    fn behind(self, [old, new]: [usize; 2]) -> Self {
        Self { old: self.old.map(|at| at + old), new: self.new.map(|at| at + new) }
    }
}

/// The changes between two lists of lines, in their order. Of those in a window, the ones in its
/// first half are final: what is behind the window could change the others.
pub(crate) fn changes(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut done, mut window) = ([0, 0], WINDOW);
    loop {
        let same = old.iter().skip(done[0]).zip(new.iter().skip(done[1]));
        let same = same.take_while(|(old, new)| old == new).count();
        let start = done.map(|at| at + same.saturating_sub(BEFORE));
        let [old, new] = [(old, start[0]), (new, start[1])]
            .map(|(lines, start)| lines.get(start..).unwrap_or_default());
        let is_last = old.len().max(new.len()) <= window;
        let [old, new] = [old, new].map(|lines| lines.get(..window).unwrap_or(lines));
        let found = compare(old, new);
        let is_final = |hunk: &Hunk| is_last || hunk.old[1].max(hunk.new[1]) <= window / 2;
        let first = found.into_iter().take_while(is_final);
        let first: Vec<_> = first.map(|hunk| hunk.behind(start)).collect();
        if is_last {
            hunks.extend(first);
            return hunks;
        }
        (done, window) = match first.last() {
            Some(last) => ([last.old[1], last.new[1]], WINDOW),
            None => (done, window * 2),
        };
        hunks.extend(first);
    }
}

/// The changes between two lists of lines, compared at once.
fn compare(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let hunk = |hunk: imara_diff::Hunk| Hunk {
        old: [hunk.before.start as usize, hunk.before.end as usize],
        new: [hunk.after.start as usize, hunk.after.end as usize],
    };
    diff.hunks().map(hunk).collect()
}

fn write_hunks(out: &mut String, hunks: &[Hunk], old: &[&str], new: &[&str]) {
    let (Some(first), Some(last)) = (hunks.first(), hunks.last()) else { return };
    let before = first.old[0].min(CONTEXT);
    let after = (old.len() - last.old[1]).min(CONTEXT);
    let place = |start: usize, end: usize| {
        let count = end - start;
        // A range without lines names the line before it.
        let line = if count == 0 { start } else { start + 1 };
        match count {
            1 => line.to_string(),
            _ => format!("{line},{count}"),
        }
    };
    let olds = place(first.old[0] - before, last.old[1] + after);
    let news = place(first.new[0] - before, last.new[1] + after);
    out.push_str(&format!("@@ -{olds} +{news} @@\n"));
    let mut at = first.old[0] - before;
    for hunk in hunks {
        write_lines(out, ' ', old, at, hunk.old[0]);
        write_lines(out, '-', old, hunk.old[0], hunk.old[1]);
        write_lines(out, '+', new, hunk.new[0], hunk.new[1]);
        at = hunk.old[1];
    }
    write_lines(out, ' ', old, at, at + after);
}

fn write_lines(out: &mut String, mark: char, lines: &[&str], start: usize, end: usize) {
    for line in lines.get(start..end).unwrap_or_default() {
        out.push(mark);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_shows_the_empty_lines_that_go() {
        assert_eq!(
            unified_diff("x.pp", "a = 1\n\n\n\n\nb=2\n\n", "a = 1\n\n\nb = 2\n"),
            "--- x.pp\n+++ x.pp\n\
             @@ -1,7 +1,4 @@\n a = 1\n \n \n-\n-\n-b=2\n-\n+b = 2\n"
        );
    }

    #[test]
    fn a_diff_shows_changes_with_what_is_around_them() {
        let old = "a=1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\nh = 8\ni=9\nj=10";
        let new = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\nh = 8\ni = 9\nj = 10";
        assert_eq!(
            unified_diff("x.pp", old, new),
            "--- x.pp\n+++ x.pp\n\
             @@ -1,4 +1,4 @@\n-a=1\n+a = 1\n b = 2\n c = 3\n d = 4\n\
             @@ -6,5 +6,5 @@\n f = 6\n g = 7\n h = 8\n-i=9\n-j=10\n\\ No newline at end of file\n+i = 9\n+j = 10\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn changes_are_found_in_texts_that_are_longer_than_a_window() {
        let lines = |n: usize| (0..n).map(|i| format!("a{i} = {i}")).collect::<Vec<_>>();
        type Edit = fn(&mut Vec<String>);
        let each_third: Edit = |lines| lines.iter_mut().step_by(3).for_each(|line| line.push(' '));
        let lines_that_go: Edit = |lines| drop(lines.drain(700..2500));
        let equal_lines: Edit = |lines| {
            let more = std::iter::repeat_n(String::new(), 1800);
            drop(lines.splice(900..900, more));
        };
        let last_line: Edit = |lines| lines.push(String::new());
        for (edit, count) in
            [(each_third, 1000), (lines_that_go, 1), (equal_lines, 1), (last_line, 1)]
        {
            let old = lines(3000);
            let mut new = old.clone();
            edit(&mut new);
            for (old, new) in [(&old, &new), (&new, &old)] {
                let [old, new] = [old, new].map(|lines| lines.iter().map(String::as_str));
                let [old, new] = [old, new].map(Iterator::collect::<Vec<_>>);
                let hunks = changes(&old, &new);
                let mut made: Vec<&str> = Vec::new();
                let mut at = 0;
                for hunk in &hunks {
                    made.extend(&old[at..hunk.old[0]]);
                    made.extend(&new[hunk.new[0]..hunk.new[1]]);
                    at = hunk.old[1];
                }
                made.extend(&old[at..]);
                assert_eq!((made, hunks.len()), (new, count));
            }
        }
    }
}
