//! The figures by kind of place.

use std::collections::BTreeMap;
use std::fmt;

use pcl_test_support::fixes::Program;

use crate::Rank;
use crate::places::{Kind, Place};

/// The counts of a kind.
#[derive(Default, Clone, Copy)]
pub struct Row {
    pub seen: usize,
    pub first: usize,
    pub five: usize,
    pub twenty: usize,
    pub offered: usize,
}

impl Row {
    /// The shares in tenths of a percent: first, among five, among twenty.
    pub fn shares(&self) -> [usize; 3] {
        [self.first, self.five, self.twenty].map(|part| 1000 * part / self.seen.max(1))
    }

    fn add(&mut self, other: &Self) {
        self.seen += other.seen;
        self.first += other.first;
        self.five += other.five;
        self.twenty += other.twenty;
        self.offered += other.offered;
    }
}

/// The figures, and places that fall short.
#[derive(Default)]
pub struct Table {
    rows: BTreeMap<Kind, Row>,
    shown: Vec<String>,
}

impl Table {
    /// The figures of kinds that belong together, without the keys of maps, which are free text.
    pub fn groups(&self) -> BTreeMap<&'static str, Row> {
        let mut groups: BTreeMap<&'static str, Row> = BTreeMap::new();
        for (kind, row) in &self.rows {
            if let Some(group) = kind.group() {
                groups.entry(group).or_default().add(row);
            }
        }
        groups
    }

    pub fn all(&self) -> Row {
        let mut all = Row::default();
        for row in self.groups().values() {
            all.add(row);
        }
        all
    }

    pub fn count(&mut self, kind: Kind, position: Option<usize>) {
        let row = self.rows.entry(kind).or_default();
        let is_below = |end| usize::from(position.is_some_and(|position| position < end));
        row.add(&Row {
            seen: 1,
            first: is_below(1),
            five: is_below(5),
            twenty: is_below(20),
            offered: is_below(usize::MAX),
        });
    }

    pub fn add(&mut self, other: Self) {
        for (kind, row) in other.rows {
            self.rows.entry(kind).or_default().add(&row);
        }
        self.shown.extend(other.shown);
    }

    pub fn show(&mut self, kind: Kind, program: &Program, file: usize, place: &Place, rank: &Rank) {
        let (name, text) = &program.files[file];
        let before = &text[..place.range.start];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[place.range.end..];
        let end = rest.find('\n').unwrap_or(rest.len());
        let position = rank.position.map_or("-".to_owned(), |position| position.to_string());
        let offered = rank.before.iter().take(8).cloned().collect::<Vec<_>>().join(" ");
        self.shown.push(format!(
            "{} {position} {}/{name}:{line}: {}<{}>{} | {offered}",
            kind.name(),
            program.name,
            text[start..place.range.start].trim_start(),
            place.wanted,
            &rest[..end],
        ));
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for text in &self.shown {
            writeln!(f, "{text}")?;
        }
        let groups = self.groups();
        let groups = groups.iter().map(|(name, row)| (*name, row));
        let rows = self.rows.iter().map(|(kind, row)| (kind.name(), row));
        for (name, row) in rows.chain(groups).chain([("all", &self.all())]) {
            let share = |part: usize| 100.0 * part as f64 / row.seen.max(1) as f64;
            writeln!(
                f,
                "{name:14} {:>6} {:>6.1} {:>6.1} {:>6.1} {:>6.1}",
                row.seen,
                share(row.first),
                share(row.five),
                share(row.twenty),
                share(row.offered),
            )?;
        }
        Ok(())
    }
}
