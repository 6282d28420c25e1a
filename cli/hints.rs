//! The help that names flags of the command. The library names settings; this table turns them into
//! the flags that change them.

use pcl::diagnostics::{Code, Diagnostic, Setting};

/// The help for a diagnostic of a code whose own help is about a setting. `{}` is what the own help
/// names between its first backquotes.
const HINTS: [(Code, Setting, &str); 9] = [
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
    (Code::UnknownProperty, Setting::Member, "`pcl schema show {}` lists its outputs"),
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
        let setting = diagnostic.setting;
        if let Some(help) = setting.and_then(|setting| hint(diagnostic.code, setting)) {
            let named = diagnostic.help.as_deref().and_then(|help| help.split('`').nth(1));
            diagnostic.help = Some(help.replace("{}", named.unwrap_or_default()));
        }
    }
}
