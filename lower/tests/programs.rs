//! Every pass over every program of the corpora: nothing panics, and the results keep the laws of
//! expressions.

mod support;

use std::sync::Arc;

use pcl_binder::{Options, Program, Sources, bind};
use pcl_diagnostics::{Diagnostic, SourceMap};
use pcl_lower::expression::Applies;
use pcl_lower::{SdkOptions, sdk};
use pcl_model::expression::{ExprId, ExprKind, print};
use pcl_schema::Loader;
use pcl_test_support::corpora::Corpus;
use support::{World, outermost};

#[test]
fn our_programs_are_lowered() {
    pcl_test_support::tour::visit(&Corpus::own(), complaint);
}

#[test]
fn shared_programs_are_lowered() {
    if let Some(corpus) = Corpus::shared() {
        pcl_test_support::tour::visit(&corpus, complaint);
    }
}

type Pass = fn(Program) -> Program;

/// One after the other.
const PASSES: &[(&str, Pass)] = &[
    ("bound", |program| program),
    ("property references", pcl_lower::property_references),
    ("invokes", pcl_lower::invokes),
    ("constants", pcl_lower::constants),
    ("deferred outputs", pcl_lower::deferred_outputs),
    ("applies", |program| pcl_lower::applies(program, &Applies::default())),
    ("conversions", |program| pcl_lower::conversions(program)),
    ("optional guards", pcl_lower::optional_guards),
];

/// All passes with the options of an SDK.
const SDKS: &[(&str, Pass)] = &[
    ("any SDK", |program| sdk(program, &SdkOptions::default())),
    ("the SDK of Node.js", |program| sdk(program, &SdkOptions::nodejs())),
    ("the SDK of Python", |program| sdk(program, &SdkOptions::python())),
];

fn complaint(sources: &Sources, mut map: SourceMap, loader: Arc<dyn Loader>) -> Option<String> {
    let bound = bind(sources, &mut map, loader, &Options::default());
    // What became of a mistake is typed as what it was taken for.
    let is_valid = !bound.diagnostics.iter().any(Diagnostic::is_error);
    let mut complaints = Vec::new();
    if is_valid {
        for (name, passes) in SDKS {
            let mut lowered = passes(bound.program.clone());
            let mut found = complaints_about(&mut lowered);
            found.extend(unlike_targets(&lowered));
            complaints.extend(found.into_iter().map(|wrong| format!("{name}: {wrong}")));
        }
    }
    let mut program = bound.program;
    for (name, pass) in PASSES {
        program = pass(program);
        let once = texts(&program);
        if is_valid {
            let found = complaints_about(&mut program);
            complaints.extend(found.into_iter().map(|wrong| format!("{name}: {wrong}")));
        }
        // The second time there is nothing left to do.
        program = pass(program);
        let twice = texts(&program);
        let changed = once.iter().zip(&twice).find(|(once, twice)| once != twice);
        if let Some((once, twice)) = changed {
            complaints.push(format!("{name} again\n  was    {once}\n  became {twice}"));
        }
    }
    (!complaints.is_empty()).then(|| complaints.join("\n"))
}

/// The stretches of the nodes of a program and its components.
fn stretches(program: &Program) -> Vec<std::ops::Range<u32>> {
    let components = program.components.iter().map(|component| &component.module);
    let modules = [&program.module].into_iter().chain(components);
    modules
        .flat_map(|module| {
            let nodes = module.nodes.iter();
            nodes.map(|node| node.expressions.clone())
        })
        .collect()
}

fn texts(program: &Program) -> Vec<String> {
    let mut texts = Vec::new();
    for stretch in stretches(program) {
        for id in outermost(&program.exprs, stretch) {
            texts.push(print(id, &program.exprs, &program.types, &program.scopes));
        }
    }
    texts
}

/// The references that do not have the types of what they refer to.
fn unlike_targets(program: &Program) -> Vec<String> {
    let stretches = stretches(program).into_iter();
    let all = stretches.flat_map(|stretch| program.exprs.range(stretch));
    let is_unlike = |id: ExprId| {
        let ExprKind::Traversal(traversal) = &program.exprs[id].kind else { return false };
        let definition = traversal.definition.map(|it| program.scopes.definition(it));
        definition.is_some_and(|definition| definition.ty != traversal.root_type)
    };
    let wrong = all.map(|(id, _)| id).filter(|&id| is_unlike(id));
    wrong
        .map(|id| {
            let text = print(id, &program.exprs, &program.types, &program.scopes);
            format!("`{text}` has not the type of its target")
        })
        .collect()
}

fn complaints_about(program: &mut Program) -> Vec<String> {
    let mut wrong = Vec::new();
    let policy = program.policy().clone();
    for stretch in stretches(program) {
        for id in outermost(&program.exprs, stretch) {
            let mut world = World {
                types: &mut program.types,
                scopes: &mut program.scopes,
                exprs: &mut program.exprs,
                policy: policy.clone(),
            };
            wrong.extend(world.complaints(id));
        }
    }
    wrong
}
