//! The outcome of applying every fix of some programs.

use std::collections::BTreeMap;

use pcl::diagnostics::Applicability;

use crate::inputs::Set;
use crate::places::Place;
use pcl_test_support::fixes::{Original, Program, keeps, settles};

/// The results of applying fixes.
#[derive(Default)]
pub struct Report {
    /// The number of programs.
    pub programs: usize,
    /// The number of times that each place offered a fix that was applied.
    pub exercised: BTreeMap<Place, usize>,
    pub broken: Vec<Broken>,
    /// The programs whose fixes, applied together, break a law of `--fix`.
    pub unsettled: Vec<String>,
}

/// A promise that a fix broke.
pub struct Broken {
    /// The program that it broke in.
    pub program: String,
    pub place: Place,
    pub applicability: Applicability,
    /// The observed result.
    pub complaint: String,
    /// The program before and after, where they differ.
    pub shown: String,
}

impl Report {
    /// Applies every fix of every diagnostic of a program, one at a time. Returns its diagnostics.
    pub fn check(&mut self, set: &Set, program: &Program) -> Original {
        self.programs += 1;
        self.unsettled.extend(settles(&set.workspace, program).err());
        let before = set.workspace.check(&program.target());
        for diagnostic in &before.diagnostics {
            // The directories of components are programs too, so their fixes are applied there.
            for fix in diagnostic.fixes.iter().filter(|fix| program.holds(fix)) {
                let place = Place::of(diagnostic.code, &fix.title);
                *self.exercised.entry(place.clone()).or_default() += 1;
                let kept = keeps(&set.workspace, program, &before, diagnostic, fix);
                if let Err((complaint, after)) = kept {
                    self.broken.push(Broken {
                        program: program.name.clone(),
                        place,
                        applicability: fix.applicability,
                        complaint,
                        shown: difference(program, &after),
                    });
                }
            }
        }
        Original::new(&before)
    }

    /// Adds the outcome of other programs.
    pub fn add(&mut self, part: Self) {
        self.programs += part.programs;
        self.unsettled.extend(part.unsettled);
        self.broken.extend(part.broken);
        for (place, count) in part.exercised {
            *self.exercised.entry(place).or_default() += count;
        }
    }
}

/// The lines in which two programs differ.
fn difference(before: &Program, after: &Program) -> String {
    let mut shown = String::new();
    for ((name, old), (_, new)) in before.files.iter().zip(&after.files) {
        if old == new {
            continue;
        }
        let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let rest = (old.iter().rev().zip(new.iter().rev())).take_while(|(a, b)| a == b);
        let tail = rest.count().min(old.len().min(new.len()) - same);
        shown.push_str(&format!("  {name}:{}\n", same + 1));
        for (sign, lines) in [('-', &old), ('+', &new)] {
            for line in &lines[same..lines.len() - tail] {
                shown.push_str(&format!("  {sign} {line}\n"));
            }
        }
    }
    shown
}
