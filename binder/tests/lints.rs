//! What works and is hardly meant: each check alone, and what it passes over.

mod support;

use pcl_binder::{Lints, Options};
use pcl_diagnostics::{Code, Origin};
use support::check_with;

/// The findings when only the check of that code is made.
fn lint(code: Code, text: &str) -> Vec<String> {
    let mut lints = Lints::none();
    lints.set(code, true);
    let options = Options {
        lints,
        ..Options::default()
    };
    let checked = check_with(text, &options);
    assert!(
        checked
            .diagnostics
            .iter()
            .all(|finding| finding.code != code || finding.origin == Origin::Ours)
    );
    checked.findings()
}

#[test]
fn only_what_is_hardly_right_is_told_without_being_asked() {
    let on: Vec<Code> = Lints::codes()
        .filter(|&code| Lints::default().contains(code))
        .collect();
    assert_eq!(on, [Code::Deprecated, Code::TextForResource]);
    assert!(Lints::codes().all(|code| Lints::all().contains(code)));
    assert!(Lints::codes().all(|code| code.id().starts_with("PCL07")));
}

#[test]
fn locals_and_configs_that_nothing_uses() {
    let text = "a = 1\nb = a\n_c = 2\nconfig d {}\nconfig e {}\noutput o { value = e }\n";
    assert_eq!(
        lint(Code::UnusedLocal, text),
        ["warning unused-local main.pp:2:1"]
    );
    assert_eq!(
        lint(Code::UnusedConfig, text),
        ["warning unused-config main.pp:4:8"]
    );
    // Where a file cannot be read, what seems unused may be used.
    let broken = lint(Code::UnusedLocal, "a = 1\noutput o { value = a +\n");
    assert!(
        broken.iter().all(|finding| !finding.contains("unused")),
        "{broken:?}"
    );
}

#[test]
fn what_a_package_advises_against() {
    let check = |text| lint(Code::Deprecated, text);
    assert_eq!(
        check("resource a \"toy:index:Crate\" {}\n"),
        ["warning deprecated main.pp:1:10"]
    );
    assert_eq!(
        check(
            "resource a \"toy:index:Box\" {\n  oldName = \"x\"\n  options {\n    range = 2\n  }\n}\nx = a[0].oldName\ny = a[0].name\n"
        ),
        [
            "warning deprecated main.pp:2:3",
            "warning deprecated main.pp:7:9"
        ]
    );
    // However the program came by the resource: under another name, as an element, in a loop, as an output of another one.
    assert_eq!(
        check(
            "resource a \"toy:index:Box\" {\n  options {\n    range = 2\n  }\n}\nb = a[0]\nc = b.oldName\nd = element(a, 0).oldName\ne = [for each in a : each.oldName]\nf = a[*].oldName\n"
        ),
        [
            "warning deprecated main.pp:7:6",
            "warning deprecated main.pp:8:18",
            "warning deprecated main.pp:9:26",
            "warning deprecated main.pp:10:9"
        ]
    );
    assert_eq!(
        check("resource a \"toy:index:Nest\" {}\nb = a.box.oldName\nc = a.lid.oldName\n"),
        [
            "warning deprecated main.pp:2:10",
            "warning deprecated main.pp:3:6",
            "warning deprecated main.pp:3:10"
        ]
    );
    assert_eq!(
        check("resource a \"toy:index:Box\" {\n  holder = { shelves = [{ board = \"x\" }] }\n}\n"),
        ["warning deprecated main.pp:2:27"]
    );
    assert_eq!(
        check(
            "x = invoke(\"toy:index:seek\", {})\ny = invoke(\"toy::seek\", {})\nz = invoke(\"other:index:one\", {})\n"
        ),
        [
            "warning deprecated main.pp:1:12",
            "warning deprecated main.pp:2:12"
        ]
    );
    // Values of enumerations, methods, and what functions and methods take.
    assert_eq!(
        check(
            "resource a \"toy:index:Box\" {\n  colour = \"mauve\"\n}\nresource b \"toy:index:Box\" {\n  colour = \"blue\"\n}\n"
        ),
        ["warning deprecated main.pp:2:12"]
    );
    assert_eq!(
        check(
            "resource a \"toy:index:Box\" {}\nx = call(a, \"unlock\", { key = \"k\" })\ny = call(a, \"open\", {})\n"
        ),
        [
            "warning deprecated main.pp:2:13",
            "warning deprecated main.pp:2:25"
        ]
    );
    assert_eq!(
        check("resource a \"toy:index:Box\" { name = \"x\" }\nx = a.name\n"),
        [""; 0]
    );
}

#[test]
fn secrets_that_outputs_show() {
    let text = "s = secret(\"x\")\nt = unsecret(s)\noutput a { value = s }\noutput b { value = { k = [unsecret(s)] } }\n";
    assert_eq!(
        lint(Code::ExposedSecret, text),
        ["warning exposed-secret main.pp:4:27"]
    );
}

#[test]
fn names_that_loops_hide() {
    let text = "x = 1\nxs = [1]\na = [for x in xs : x]\nb = { for x, y in xs : x => y }\nc = \"%{ for x in xs }${x}%{ endfor }\"\nd = [for z in xs : z]\nrange = 3\n\
                resource r \"toy:index:Box\" {\n  options {\n    range = 2\n  }\n}\n";
    assert_eq!(
        lint(Code::ShadowedName, text),
        [
            "warning shadowed-name main.pp:3:10",
            "warning shadowed-name main.pp:4:11",
            "warning shadowed-name main.pp:5:13",
            "warning shadowed-name main.pp:10:5",
        ]
    );
}

#[test]
fn strings_that_are_one_interpolation() {
    let text = "x = 1\na = \"${x}\"\nb = \"${x}!\"\nc = { \"${x}\" = \"${x}\" }\nd = <<E\n${x}\nE\ne = \"${x + 1}\" * 2\n";
    let findings = lint(Code::RedundantInterpolation, text);
    assert_eq!(
        findings,
        [
            "warning redundant-interpolation main.pp:2:5",
            "warning redundant-interpolation main.pp:4:16",
            "warning redundant-interpolation main.pp:8:5",
        ]
    );
    let mut lints = Lints::none();
    lints.set(Code::RedundantInterpolation, true);
    let options = Options {
        lints,
        ..Options::default()
    };
    let checked = check_with(text, &options);
    let edits = checked
        .diagnostics
        .iter()
        .flat_map(|finding| &finding.fixes);
    let texts: Vec<_> = edits.map(|fix| fix.edits[0].text.clone()).collect();
    assert_eq!(texts, ["x", "x", "(x + 1)"]);
}

#[test]
fn dependencies_that_are_implied() {
    let text = "resource a \"toy:index:Box\" {}\nresource b \"toy:index:Box\" {}\nresource c \"toy:index:Box\" {\n  name = \"${a.name}-c\"\n  inside = b\n  options {\n    dependsOn = [a, b]\n  }\n}\n";
    assert_eq!(
        lint(Code::ImpliedDependency, text),
        ["warning implied-dependency main.pp:7:18"]
    );
}

#[test]
fn texts_where_resources_belong() {
    let text = "resource a \"toy:index:Box\" {}\nconfig c string {}\nresource b \"toy:index:Box\" {\n  options {\n    parent = \"a\"\n    provider = c\n    dependsOn = [a, \"b\", 3, a.id]\n    \
                deletedWith = a\n    replaceWith = c\n  }\n}\ncomponent d \"./d\" {\n  options {\n    providers = { x = a, y = \"${c}\" }\n  }\n}\n";
    assert_eq!(
        lint(Code::TextForResource, text)
            .into_iter()
            .filter(|finding| finding.contains("text-for-resource"))
            .collect::<Vec<_>>(),
        [
            "warning text-for-resource main.pp:5:14",
            "warning text-for-resource main.pp:6:16",
            "warning text-for-resource main.pp:7:21",
            "warning text-for-resource main.pp:7:26",
            "warning text-for-resource main.pp:7:29",
            "warning text-for-resource main.pp:14:33",
        ]
    );
}
