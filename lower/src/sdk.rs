//! All passes, in the order that generators for the languages of Pulumi's SDKs need. See
//! `tests/spec/lowering/sdk.md`.

use pcl_binder::Program;

use crate::expression::{Applies, Lifts};
use crate::late::late;
use crate::program::{
    applies, constants, conversions, deferred_outputs, invokes, optional_guards,
    property_references,
};

/// The choices of a generator about the passes.
///
/// The default is for a language without shortcuts; [`nodejs`](Self::nodejs),
/// [`python`](Self::python), [`go`](Self::go) and [`java`](Self::java) know the shortcuts of four
/// SDKs. Set [`Applies::format`] if parameters are not written as PCL writes names.
#[derive(Clone, Copy, Debug)]
pub struct SdkOptions {
    /// The options of [`applies`].
    pub applies: Applies,
    /// True when [`late`] runs: inputs of components may be outputs, and resources may be there
    /// late, in the target language.
    pub late: bool,
    /// True when [`optional_guards`] runs: reading a property of an absent resource fails in the
    /// target language.
    pub optional_guards: bool,
}

impl Default for SdkOptions {
    /// Everything is made explicit.
    fn default() -> Self {
        Self { applies: Applies::default(), late: true, optional_guards: true }
    }
}

impl SdkOptions {
    /// The options for `@pulumi/pulumi`: it lifts steps into outputs, and `pulumi.jsonStringify`
    /// takes outputs.
    pub fn nodejs() -> Self {
        Self {
            applies: Applies {
                lifts: Lifts::NodeJs,
                skip_to_json: true,
                is_exact: true,
                ..Applies::default()
            },
            ..Self::default()
        }
    }

    /// The options for Pulumi's SDK for Go: functions give values, where PCL has promises.
    pub fn go() -> Self {
        Self {
            applies: Applies {
                skip_to_json: true,
                promises: false,
                is_exact: true,
                ..Applies::default()
            },
            ..Self::default()
        }
    }

    /// The options for Pulumi's SDK for Java: functions give values, where PCL has promises.
    pub fn java() -> Self {
        Self {
            applies: Applies { promises: false, is_exact: true, ..Applies::default() },
            ..Self::default()
        }
    }

    /// The options for the package `pulumi` of Python: it lifts steps into outputs,
    /// `pulumi.Output.json_dumps` takes outputs, and functions give values, where PCL has promises.
    pub fn python() -> Self {
        Self {
            applies: Applies {
                lifts: Lifts::Python,
                skip_to_json: true,
                promises: false,
                is_exact: true,
                ..Applies::default()
            },
            ..Self::default()
        }
    }
}

/// Runs all passes.
///
/// ```
/// use std::sync::Arc;
/// use pcl_binder::{NodeBody, Options, Sources, bind};
/// use pcl_diagnostics::SourceMap;
/// use pcl_lower::{SdkOptions, sdk};
/// use pcl_model::expression::print;
/// use pcl_schema::MemoryLoader;
///
/// let mut schemas = MemoryLoader::default();
/// schemas.add(r##"{ "name": "toy", "types": {
///     "toy:index:Site": { "type": "object", "properties": { "url": { "type": "string" } }, "required": ["url"] } },
///   "resources": { "toy:index:Car": { "required": ["site"], "properties": { "site": { "$ref": "#/types/toy:index:Site" } } } } }"##)?;
/// let text = "resource car \"toy:index:Car\" {}\nurl = car.site.url\n";
/// let mut map = SourceMap::new();
/// let sources = Sources::from_texts([("main.pp", text)], &mut map);
/// let bound = bind(&sources, &mut map, Arc::new(schemas), &Options::default());
///
/// let lowered = |options| {
///     let program = sdk(bound.program.clone(), &options);
///     let NodeBody::Local(url) = program.module.nodes[1].body else { panic!() };
///     print(url, &program.exprs, &program.types, &program.scopes)
/// };
/// assert_eq!(lowered(SdkOptions::default()), "__apply(car.site, eval(site, site.url))");
/// assert_eq!(lowered(SdkOptions::nodejs()), "car.site.url");
/// # Ok::<(), pcl_schema::DocumentError>(())
/// ```
pub fn sdk(program: Program, options: &SdkOptions) -> Program {
    let program = deferred_outputs(constants(invokes(property_references(program))));
    let program = if options.late { late(program) } else { program };
    let program = conversions(applies(program, &options.applies));
    if options.optional_guards { optional_guards(program) } else { program }
}
