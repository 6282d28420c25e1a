//! The implementation of each function, and how its arguments reach it.

use pcl_language::Function;
use pcl_model::expression::{Call, ExprId};

use super::site::{Parameter, Site, Takes};
use super::{
    assets, attempts, collections, encoding, exists, files, json, numbers, outputs, strings,
};
use crate::expression::evaluate::Evaluator;
use crate::stop::Stop;
use crate::value::Value;

/// A function of the language.
pub(crate) struct Builtin {
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
    Values(fn(&Site<'_>) -> Result<Value, Stop>),
    /// One that decides itself which arguments are evaluated.
    Expressions(fn(&mut Evaluator<'_>, ExprId, &Call) -> Result<Value, Stop>),
}

const fn parameter(takes: Takes) -> Parameter {
    Parameter { takes, is_transparent: false, takes_null: false, takes_unknown: false }
}

const ANY: Parameter = parameter(Takes::Any);
const TEXT: Parameter = parameter(Takes::Text);
const NUMBER: Parameter = parameter(Takes::Number);

/// Its marks stay on what is taken out of it.
const PASSED: Parameter = Parameter { is_transparent: true, ..ANY };

/// Anything, also null and unknown values, with its own marks.
const WHOLE: Parameter = Parameter { takes_null: true, takes_unknown: true, ..PASSED };

const OR_NULL: Parameter = Parameter { takes_null: true, ..ANY };

const fn values(
    parameters: &'static [Parameter],
    body: fn(&Site<'_>) -> Result<Value, Stop>,
) -> Builtin {
    Builtin {
        parameters,
        required: parameters.len(),
        repeats_last: false,
        body: Body::Values(body),
    }
}

const fn expressions(
    body: fn(&mut Evaluator<'_>, ExprId, &Call) -> Result<Value, Stop>,
) -> Builtin {
    Builtin { parameters: &[], required: 0, repeats_last: true, body: Body::Expressions(body) }
}

/// The implementation of a function.
pub(crate) const fn builtin(function: Function) -> Builtin {
    use Function as F;
    match function {
        F::AssetArchive => values(&[ANY], assets::asset_archive),
        F::Call => expressions(crate::call::call),
        F::Can => expressions(attempts::can),
        F::Cwd => values(&[], outputs::cwd),
        F::Element => values(&[PASSED, NUMBER], collections::element),
        F::Entries => values(&[ANY], collections::entries),
        F::FileArchive => values(&[TEXT], assets::file_archive),
        F::FileAsset => values(&[TEXT], assets::file_asset),
        F::Filebase64 => values(&[TEXT], files::encoded),
        F::Filebase64sha256 => values(&[TEXT], files::encoded_checksum),
        F::FromBase64 => values(&[TEXT], encoding::from_base64),
        F::GetOutput => values(&[PASSED, TEXT], outputs::get_output),
        F::Invoke => expressions(crate::invoke::invoke),
        F::Join => values(&[TEXT, ANY], strings::join),
        F::Length => values(&[ANY], collections::length),
        F::Lookup => {
            Builtin { required: 2, ..values(&[PASSED, TEXT, PASSED], collections::lookup) }
        }
        F::Max => Builtin { repeats_last: true, ..values(&[NUMBER], numbers::max) },
        F::Min => Builtin { repeats_last: true, ..values(&[NUMBER], numbers::min) },
        F::NotImplemented => values(&[TEXT], outputs::not_implemented),
        F::Organization => values(&[], outputs::organization),
        F::Project => values(&[], outputs::project),
        F::PulumiResourceName => values(&[PASSED], outputs::resource_name),
        F::PulumiResourceType => values(&[PASSED], outputs::resource_type),
        F::Range => Builtin { required: 1, ..values(&[NUMBER, NUMBER], numbers::range) },
        F::ReadFile => values(&[TEXT], files::read_file),
        F::Recover => expressions(attempts::recover),
        F::RemoteArchive => values(&[TEXT], assets::remote_archive),
        F::RemoteAsset => values(&[TEXT], assets::remote_asset),
        F::ResourceExists => {
            Builtin { required: 2, ..values(&[TEXT, TEXT, WHOLE], exists::resource_exists) }
        }
        F::RootDirectory => values(&[], outputs::root_directory),
        F::Secret => values(&[WHOLE], outputs::secret),
        F::Sha1 => values(&[TEXT], encoding::sha1),
        F::SingleOrNone => values(&[ANY], collections::single_or_none),
        F::Split => values(&[TEXT, TEXT], strings::split),
        F::Stack => values(&[], outputs::stack),
        F::StringAsset => values(&[TEXT], assets::string_asset),
        F::ToBase64 => values(&[TEXT], encoding::to_base64),
        F::ToJson => values(&[OR_NULL], json::to_json),
        F::Try => expressions(attempts::try_each),
        F::Unsecret => values(&[WHOLE], outputs::unsecret),
    }
}
