//! The help that names flags of the command. The library names settings; this table turns them into
//! the flags that change them.

use pcl::diagnostics::{Code, Diagnostic, Setting};

/// The help for a diagnostic of a code whose own help is about a setting. Each `{}` is what the own
/// help names between backquotes, in the same order.
const HINTS: [(Code, Setting, &str); 10] = [
    (
        Code::NoProgramFiles,
        Setting::Recursive,
        "name a directory with `.pp` files, or with `-r` one above it",
    ),
    (
        Code::UnknownPackage,
        Setting::Parameterization,
        "get it with `pcl schema sync`, which asks the plugin",
    ),
    (Code::UnknownPackage, Setting::RunPlugins, "get the schema from it with `--run-plugins`"),
    (
        Code::InvalidSchemaMember,
        Setting::SchemaPlaces,
        "name the schema of that package with `--schema-dir` or `--schema`",
    ),
    (
        Code::UnknownPackage,
        Setting::MissingSchema,
        "name its schema with `--schema-dir` or `--schema`, or leave what needs it unchecked with \
         `--missing-schema ignore`",
    ),
    (
        Code::UnknownPackage,
        Setting::LoaderAddress,
        "a loader service runs while Pulumi does: check the address in `--loader-address`",
    ),
    (Code::UnknownFunction, Setting::Functions, "`pcl explain --all` lists the functions"),
    (
        Code::UndefinedVariable,
        Setting::WholeProgram,
        "check the whole program with `pcl check {}`; `--whole-programs` does so for each file and \
         shows what concerns it",
    ),
    (Code::UnknownResourceType, Setting::Search, SEARCH),
    (Code::UnknownInvoke, Setting::Search, SEARCH),
];

const SEARCH: &str = "look it up with `pcl schema search {} --package {}`";

/// The words by which the library calls a list that a command shows, and that command; both up to
/// the name of what is listed.
const LISTS: [(Setting, &str, &str); 3] = [
    (Setting::Member, "the schema of `", "`pcl schema show "),
    (Setting::Package, "the schema of package `", "`pcl schema ls "),
    (Setting::Reference, "the page of `", "`pcl explain "),
];

/// The help with flags for a code and a setting.
pub(super) fn hint(code: Code, setting: Setting) -> Option<&'static str> {
    let mut hints = HINTS.iter();
    let found = hints.find(|(of, about, _)| (*of, *about) == (code, setting))?;
    Some(found.2)
}

/// Replaces the help about settings by help with flags.
pub(super) fn name_flags(diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics {
        let Some(setting) = diagnostic.setting else { continue };
        let Some(help) = &mut diagnostic.help else { continue };
        if let Some(hint) = hint(diagnostic.code, setting) {
            let names = help.split('`').skip(1).step_by(2);
            *help = names.fold(hint.to_owned(), |text, name| text.replacen("{}", name, 1));
        } else if let Some((_, words, command)) = LISTS.iter().find(|(of, ..)| *of == setting) {
            *help = help.replace(words, command);
        }
    }
}
