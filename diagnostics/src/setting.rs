//! The settings that a diagnostic may name.

/// A setting of a run under which a diagnostic would not be reported, or a list that says more.
///
/// The library knows settings, not the flags of a command. A front end that has flags replaces the
/// help of the diagnostic by one that names them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Setting {
    /// The places where schemas are looked up. The help for an unknown package names it between its
    /// first backquotes, as `NAME` or `NAME@VERSION`.
    SchemaPlaces,
    /// The schemas that plugins make of parameters.
    Parameterization,
    /// The places where schemas are looked up, and the treatment of packages without a schema.
    MissingSchema,
    /// The permission to start installed plugins.
    RunPlugins,
    /// The address of the loader service.
    LoaderAddress,
    /// The search for programs below a directory.
    Recursive,
    /// The list of the functions of the language.
    Functions,
    /// The check of all files of a program together.
    WholeProgram,
    /// The members of packages. The help names a token between its first backquotes.
    Member,
}
