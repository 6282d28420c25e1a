//! `pcl schema sync`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;

use super::source::{Program, Source, SourceArgs};
use super::store::{State, Store};
use crate::dump::tell;
use crate::everywhere::summarize;
use crate::hints;
use crate::inputs::{self, PlaceArgs};
use crate::output::{complain, many};
use crate::selection::SelectionArgs;
use crate::status::{Failure, Outcome, Status};
use pcl::diagnostics::Code;
use pcl::remote::is_plugin_name;
use pcl::render::one_line;
use pcl::schema::{LoadError, Loader, NotFound, Package, PackageRequest};
use pcl::{SchemaPlaces, Settings, Target, Workspace};

#[derive(Args)]
pub(crate) struct SyncArgs {
    /// Program directories or single .pp files
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Get the schemas for every directory at or below each PATH that contains .pp files
    #[arg(short, long)]
    recursive: bool,
    /// Run and write nothing; exit with status 1 if a schema is missing or is not the one of the
    /// lock file
    #[arg(long, visible_alias = "check", conflicts_with = "upgrade")]
    locked: bool,
    /// Get all schemas again, and replace other contents
    #[arg(long, visible_alias = "force")]
    upgrade: bool,
    /// Keep the schemas here; by default in `schemas` beside the project file, or beside the
    /// program
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Ask the Pulumi command or the provider plugin; by default `pulumi` if it is installed
    #[arg(long, value_name = "PROGRAM")]
    from: Option<Program>,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    places: PlaceArgs,
}

/// A directory of schemas with the programs that it is for.
struct Group {
    store: Store,
    targets: Vec<Target>,
}

/// The result of a run.
#[derive(Default)]
struct Tally {
    added: usize,
    there: usize,
    /// Schemas that are missing or differ.
    wrong: usize,
    failed: bool,
}

impl SyncArgs {
    pub(crate) fn run(&self) -> Outcome {
        let source = if self.locked { None } else { Some(self.source.source(self.from)?) };
        let mut tally = Tally::default();
        for mut group in self.groups()? {
            self.restore(&mut group.store, source.as_ref(), &mut tally)?;
            for target in &group.targets {
                self.sync(&mut group.store, target, source.as_ref(), &mut tally)?;
            }
        }
        let there = many(tally.there, "schema");
        summarize(&if self.locked {
            format!("{there} there, {} missing or different", tally.wrong)
        } else if tally.added + tally.there == 0 && !tally.failed {
            // They may be in other places than that of the lock file.
            "no schema is missing".to_owned()
        } else {
            format!("{there} there, {} added", tally.added)
        });
        Ok(Status::of(!tally.failed, self.locked && tally.wrong > 0))
    }

    /// The programs by the directories of their schemas.
    fn groups(&self) -> Result<Vec<Group>, Failure> {
        let discovery = self.places.discovery()?;
        let selected =
            SelectionArgs::default().select(&self.paths, self.recursive, None, &discovery)?;
        let mut groups: BTreeMap<PathBuf, Vec<Target>> = BTreeMap::new();
        for target in selected.targets {
            let directory = match &self.dir {
                Some(directory) => directory.clone(),
                None => match inputs::directory(&target) {
                    none if none.as_os_str().is_empty() => Store::directory_for(Path::new(".")),
                    directory => Store::directory_for(&directory),
                },
            };
            groups.entry(directory).or_default().push(target);
        }
        let groups = groups.into_iter().map(|(directory, targets)| {
            let store = Store::open(directory)?;
            Ok(Group { store, targets })
        });
        groups.collect()
    }

    /// Gets the schemas of the lock file that are missing, and warns about those that differ.
    fn restore(
        &self,
        store: &mut Store,
        source: Option<&Source>,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        for locked in store.lock.packages().to_vec() {
            let state = store.state(&locked)?;
            let place = store.place(&locked);
            match source.filter(|_| self.upgrade || state == State::Missing) {
                Some(source) => tally.add(store, source, &locked.request(), self.upgrade),
                None if state == State::Same => tally.there += 1,
                None => {
                    let place = place.display();
                    complain(&match state {
                        State::Missing => format!("error: `{place}` is missing"),
                        _ => format!(
                            "warning: `{place}` is not the schema that `pcl-schemas.lock` names"
                        ),
                    });
                    tally.wrong += 1;
                }
            }
        }
        Ok(())
    }

    /// Gets the schemas that a program needs. Those that were added may need others.
    fn sync(
        &self,
        store: &mut Store,
        target: &Target,
        source: Option<&Source>,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let directory = inputs::directory(target);
        let mut places = self.places.places_in(&directory)?;
        // What this machine has cached is missing on others.
        places.pulumi_home = None;
        places.directories.push(store.directory().to_path_buf());
        let mut tried = Vec::new();
        loop {
            let is_first = tried.is_empty();
            let (missing, is_read) = missing(target, &places, &directory, is_first);
            tally.failed |= !is_read;
            let new = |request: &PackageRequest| !tried.contains(request);
            let new: Vec<PackageRequest> = missing.into_iter().filter(new).collect();
            if new.is_empty() {
                return Ok(());
            }
            for request in new {
                let program = one_line(&target.display()).into_owned();
                match source {
                    Some(_)
                        if !is_plugin_name(&request.name) || !is_plugin_name(request.name()) =>
                    {
                        let name = request.name().escape_debug();
                        complain(&format!(
                            "error: `{program}` needs `{name}`, which cannot be the name of a \
                             package"
                        ));
                        tally.failed = true;
                    }
                    Some(source) => tally.add(store, source, &request, self.upgrade),
                    None => {
                        let what = request.to_string();
                        let what = what.escape_debug();
                        complain(&format!("error: `{program}` needs the schema of {what}"));
                        tally.wrong += 1;
                    }
                }
                tried.push(request);
            }
        }
    }
}

impl Tally {
    fn add(&mut self, store: &mut Store, source: &Source, request: &PackageRequest, force: bool) {
        match source.ask(request).and_then(|answer| store.add(request, answer, force)) {
            Ok(()) => self.added += 1,
            Err(failure) => {
                complain(&failure.to_string());
                self.failed = true;
            }
        }
    }
}

/// The packages that a program, its components and their schemas need and that are in none of these
/// places, in order. Returns false beside them if the program cannot be read; if `shown` is set, it
/// prints why.
fn missing(
    target: &Target,
    places: &SchemaPlaces,
    directory: &Path,
    shown: bool,
) -> (Vec<PackageRequest>, bool) {
    let recorder = Arc::new(Recorder::default());
    let settings = Settings { schemas: places.clone(), ..Settings::default() };
    let shared: Arc<dyn Loader> = Arc::<Recorder>::clone(&recorder);
    let mut checked = Workspace::new(settings).with_loader(shared).check(target);
    let unread = [Code::UnreadableSource, Code::NoProgramFiles];
    checked.diagnostics.retain(|it| unread.contains(&it.code));
    if shown {
        hints::name_flags(&mut checked.diagnostics);
        tell(&checked.report);
    }

    let loader = places.loader(Some(directory));
    let mut asked = recorder.asked.lock().unwrap_or_else(PoisonError::into_inner);
    let is_missing =
        |request: &PackageRequest| matches!(loader.load(request), Err(LoadError::NotFound(_)));
    let mut missing: Vec<PackageRequest> = asked.drain(..).filter(is_missing).collect();
    let order = |request: &PackageRequest| (request.name().to_owned(), request.version().cloned());
    missing.sort_by_key(order);
    missing.dedup();
    (missing, checked.diagnostics.is_empty())
}

/// A loader that has nothing, and notes what it is asked for.
#[derive(Default)]
struct Recorder {
    asked: Mutex<Vec<PackageRequest>>,
}

impl Loader for Recorder {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push(request.clone());
        Err(NotFound {
            request: request.clone(),
            places: Vec::new(),
            versions: Vec::new(),
            plugins: Vec::new(),
            refused: None,
        }
        .into())
    }
}
