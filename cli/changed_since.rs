//! `--changed-since` and `--new-lines-since`: what differs from a commit of git.
//!
//! The files of the commit are compared with those on disk here, and git lists names only. `git
//! diff` would run what the configuration of an untrusted repository names: filters, text
//! conversions, file system monitors. The commands below never read the content of a file on disk.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};

use sha1::{Digest as _, Sha1};
use sha2::Sha256;

use super::output::complain;
use super::status::Failure;
use pcl::config::Configuration;
use pcl::{SchemaDirectories, SchemaPlaces, program_directories};
use pcl_system::resolved;

/// The size of the largest file whose content is compared. Larger ones count as changed.
const MAX_BYTES: u64 = 1 << 30;

/// The files that hold projects and configurations, for the programs beside and below them.
const DECIDING_FILES: [&str; 3] = ["Pulumi.yaml", "Pulumi.yml", "pcl.toml"];

/// The variables by which git tells its hooks about the repository: they would be wrong for any
/// other one.
const OWN_VARIABLES: [&str; 6] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
];

/// The files that have changed since a commit. Those outside of a repository, and those in one that
/// is nested in another, count as changed.
pub(super) struct Changes {
    revision: String,
    /// The repositories by the directories that were asked about.
    roots: HashMap<PathBuf, PathBuf>,
    /// The repositories by their root.
    repositories: BTreeMap<PathBuf, Repository>,
    /// The directories that made something count as changed because they are not in its repository.
    elsewhere: BTreeSet<PathBuf>,
}

/// The files of a repository, by their paths from its root.
struct Repository {
    /// Mode and hash of each file of the commit.
    committed: BTreeMap<PathBuf, (String, String)>,
    /// The files of the index, and those that are neither in it nor ignored.
    present: BTreeSet<PathBuf>,
    /// The answers so far.
    answers: HashMap<PathBuf, Difference>,
}

/// The difference of a file from that of the commit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Difference {
    None,
    Some,
    /// The commit says nothing about the file: it is not in the repository.
    Unknown,
}

/// The content of a file in a commit.
pub(super) enum Committed {
    /// The commit does not have the file.
    Nothing,
    Text(Vec<u8>),
}

impl Changes {
    /// The changes since the commit that a flag names, which are looked up when they are needed.
    pub fn since(flag: &str, revision: &str) -> Result<Self, Failure> {
        if revision.is_empty() || revision.starts_with('-') {
            return Err(Failure::usage(format!(
                "`{flag}` needs a commit, branch or tag, not `{revision}`"
            )));
        }
        Ok(Self {
            revision: revision.to_owned(),
            roots: HashMap::new(),
            repositories: BTreeMap::new(),
            elsewhere: BTreeSet::new(),
        })
    }

    /// Returns whether a program has changed: its files, those of its components at any depth, its
    /// project file, its configuration, or its schemas.
    pub fn touch_program(
        &mut self,
        program: &Path,
        configuration: &Configuration,
        places: &SchemaPlaces,
    ) -> Result<bool, Failure> {
        let directories = program_directories(program);
        let Some((own, components)) = directories.split_first() else { return Ok(true) };
        let is_program_file = |name: &OsStr| name.as_encoded_bytes().ends_with(b".pp");
        let is_changed = if program.is_dir() {
            self.touch_any_in(own, own, is_program_file)?
        } else {
            self.touch(own, program)?
        };
        if is_changed {
            return Ok(true);
        }
        for component in components {
            if self.touch_any_in(own, component, is_program_file)? {
                return Ok(true);
            }
        }
        let root = self.repository(own)?.0.to_path_buf();
        for place in resolved(own).ancestors() {
            for name in DECIDING_FILES {
                if self.touch(own, &place.join(name))? {
                    return Ok(true);
                }
            }
            if place == root {
                break;
            }
        }
        for file in configuration.files() {
            if self.touch(own, file)? {
                return Ok(true);
            }
        }
        let beside = SchemaDirectories::of(own).places;
        let schemas: Vec<PathBuf> = places.directories.iter().cloned().chain(beside).collect();
        for directory in schemas {
            if self.touch_any_in(own, &directory, |_| true)? {
                return Ok(true);
            }
        }
        for file in &places.files {
            if self.touch(own, &file.path)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether a file has changed.
    pub fn touch_file(&mut self, file: &Path) -> Result<bool, Failure> {
        self.touch(pcl_system::directory_of(file), file)
    }

    /// Returns whether a file directly in `directory`, or one that is no longer there, has changed.
    /// The repository is that of `own`.
    fn touch_any_in(
        &mut self,
        own: &Path,
        directory: &Path,
        is_relevant: impl Fn(&OsStr) -> bool,
    ) -> Result<bool, Failure> {
        let real = resolved(directory);
        let entries = std::fs::read_dir(&real).into_iter().flatten().flatten();
        let mut names: BTreeSet<OsString> = entries.map(|entry| entry.file_name()).collect();
        let (root, repository) = self.repository(own)?;
        if let Ok(relative) = real.strip_prefix(root) {
            // Paths are ordered by their parts, so that what is in a directory follows it.
            let below = repository.committed.range(relative.to_path_buf()..);
            let below = below.map(|(path, _)| path).take_while(|path| path.starts_with(relative));
            let inside = below.filter(|path| path.parent() == Some(relative));
            names.extend(inside.filter_map(|path| path.file_name().map(OsString::from)));
        }
        for name in names.iter().filter(|name| is_relevant(name)) {
            let file = real.join(name);
            if !file.is_dir() && self.touch_named(own, &file, directory)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether a file, or what it leads to if it is a link, has changed. The repository is
    /// that of `own`.
    fn touch(&mut self, own: &Path, file: &Path) -> Result<bool, Failure> {
        self.touch_named(own, file, pcl_system::directory_of(file))
    }

    /// The same for a file in a directory that the user knows by that name.
    fn touch_named(&mut self, own: &Path, file: &Path, directory: &Path) -> Result<bool, Failure> {
        let place = match (file.parent(), file.file_name()) {
            (Some(parent), Some(name)) => resolved(parent).join(name),
            _ => resolved(file),
        };
        let (root, repository) = self.repository(own)?;
        let mut difference = repository.differs(root, &place);
        if let Ok(target) = pcl_system::real_path(&place)
            && target != place
            && difference == Difference::None
        {
            difference = repository.differs(root, &target);
        }
        if difference == Difference::Unknown {
            self.elsewhere.insert(directory.to_path_buf());
        }
        Ok(difference != Difference::None)
    }

    /// The content of a file in the commit.
    pub fn committed(&mut self, file: &Path) -> Result<Committed, Failure> {
        let directory = pcl_system::directory_of(file);
        let place = match file.file_name() {
            Some(name) => resolved(directory).join(name),
            None => return Ok(Committed::Nothing),
        };
        // The content of a link is that of the file it leads to.
        let place = pcl_system::real_path(&place).unwrap_or(place);
        let (root, repository) = self.repository(directory)?;
        let relative = place.strip_prefix(root).ok();
        let Some((_, hash)) = relative.and_then(|relative| repository.committed.get(relative))
        else {
            return Ok(Committed::Nothing);
        };
        let output = git(root, &["cat-file", "blob", hash])?.output().map_err(cannot_start)?;
        if output.status.success() {
            return Ok(Committed::Text(output.stdout));
        }
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(Failure::usage(format!("`git cat-file` failed: {said}")))
    }

    /// Says which directories made something count as changed although nobody knows that it is.
    pub fn explain(&self) {
        for directory in &self.elsewhere {
            complain(&format!(
                "note: what depends on `{}` counts as changed, because that is not in the same \
                 repository",
                directory.display()
            ));
        }
    }

    /// The repository of a directory, with its root.
    fn repository(&mut self, directory: &Path) -> Result<(&Path, &mut Repository), Failure> {
        let root = match self.roots.get(directory) {
            Some(root) => root.clone(),
            None => {
                let root = root_of(directory)?;
                self.roots.insert(directory.to_path_buf(), root.clone());
                root
            }
        };
        if !self.repositories.contains_key(&root) {
            let read = Repository::read(&root, &self.revision)?;
            self.repositories.insert(root.clone(), read);
        }
        let mut found = self.repositories.range_mut::<PathBuf, _>(&root..=&root);
        let found = found.next().map(|(root, found)| (root.as_path(), found));
        found.ok_or_else(|| Failure::usage("the repository cannot be read"))
    }
}

impl Repository {
    fn read(root: &Path, revision: &str) -> Result<Self, Failure> {
        let commit = format!("{revision}^{{commit}}");
        let commit = words(root, &["rev-parse", "--verify", "--quiet", &commit], |_| {
            let shown = root.display();
            format!("the repository `{shown}` has no commit `{revision}`")
        })?;
        let mut committed = BTreeMap::new();
        list(root, &["ls-tree", "-r", "-z", "--full-tree", &commit], |entry| {
            // `MODE TYPE HASH\tPATH`
            let tab = entry.iter().position(|&byte| byte == b'\t')?;
            let (facts, path) = entry.split_at_checked(tab)?;
            let path = path_of(path.get(1..)?)?;
            let mut facts = std::str::from_utf8(facts).ok()?.split(' ');
            let (mode, _, hash) = (facts.next()?, facts.next()?, facts.next()?);
            committed.insert(path, (mode.to_owned(), hash.to_owned()));
            Some(())
        })?;
        let mut present = BTreeSet::new();
        let names = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        list(root, &names, |entry| {
            present.insert(path_of(entry)?);
            Some(())
        })?;
        Ok(Self { committed, present, answers: HashMap::new() })
    }

    /// Compares a file with that of the commit. `place` has no links above the file.
    fn differs(&mut self, root: &Path, place: &Path) -> Difference {
        let elsewhere = || match place.symlink_metadata() {
            Ok(_) => Difference::Unknown,
            Err(_) => Difference::None,
        };
        let Ok(relative) = place.strip_prefix(root) else { return elsewhere() };
        if let Some(answer) = self.answers.get(relative) {
            return *answer;
        }
        let nested = relative.ancestors().skip(1);
        let mut nested = nested.filter(|above| !above.as_os_str().is_empty());
        let is_nested =
            nested.any(|above| root.join(above).join(".git").symlink_metadata().is_ok());
        let answer = match self.committed.get(relative) {
            _ if is_nested => elsewhere(),
            Some((mode, hash)) if is_same(place, mode, hash) => Difference::None,
            Some(_) => Difference::Some,
            None if self.present.contains(relative) && place.symlink_metadata().is_ok() => {
                Difference::Some
            }
            None => Difference::None,
        };
        self.answers.insert(relative.to_path_buf(), answer);
        answer
    }
}

/// Returns whether a file is the one of a commit. The line endings of Windows do not count, since
/// git may have put them there.
fn is_same(place: &Path, mode: &str, hash: &str) -> bool {
    let is_link = place.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    if is_link != (mode == "120000") {
        return false;
    }
    if is_link {
        let target = std::fs::read_link(place).unwrap_or_default();
        return hash_of(target.as_os_str().as_encoded_bytes(), hash.len()) == hash;
    }
    let Ok(content) = pcl_system::read(place, MAX_BYTES) else { return false };
    if hash_of(&content, hash.len()) == hash {
        return true;
    }
    let mut plain = Vec::with_capacity(content.len());
    let mut rest = content.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\r' || rest.peek() != Some(&b'\n') {
            plain.push(byte);
        }
    }
    plain.len() != content.len() && hash_of(&plain, hash.len()) == hash
}

/// The name that git gives a content, by SHA-1 or, where names are longer, by SHA-256.
fn hash_of(content: &[u8], length: usize) -> String {
    let header = format!("blob {}\0", content.len());
    let hex =
        |digest: &[u8]| -> String { digest.iter().map(|byte| format!("{byte:02x}")).collect() };
    if length == 64 {
        hex(&Sha256::new().chain_update(header).chain_update(content).finalize())
    } else {
        hex(&Sha1::new().chain_update(header).chain_update(content).finalize())
    }
}

/// The root of the repository that a directory is in.
fn root_of(directory: &Path) -> Result<PathBuf, Failure> {
    let root = words(directory, &["rev-parse", "--show-toplevel"], |complaint| {
        let shown = directory.display();
        format!("cannot compare with a commit: git says of `{shown}`: {complaint}")
    })?;
    Ok(resolved(Path::new(&root)))
}

/// `git` in a directory, so that it runs nothing, changes nothing and downloads nothing, whatever
/// the configuration of the repository says.
fn git(directory: &Path, arguments: &[&str]) -> Result<Command, Failure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let program = pcl_system::program_on_path(&path, "git").ok_or_else(|| {
        Failure::usage(
            "cannot compare with a commit: there is no git in the absolute directories of PATH",
        )
    })?;
    let mut git = Command::new(program);
    git.arg("--no-pager").arg("-C").arg(directory);
    for setting in ["core.fsmonitor=false", "core.hooksPath=/dev/null"] {
        git.arg("-c").arg(setting);
    }
    git.args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for name in OWN_VARIABLES {
        git.env_remove(name);
    }
    Ok(git)
}

fn cannot_start(error: std::io::Error) -> Failure {
    Failure::usage(format!("cannot compare with a commit: git cannot be started: {error}"))
}

/// The only line that git prints. `complaint` makes a message of what it prints when it fails.
fn words(
    directory: &Path,
    arguments: &[&str],
    complaint: impl Fn(&str) -> String,
) -> Result<String, Failure> {
    let output = git(directory, arguments)?.output().map_err(cannot_start)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::usage(complaint(said.trim())));
    }
    let line = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(line.strip_suffix('\n').unwrap_or(&line).to_owned())
}

/// Passes each entry that git prints to `add`, which returns nothing for one that it cannot read.
fn list(
    root: &Path,
    arguments: &[&str],
    mut add: impl FnMut(&[u8]) -> Option<()>,
) -> Result<(), Failure> {
    let failed = |reason: &str| {
        let command = arguments.first().unwrap_or(&"");
        Failure::usage(format!("`git {command}` failed: {reason}"))
    };
    let mut child = git(root, arguments)?.stderr(Stdio::inherit()).spawn().map_err(cannot_start)?;
    let entries = child.stdout.take().into_iter().flat_map(entries);
    let mut understood = Ok(());
    for entry in entries {
        let entry = entry.map_err(|error| failed(&error.to_string()));
        match entry.map(|entry| add(&entry)) {
            Ok(Some(())) => {}
            Ok(None) => understood = Err(failed("it printed a line of another form")),
            Err(error) => understood = Err(error),
        }
    }
    let status = child.wait().map_err(|error| failed(&error.to_string()))?;
    if status.success() { understood } else { Err(failed(&status.to_string())) }
}

/// The parts of a pipe between zero bytes.
fn entries(pipe: ChildStdout) -> impl Iterator<Item = std::io::Result<Vec<u8>>> {
    BufReader::new(pipe).split(0)
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(PathBuf::from(OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}
