//! Blocks in bodies where PCL has attributes.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span};

/// A block that writes the attribute `name` as Terraform does.
pub(crate) fn attribute_as_block(
    span: Span,
    kind: &str,
    written: &str,
    name: &str,
    is_list: bool,
    fix: Option<Fix>,
) -> Diagnostic {
    let (what, shape) = if is_list {
        ("a list of objects", format!("`{name} = [{{ .. }}]`"))
    } else {
        ("an object", format!("`{name} = {{ .. }}`"))
    };
    let message = if written == name {
        format!("`{name}` is {what}, not a block: write {shape}")
    } else {
        format!("`{kind}` blocks have no `{written}` block, but an input `{name}`, which is {what}")
    };
    let diagnostic =
        Diagnostic::error(Code::UnsupportedBlock, span, message).help(format!("write {shape}"));
    match fix {
        Some(fix) => diagnostic.fix(fix),
        None => diagnostic,
    }
}

/// Adds the further blocks that write elements of the same list.
pub(crate) fn with_other_blocks(mut diagnostic: Diagnostic, others: &[Span]) -> Diagnostic {
    for &other in others {
        diagnostic = diagnostic.label(other, "a further element");
    }
    diagnostic
}

/// A `dynamic` block of Terraform for the attribute `name`.
pub(crate) fn dynamic(span: Span, name: Option<&str>) -> Diagnostic {
    let message = "`dynamic` is not a block of PCL: write a `for` expression";
    let name = name.unwrap_or("name");
    Diagnostic::error(Code::UnsupportedBlock, span, message)
        .help(format!("write `{name} = [for value in list : {{ .. }}]`"))
}

/// A `provisioner` or `connection` of Terraform.
pub(crate) fn provisioner(span: Span, keyword: &str) -> Diagnostic {
    let message = format!("PCL has no `{keyword}` blocks");
    Diagnostic::error(Code::UnsupportedBlock, span, message).help(
        "run a command by a `hook`, or by a resource of the package `command`, \
         such as `command:local:Command`",
    )
}
