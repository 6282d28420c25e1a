//! `--watch`: checks again whenever something changes that a program depends on.

use std::collections::{BTreeSet, HashMap};
use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use notify::{Config, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use pcl::config::{Configuration, is_configuration};
use pcl::render::ReportSettings;
use pcl::{SchemaDirectories, SchemaPlaces, Target, program_directories};

use super::everywhere::summarize;
use super::jobs::Outline;
use super::output::{Plan, complain};
use super::status::{Failure, Outcome};

/// The time without changes after which programs are checked: editors write, rename and remove
/// several files to save one.
const QUIET: Duration = Duration::from_millis(50);

/// The longest time that changes in a row put off a check.
const LONGEST: Duration = Duration::from_secs(1);

/// The time between two looks at the files, where the system does not tell of changes.
const POLL: Duration = Duration::from_millis(500);

/// The files that say what is ignored.
const RULES: [&str; 2] = [".gitignore", ".pclignore"];

/// The places that are watched for changes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Places {
    /// Directories with everything below them.
    trees: BTreeSet<PathBuf>,
    /// Directories without what is below them.
    directories: BTreeSet<PathBuf>,
    /// Directories of schemas, in which every file counts, and single files.
    schemas: BTreeSet<PathBuf>,
}

impl Places {
    /// Adds a PATH; with `-r` the directories below it count.
    pub(super) fn add_path(&mut self, path: &Path, recursive: bool) {
        let path = absolute(path);
        // The directory itself may be removed, and made again.
        if let Some(parent) = path.parent() {
            self.directories.insert(parent.to_path_buf());
        }
        if recursive && path.is_dir() {
            self.trees.insert(path)
        } else {
            self.directories.insert(path)
        };
    }

    /// Adds a program with its components, its project, its configuration and its schemas.
    pub(super) fn add_program(
        &mut self,
        directories: &[PathBuf],
        configuration: &Configuration,
        schemas: &SchemaPlaces,
    ) {
        for file in configuration.files() {
            self.directories.extend(file.parent().map(absolute));
        }
        for directory in directories {
            self.schemas
                .extend(SchemaDirectories::of(directory).places.iter().map(|it| absolute(it)));
            // A file that configures the program may be made in any directory above it.
            let above = directory.ancestors().map(Path::to_path_buf);
            self.directories.extend(above.take_while(|it| it.parent().is_some()));
        }
        self.schemas.extend(schemas.directories.iter().map(|it| absolute(it)));
        self.schemas.extend(schemas.files.iter().map(|it| absolute(&it.path)));
    }

    /// Returns true if a change of a path may change what a check reports.
    fn concerns(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default();
        let is_program = path.extension().is_some_and(|extension| extension == "pp");
        let is_known = is_configuration(name) || RULES.iter().any(|file| *file == name);
        let is_watched = self.trees.contains(path) || self.directories.contains(path);
        let is_schema = self.schemas.contains(path)
            || path.parent().is_some_and(|parent| self.schemas.contains(parent));
        is_program || is_known || is_watched || is_schema || self.is_directory_of_tree(path)
    }

    /// Returns true if a path is a directory below a tree, which may bring programs with it. The
    /// name of one that is gone has no extension, as a rule.
    fn is_directory_of_tree(&self, path: &Path) -> bool {
        let is_directory = path.is_dir() || !path.exists() && path.extension().is_none();
        is_directory && self.trees.iter().any(|tree| path.starts_with(tree))
    }
}

/// The real path of a file or directory; its absolute path if there is none.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    // The system tells of changes by real paths.
    pcl_system::real_path(&absolute).unwrap_or(absolute)
}

/// The changes of files, as the system tells of them, and the results that they leave valid.
pub(super) struct Watch {
    sender: Sender<notify::Result<Event>>,
    changes: Receiver<notify::Result<Event>>,
    places: Places,
    pub(super) kept: Kept,
    watcher: Option<Box<dyn Watcher>>,
    /// Set once the system has refused to tell of changes.
    polls: bool,
}

impl Watch {
    fn new() -> Self {
        let (sender, changes) = channel();
        Self {
            sender,
            changes,
            places: Places::default(),
            kept: Kept::default(),
            watcher: None,
            polls: false,
        }
    }

    /// Watches these places from now on. The former watch ends only when the new one has begun, so
    /// that no change is missed.
    pub(super) fn observe(&mut self, places: Places) -> Result<(), Failure> {
        let watcher =
            if self.polls { None } else { self.start::<RecommendedWatcher>(&places).ok() };
        let watcher = match watcher {
            Some(watcher) => watcher,
            None => {
                if !self.polls {
                    complain(
                        "note: the system cannot tell of changes to that many files, so they are \
                         looked at twice a second",
                    );
                }
                self.polls = true;
                self.start::<PollWatcher>(&places)
                    .map_err(|error| Failure::usage(format!("cannot watch files: {error}")))?
            }
        };
        (self.watcher, self.places) = (Some(watcher), places);
        Ok(())
    }

    fn start<W: Watcher + 'static>(&self, places: &Places) -> notify::Result<Box<dyn Watcher>> {
        let config = Config::default().with_poll_interval(POLL);
        let mut watcher = W::new(self.sender.clone(), config)?;
        let trees = places.trees.iter().map(|it| (it, RecursiveMode::Recursive));
        let single = places.directories.iter().chain(&places.schemas);
        let single = single.map(|it| (it, RecursiveMode::NonRecursive));
        for (place, mode) in trees.chain(single) {
            // What is not there, or may not be read, is found in the directory above it.
            if place.exists()
                && let Err(error) = watcher.watch(place, mode)
            {
                match error.kind {
                    notify::ErrorKind::MaxFilesWatch => return Err(error),
                    _ => continue,
                }
            }
        }
        Ok(Box::new(watcher))
    }

    /// Waits until something has changed, and nothing has for a moment.
    fn wait(&self) -> Result<Changes, Failure> {
        let gone = |_| Failure::usage("cannot watch files: the watcher has ended");
        let mut changes = loop {
            let event = self.changes.recv().map_err(gone)?;
            if let Some(changes) = self.concerns(event) {
                break changes;
            }
        };
        let start = Instant::now();
        while start.elapsed() < LONGEST
            && let Ok(event) = self.changes.recv_timeout(QUIET)
        {
            if let Some(more) = self.concerns(event) {
                changes = changes.and(more);
            }
        }
        Ok(changes)
    }

    /// The changes that an event tells of, if any may change what a check reports.
    fn concerns(&self, event: notify::Result<Event>) -> Option<Changes> {
        match event {
            Ok(event) if matches!(event.kind, EventKind::Access(_)) => None,
            Ok(event) if !event.need_rescan() => {
                let paths = event.paths.iter().filter(|it| self.places.concerns(it));
                paths.map(|it| Changes::of(it)).reduce(Changes::and)
            }
            // Changes may have been missed.
            _ => Some(Changes::Everything),
        }
    }
}

/// Calls `check` again after each change in the places that it names, without an end.
pub(super) fn run(check: impl Fn(&mut Watch) -> Outcome) -> Outcome {
    let mut watch = Watch::new();
    let mut is_first = true;
    loop {
        let mut stdout = std::io::stdout();
        if stdout.is_terminal() {
            // The screen is cleared; what has scrolled out of it stays.
            let _ = stdout.write_all(b"\x1b[2J\x1b[H").and_then(|()| stdout.flush());
        }
        match check(&mut watch) {
            Err(failure) if is_first => return Err(failure),
            Err(failure) => complain(&failure.to_string()),
            Ok(_) => {}
        }
        is_first = false;
        summarize("watching for changes; press Ctrl-C to stop");
        let changes = watch.wait()?;
        watch.kept.forget(&changes);
    }
}

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
    fn changes_of_programs_and_of_their_settings_count() {
        let mut places = Places::default();
        places.trees.insert("/work/infra".into());
        places.schemas.insert("/work/schemas".into());
        for concerned in [
            "/work/infra/a/main.pp",
            "/work/pcl.toml",
            "/work/infra/Pulumi.yaml",
            "/work/schemas/aws-1.0.0.json",
            "/work/schemas",
            "/work/infra/new",
            "/work/infra",
        ] {
            assert!(places.concerns(Path::new(concerned)), "{concerned}");
        }
        for other in ["/work/infra/report.json", "/work/infra/.main.pp.swp", "/work/x"] {
            assert!(!places.concerns(Path::new(other)), "{other}");
        }
    }

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
