//! The flags that edit programs: `--fix` and its companions, and `--add-ignore`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::Args;

use super::edited::{Writer, place_of};
use super::inputs::standard_input;
use super::jobs::Job;
use super::output::{Main, Sink, complain, many};
use super::status::{Failure, Status};
use pcl::binder::MAX_FILE_BYTES;
use pcl::diagnostics::{Applicability, Code, Diagnostic, Fix, SourceMap};
use pcl::render::unified_diff;
use pcl::{Checked, FixedFile, Fixes, Target, program_directories};

#[derive(Args)]
#[command(next_help_heading = "Fixes")]
pub(super) struct FixArgs {
    /// Apply the fixes that keep the meaning of a program, and show what remains
    #[arg(long)]
    fix: bool,
    /// Apply the fixes that may change the meaning of a program, too
    #[arg(long)]
    unsafe_fixes: bool,
    /// Apply fixes, and show only how many
    #[arg(long)]
    fix_only: bool,
    /// Write nothing; show what fixes would change, and exit with status 1 if anything would
    #[arg(long)]
    pub(super) diff: bool,
    /// Add a comment `# pcl: ignore[NAME]` for each diagnostic in declarations without syntax
    /// errors, with this reason
    #[arg(
        long,
        value_name = "REASON",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["fix", "fix_only", "unsafe_fixes"]
    )]
    add_ignore: Option<String>,
}

/// The edits of a run.
#[derive(Clone, Copy)]
pub(super) enum Mode<'a> {
    /// None.
    Check,
    /// Those of fixes.
    Fix(Fixes),
    /// Comments that suppress diagnostics, with a reason.
    AddIgnores(Option<&'a str>),
}

/// The edits of a program.
#[derive(Default)]
pub(super) struct Edits {
    files: Vec<FixedFile>,
    fixed: Vec<Code>,
    suppressed: usize,
    revealed: usize,
    is_endless: bool,
}

impl FixArgs {
    pub(super) fn mode(&self) -> Mode<'_> {
        if let Some(reason) = &self.add_ignore {
            let reason = Some(reason.trim()).filter(|reason| !reason.is_empty());
            return Mode::AddIgnores(reason);
        }
        if self.fix || self.fix_only || self.diff { Mode::Fix(self.fixes()) } else { Mode::Check }
    }

    fn fixes(&self) -> Fixes {
        if self.unsafe_fixes { Fixes::Unsafe } else { Fixes::Safe }
    }

    /// Refuses a reason that would end its comment.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let reason = self.add_ignore.as_deref().unwrap_or_default();
        if reason.chars().any(|c| c.is_control() || c == '\u{2028}') {
            Err(Failure::usage("the reason of `--add-ignore` must be one line"))
        } else {
            Ok(())
        }
    }

    /// The destination of diagnostics.
    pub(super) fn destination(&self, paths: &[impl AsRef<Path>]) -> Main {
        let has_input = paths.iter().any(|path| path.as_ref() == Path::new("-"));
        match self.mode() {
            Mode::Check => Main::Stdout,
            _ if self.diff || self.fix_only => Main::Nowhere,
            _ if has_input => Main::Stderr,
            _ => Main::Stdout,
        }
    }
}

impl Mode<'_> {
    /// Returns true if nothing is edited, so that programs can be checked at the same time: edits
    /// of one may be those of another, too.
    pub(super) fn is_parallel(self) -> bool {
        matches!(self, Self::Check)
    }

    /// Checks a program after its edits. `is_shown` chooses the diagnostics that lead to edits.
    pub(super) fn check(
        self,
        job: &Job<'_>,
        is_shown: impl Fn(&SourceMap, &Diagnostic) -> bool,
    ) -> (Checked, Edits) {
        let (workspace, target) = (job.workspace, job.target);
        match self {
            Self::Check => (workspace.check(target), Edits::default()),
            Self::Fix(fixes) => {
                let fixed = workspace.fix(target, fixes, is_shown);
                let edits = Edits {
                    files: fixed.files,
                    fixed: fixed.fixed,
                    revealed: fixed.revealed,
                    is_endless: fixed.is_endless,
                    suppressed: 0,
                };
                (fixed.checked, edits)
            }
            Self::AddIgnores(reason) => {
                let ignored = workspace.add_ignores(target, reason, is_shown);
                let edits = Edits {
                    files: ignored.files,
                    suppressed: ignored.suppressed,
                    ..Edits::default()
                };
                (ignored.checked, edits)
            }
        }
    }
}

/// Sorts programs so that components come before the programs that use them, which are then checked
/// with the edits of the components.
pub(super) fn components_first(targets: &mut Vec<Target>) {
    let identity =
        |target: &Target| target.place().and_then(|place| pcl_system::real_path(place).ok());
    let positions = targets.iter().enumerate();
    let positions = positions.filter_map(|(at, target)| Some((identity(target)?, at)));
    let positions: BTreeMap<PathBuf, usize> = positions.collect();
    // The directories of components at any depth are listed, so one look at each program suffices.
    let uses = targets.iter().map(|target| {
        let directories = target.place().map(program_directories).unwrap_or_default();
        let components = directories.iter().skip(1);
        let components =
            components.filter_map(|it| positions.get(&pcl_system::real_path(it).ok()?));
        components.copied().collect()
    });
    let uses: Vec<BTreeSet<usize>> = uses.collect();
    let mut rest: Vec<Option<Target>> = targets.drain(..).map(Some).collect();
    // Components that use each other come in the order of the PATHs.
    let mut order: Vec<usize> = (0..uses.len()).collect();
    order.sort_by_key(|&at| uses.get(at).map_or(0, BTreeSet::len));
    targets.extend(order.into_iter().filter_map(|at| rest.get_mut(at)?.take()));
}

/// The edits of a run so far.
pub(super) struct Editor<'a> {
    arguments: &'a FixArgs,
    /// `None` if nothing is edited.
    writer: Option<Writer>,
    stdout: Option<Sink>,
    files: usize,
    fixed: BTreeMap<Code, usize>,
    suppressed: usize,
    revealed: usize,
    failed: bool,
    /// The diagnostics that remain and have a safe fix, and those that have an unsafe one only.
    fixable: [usize; 2],
}

impl<'a> Editor<'a> {
    pub(super) fn new(arguments: &'a FixArgs) -> Result<Self, Failure> {
        let is_editing = !arguments.mode().is_parallel();
        Ok(Self {
            arguments,
            writer: is_editing.then(Writer::new).transpose()?,
            stdout: is_editing.then(Sink::stdout),
            files: 0,
            fixed: BTreeMap::new(),
            suppressed: 0,
            revealed: 0,
            failed: false,
            fixable: [0; 2],
        })
    }

    /// Prints the program on standard input as it is, if it would be printed after edits.
    pub(super) fn repeat_input(&mut self) -> Result<(), Failure> {
        match &mut self.stdout {
            Some(stdout) if !self.arguments.diff => stdout.write(&standard_input(MAX_FILE_BYTES)?),
            _ => Ok(()),
        }
    }

    /// Counts the fixes that remain.
    pub(super) fn count(&mut self, fixable: [usize; 2]) {
        let [safe, other] = &mut self.fixable;
        (*safe, *other) = (*safe + fixable[0], *other + fixable[1]);
    }

    /// Writes or shows the edits of a program. Returns false if a file could not be written, after
    /// an explanation on standard error.
    pub(super) fn apply(&mut self, target: &Target, edits: &Edits) -> Result<bool, Failure> {
        let Some(writer) = &self.writer else { return Ok(true) };
        let mut is_complete = true;
        if edits.is_endless {
            complain(&format!(
                "error: the fixes of `{}` lead to each other without an end, so none is applied; \
                 please report this with the program",
                target.display()
            ));
            self.failed = true;
        }
        let mut stdout = self.stdout.take();
        let mut is_written = false;
        for file in &edits.files {
            let place = place_of(target, file);
            match (&place, &mut stdout) {
                _ if self.arguments.diff => {
                    if let Some(stdout) = &mut stdout {
                        let difference = unified_diff(&file.path, &file.old, &file.new);
                        stdout.write(difference.as_bytes())?;
                    }
                }
                (Some(place), _) if !writer.write(target, place, &file.old, &file.new) => {
                    is_complete = false;
                    continue;
                }
                _ => is_written = true,
            }
            self.files += 1;
        }
        self.stdout = stdout;
        self.failed |= !is_complete;
        self.print_input(target, edits)?;
        if is_written || self.arguments.diff {
            for &code in &edits.fixed {
                *self.fixed.entry(code).or_default() += 1;
            }
            self.suppressed += edits.suppressed;
            self.revealed += edits.revealed;
        }
        Ok(is_complete)
    }

    /// Prints the program on standard input as it is after the edits.
    fn print_input(&mut self, target: &Target, edits: &Edits) -> Result<(), Failure> {
        let (Target::Memory { files, .. }, Some(stdout)) = (target, &mut self.stdout) else {
            return Ok(());
        };
        if self.arguments.diff {
            return Ok(());
        }
        // The first file is the one on standard input; the others lie beside it on disk.
        let Some((name, bytes)) = files.first() else { return Ok(()) };
        let edited = edits.files.iter().find(|file| file.path == *name);
        stdout.write(edited.map_or(bytes.as_slice(), |file| file.new.as_bytes()))
    }

    /// Ends the output, and returns the lines of the summary about edits.
    pub(super) fn finish(&mut self) -> Result<Vec<String>, Failure> {
        if let Some(stdout) = self.stdout.take() {
            stdout.finish()?;
        }
        let mut lines = Vec::new();
        let count: usize = self.fixed.values().sum();
        let files = many(self.files, "file");
        let would = if self.arguments.diff { "would be " } else { "" };
        if count > 0 {
            let codes = self.fixed.iter();
            let codes: Vec<String> =
                codes.map(|(code, count)| format!("{count} × {}", code.name())).collect();
            let diagnostics = many(count, "diagnostic");
            lines.push(format!("{diagnostics} {would}fixed in {files}: {}", codes.join(", ")));
        } else if matches!(self.arguments.mode(), Mode::Fix(_)) {
            lines.push(format!("nothing {would}fixed"));
        }
        if self.revealed > 0 {
            let diagnostics = many(self.revealed, "diagnostic");
            let verb = if self.revealed == 1 { "was" } else { "were" };
            lines.push(format!("{diagnostics} {verb} hidden before"));
        }
        if matches!(self.arguments.mode(), Mode::AddIgnores(_)) {
            let diagnostics = many(self.suppressed, "diagnostic");
            lines.push(format!("{diagnostics} {would}suppressed in {files}"));
        }
        lines.extend(self.hint());
        Ok(lines)
    }

    /// The flags that would fix more.
    fn hint(&self) -> Option<String> {
        let [safe, unsafe_] = self.fixable;
        let is_fixing = matches!(self.arguments.mode(), Mode::Fix(_));
        let takes_unsafe = self.arguments.unsafe_fixes;
        let now = safe + if takes_unsafe { unsafe_ } else { 0 };
        match (is_fixing, now, unsafe_) {
            (true, 1.., _) => Some(format!(
                "{} left out, which would not leave fewer syntax errors",
                if now == 1 { "1 fix was".to_owned() } else { format!("{now} fixes were") }
            )),
            (false, 1.., _) if !takes_unsafe && unsafe_ > 0 => Some(format!(
                "{now} can be fixed by `--fix`, and {unsafe_} more with `--unsafe-fixes`"
            )),
            (false, 1.., _) => Some(format!("{now} can be fixed by `--fix`")),
            (_, _, 1..) if !takes_unsafe => Some(format!(
                "{unsafe_} can be fixed by `--fix --unsafe-fixes`, which may change the meaning"
            )),
            _ => None,
        }
    }

    /// The exit status instead of that of the diagnostics, if there is one.
    pub(super) fn status(&self) -> Option<Status> {
        if self.failed {
            return Some(Status::Failed);
        }
        if self.arguments.diff {
            return Some(Status::of(true, self.files > 0));
        }
        self.arguments.fix_only.then_some(Status::Clean)
    }
}

/// The number of diagnostics with a safe fix, and of those with an unsafe one only. Fixes of the
/// program's own files count; those of components are applied to the components.
pub(super) fn fixable(checked: &Checked) -> [usize; 2] {
    let own = &checked.program.module.files;
    let best = |diagnostic: &Diagnostic| {
        let is_own = |fix: &&Fix| fix.edits.iter().all(|edit| own.contains(&edit.span.file));
        let fixes = diagnostic.fixes.iter().filter(is_own);
        fixes.map(|fix| fix.applicability).max()
    };
    let of = |applicability| {
        let mut diagnostics = checked.diagnostics.iter().map(best);
        diagnostics.by_ref().filter(|it| *it == Some(applicability)).count()
    };
    [of(Applicability::Safe), of(Applicability::Unsafe)]
}
