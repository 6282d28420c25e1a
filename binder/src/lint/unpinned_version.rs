//! Packages that a program uses without a version.
//!
//! The rules, with examples: `tests/spec/lints/unpinned_version.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, TextRange};
use pcl_language::{Function, ResourceOption};
use pcl_model::expression::{Call, Expr, ExprKind};
use pcl_model::value::Constant;
use pcl_schema::PackageRequest;
use pcl_syntax::ast::{self, AstNode as _};
use rustc_hash::FxHashSet;

use super::finished::{Finished, Lint, Scope};
use crate::node::Node;

/// The package of what every program has.
const BUILT_IN: &str = "pulumi";

pub(super) static LINT: Lint = Lint { code: Code::UnpinnedVersion, scope: Scope::Program, check };

/// Looks at the first use of each package: a resource, a read or a call of `invoke` without the
/// option `version`, of a package without a `package` block that gives a version.
fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Blocks { pinned, named } = blocks(bound);
    let mut known = pinned;
    known.insert(BUILT_IN.to_owned());
    let mut report = |package: &str, span: Span| {
        let mut used = bound.module.packages.iter();
        // A package without a schema is an error already.
        if used.any(|used| used.name == package) && known.insert(package.to_owned()) {
            // A second block of a package is an error.
            let is_free = !named.contains(package);
            let pin = is_free.then(|| block(bound, package)).flatten();
            diagnostics.push(unpinned_version(span, package, pin));
        }
    };
    for node in &bound.module.nodes {
        if node.kind.is_resource()
            && node.option(ResourceOption::Version.name()).is_none()
            && let Some((token, range)) = written_token(bound, node)
        {
            report(package_of(&token), Span::new(node.file, range));
        }
        for expr in bound.expressions(node) {
            if let ExprKind::Call(call) = &expr.kind
                && let Some((token, place)) = invoked(bound, call)
            {
                report(package_of(token), Span::new(place.file, place.range));
            }
        }
    }
}

/// The package in a token; that of a provider is its name.
fn package_of(token: &str) -> &str {
    let mut parts = token.split(':');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(BUILT_IN), Some("providers"), Some(package)) => package,
        (package, ..) => package.unwrap_or_default(),
    }
}

/// The token in the header of a block, and its place.
fn written_token(bound: &Finished<'_>, node: &Node) -> Option<(String, TextRange)> {
    let label = ast::Block::cast(bound.module.syntax(node))?.labels().nth(1)?;
    Some((label.text().into_owned(), label.range()))
}

/// The token of a call of `invoke` without a version, and its place.
fn invoked<'b>(bound: &Finished<'b>, call: &'b Call) -> Option<(&'b str, &'b Expr)> {
    if bound.types.name(call.name) != Function::Invoke.name() {
        return None;
    }
    let mut arguments = call.arguments.iter().copied();
    let token = arguments.next()?;
    let Constant::String(text) = bound.literal(token)? else { return None };
    let version = ResourceOption::Version.name();
    let is_version =
        |key| bound.literal(key).and_then(Constant::as_text).is_some_and(|it| *it == *version);
    let has_version = arguments.skip(1).any(|options| match &bound.exprs[options].kind {
        ExprKind::Object(items) => items.iter().any(|&(key, _)| is_version(key)),
        _ => true,
    });
    (!has_version).then(|| (&**text, &bound.exprs[token]))
}

/// The packages of which there is a `package` block.
#[derive(Default)]
struct Blocks {
    /// Those that a block gives a version: by its label, and by every name in it.
    pinned: FxHashSet<String>,
    /// All of them.
    named: FxHashSet<String>,
}

fn blocks(bound: &Finished<'_>) -> Blocks {
    let mut all = Blocks::default();
    for tree in &bound.module.trees {
        for block in tree.file().body().blocks().filter(|block| block.has_keyword("package")) {
            let mut names: Vec<String> = block.labels().map(|it| it.text().into_owned()).collect();
            let mut has_version = false;
            for node in block.syntax().descendants() {
                let Some(attribute) = ast::Attribute::cast(node) else { continue };
                let name = attribute.name().map(|name| name.text());
                match name {
                    Some("baseProviderVersion" | "version") => has_version = true,
                    Some("baseProviderName" | "name") => {
                        let value = attribute.value().map(|value| value.syntax().text());
                        names.extend(value.map(|value| value.trim_matches('"').to_owned()));
                    }
                    _ => {}
                }
            }
            if has_version {
                all.pinned.extend(names.iter().cloned());
            }
            all.named.extend(names);
        }
    }
    all
}

/// A block that gives a package the version of its schema, at the start of the first file. A
/// parameterized package needs more than that, and a schema may be found only without its version.
fn block(bound: &Finished<'_>, package: &str) -> Option<(Span, String)> {
    let module = bound.module;
    let used = module.packages.iter().find(|used| used.name == package)?;
    let version = used.version.as_ref().filter(|_| used.base.is_none())?;
    let request = PackageRequest::new(package).with_version(version.clone());
    bound.schemas.packages().load(&request).ok()?;
    let place = Span::new(*module.files.first()?, TextRange::empty(0));
    let text = format!(
        "package {{\n  baseProviderName    = \"{package}\"\n  baseProviderVersion = \"{version}\"\n}}\n"
    );
    Some((place, text))
}

/// A package without a version. `pin` is a block that gives it one, and its place.
fn unpinned_version(span: Span, package: &str, pin: Option<(Span, String)>) -> Diagnostic {
    let message = format!("the version of package `{package}` is not pinned");
    let diagnostic = Diagnostic::warning(Code::UnpinnedVersion, span, message)
        .note("another machine may use another version, with other types")
        .help("set `baseProviderVersion` in a `package` block");
    diagnostic.fix(pin.map(|(place, block)| {
        Fix::unsafe_("add a `package` block", vec![TextEdit::replace(place, block)])
    }))
}
