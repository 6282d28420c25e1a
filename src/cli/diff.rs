//! Unified diffs.

use imara_diff::{Algorithm, Diff, InternedInput};

/// The lines around a change that are shown.
const CONTEXT: usize = 3;

/// A unified diff of two texts of a file.
pub(super) fn unified(path: &str, old: &str, new: &str) -> String {
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let hunks: Vec<Hunk> = diff
        .hunks()
        .map(|hunk| Hunk {
            old: [hunk.before.start as usize, hunk.before.end as usize],
            new: [hunk.after.start as usize, hunk.after.end as usize],
        })
        .collect();
    let (old, new): (Vec<&str>, Vec<&str>) = (
        old.split_inclusive('\n').collect(),
        new.split_inclusive('\n').collect(),
    );
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

/// The start and end of a change, in lines of either text.
struct Hunk {
    old: [usize; 2],
    new: [usize; 2],
}

fn write_hunks(out: &mut String, hunks: &[Hunk], old: &[&str], new: &[&str]) {
    let (Some(first), Some(last)) = (hunks.first(), hunks.last()) else {
        return;
    };
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
            unified("x.pp", "a = 1\n\n\n\n\nb=2\n\n", "a = 1\n\n\nb = 2\n"),
            "--- x.pp\n+++ x.pp\n\
             @@ -1,7 +1,4 @@\n a = 1\n \n \n-\n-\n-b=2\n-\n+b = 2\n"
        );
    }

    #[test]
    fn a_diff_shows_changes_with_what_is_around_them() {
        let old = "a=1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\nh = 8\ni=9\nj=10";
        let new = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\nh = 8\ni = 9\nj = 10";
        assert_eq!(
            unified("x.pp", old, new),
            "--- x.pp\n+++ x.pp\n\
             @@ -1,4 +1,4 @@\n-a=1\n+a = 1\n b = 2\n c = 3\n d = 4\n\
             @@ -6,5 +6,5 @@\n f = 6\n g = 7\n h = 8\n-i=9\n-j=10\n\\ No newline at end of file\n+i = 9\n+j = 10\n\\ No newline at end of file\n"
        );
    }
}
