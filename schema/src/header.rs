//! The fields at the top of a document that concern the package as a whole.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use semver::Version;

use crate::index::Index;
use crate::json::{self, Text, Value};
use crate::raw::{RawDependency, RawMeta, RawParameterization};
use crate::source::SchemaSource;
use crate::token::ModuleFormat;
use crate::{DocumentError, DocumentErrorKind, PackageRequest, Parameterization, parse_version};

/// The fields that decide how a package is loaded, and what its tokens mean.
const NEEDED: [&str; 6] =
    ["name", "version", "meta", "dependencies", "parameterization", "extensionParameterization"];

/// The header of a package.
#[derive(Debug)]
pub(crate) struct PackageHeader {
    pub name: String,
    /// The token of the package's provider.
    pub provider_token: String,
    pub version: Option<Version>,
    pub module_format: ModuleFormat,
    /// The packages that references may lead to, as requests that load them.
    pub dependencies: Vec<PackageRequest>,
    /// The plugin that makes this package of a parameter.
    pub parameterization: Option<BaseProvider>,
    /// The plugin whose package this one extends.
    pub extension: Option<BaseProvider>,
}

/// The plugin behind a parameterized package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseProvider {
    /// The plugin's name.
    pub name: String,
    /// The plugin's version.
    pub version: Version,
    /// The parameter, meaningful to the plugin alone.
    pub parameter: Vec<u8>,
}

impl PackageHeader {
    /// Reads the header of an indexed document, and the errors in it. A field with an error counts
    /// as absent.
    pub fn read(document: &SchemaSource, index: &Index) -> io::Result<(Self, Vec<DocumentError>)> {
        // Fields that are not needed to load a package are read on demand.
        let needed = |field: &str| NEEDED.contains(&field);
        let fields = index.header.iter().filter(|(field, _)| needed(field));
        let fields = fields.map(|(field, place)| {
            Ok(HeaderField { name: field, at: place.start, text: document.read(place.clone())? })
        });
        let fields = HeaderFields {
            document,
            fields: fields.collect::<io::Result<_>>()?,
            errors: RefCell::default(),
        };
        let header = Self::of_fields(&fields, index);
        Ok((header, fields.errors.into_inner()))
    }

    fn of_fields(fields: &HeaderFields<'_>, index: &Index) -> Self {
        let name = fields.read("name", |text: Text<'_>| Ok(text.0.into_owned()));
        let name = name.unwrap_or_default();
        if name.is_empty() && fields.errors.borrow().is_empty() {
            fields.reject("name", missing_name());
        }
        let version = fields.read("version", |text: Text<'_>| match &*text {
            "" => Ok(None),
            text => parse_version(text).map(Some).map_err(|_| malformed_version(text)),
        });
        let module_format = fields.read("meta", |meta: RawMeta<'_>| {
            ModuleFormat::parse(meta.module_format.as_deref().unwrap_or_default())
                .map_err(|error| malformed_module_format(&error))
        });
        let dependencies = fields.read("dependencies", |list: Vec<RawDependency<'_>>| {
            list.iter().map(dependency).collect()
        });
        let parameterization = fields.read("parameterization", base_provider);
        let extension = fields.read("extensionParameterization", base_provider);
        if parameterization.is_some() && extension.is_some() {
            let reason = parameterized_extension();
            fields.reject("extensionParameterization", reason);
        }
        if extension.is_some() && index.provider.is_some() {
            let reason = extension_with_provider();
            fields.reject("extensionParameterization", reason);
        }
        Self {
            provider_token: format!("pulumi:providers:{name}"),
            name,
            version: version.flatten(),
            module_format: module_format.unwrap_or_default(),
            dependencies: dependencies.unwrap_or_default(),
            parameterization,
            extension,
        }
    }
}

/// The fields of a header as they are written, and the errors in them.
struct HeaderFields<'d> {
    document: &'d SchemaSource,
    fields: Vec<HeaderField<'d>>,
    errors: RefCell<Vec<DocumentError>>,
}

struct HeaderField<'d> {
    name: &'static str,
    at: usize,
    text: Cow<'d, [u8]>,
}

impl HeaderFields<'_> {
    fn find(&self, name: &str) -> Option<&HeaderField<'_>> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Reads one field; `None` when it is absent, `null` or wrong.
    fn read<'f, T: Value<'f>, R>(
        &'f self,
        name: &'static str,
        understand: impl FnOnce(T) -> Result<R, String>,
    ) -> Option<R> {
        let field = self.find(name)?;
        let value =
            json::read::<Option<T>>(&field.text).map_err(|error| error.message.into_owned());
        match value.and_then(|value| value.map(understand).transpose()) {
            Ok(value) => value,
            Err(reason) => {
                self.reject(name, reason);
                None
            }
        }
    }

    /// Notes that a field cannot be used.
    fn reject(&self, field: &'static str, reason: String) {
        let at = self.find(field).map_or(0, |field| field.at);
        let kind = DocumentErrorKind::Header { field, reason };
        let error = self.document.error(kind, at);
        self.errors.borrow_mut().push(error);
    }
}

fn dependency(raw: &RawDependency<'_>) -> Result<PackageRequest, String> {
    let version = |text: &Option<Text<'_>>| match text.as_deref() {
        None | Some("") => Ok(None),
        Some(text) => parse_version(text).map(Some).map_err(|_| malformed_version(text)),
    };
    let parameterization = match &raw.parameterization {
        None => None,
        Some(parameter) => Some(Parameterization {
            name: parameter.name.as_deref().unwrap_or_default().to_owned(),
            version: version(&parameter.version)?.ok_or_else(parameterization_without_version)?,
            value: STANDARD
                .decode(parameter.value.as_deref().unwrap_or_default())
                .map_err(|error| not_base64("value", &error))?,
        }),
    };
    let url = raw.download_url.as_deref().or(raw.plugin_download_url.as_deref());
    Ok(PackageRequest {
        name: raw.name.as_deref().unwrap_or_default().to_owned(),
        version: version(&raw.version)?,
        download_url: url.filter(|url| !url.is_empty()).map(str::to_owned),
        parameterization,
    })
}

fn base_provider(raw: RawParameterization<'_>) -> Result<BaseProvider, String> {
    let base = raw.base.as_ref().ok_or_else(missing_base_provider)?;
    let name = base.name.as_deref().unwrap_or_default().to_owned();
    if name.is_empty() {
        return Err(base_provider_without_name());
    }
    let version = base.version.as_deref().unwrap_or_default();
    let version = Version::parse(version).map_err(|_| malformed_version(version))?;
    let parameter = raw.parameter.as_deref().unwrap_or_default();
    Ok(BaseProvider {
        name,
        version,
        parameter: STANDARD.decode(parameter).map_err(|error| not_base64("parameter", &error))?,
    })
}

/// The document has no `name`.
fn missing_name() -> String {
    "`name` is missing".to_owned()
}

/// A version is not a semantic version.
fn malformed_version(text: &str) -> String {
    format!("`{text}` is not a version such as 1.2.3")
}

/// `moduleFormat` is not a regular expression.
fn malformed_module_format(error: &str) -> String {
    format!("`moduleFormat` is not a regular expression: {error}")
}

/// The package is parameterized and an extension.
fn parameterized_extension() -> String {
    "a package is parameterized or an extension, not both".to_owned()
}

/// An extension has a provider.
fn extension_with_provider() -> String {
    "an extension has no provider of its own".to_owned()
}

/// A parameterization has no version.
fn parameterization_without_version() -> String {
    "`version` is missing in `parameterization`".to_owned()
}

/// The base provider is not given.
fn missing_base_provider() -> String {
    "`baseProvider` is missing".to_owned()
}

/// The base provider has no name.
fn base_provider_without_name() -> String {
    "`name` is missing in `baseProvider`".to_owned()
}

/// The value of a key is not base64.
fn not_base64(key: &str, error: &base64::DecodeError) -> String {
    format!("`{key}` is not base64: {error}")
}
