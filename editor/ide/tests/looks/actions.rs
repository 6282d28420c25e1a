use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use pcl::binder::OpenFiles;
use pcl::diagnostics::{Code, Diagnostic, FileId, Patch, Span, TextEdit, TextRange};
use pcl::{Target, Workspace};
use pcl_ide::{Analysis, NewFile, quick_fixes, refactorings};

use crate::support::{marked, programs, workspace};

/// The text after the action whose title begins like this; the titles if there is none.
fn applied(text: &str, title: &str) -> String {
    let (mut analysis, selection) = marked(text);
    let offered = refactorings(&mut analysis, selection);
    match offered.iter().find(|action| action.title.starts_with(title)) {
        Some(action) => edited(&analysis, selection.file, &action.edits),
        None => {
            let titles: Vec<&str> = offered.iter().map(|action| &*action.title).collect();
            format!("only: {}", titles.join(", "))
        }
    }
}

fn edited(analysis: &Analysis, file: FileId, edits: &[TextEdit]) -> String {
    let mut patch = Patch::default();
    assert!(patch.add(&analysis.checked.sources, edits), "{edits:?}");
    patch.text(&analysis.checked.sources, file)
}

#[test]
fn an_expression_becomes_a_local() {
    for (text, expected) in [
        ("a = length(▮[1, 2])\n", "value = [1, 2]\na = length(value)\n"),
        ("a = { size = 1 ▮+ 2 }\n", "size = 1 + 2\na = { size = size }\n"),
        ("size = 3\na = { size = 1 ▮+ 2 }\n", "size = 3\nsize2 = 1 + 2\na = { size = size2 }\n"),
        ("# why\na = [▮1 + 2▮, 3]\n", "value = 1 + 2\n# why\na = [value, 3]\n"),
        (
            "output out {\n  value = toBase64(\"é▮\")\n}\n",
            "value = \"é\"\n\noutput out {\n  value = toBase64(value)\n}\n",
        ),
        (
            "a = length(\n  [for x in [1]: x] ▮== []\n  ? [1] : [2]\n)\n",
            "value = [for x in [1]: x] == []\na = length(\n  value\n  ? [1] : [2]\n)\n",
        ),
        ("a = [▮(1 + 2)▮ * 3]\n", "value = (1 + 2)\na = [value * 3]\n"),
        ("a = [(1 ▮+ 2) * 3]\r\n", "value = 1 + 2\r\na = [(value) * 3]\r\n"),
        ("a = [1\n  ▮+ 2]\n", "value = (1\n  + 2)\na = [value]\n"),
    ] {
        assert_eq!(applied(text, "extract"), expected);
    }
}

#[test]
fn a_missing_name_is_declared() {
    for (text, title, expected) in [
        (
            "config a \"string\" {\n}\n\n# why\nb = [a, ▮size]\n",
            "declare the config `size`",
            "config a \"string\" {\n}\n\nconfig size \"any\" {\n}\n\n# why\nb = [a, size]\n",
        ),
        (
            "resource b \"harbor:storage:Bucket\" {\n  versions = ▮kept\n}\n",
            "declare the config `kept`",
            "config kept \"int\" {\n}\n\n\
             resource b \"harbor:storage:Bucket\" {\n  versions = kept\n}\n",
        ),
        ("a = 1\n# why\nb = ▮c\n", "declare the local `c`", "a = 1\nc = \"\"\n# why\nb = c\n"),
    ] {
        let (mut analysis, selection) = marked(text);
        let offered = quick_fixes(&mut analysis, selection);
        let found = offered.iter().find(|fix| fix.title == title).expect("the fix is offered");
        assert_eq!(edited(&analysis, selection.file, &found.edits), expected);
    }
}

#[test]
fn a_string_becomes_a_heredoc_and_back() {
    for (text, expected) in [
        ("a = \"▮x\\ny\\n\"\n", "a = <<-EOT\n  x\n  y\nEOT\n"),
        (
            "a = {\n  b = \"▮x\\n\\n $${y}\\n\"\n}\n",
            "a = {\n  b = <<-EOT\n    x\n\n     $${y}\n  EOT\n}\n",
        ),
        ("a = \"▮ x\\n\"\n", "a = <<EOT\n x\nEOT\n"),
        ("a = <<-EOT\n  ▮x\n   \"y\"\nEOT\n", "a = \"x\\n \\\"y\\\"\\n\"\n"),
        ("a = \"▮x\\ny\"\n", "only: "),
        ("a = [\"▮x\\n\"]\n", "only: "),
        ("a = \"▮EOT\\n\"\n", "only: "),
    ] {
        let found = applied(text, "convert to a ");
        let is_as_expected =
            found == expected || expected == "only: " && found.starts_with(expected);
        assert!(is_as_expected, "{text}\n{found}");
    }
}

#[test]
fn keys_that_an_object_requires_are_added() {
    let start = "resource b \"harbor:network:LoadBalancer\" {\n  ";
    for (object, expected) in [
        ("ports = [{ ▮open = true }]", "ports = [{ open = true, number = 0 }]"),
        ("ports = [{ ▮\"number\" = 80 }]", ""),
        ("ports = [{▮}]", "ports = [{\n    number = 0\n  }]"),
        (
            "check = {\n    path = \"/▮\"\n  }",
            "check = {\n    path = \"/\"\n    port = {\n      number = 0\n    }\n  }",
        ),
    ] {
        let found = applied(&format!("{start}{object}\n}}\n"), "add the required keys");
        match expected {
            "" => assert!(found.starts_with("only: "), "{found}"),
            _ => assert_eq!(found, format!("{start}{expected}\n}}\n")),
        }
    }
}

/// There are dozens, and a value is not where they go.
#[test]
fn all_inputs_are_offered_between_inputs_alone() {
    let text = "resource b \"harbor:storage:Bucket\" {\n  versions = 1▮\n}\n";
    assert!(applied(text, "add all inputs").starts_with("only: "));
    let text = "resource b \"harbor:storage:Bucket\" {\n▮  \n}\n";
    assert!(applied(text, "add all inputs").contains("durability"));
}

/// A name with a meaning, and a word that is no value, are not declared.
#[test]
fn not_every_unknown_name_is_declared() {
    for text in [
        "config a \"▮strng\" {\n}\n",
        "resource b \"harbor:storage:Bucket\" {\n  options {\n    ignoreChanges = [▮colour]\n  }\n}\n",
        "resource b \"harbor:storage:Bucket\" {\n  versions = ▮range.value\n}\n",
        "a = ▮length\n",
        "a = ▮True\n",
    ] {
        let (mut analysis, selection) = marked(text);
        let offered = quick_fixes(&mut analysis, selection);
        let declared = offered.iter().find(|fix| fix.title.starts_with("declare"));
        assert_eq!(declared, None, "{text}");
    }
    // The type of a part is not that of the name.
    let text = "resource b \"harbor:storage:Bucket\" {\n  versions = ▮kept.count\n}\n";
    let (mut analysis, selection) = marked(text);
    let offered = quick_fixes(&mut analysis, selection);
    let config = offered.iter().find(|fix| fix.title.starts_with("declare the config"));
    let after = edited(&analysis, selection.file, &config.expect("it is offered").edits);
    assert!(after.starts_with("config kept \"any\" {\n}\n"), "{after}");
}

#[test]
fn a_condition_is_inverted() {
    for (text, expected) in [
        ("a = tr▮ue ? 1 : 2\n", "a = !true ? 2 : 1\n"),
        ("a = !tr▮ue ? 1 : 2\n", "a = true ? 2 : 1\n"),
        ("a = 1 =▮= 2 ? 1 : true ? 2 : 3\n", "a = !(1 == 2) ? (true ? 2 : 3) : 1\n"),
    ] {
        assert_eq!(applied(text, "invert"), expected);
    }
}

#[test]
fn an_expression_that_means_another_thing_elsewhere_stays() {
    for text in [
        // A loop variable.
        "a = [for x in [1]: x ▮+ 1]\n",
        // A part of an expression.
        "a = [1 + ▮2 + 3▮ + 4, \"a\"]\n",
        "a = [\"▮ab▮c\"]\n",
        // The whole value of a local.
        "a = 1 ▮+ 2\n",
        // Evaluated only under a condition.
        "xs = [1]\na = true ? [xs[0] ▮+ 1] : []\n",
        "a = try([1 ▮+ 2], 1)\n",
        // A literal that the language wants.
        "config a string {\n  description = \"▮x\"\n}\n",
        "resource tree \"orchard:index:Tree\" {\n  options {\n    protect = !▮false\n  }\n}\n",
        "a = {}\nb = a[\"▮k\"]\n",
        // Nothing that is known.
        "a = [b ▮+ 1]\n",
    ] {
        assert!(applied(text, "extract").starts_with("only: "), "{text}");
    }
}

#[test]
fn a_local_is_put_in_the_place_of_its_name() {
    for (text, expected) in [
        ("▮a = 1 + 2\nb = a * 3\n", "b = (1 + 2) * 3\n"),
        ("a = 1 + 2 # why\nb = [▮a, a]\n", "# why\nb = [1 + 2, 1 + 2]\n"),
        ("▮a = [1]\nb = a[0]\nc = \"${a[0]}\"\n", "b = ([1])[0]\nc = \"${([1])[0]}\"\n"),
        ("▮a = { b = 1 }\nc = a.b\nd = length(a)\n", "c = ({ b = 1 }).b\nd = length({ b = 1 })\n"),
        ("x = { y = 1 }\n▮a = x.y\nb = -a\n", "x = { y = 1 }\nb = -x.y\n"),
        (
            "▮a = true ? 1 : 2\nb = [for x in [1]: x + a]\n",
            "b = [for x in [1]: x + (true ? 1 : 2)]\n",
        ),
    ] {
        assert_eq!(applied(text, "inline"), expected);
    }
    for text in [
        // No reference.
        "▮a = 1\n",
        // Another meaning in the loop.
        "x = 1\n▮a = x\nb = [for x in [1]: a]\n",
        // A heredoc ends its line.
        "▮a = <<E\nx\nE\nb = [a]\n",
        // A config is not a local.
        "config ▮a int {}\nb = a\n",
    ] {
        assert!(applied(text, "inline").starts_with("only: "), "{text}");
    }
}

#[test]
fn strings_and_keys_are_written_in_another_way() {
    for (text, title, expected) in [
        (
            "a = \"x\"\nb = \"▮${a}-${toBase64(a)}\"\n",
            "convert",
            "a = \"x\"\nb = join(\"\", [a, \"-\", toBase64(a)])\n",
        ),
        (
            "a = \"x\"\nb = ▮join(\"-\", [a, \"y\", toBase64(a)])\n",
            "convert",
            "a = \"x\"\nb = \"${a}-y-${toBase64(a)}\"\n",
        ),
        ("a = { \"▮b\" = 1 }\n", "remove the quotes", "a = { b = 1 }\n"),
        ("a = { ▮b = 1 }\n", "write the key", "a = { \"b\" = 1 }\n"),
    ] {
        assert_eq!(applied(text, title), expected);
    }
    for text in [
        "a = 1\nb = \"▮${a}-\"\n",
        "a = \"x\"\nb = ▮join(\"$\", [a, a])\n",
        "a = { \"▮b c\" = 1 }\n",
        "a = { (▮\"b\") = 1 }\n",
    ] {
        let titles = applied(text, "?");
        let none = ["convert", "quotes"].iter().all(|word| !titles.contains(word));
        assert!(none, "{text}: {titles}");
    }
}

#[test]
fn missing_inputs_are_added() {
    let tree = "resource t \"orchard:index:Tree\"";
    let trunk = "  trunk = {\n    name = \"\"\n  }\n";
    for (text, title, expected) in [
        (format!("{tree} ▮{{\n}}\n"), "add the required inputs", format!("{tree} {{\n{trunk}}}\n")),
        (
            format!("{tree} ▮{{\n}}\n"),
            "add all inputs",
            format!("{tree} {{\n{trunk}  neighbours = []\n}}\n"),
        ),
        (
            format!("{tree} ▮{{ neighbours = [] }}\n"),
            "add the required inputs",
            format!("{tree} {{\n  neighbours = []\n{trunk}}}\n"),
        ),
        (
            format!("{tree} {{\r\n  trunk = {{}} # why▮\r\n  options {{}}\r\n}}\r\n"),
            "add all inputs",
            format!(
                "{tree} {{\r\n  trunk = {{}} # why\r\n  neighbours = []\r\n  options {{}}\r\n}}\r\n"
            ),
        ),
        (format!("{tree} {{\n  trunk = 1\n  neighbours = []\n▮}}\n"), "add", "only: ".to_owned()),
    ] {
        assert_eq!(applied(&text, title), expected);
    }
}

/// Applies everything that is offered at every place of the corpus and checks the programs again.
#[test]
fn no_action_breaks_a_program() {
    let workspace = workspace();
    let mut applied = BTreeMap::<String, usize>::new();
    let mut broken = Vec::new();
    let all = ["valid", "broken"].map(programs);
    for program in all.into_iter().flatten() {
        let target = Target::Path(program.clone());
        let mut analysis = Analysis::new(workspace.check(&target));
        let before = reported(&analysis).count();
        let mut seen = HashSet::new();
        let files: Vec<FileId> = analysis.checked.program.module.files.clone();
        for file in files {
            for range in places(&analysis, file) {
                for action in refactorings(&mut analysis, Span::new(file, range)) {
                    if !seen.insert(format!("{:?}", action.edits)) {
                        continue;
                    }
                    *applied.entry(action.title.clone()).or_default() += 1;
                    let after = check_edited(
                        &workspace,
                        &target,
                        &analysis,
                        &action.edits,
                        &action.created,
                    );
                    if reported(&after).count() > before {
                        let messages: Vec<&str> = reported(&after).map(|it| &*it.message).collect();
                        broken.push(format!(
                            "{}: {} {:?}: {messages:?}",
                            program.display(),
                            action.title,
                            action.edits,
                        ));
                    }
                }
            }
        }
    }
    assert!(broken.is_empty(), "{} {:#?}", broken.len(), broken);
    let extracted = applied.get("extract into a local").copied();
    assert!(extracted.is_some_and(|count| count > 100), "{applied:?}");
}

/// The diagnostics that an action must not add to. The inputs that it adds name placeholders for
/// files of the user, of which a warning says rightly that these are not there.
fn reported(analysis: &Analysis) -> impl Iterator<Item = &Diagnostic> {
    let sources = &analysis.checked.sources;
    let is_placeholder = |warning: &Diagnostic| {
        let span = warning.primary;
        let text = sources.text(span.file);
        let text = text.get(span.range.to_usize()).unwrap_or_default();
        warning.code == Code::UnreadableContent && text == "\"./directory\""
    };
    let diagnostics = analysis.checked.diagnostics.iter();
    diagnostics.filter(move |it| it.is_error() || !is_placeholder(it))
}

/// A fix that is preferred and a suppression leave fewer diagnostics with the same message.
#[test]
fn quick_fixes_repair() {
    let workspace = workspace();
    let mut count = 0;
    for program in programs("broken") {
        let target = Target::Path(program.clone());
        let mut analysis = Analysis::new(workspace.check(&target));
        for file in analysis.checked.program.module.files.clone() {
            let end = analysis.checked.sources.text(file).len() as u32;
            for fix in quick_fixes(&mut analysis, Span::new(file, TextRange::new(0, end))) {
                count += 1;
                let diagnostic = &analysis.checked.diagnostics[fix.diagnostic];
                if fix.is_preferred || fix.title.starts_with("suppress") {
                    let after = check_edited(&workspace, &target, &analysis, &fix.edits, &[]);
                    let same = |analysis: &Analysis| {
                        let all = analysis.checked.diagnostics.iter();
                        all.filter(|it| it.message == diagnostic.message).count()
                    };
                    assert!(
                        same(&after) < same(&analysis),
                        "{}: {} {:?}",
                        program.display(),
                        fix.title,
                        diagnostic.message
                    );
                }
            }
        }
    }
    assert!(count > 100, "{count}");
}

/// A cursor at the start of each token, and the selection of each expression.
fn places(analysis: &Analysis, file: FileId) -> Vec<TextRange> {
    let tree = analysis.tree(file).expect("a tree");
    let tokens = tree.tokens().iter();
    let mut places: Vec<TextRange> =
        tokens.map(|(_, range)| TextRange::empty(range.start())).collect();
    let nodes = tree.root().descendants();
    places.extend(nodes.filter(|node| node.kind().is_expression()).map(|node| node.range()));
    places
}

fn check_edited(
    workspace: &Workspace,
    target: &Target,
    analysis: &Analysis,
    edits: &[TextEdit],
    created: &[NewFile],
) -> Analysis {
    let sources = &analysis.checked.sources;
    let mut patch = Patch::default();
    assert!(patch.add(sources, edits), "{edits:?}");
    let mut open = OpenFiles::default();
    for file in patch.files() {
        let tree = pcl::syntax::parse(patch.text(sources, file));
        open.insert(sources.path(file), Arc::new(tree));
    }
    for file in created {
        open.insert(&file.path, Arc::new(pcl::syntax::parse(file.text.clone())));
    }
    Analysis::new(workspace.check_open(target, &Arc::new(open)))
}
