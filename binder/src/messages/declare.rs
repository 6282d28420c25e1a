//! Declarations: names, labels and unknown blocks.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, enumerate, suggest};
use pcl_syntax::quoted;

use crate::block::rules::{BLOCKS, BlockRule};

/// The blocks of other languages, and what PCL writes instead.
const FOREIGN: &[(&str, &str)] = &[
    (
        "data",
        "ask a provider with `invoke(\"package:module:function\", { .. })`, or `read` a resource",
    ),
    (
        "for",
        "repeat a resource with `options { range = .. }`, or build a list with `[for x in list : ..]`",
    ),
    (
        "foreach",
        "repeat a resource with `options { range = .. }`, or build a list with `[for x in list : ..]`",
    ),
    (
        "if",
        "make a resource conditional with `options { range = condition }`, \
         or a value with `condition ? a : b`",
    ),
    ("locals", "write `name = value`, outside of any block"),
    (
        "module",
        "write `component name \"./directory\" { .. }` to use a directory",
    ),
    (
        "provider",
        "write a resource: `resource name \"pulumi:providers:package\" { .. }`",
    ),
    (
        "terraform",
        "packages are named by `package` blocks, the version of Pulumi by a `pulumi` block",
    ),
    (
        "variable",
        "write `config name \"string\" { default = .. }`",
    ),
];

/// A name that is taken: by the declaration at `first`, or by the language. `missing` are the uses
/// of a name that nothing declares, which may be the one that was meant, and `other` is a
/// declaration that may share the name of an output.
pub(crate) fn already_declared(
    span: Span,
    name: &str,
    first: Option<Span>,
    other: Option<Span>,
    missing: &[Span],
) -> Diagnostic {
    let message = match first {
        Some(_) => format!("`{name}` is declared twice"),
        None => format!("`{name}` is a reserved name"),
    };
    let mut diagnostic = Diagnostic::error(Code::AlreadyDeclared, span, message);
    for &place in missing {
        diagnostic = diagnostic.label(place, "nothing declares this name");
    }
    if let Some(other) = other {
        diagnostic = diagnostic.label(other, "this declaration may share the name of one output");
    }
    match first {
        Some(first) => diagnostic
            .label(first, "first declared here")
            .help(format!("rename or remove one of the two `{name}`")),
        None => diagnostic.help("choose another name"),
    }
}

/// A second `pulumi` block.
pub(crate) fn second_pulumi_block(span: Span, first: Option<Span>) -> Diagnostic {
    let message = "there is more than one `pulumi` block";
    let mut diagnostic = Diagnostic::error(Code::AlreadyDeclared, span, message);
    if let Some(first) = first {
        diagnostic = diagnostic.label(first, "first declared here");
    }
    diagnostic.help("keep one of the two blocks")
}

/// A block with fewer labels than it needs.
pub(crate) fn missing_label(span: Span, rule: &BlockRule, count: usize) -> Diagnostic {
    missing(
        span,
        rule,
        rule.labels.get(count).copied().unwrap_or_default(),
    )
}

/// A block whose only label, at `label`, is a type token. `name` is a name that it may have.
pub(crate) fn missing_name(span: Span, rule: &BlockRule, label: Span, name: &str) -> Diagnostic {
    let edit = TextEdit::insert(label.file, label.range.start(), format!("\"{name}\" "));
    missing(span, rule, "name").fix(Fix::unsafe_("add a name", vec![edit]))
}

fn missing(span: Span, rule: &BlockRule, missing: &str) -> Diagnostic {
    let (keyword, wanted) = (rule.keyword, wanted(rule));
    let message = format!("this `{keyword}` block is missing its {missing}: it takes {wanted}");
    labels(span, rule, message)
}

/// A block with more labels than it takes. `uses` are the references to names among them.
pub(crate) fn surplus_labels(
    span: Span,
    rule: &BlockRule,
    count: usize,
    uses: &[Span],
) -> Diagnostic {
    let (keyword, wanted) = (rule.keyword, wanted(rule));
    let message = format!("`{keyword}` blocks take {wanted}, not {count}");
    with_uses(labels(span, rule, message), uses)
}

fn labels(span: Span, rule: &BlockRule, message: String) -> Diagnostic {
    Diagnostic::error(Code::WrongLabelCount, span, message)
        .help(format!("write it as `{}`", rule.shape))
}

/// The labels that a block takes.
fn wanted(rule: &BlockRule) -> String {
    match (rule.least, rule.labels.len()) {
        (0, 0) => "no labels".to_owned(),
        (least, most) if least == most => format!("{least} labels"),
        (1, 2) => "one or two labels".to_owned(),
        (least, most) => format!("{least} to {most} labels"),
    }
}

/// An unknown block. `uses` are the references to the names that its labels would declare; Pulumi
/// refuses the program only if there are any. `function` is the one that a data source calls, and
/// `fix` writes a block of another language as PCL. The keyword `taken` is not the one that is
/// meant.
pub(crate) fn unknown_block(
    span: Span,
    keyword: &str,
    function: Option<&str>,
    uses: &[Span],
    fix: Option<Fix>,
    taken: Option<&str>,
) -> Diagnostic {
    let message = format!("there is no block called `{keyword}`");
    let mut diagnostic = Diagnostic::error(Code::UnknownBlockType, span, message)
        .note("Pulumi ignores blocks that it does not know, so it has no effect");
    let known = BLOCKS.iter().map(|rule| rule.keyword);
    let possible = known.clone().filter(|&known| Some(known) != taken);
    diagnostic = match suggest(keyword, possible) {
        Some(meant) => diagnostic
            .help(format!("did you mean `{meant}`?"))
            .fix(Fix::unsafe_(
                format!("write `{meant}`"),
                vec![TextEdit::replace(span, meant)],
            )),
        None if function.is_some() => diagnostic.help(format!(
            "call the function: `name = invoke({}, {{ .. }})`",
            quoted(function.unwrap_or_default())
        )),
        None => match FOREIGN.iter().find(|(foreign, _)| *foreign == keyword) {
            Some((_, help)) => diagnostic.help(*help),
            None => diagnostic.help(format!("the blocks are {}", enumerate(known))),
        },
    };
    diagnostic = fix.into_iter().fold(diagnostic, Diagnostic::fix);
    if uses.is_empty() {
        diagnostic = diagnostic.ours();
    }
    with_uses(diagnostic, uses)
}

fn with_uses(diagnostic: Diagnostic, uses: &[Span]) -> Diagnostic {
    uses.iter().fold(diagnostic, |diagnostic, &place| {
        diagnostic.label(place, "refers to what the block would declare")
    })
}
