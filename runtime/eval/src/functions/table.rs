//! The table of functions: their names, and how their arguments reach them.

use super::site::Site;
use super::{
    assets, attempts, collections, encoding, files, json, numbers, outputs, program, strings,
};
use crate::expression::evaluate::Evaluator;
use crate::stop::Stop;
use crate::value::Value;
use pcl_model::expression::{Call, ExprId};

/// A function of the language.
pub(crate) struct Builtin {
    pub name: &'static str,
    pub parameters: &'static [Parameter],
    /// The number of parameters that must have an argument.
    pub required: usize,
    /// Every argument beyond the parameters belongs to the last one.
    pub repeats_last: bool,
    pub body: Body,
}

/// The implementation of a function.
pub(crate) enum Body {
    /// One that takes values.
    Values(fn(&Site<'_>, &[Value]) -> Result<Value, Stop>),
    /// One that decides itself which arguments are evaluated.
    Expressions(fn(&mut Evaluator<'_>, ExprId, &Call) -> Result<Value, Stop>),
}

/// A parameter of a function.
#[derive(Clone, Copy)]
pub(crate) struct Parameter {
    /// The kind that an argument is converted to.
    pub takes: Takes,
    /// The marks of the argument do not go to the result: the function passes them on itself.
    pub is_transparent: bool,
    /// Null is an argument like others.
    pub takes_null: bool,
    /// The function runs with an unknown argument.
    pub takes_unknown: bool,
}

/// The kind that an argument is converted to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Any,
    Text,
    Number,
}

const fn parameter(takes: Takes) -> Parameter {
    Parameter {
        takes,
        is_transparent: false,
        takes_null: false,
        takes_unknown: false,
    }
}

const ANY: Parameter = parameter(Takes::Any);
const TEXT: Parameter = parameter(Takes::Text);
const NUMBER: Parameter = parameter(Takes::Number);

/// Its marks stay on what is taken out of it.
const PASSED: Parameter = Parameter {
    is_transparent: true,
    ..ANY
};

/// Anything, also null and unknown values, with its own marks.
const WHOLE: Parameter = Parameter {
    takes_null: true,
    takes_unknown: true,
    ..PASSED
};

const OR_NULL: Parameter = Parameter {
    takes_null: true,
    ..ANY
};

const fn values(
    name: &'static str,
    parameters: &'static [Parameter],
    body: fn(&Site<'_>, &[Value]) -> Result<Value, Stop>,
) -> Builtin {
    Builtin {
        name,
        parameters,
        required: parameters.len(),
        repeats_last: false,
        body: Body::Values(body),
    }
}

const fn expressions(
    name: &'static str,
    body: fn(&mut Evaluator<'_>, ExprId, &Call) -> Result<Value, Stop>,
) -> Builtin {
    Builtin {
        name,
        parameters: &[],
        required: 0,
        repeats_last: true,
        body: Body::Expressions(body),
    }
}

/// All functions, in byte order of their names.
static TABLE: &[Builtin] = &[
    values("__convert", &[WHOLE], outputs::same),
    values("assetArchive", &[ANY], assets::asset_archive),
    expressions("call", crate::call::call),
    expressions("can", attempts::can),
    values("cwd", &[], program::cwd),
    values("element", &[PASSED, NUMBER], collections::element),
    values("entries", &[ANY], collections::entries),
    values("fileArchive", &[TEXT], assets::file_archive),
    values("fileAsset", &[TEXT], assets::file_asset),
    values("filebase64", &[TEXT], files::filebase64),
    values("filebase64sha256", &[TEXT], files::filebase64sha256),
    values("fromBase64", &[TEXT], encoding::from_base64),
    values("getOutput", &[PASSED, TEXT], outputs::get_output),
    expressions("invoke", crate::invoke::invoke),
    values("join", &[TEXT, ANY], strings::join),
    values("length", &[ANY], collections::length),
    Builtin {
        required: 2,
        ..values("lookup", &[PASSED, TEXT, PASSED], collections::lookup)
    },
    Builtin {
        repeats_last: true,
        ..values("max", &[NUMBER], numbers::max)
    },
    Builtin {
        repeats_last: true,
        ..values("min", &[NUMBER], numbers::min)
    },
    values("notImplemented", &[TEXT], program::not_implemented),
    values("organization", &[], program::organization),
    values("project", &[], program::project),
    values("pulumiResourceName", &[PASSED], outputs::resource_name),
    values("pulumiResourceType", &[PASSED], outputs::resource_type),
    Builtin {
        required: 1,
        ..values("range", &[NUMBER, NUMBER], numbers::range)
    },
    values("readFile", &[TEXT], files::read_file),
    expressions("recover", attempts::recover),
    values("remoteArchive", &[TEXT], assets::remote_archive),
    values("remoteAsset", &[TEXT], assets::remote_asset),
    values("rootDirectory", &[], program::root_directory),
    values("secret", &[WHOLE], outputs::secret),
    values("sha1", &[TEXT], encoding::sha1),
    values("singleOrNone", &[ANY], collections::single_or_none),
    values("split", &[TEXT, TEXT], strings::split),
    values("stack", &[], program::stack),
    values("stringAsset", &[TEXT], assets::string_asset),
    values("toBase64", &[TEXT], encoding::to_base64),
    values("toJSON", &[OR_NULL], json::to_json),
    expressions("try", attempts::try_each),
    values("unsecret", &[WHOLE], outputs::unsecret),
];

/// The place in the table of the function of that name.
pub(crate) fn find(name: &str) -> Option<u16> {
    let at = TABLE.binary_search_by(|builtin| builtin.name.cmp(name));
    u16::try_from(at.ok()?).ok()
}

/// The function at a place in the table.
pub(crate) fn at(place: u16) -> Option<&'static Builtin> {
    TABLE.get(usize::from(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(TABLE.is_sorted_by(|one, next| one.name < next.name));
    }

    #[test]
    fn every_function_of_the_checker_runs() {
        for area in pcl_model::functions::all_areas() {
            // The functions of types never run.
            for function in area
                .functions
                .iter()
                .filter(|_| !area.title.starts_with("Types"))
            {
                assert!(find(function.name).is_some(), "{}", function.name);
            }
        }
    }
}
