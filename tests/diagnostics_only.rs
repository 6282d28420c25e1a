//! The option `diagnostics_only`: bodies of nodes are dropped while a program is being bound, and
//! the diagnostics are the same.

use std::fmt::Write as _;

use pcl::binder::{Lints, NodeBody, Options};
use pcl::diagnostics::Code;
use pcl::{Checked, Settings, Target, Workspace};
use pcl_test_support::corpora::Corpus;
use pcl_test_support::root;

/// All lints but those that visit a whole program at once: these keep the bodies.
fn lints() -> Lints {
    let mut lints = Lints::all();
    lints.set(Code::Naming, false);
    lints.set(Code::UnpinnedVersion, false);
    lints
}

/// A target with all bodies kept, and with bodies dropped.
fn both(target: &Target, schemas: &[std::path::PathBuf], lints: &Lints) -> [Checked; 2] {
    [false, true].map(|diagnostics_only| {
        let mut settings = Settings::default();
        settings.schemas.directories = schemas.to_vec();
        settings.options = Options { diagnostics_only, lints: lints.clone(), ..Options::default() };
        Workspace::new(settings).check(target)
    })
}

#[track_caller]
fn assert_same_diagnostics(target: &Target, [kept, dropped]: &[Checked; 2]) {
    let [kept, dropped] = [kept, dropped].map(|checked| &checked.diagnostics);
    assert_eq!(kept, dropped, "{}", target.display());
}

#[test]
fn the_diagnostics_of_the_corpus_are_the_same() {
    let corpus = Corpus::own();
    for lints in [lints(), Lints::all()] {
        for program in &corpus.programs {
            let target = Target::Path(program.clone());
            let checked = both(&target, &corpus.schemas, &lints);
            assert_same_diagnostics(&target, &checked);
        }
    }
}

/// Such a program has no result, however it is bound.
#[test]
fn a_program_that_takes_too_many_steps_is_bound_once() {
    let text = "\
tens  = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
one   = [for a in tens : [for b in tens : [for c in tens : [for d in tens : [for e in tens : a]]]]]
two   = [for a in one : [for b in a : [for c in b : [for d in c : [for e in d : e + 1]]]]]
three = [for a in two : [for b in a : [for c in b : [for d in c : [for e in d : e - 1]]]]]
late  = 1 / three[0][0][0][0][0]
";
    let target = Target::text("main.pp", text);
    let checked = both(&target, &[], &Lints::default());
    assert_same_diagnostics(&target, &checked);
    let [kept, dropped] = checked;
    assert_eq!(kept.diagnostics, []);
    assert!(dropped.program.exprs.is_empty());
}

/// More nodes than are bound before bodies are dropped, with references in both directions and a
/// mistake for every lint that visits nodes.
#[test]
fn the_diagnostics_of_a_long_program_are_the_same() {
    let mut text = String::new();
    for i in 0..1200 {
        let (far, next) = ((i + 700) % 1200, (i + 1) % 1200);
        let _ = write!(
            text,
            r#"
resource "net{i}" "harbor:network:Network" {{
  cidr = i{next}
  options {{
    dependsOn = [box{i}, box{far}]
    parent    = "box{far}"
  }}
}}
resource "box{i}" "harbor:storage:Bucket" {{
  labels = {{ a = "${{i{far}}}" }}
}}
resource "object{i}" "harbor:storage:Object" {{
  bucket = box{far}
  source = stringAsset(box{i}.id)
  options {{
    dependsOn = [box{i}, box{far}]
  }}
}}
i{i}     = "10.0.0.{i}"
loop{i}  = [for box{far} in ["a"] : box{far}]
which{i} = 1 > 2 ? i{i} : i{far}
output "shown{i}" {{
  value = unsecret(box{far}.id)
}}
bad{i}   = box{far}.nothing
"#
        );
    }
    text.push_str("resource \"old\" \"harbor:legacy:Mainframe\" {}\n");
    let target = Target::text("main.pp", text);
    let schemas = [root().join("corpus/schemas")];
    let checked = both(&target, &schemas, &lints());
    assert_same_diagnostics(&target, &checked);

    let [kept, dropped] = checked;
    for code in [
        Code::ShadowedName,
        Code::ImpliedDependency,
        Code::TextForResource,
        Code::ConstantCondition,
        Code::ExposedSecret,
        Code::Deprecated,
        Code::RedundantInterpolation,
        Code::UnusedLocal,
        Code::UnknownProperty,
    ] {
        let mut codes = kept.diagnostics.iter().map(|it| it.code);
        assert!(codes.any(|it| it == code), "{code:?}");
    }
    let is_empty = |node: &pcl::binder::Node| matches!(node.body, NodeBody::Empty);
    assert!(!kept.program.nodes().iter().any(is_empty));
    assert!(dropped.program.nodes().iter().all(is_empty));
    assert!(dropped.program.exprs.is_empty());
}
