//! Labels in another order than PCL has them in.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_syntax::quoted;

use crate::block::rules::BlockRule;
use crate::habits::terraform::Counterpart;
use crate::node::NodeKind;

/// Labels in the wrong order; `first` and `second` are their texts in the right one.
pub(crate) fn swapped(
    span: Span,
    kind: NodeKind,
    rule: &BlockRule,
    first: &str,
    second: &str,
    fix: Fix,
) -> Diagnostic {
    let code = match kind {
        NodeKind::Hook => Code::UnknownHookKind,
        NodeKind::Config | NodeKind::Output => Code::UndefinedVariable,
        _ => Code::MalformedToken,
    };
    let keyword = rule.keyword;
    let [one, two] = [0, 1].map(|at| rule.labels.get(at).copied().unwrap_or_default());
    let message = format!(
        "the labels of this `{keyword}` block are swapped: its {one} comes first, then its {two}"
    );
    Diagnostic::error(code, span, message)
        .help(format!("write `{keyword} {first} {second}`"))
        .fix(fix)
}

/// The labels of a resource in Terraform's order: the type `written`, then the name. `places` are
/// those of the two labels.
pub(crate) fn terraform_order(
    span: Span,
    keyword: &str,
    written: &str,
    name: &str,
    meant: Option<&Counterpart>,
    places: [Span; 2],
) -> Diagnostic {
    let message =
        "these labels are in Terraform's order: in PCL the name comes first, then the type token";
    let diagnostic = Diagnostic::error(Code::MalformedToken, span, message);
    let Some(meant) = meant else {
        let package = written.split('_').next().unwrap_or_default();
        return diagnostic.help(format!(
            "write `{keyword} {name} \"package:module:Type\"`; \
             `{written}` is probably in a package like `{package}`"
        ));
    };
    let token = quoted(&meant.token);
    let [first, second] = places;
    let edits = vec![
        TextEdit::replace(first, name),
        TextEdit::replace(second, token.clone()),
    ];
    diagnostic
        .help(format!("write `{keyword} {name} {token}`"))
        .fix(Fix {
            title: "write the name and the token".to_owned(),
            ..with_token(meant, edits)
        })
}

/// A type of Terraform in place of a token.
pub(crate) fn terraform_type(span: Span, written: &str, meant: &Counterpart) -> Diagnostic {
    let message = format!("`{written}` is a type of Terraform, not a Pulumi type token");
    let token = quoted(&meant.token);
    let edit = TextEdit::replace(span, token.clone());
    Diagnostic::error(Code::MalformedToken, span, message)
        .help(format!("write {token}"))
        .fix(with_token(meant, vec![edit]))
}

fn with_token(meant: &Counterpart, edits: Vec<TextEdit>) -> Fix {
    let title = format!("write `{}`", meant.token);
    if meant.certain {
        Fix::safe(title, edits)
    } else {
        Fix::unsafe_(title, edits)
    }
}
