//! Code actions: fixes, suppressions, refactorings, and everything that can be fixed at once.

use lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionParams, CodeActionResponse,
    CodeActionTriggerKind, Command,
};
use pcl::Fixes;
use pcl::diagnostics::{Applicability, Code, Diagnostic, Fix, SourceMap, Span};
use pcl::schema::NotFound;
use pcl_ide::{Analysis, NewFile, Quickfix, RefactoringKind, quick_fixes, refactorings};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::commands::{ADD_SCHEMA, EXPLAIN};
use crate::edits::{self, FileEdits};
use crate::message::{Answer, Failure};
use crate::programs::Programs;
use crate::server::{Server, Snapshot};

/// The action that applies every fix that keeps the meaning of the program.
pub const FIX_ALL: &str = "source.fixAll.pcl";

/// The kinds of actions.
pub fn kinds() -> Vec<CodeActionKind> {
    vec![
        CodeActionKind::QuickFix,
        CodeActionKind::RefactorExtract,
        CodeActionKind::RefactorInline,
        CodeActionKind::RefactorMove,
        CodeActionKind::RefactorRewrite,
        CodeActionKind::from(FIX_ALL.to_owned()),
    ]
}

/// An action whose edits are found when it is chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct FixAll {
    /// The document.
    uri: String,
    /// The name of the one code whose diagnostics are fixed.
    code: Option<String>,
    /// Set if fixes that may change the meaning count.
    is_unsafe: bool,
}

/// The actions for a part of a document.
pub fn of_range(server: &mut Server, params: CodeActionParams) -> Option<Vec<CodeActionResponse>> {
    let uri = params.text_document.uri.0;
    let wanted = Wanted::new(params.context);
    let adds_schemas = server.add_schema.is_some();
    let creates_files = server.features.creates_files && server.features.document_changes;
    let (snapshot, part) = server.part(&uri, params.range)?;
    let mut found: Vec<(CodeAction, FileEdits)> = Vec::new();
    let mut creating: Vec<(CodeAction, Vec<NewFile>, FileEdits)> = Vec::new();
    let mut later: Vec<(CodeAction, FixAll)> = Vec::new();
    if wanted.has(&CodeActionKind::QuickFix) {
        let fixes = quick_fixes(snapshot.analysis, part);
        found.extend(fixes.iter().filter_map(|fix| quick(&snapshot, fix)));
        later.extend(all_of_a_code(snapshot.analysis, &fixes, &uri));
        if adds_schemas {
            found.extend(missing_schemas(&snapshot, part, &uri));
        }
        found.extend(explanations(&snapshot, part));
    }
    if wanted.is_invoked {
        for refactoring in refactorings(snapshot.analysis, part) {
            let kind = match refactoring.kind {
                RefactoringKind::Extract => CodeActionKind::RefactorExtract,
                RefactoringKind::Inline => CodeActionKind::RefactorInline,
                RefactoringKind::Rewrite => CodeActionKind::RefactorRewrite,
                RefactoringKind::Move => CodeActionKind::RefactorMove,
            };
            let edits = edits::of_program(snapshot.places(), &refactoring.edits);
            if !wanted.has(&kind) || !refactoring.created.is_empty() && !creates_files {
                continue;
            }
            let action = action(&refactoring.title, kind);
            if refactoring.created.is_empty() {
                found.push((action, edits));
            } else {
                creating.push((action, refactoring.created, edits));
            }
        }
    }
    let all = CodeActionKind::from(FIX_ALL.to_owned());
    let own = snapshot.analysis.checked.diagnostics.iter();
    let mut own = own.filter(|diagnostic| diagnostic.primary.file == part.file);
    if wanted.has(&all) && own.any(|diagnostic| fix_of(diagnostic, Fixes::Safe).is_some()) {
        let data = FixAll { uri, code: None, is_unsafe: false };
        later.push((action("apply all safe fixes in this file", all), data));
    }
    let mut actions = Vec::new();
    for (mut action, edits) in found {
        action.edit = (!edits.is_empty()).then(|| server.workspace_edit(edits));
        actions.push(action.into());
    }
    for (mut action, created, edits) in creating {
        action.edit = Some(server.workspace_edit_creating(created, edits));
        actions.push(action.into());
    }
    for (mut action, data) in later {
        if server.features.resolves_edits {
            action.data = serde_json::to_value(&data).ok();
        } else {
            action.edit = server.fix_all(&data);
        }
        if action.data.is_some() || action.edit.is_some() {
            actions.push(action.into());
        }
    }
    Some(actions)
}

/// The action of a fix.
fn quick(snapshot: &Snapshot<'_>, fix: &Quickfix) -> Option<(CodeAction, FileEdits)> {
    let diagnostic = snapshot.analysis.checked.diagnostics.get(fix.diagnostic)?;
    let action = CodeAction {
        diagnostics: Some(vec![snapshot.diagnostic(diagnostic)]),
        is_preferred: fix.is_preferred.then_some(true),
        ..action(&fix.title, CodeActionKind::QuickFix)
    };
    let edits = edits::of_program(snapshot.places(), &fix.edits);
    Some((action, edits))
}

/// Finds the edits of an action that was chosen.
pub fn resolve(server: &mut Server, mut action: CodeAction) -> Answer<CodeAction> {
    if let Some(data) = &action.data {
        let data: FixAll = serde_json::from_value(data.clone())
            .map_err(|error| Failure::invalid(error.to_string()))?;
        action.edit = server.fix_all(&data);
    }
    Ok(action)
}

/// The kinds of actions that a request is about.
struct Wanted {
    only: Option<Vec<String>>,
    /// Set if the user asked, not the editor by itself when the cursor moved.
    is_invoked: bool,
}

impl Wanted {
    fn new(context: CodeActionContext) -> Self {
        let only = context.only.filter(|only| !only.is_empty());
        let is_automatic = context.trigger_kind == Some(CodeActionTriggerKind::Automatic);
        Self {
            is_invoked: !is_automatic || only.is_some(),
            only: only.map(|only| only.into_iter().map(String::from).collect()),
        }
    }

    /// Returns true if a kind, or one that it is part of, is wanted.
    fn has(&self, kind: &CodeActionKind) -> bool {
        let kind = String::from(kind.clone());
        let includes = |wanted: &String| {
            let rest = kind.strip_prefix(&**wanted);
            rest.is_some_and(|rest| wanted.is_empty() || rest.is_empty() || rest.starts_with('.'))
        };
        match &self.only {
            Some(only) => only.iter().any(includes),
            // Actions about the whole source are for those who ask for them.
            None => !kind.starts_with("source"),
        }
    }
}

fn action(title: &str, kind: CodeActionKind) -> CodeAction {
    CodeAction { title: title.to_owned(), kind: Some(kind), ..CodeAction::default() }
}

/// For each code of the fixes, the action that fixes all of its diagnostics, if there are several.
fn all_of_a_code(analysis: &Analysis, fixes: &[Quickfix], uri: &str) -> Vec<(CodeAction, FixAll)> {
    let all = &analysis.checked.diagnostics;
    let mut actions: Vec<(CodeAction, FixAll)> = Vec::new();
    for fix in fixes {
        let Some(diagnostic) = all.get(fix.diagnostic) else { continue };
        let name = diagnostic.code.name();
        let is_known = |(_, data): &(_, FixAll)| data.code.as_deref() == Some(name);
        let Some(applied) = fix_of(diagnostic, Fixes::Unsafe) else { continue };
        if actions.iter().any(is_known) {
            continue;
        }
        let is_unsafe = applied.applicability < Applicability::Safe;
        let fixes = if is_unsafe { Fixes::Unsafe } else { Fixes::Safe };
        let same = all.iter().filter(|other| {
            other.code == diagnostic.code
                && other.primary.file == diagnostic.primary.file
                && fix_of(other, fixes).is_some()
        });
        if same.count() > 1 {
            let data = FixAll { uri: uri.to_owned(), code: Some(name.to_owned()), is_unsafe };
            let title = format!("fix all `{name}` in this file");
            actions.push((action(&title, CodeActionKind::QuickFix), data));
        }
    }
    actions
}

/// The fix of a diagnostic that is applied with others.
fn fix_of(diagnostic: &Diagnostic, fixes: Fixes) -> Option<&Fix> {
    let least = match fixes {
        Fixes::Safe => Applicability::Safe,
        Fixes::Unsafe => Applicability::Unsafe,
    };
    let mut all = diagnostic.fixes.iter();
    all.find(|fix| fix.applicability >= least)
}

/// For each package without a schema in a part of a file, the action that gets it.
fn missing_schemas(snapshot: &Snapshot<'_>, part: Span, uri: &str) -> Vec<(CodeAction, FileEdits)> {
    let all = snapshot.analysis.checked.diagnostics.iter();
    let touching = all.filter(|diagnostic| {
        diagnostic.primary.file == part.file && diagnostic.primary.range.touches(part.range)
    });
    let missing = touching.filter_map(|diagnostic| {
        let package = NotFound::advised(diagnostic.help.as_deref()?)?;
        Some((diagnostic, package))
    });
    let action = |(diagnostic, package): (&Diagnostic, &str)| {
        let title = format!("get the schema of `{package}`");
        let argument = json!({ "uri": uri, "package": package });
        (with_command(snapshot, diagnostic, &title, ADD_SCHEMA, argument), FileEdits::new())
    };
    missing.map(action).collect()
}

/// An action about a diagnostic that is a command of the server.
fn with_command(
    snapshot: &Snapshot<'_>,
    diagnostic: &Diagnostic,
    title: &str,
    command: &str,
    argument: Value,
) -> CodeAction {
    let command = Command {
        title: title.to_owned(),
        tooltip: None,
        command: command.to_owned(),
        arguments: Some(vec![argument]),
    };
    CodeAction {
        diagnostics: Some(vec![snapshot.diagnostic(diagnostic)]),
        command: Some(command),
        ..action(title, CodeActionKind::QuickFix)
    }
}

/// For each code of the diagnostics in a part of a file, the action that explains it.
fn explanations(snapshot: &Snapshot<'_>, part: Span) -> Vec<(CodeAction, FileEdits)> {
    let mut codes: Vec<Code> = Vec::new();
    let mut actions = Vec::new();
    for diagnostic in &snapshot.analysis.checked.diagnostics {
        let Span { file, range } = diagnostic.primary;
        let touches = range.start() <= part.range.end() && part.range.start() <= range.end();
        if file != part.file || !touches || codes.contains(&diagnostic.code) {
            continue;
        }
        codes.push(diagnostic.code);
        let id = diagnostic.code.id();
        let title = format!("explain {id} `{}`", diagnostic.code.name());
        let action = with_command(snapshot, diagnostic, &title, EXPLAIN, json!({ "code": id }));
        actions.push((action, FileEdits::new()));
    }
    actions
}

impl Server<'_> {
    /// The edits of all fixes of a document, which may touch other files of its program.
    fn fix_all(&mut self, data: &FixAll) -> Option<lsp_types::WorkspaceEdit> {
        let (name, path) = self.program_of(&data.uri)?;
        let target = Programs::target(&name, &self.documents);
        if !self.programs.is_configured(&name) {
            return None;
        }
        let workspace = self.programs.workspace(&name);
        let fixes = if data.is_unsafe { Fixes::Unsafe } else { Fixes::Safe };
        let code = data.code.as_deref();
        let is_wanted = |sources: &SourceMap, diagnostic: &Diagnostic| {
            sources.path(diagnostic.primary.file) == path
                && code.is_none_or(|code| code == diagnostic.code.name())
        };
        let open = self.documents.files();
        let fixed = workspace.fix_open(&target, open, fixes, is_wanted);
        let encoding = self.features.encoding;
        let files = fixed.files.into_iter().map(|file| {
            let edits = edits::between(&file.old, &file.new, encoding);
            (file.path, edits)
        });
        let files: FileEdits = files.collect();
        (!files.is_empty()).then(|| self.workspace_edit(files))
    }
}
