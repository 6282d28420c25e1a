//! The figures by operator.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use pcl::Checked;
use pcl_test_support::fixes::Program;

use crate::judge::{Restored, Verdict};
use crate::operators::{GROUPS, Operator};

/// The counts of an operator.
#[derive(Default, Clone)]
pub struct Row {
    pub dropped: usize,
    pub unseen: usize,
    pub seen: usize,
    pub one: usize,
    pub place: usize,
    pub fixes: usize,
    pub restored: usize,
    pub away: usize,
    pub codes: BTreeMap<&'static str, usize>,
}

impl Row {
    fn add(&mut self, other: &Self) {
        self.dropped += other.dropped;
        self.unseen += other.unseen;
        self.seen += other.seen;
        self.one += other.one;
        self.place += other.place;
        self.fixes += other.fixes;
        self.restored += other.restored;
        self.away += other.away;
        for (code, count) in &other.codes {
            *self.codes.entry(code).or_default() += count;
        }
    }
}

/// The counts of all operators.
#[derive(Default)]
pub struct Table {
    pub programs: usize,
    pub rows: BTreeMap<&'static str, Row>,
    /// Products that fall short, if they are asked for.
    pub shown: Vec<String>,
}

impl Table {
    pub fn count(&mut self, operator: &Operator, verdict: &Verdict) {
        let row = self.rows.entry(operator.name).or_default();
        match verdict {
            Verdict::Dropped => row.dropped += 1,
            Verdict::Unseen => row.unseen += 1,
            Verdict::Seen(seen) => {
                row.seen += 1;
                row.one += usize::from(seen.one);
                row.place += usize::from(seen.place);
                row.fixes += usize::from(seen.fix.is_some());
                row.restored += usize::from(seen.fix == Some(Restored::Meant));
                row.away += usize::from(seen.away);
                *row.codes.entry(seen.code).or_default() += 1;
            }
        }
    }

    pub fn add(&mut self, other: Self) {
        self.programs += other.programs;
        for (name, row) in other.rows {
            self.rows.entry(name).or_default().add(&row);
        }
        self.shown.extend(other.shown);
    }

    /// The sums of all operators.
    pub fn all(&self) -> Row {
        let mut all = Row::default();
        for row in self.rows.values() {
            all.add(row);
        }
        all
    }

    /// Keeps a product that falls short, with what is said about it.
    pub fn show(&mut self, name: &str, verdict: &Verdict, product: &Program, checked: &Checked) {
        let Some(complaint) = verdict.complaint() else { return };
        let text = &product.files[0].1;
        let mut shown = format!("== {name}: {complaint}: {}\n{text}\n", product.name);
        for diagnostic in &checked.diagnostics {
            let start = (diagnostic.primary.range.start() as usize).min(text.len());
            let line = text[..start].matches('\n').count() + 1;
            let (code, message) = (diagnostic.code.id(), &diagnostic.message);
            let _ = writeln!(shown, "-- {code} line {line}: {message}");
            if let Some(help) = &diagnostic.help {
                let _ = writeln!(shown, "   help: {help}");
            }
            for fix in &diagnostic.fixes {
                let edits: Vec<&str> = fix.edits.iter().map(|edit| &*edit.text).collect();
                let kind = fix.applicability.as_str();
                let _ = writeln!(shown, "   fix ({kind}): {} {edits:?}", fix.title);
            }
        }
        self.shown.push(shown);
    }

    /// The figures as a table of Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "\n| operator | mistake | number | one | place | with a fix | restored | unseen |\n\
             | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        );
        let mut line = |start: &str, row: &Row| {
            let _ = writeln!(
                text,
                "{start} {} | {} | {} | {} | {} | {} |",
                row.seen,
                percent(row.one, row.seen),
                percent(row.place, row.seen),
                percent(row.fixes, row.seen),
                percent(row.restored, row.fixes),
                row.unseen,
            );
        };
        let none = Row::default();
        for operator in GROUPS.iter().flat_map(|(_, operators)| *operators) {
            let row = self.rows.get(operator.name).unwrap_or(&none);
            line(&start_of_row(operator), row);
        }
        line("| all |  |", &self.all());
        text.push('\n');
        text
    }
}

/// Returns the first two cells of an operator's row.
pub fn start_of_row(operator: &Operator) -> String {
    format!("| `{}` | {} |", operator.name, operator.change.replace('|', "\\|"))
}

fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => "–".to_owned(),
        _ => format!("{:.1}", 100.0 * part as f64 / whole as f64),
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for text in &self.shown {
            writeln!(f, "{text}")?;
        }
        let all = self.all();
        writeln!(f, "{} programs", self.programs)?;
        writeln!(
            f,
            "{:32} {:>6} {:>6} {:>6} {:>6} {:>6} {:>5} {:>6} {:>6}",
            "operator", "seen", "one", "place", "fixes", "restor", "away", "unseen", "same"
        )?;
        let operators = GROUPS.iter().flat_map(|(_, operators)| operators.iter());
        let rows = operators.filter_map(|it| Some((it.name, self.rows.get(it.name)?)));
        for (name, row) in rows.chain([("all", &all)]) {
            let mut codes: Vec<_> = row.codes.iter().collect();
            codes.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let codes: Vec<String> = codes
                .iter()
                .take(4)
                .map(|(code, count)| format!("{}:{count}", &code[3..]))
                .collect();
            writeln!(
                f,
                "{name:32} {:6} {:>6} {:>6} {:>6} {:>6} {:5} {:6} {:6} {}",
                row.seen,
                percent(row.one, row.seen),
                percent(row.place, row.seen),
                percent(row.fixes, row.seen),
                percent(row.restored, row.fixes),
                row.away,
                row.unseen,
                row.dropped,
                codes.join(" ")
            )?;
        }
        Ok(())
    }
}
