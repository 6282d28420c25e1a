//! The words above blocks about what a deployment would do to their resources.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use pcl::diagnostics::Span;
use pcl::plan::{DecidedBy, Op, Options, Planned, Step};
use pcl::preview::{LocalComponents, RunOptions, project_name};
use pcl::project_of;
use pcl::render::Format;
use pcl::state::{CheckedState, Keys};
use pcl::values::Urn;
use pcl_ide::Analysis;

use crate::documents::Documents;
use crate::programs::{Name, Programs};

/// The most components inside of each other whose steps count for the outermost block.
const DEPTH: usize = 64;

/// The words about each block of a program that would change, by its name.
pub type Words = HashMap<String, String>;

/// The plans of programs for the state that the user has set.
#[derive(Default)]
pub struct Plans {
    /// The file of the state; without it, nothing is planned.
    file: Option<PathBuf>,
    /// The state, with the time at which its file was written.
    state: Option<(Option<SystemTime>, CheckedState)>,
    /// The words about each program as it was saved last.
    words: BTreeMap<Name, Arc<Words>>,
}

impl Plans {
    /// The plans for the state in a file.
    pub fn new(file: Option<PathBuf>) -> Self {
        Self { file, ..Self::default() }
    }

    /// Returns true if there is a state to plan for.
    pub fn are_wanted(&self) -> bool {
        self.file.is_some()
    }

    /// Forgets the plans, as after files were saved.
    pub fn forget(&mut self) {
        self.words.clear();
    }

    /// The words about the blocks of a program.
    pub fn words(&self, program: &str) -> Arc<Words> {
        self.words.get(program).cloned().unwrap_or_default()
    }

    /// The time at which the file of the state was written.
    fn written(&self) -> Option<SystemTime> {
        self.file.as_deref()?.metadata().ok()?.modified().ok()
    }

    /// Reads the state if its file has changed. Returns the text for the user about one that is not
    /// valid.
    pub fn read(&mut self) -> Option<String> {
        let file = self.file.as_deref()?;
        let written = self.written();
        if self.state.as_ref().is_some_and(|(known, _)| *known == written) {
            return None;
        }
        self.words.clear();
        let (_, checked) = self.state.insert((written, CheckedState::of_file(file)));
        let text = || {
            let text = Format::Concise.render(&checked.report, false);
            format!("nothing is planned: {}", String::from_utf8_lossy(&text).trim_end())
        };
        (!checked.is_valid()).then(text)
    }

    /// Plans a program, if that has not been done, and the state is one of its project.
    ///
    /// # Errors
    /// Returns the reason for the user if the configuration of the stack cannot be read.
    pub fn make(
        &mut self,
        name: &str,
        programs: &mut Programs<'_>,
        documents: &Documents,
    ) -> Result<(), String> {
        let Some((_, state)) = &self.state else { return Ok(()) };
        if self.words.contains_key(name) {
            return Ok(());
        }
        let planned = plan(name, state, programs, documents);
        let words = match &planned {
            Ok(Some(planned)) => words(programs.get(name, documents), planned),
            _ => Words::default(),
        };
        self.words.insert(name.to_owned(), Arc::new(words));
        planned.map(drop)
    }
}

/// The plan of a program for a state; `None` if the program has errors, or the state is that of
/// another project.
fn plan(
    name: &str,
    state: &CheckedState,
    programs: &mut Programs<'_>,
    documents: &Documents,
) -> Result<Option<Planned>, String> {
    let mut resources =
        state.state.iter().filter(|_| state.is_valid()).flat_map(|it| it.resources());
    let Some(urn) = resources.next().map(|resource| Urn::from(&*resource.urn())) else {
        return Ok(None);
    };
    let target = Programs::target(name, documents);
    let Some(directory) = target.place().map(Path::to_path_buf) else { return Ok(None) };
    let root = project_of(&directory).unwrap_or_else(|| directory.clone());
    let is_of_project =
        urn.project().is_some_and(|it| project_name(&root).is_ok_and(|own| own == it));
    if !is_of_project || !programs.is_configured(name) {
        return Ok(None);
    }
    let mut options = RunOptions::default();
    options.stack = urn.stack().unwrap_or_default().to_owned();
    options.limits = programs.discovery.of(&directory).limits();
    // An editor shows what is certain, whatever else is missing.
    options.unknown_config = true;
    options.without_passphrase = true;
    let workspace = programs.workspace(name);
    let checked = programs.get(name, documents).checked.clone();
    let components = LocalComponents::of(&checked, &workspace, &directory, Some(&root));
    let program = options.on_disk(checked, &directory, &root)?.with_components(components);
    Ok(Some(program.plan(state, &Keys::default(), Options::default())))
}

/// The words about the blocks of a program.
fn words(analysis: &Analysis, planned: &Planned) -> Words {
    let nodes = analysis.checked.program.nodes().iter();
    let names: HashMap<Span, &str> =
        nodes.map(|node| (node.span(), analysis.text(node.name_span()))).collect();
    let steps = &planned.plan.steps;
    let by_urn: HashMap<&Urn, &Step> = steps.iter().map(|step| (&step.urn, step)).collect();
    let mut blocks: HashMap<&str, Changes> = HashMap::new();
    for step in steps {
        let is_change =
            matches!(step.op, Op::Create | Op::Update | Op::Replace | Op::Delete | Op::Import);
        if is_change && let Some(name) = block_of(step, &names, &by_urn) {
            blocks.entry(name).or_default().add(step);
        }
    }
    blocks.into_iter().map(|(name, changes)| (name.to_owned(), changes.word())).collect()
}

/// The name of the block that a step belongs to. What is inside a component belongs to its block.
fn block_of<'n>(
    step: &Step,
    names: &HashMap<Span, &'n str>,
    by_urn: &HashMap<&Urn, &Step>,
) -> Option<&'n str> {
    let mut step = step;
    for _ in 0..DEPTH {
        if let Some(name) = step.source.and_then(|source| names.get(&source).copied()) {
            return Some(name);
        }
        step = by_urn.get(step.parent.as_ref()?)?;
    }
    None
}

/// The steps that a deployment would take for the resources of a block.
#[derive(Default)]
struct Changes {
    counts: BTreeMap<Op, usize>,
    provider_decides: bool,
}

impl Changes {
    fn add(&mut self, step: &Step) {
        *self.counts.entry(step.op).or_default() += 1;
        self.provider_decides |= step.decided_by == DecidedBy::Provider;
    }

    /// The words for people, such as `would replace` and `would create 2, update 1`.
    fn word(&self) -> String {
        let is_one = self.counts.values().sum::<usize>() == 1;
        let count = |(op, count): (&Op, &usize)| {
            if is_one { op.name().to_owned() } else { format!("{} {count}", op.name()) }
        };
        let counts: Vec<String> = self.counts.iter().map(count).collect();
        let decides = if self.provider_decides { " (the provider decides)" } else { "" };
        format!("would {}{decides}", counts.join(", "))
    }
}
