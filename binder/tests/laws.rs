//! Laws that hold for any text: it binds, every diagnostic has a place in its file, and every node
//! has a place in the order.

mod support;

use pcl_binder::{Lints, NodeBody, Options, Sources, bind};
use pcl_diagnostics::{Code, Diagnostic, SourceMap};
use proptest::prelude::*;
use support::loader;

/// A program with something of everything.
const TEXT: &str = r#"# a comment
package {
  baseProviderName    = "toy"
  baseProviderVersion = "2.0.0"
  parameterization { name = "extra" }
}
pulumi { requiredVersionRange = ">=3.259.0" }
config "zones" "list(object({ name = string }))" { default = [] } // behind
config "secret" "string" {
  secret = true
}
hook "resource" "note" { command = ["echo", args.urn, "${secret}"] }
resource "box" "toy:index:Box" {
  __logicalName = "the box"
  name          = "${range.value.name}"
  colour        = "red"
  oldName       = "x"
  shape         = { is = "round", radius = 1 }
  shapes        = [{ "is" = "square", side = 2 }, { is = 5 }]
  options {
    range         = zones
    parent        = other
    dependsOn     = [other]
    ignoreChanges = [name, shapes[0].side]
    aliases       = ["a", { name = "b" }]
    version       = "2.0.0"
    hooks         = { beforeCreate = [note] }
  }
}
resource "other" "toy:Box" { inside = box[0] }
read "found" "toy:index:Box" { id = other.id }
component "part" { token = "toy:index:Part" }
names = [for box in zones : box.name]
text  = "%{ for n in names }${n}%{ if n == "x" }!%{ endif }%{ endfor }"
found2 = invoke("toy:index:find", { name = text }, { parent = other })
opened = call(other, "open", { wide = true })
output "shown" {
  value = unsecret(secret)
}
output "all" "map(string)" { value = { "${text}" = box[*].name[0] } }
"#;

fn options(lenient: bool) -> Options {
    let options = if lenient { Options::lenient() } else { Options::default() };
    Options { lints: Lints::all(), ..options }
}

fn places_are_real(diagnostics: &[Diagnostic], map: &SourceMap) {
    for diagnostic in diagnostics {
        let labels = diagnostic.labels.iter().map(|label| label.span);
        let edits = diagnostic.fixes.iter().flat_map(|fix| &fix.edits);
        let spans = labels.chain(edits.map(|edit| edit.span));
        for span in spans.chain([diagnostic.primary]) {
            let text = map.text(span.file);
            assert!(text.get(span.range.to_usize()).is_some(), "{diagnostic:?}");
        }
    }
}

fn check(text: &str, lenient: bool) {
    let options = options(lenient);
    let mut map = SourceMap::new();
    let sources = Sources::from_texts([("main.pp", text)], &mut map);
    let bound = bind(&sources, &mut map, loader(), &options);
    places_are_real(&bound.diagnostics, &map);
    let module = &bound.program.module;
    assert_eq!(bound.program.order().len(), module.nodes.len());
    for node in &module.nodes {
        let _ = module.comments(node);
        if let NodeBody::Resource(body) = &node.body {
            for attribute in body.inputs.iter().chain(&body.options) {
                let _ = module.attribute_comments(node, attribute);
            }
        }
    }
}

#[test]
fn the_whole_text_is_nearly_right() {
    check(TEXT, false);
    let mut map = SourceMap::new();
    let sources = Sources::from_texts([("main.pp", TEXT)], &mut map);
    let bound = bind(&sources, &mut map, loader(), &options(false));
    let errors = bound.diagnostics.iter().filter(|f| f.is_error());
    let errors: Vec<_> = errors.map(|f| (f.code, &TEXT[f.primary.range.to_usize()])).collect();
    let expected = [
        (Code::CircularReference, "\"box\""),
        (Code::TypeNotAssignable, "5"),
        (Code::TypeNotAssignable, "{ \"${text}\" = box[*].name[0] }"),
        (Code::CannotTraverse, "[0]"),
    ];
    assert_eq!(errors, expected);
}

proptest! {
    #[test]
    fn what_is_left_of_a_program_binds(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40), 1..6),
        lenient in any::<bool>(),
    ) {
        let mut text = TEXT.to_owned();
        for (at, length) in cuts {
            let start = at.index(text.len());
            let end = (start + length).min(text.len());
            text.replace_range(start..end, "");
        }
        check(&text, lenient);
    }

    #[test]
    fn a_program_with_its_tokens_exchanged_binds(
        swaps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..8),
        lenient in any::<bool>(),
    ) {
        let mut words: Vec<&str> = TEXT.split_inclusive([' ', '\n']).collect();
        for (a, b) in swaps {
            let (a, b) = (a.index(words.len()), b.index(words.len()));
            words.swap(a, b);
        }
        check(&words.concat(), lenient);
    }
}
