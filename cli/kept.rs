//! The results that `--watch` keeps from one check to the next.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::outline::Outline;
use super::output::Plan;
use super::watch::absolute;
use pcl::render::ReportSettings;
use pcl::{Target, program_directories};

/// The files that changed.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Changes {
    /// Files of programs, in these directories.
    Programs(BTreeSet<PathBuf>),
    /// Anything else, such as schemas and configurations.
    Everything,
}

impl Changes {
    /// The change of one path.
    pub(super) fn of(path: &Path) -> Self {
        let is_program = path.extension().is_some_and(|extension| extension == "pp");
        match path.parent() {
            Some(directory) if is_program && !path.is_dir() => {
                Self::Programs(BTreeSet::from([directory.to_path_buf()]))
            }
            _ => Self::Everything,
        }
    }

    /// These changes and others.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Programs(mut all), Self::Programs(more)) => {
                all.extend(more);
                Self::Programs(all)
            }
            _ => Self::Everything,
        }
    }
}

/// The programs that have not changed since they were checked.
#[derive(Default)]
pub(super) struct Kept {
    /// For each place of a program its directories and those of its components, as real paths.
    directories: HashMap<PathBuf, Vec<PathBuf>>,
    outlines: HashMap<PathBuf, Outline>,
    plans: Vec<Plan>,
    reports: ReportSettings,
}

impl Kept {
    /// Drops the programs that these changes concern.
    pub(super) fn forget(&mut self, changes: &Changes) {
        let Changes::Programs(changed) = changes else {
            *self = Self::default();
            return;
        };
        self.directories
            .retain(|_, directories| !directories.iter().any(|it| changed.contains(it)));
        let Self { directories, outlines, .. } = self;
        outlines.retain(|place, _| directories.contains_key(place));
    }

    /// The directories of a program and of its components, as real paths.
    pub(super) fn directories(&mut self, place: &Path) -> &[PathBuf] {
        self.directories.entry(place.to_path_buf()).or_insert_with(|| {
            let directories = program_directories(place);
            directories.iter().map(|it| absolute(it)).collect()
        })
    }

    /// Drops what was rendered in another way, for instance for another width of the terminal.
    pub(super) fn render_as(&mut self, plans: &[Plan], reports: &ReportSettings) {
        if self.plans != plans || self.reports != *reports {
            self.outlines.clear();
            self.plans = plans.to_vec();
            self.reports.clone_from(reports);
        }
    }

    /// The result of a program, unless the program has to be checked again.
    pub(super) fn get(&self, target: &Target) -> Option<&Outline> {
        self.outlines.get(target.place()?)
    }

    pub(super) fn put(&mut self, target: &Target, outline: Outline) {
        if let Some(place) = target.place() {
            self.outlines.insert(place.to_path_buf(), outline);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_programs_leave_other_programs_alone() {
        let shop = Changes::of(Path::new("/work/shop/main.pp"));
        let part = Changes::of(Path::new("/work/part/main.pp"));
        let both = [PathBuf::from("/work/part"), PathBuf::from("/work/shop")];
        assert_eq!(shop.and(part), Changes::Programs(BTreeSet::from(both.clone())));
        for other in ["/work/pcl.toml", "/work/shop", "/work/schemas/zoo.json"] {
            let changes = Changes::of(Path::new("/work/shop/main.pp"));
            assert_eq!(changes.and(Changes::of(Path::new(other))), Changes::Everything);
        }
    }
}
