//! The oldest release of Pulumi that a program has to work with, and the diagnostics about
//! constructs that it does not have.
//!
//! The rules, with examples: `tests/spec/editions/report.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_language::{Construct, construct};
use pcl_syntax::ast;

use crate::block::literal::string_of;
use crate::edition::range::{Bound, OldestPulumi, SetBy, VersionRange};
use crate::edition::view::{Effect, Use};
use crate::edition::{of_module, to_report};
use crate::program::Module;
use crate::program_files::Sources;
use crate::session::Session;

/// The oldest Pulumi that a module has to work with: the one in the options, or else the newest of
/// those that the `pulumi` blocks of the module and of the programs around it say.
pub(crate) fn oldest(session: &Session<'_>, sources: &Sources) -> Option<OldestPulumi> {
    if session.options.oldest.is_some() {
        return session.options.oldest.clone();
    }
    match (oldest_of_blocks(sources), &session.oldest) {
        (Some(own), Some(outer)) if own.version < outer.version => Some(outer.clone()),
        (Some(own), _) => Some(own),
        (None, outer) => outer.clone(),
    }
}

/// Reports what a module uses and the oldest Pulumi does not have.
pub(crate) fn report(session: &mut Session<'_>, module: &Module) {
    let Some(oldest) = session.oldest.clone() else { return };
    let (exprs, types) = (&session.exprs, &mut session.types);
    let uses = of_module(module, exprs, types, &session.scopes, &session.schemas);
    for mut used in to_report(uses, |used| is_wrong(used, &oldest)) {
        used.fix = used.fix.filter(|_| helps(used.construct.name, &oldest));
        let diagnostic = not_supported(&used, &oldest);
        session.reporter.report(diagnostic);
    }
}

/// Returns whether a fix makes a construct one that the oldest Pulumi has: a label helps where
/// there are `package` blocks at all.
fn helps(name: &str, oldest: &OldestPulumi) -> bool {
    let needed = match name {
        "label.package.none" => construct("block.package"),
        _ => None,
    };
    needed.is_none_or(|needed| !oldest.is_before(needed.since))
}

/// Returns whether the oldest Pulumi is older than a use needs. The `pulumi` block is no use of
/// itself: releases that do not know it cannot read its range either.
fn is_wrong(used: &Use, oldest: &OldestPulumi) -> bool {
    let name = used.construct.name;
    let is_own = matches!(name, "block.pulumi" | "attr.pulumi.requiredVersionRange")
        && matches!(oldest.set_by, SetBy::Block(_));
    !is_own && oldest.is_before(used.needs())
}

/// Returns whether the oldest Pulumi takes the name of a package from the label of its block, and
/// from nowhere else.
pub(crate) fn takes_package_labels(oldest: &OldestPulumi) -> bool {
    construct("label.package.none").is_some_and(|it| oldest.is_before(it.since))
}

impl Use {
    /// The use in words, such as "`recover` needs Pulumi 3.252.0".
    pub fn headline(&self) -> String {
        let (subject, needs) = (subject(self.construct, &self.name), self.needs());
        match (self.effect, self.construct.removed) {
            (Effect::Refused, _) => format!("{subject} needs Pulumi {needs}"),
            (Effect::Changed, None) => format!("{subject} changed in Pulumi {needs}"),
            (Effect::Changed, Some(_)) => {
                let since = self.construct.since;
                format!("{subject} differs from Pulumi {since} until {needs}")
            }
        }
    }
}

/// A use of a construct that is newer than the oldest Pulumi to support, or that meant something
/// else there.
fn not_supported(used: &Use, oldest: &OldestPulumi) -> Diagnostic {
    let message =
        format!("{}, found {} as the oldest version to support", used.headline(), oldest.version);
    let construct = used.construct;
    let diagnostic = match used.effect {
        Effect::Refused => Diagnostic::error(Code::TooNewForPulumi, used.span, message),
        Effect::Changed => Diagnostic::warning(Code::ChangedInPulumi, used.span, message),
    };
    let mut diagnostic = with_origin(diagnostic.ours(), oldest);
    if let Some(before) = construct.before {
        diagnostic = diagnostic.note(filled(before, &used.name));
    }
    let needs = used.needs();
    diagnostic = diagnostic.help(match (construct.instead, used.effect) {
        (Some(instead), _) => filled(instead, &used.name),
        (None, Effect::Refused) => {
            format!("leave it out, or raise the oldest version to {needs}")
        }
        (None, Effect::Changed) => {
            format!("raise the oldest version to {needs}, or make sure that both are right")
        }
    });
    diagnostic.fix(used.fix_for(oldest).cloned())
}

/// Adds the place that sets the oldest version.
fn with_origin(diagnostic: Diagnostic, oldest: &OldestPulumi) -> Diagnostic {
    match &oldest.set_by {
        SetBy::Setting(setting) => {
            diagnostic.note(format!("{setting} sets the oldest version to support"))
        }
        SetBy::Block(span) => diagnostic.label(*span, "this sets the oldest version to support"),
    }
}

/// A construct in words, such as "the option `protect`".
pub(crate) fn subject(construct: &Construct, name: &str) -> String {
    if let Some(words) = construct.called {
        return filled(words, name);
    }
    let mut parts = construct.name.split('.');
    let (kind, option) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    match kind {
        "attr" => format!("the attribute `{name}`"),
        "block" => format!("the block `{name}`"),
        "invoke-option" => format!("the option `{name}` of `invoke`"),
        "option" if parts.next().is_some() => format!("`{name}` in `{option}`"),
        "option" => format!("the option `{name}`"),
        "type" => format!("the type `{name}`"),
        _ => format!("`{name}`"),
    }
}

pub(crate) fn filled(text: &str, name: &str) -> String {
    text.replace("{}", name)
}

/// The lower bound of the range in the `pulumi` block of a program, if that is written out.
fn oldest_of_blocks(sources: &Sources) -> Option<OldestPulumi> {
    sources.files.iter().find_map(|source| {
        let value = source.tree.file().body().blocks().find_map(range_of)?;
        let range = VersionRange::parse(&string_of(value)?).ok()?;
        let Bound::Lowest(version) = range.bound() else { return None };
        let set_by = SetBy::Block(Span::new(source.file, value.range()));
        Some(OldestPulumi { version, set_by })
    })
}

/// The range, if the block is the `pulumi` block and has one.
fn range_of(block: ast::Block<'_>) -> Option<ast::Expr<'_>> {
    let body = block.has_keyword("pulumi").then(|| block.body())??;
    body.attributes().find(|it| it.is_named("requiredVersionRange"))?.value()
}
