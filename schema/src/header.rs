//! The fields at the top of a document that concern the package as a whole.

use std::borrow::Cow;
use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use semver::Version;
use serde::Deserialize;

use crate::document::Document;
use crate::error::OpenError;
use crate::index::Index;
use crate::raw::{RawDependency, RawMeta, RawParameterization, Text};
use crate::token::ModuleFormat;
use crate::{DocumentError, DocumentErrorKind, PackageRequest, Parameterization, parse_version};

/// The header of a package.
#[derive(Debug)]
pub(crate) struct Header {
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
}

impl Header {
    /// Reads the header of an indexed document.
    pub fn read(document: &Document, index: &Index) -> Result<Self, OpenError> {
        let fields = index.header.iter().map(|(field, place)| {
            Ok(Field {
                name: field,
                at: place.start,
                text: document.read(place.clone())?,
            })
        });
        let fields = Fields {
            document,
            fields: fields.collect::<io::Result<_>>()?,
        };
        Ok(Self::of_fields(&fields, index)?)
    }

    fn of_fields(fields: &Fields<'_>, index: &Index) -> Result<Self, DocumentError> {
        let name = fields
            .get::<Text<'_>>("name")?
            .map(|text| text.0.into_owned())
            .unwrap_or_default();
        if name.is_empty() {
            return Err(fields.error("name", "a package needs a name".to_owned()));
        }
        let version = match fields
            .get::<Text<'_>>("version")?
            .filter(|text| !text.is_empty())
        {
            Some(text) => Some(parse_version(&text).map_err(|error| {
                fields.error("version", format!("`{}` is no version: {error}", &*text))
            })?),
            None => None,
        };
        let meta: RawMeta<'_> = fields.get("meta")?.unwrap_or_default();
        let module_format = ModuleFormat::parse(meta.module_format.as_deref().unwrap_or_default())
            .map_err(|error| {
                fields.error(
                    "meta",
                    format!("`moduleFormat` is no regular expression: {error}"),
                )
            })?;
        let dependencies = fields
            .get::<Vec<RawDependency<'_>>>("dependencies")?
            .unwrap_or_default();
        let dependencies = dependencies
            .iter()
            .map(dependency)
            .collect::<Result<_, _>>()
            .map_err(|error| fields.error("dependencies", error))?;
        let base = |field| -> Result<Option<BaseProvider>, DocumentError> {
            let Some(raw) = fields.get::<RawParameterization<'_>>(field)? else {
                return Ok(None);
            };
            base_provider(&raw)
                .map(Some)
                .map_err(|error| fields.error(field, error))
        };
        let parameterization = base("parameterization")?;
        let extension = base("extensionParameterization")?;
        if parameterization.is_some() && extension.is_some() {
            let problem = "a package is parameterized or an extension, not both".to_owned();
            return Err(fields.error("extensionParameterization", problem));
        }
        if extension.is_some() && index.provider.is_some() {
            return Err(fields.error(
                "extensionParameterization",
                "an extension has no provider of its own".to_owned(),
            ));
        }
        let provider_token = format!("pulumi:providers:{name}");
        Ok(Self {
            name,
            provider_token,
            version,
            module_format,
            dependencies,
            parameterization,
            extension,
        })
    }
}

/// The fields of a header as they are written.
struct Fields<'d> {
    document: &'d Document,
    fields: Vec<Field<'d>>,
}

struct Field<'d> {
    name: &'static str,
    at: usize,
    text: Cow<'d, [u8]>,
}

impl Fields<'_> {
    fn find(&self, name: &str) -> Option<&Field<'_>> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Reads one field; `None` when it is absent or `null`.
    fn get<'f, T: Deserialize<'f>>(
        &'f self,
        name: &'static str,
    ) -> Result<Option<T>, DocumentError> {
        let Some(field) = self.find(name) else {
            return Ok(None);
        };
        serde_json::from_slice(&field.text)
            .map_err(|error| self.error(name, crate::lower::json_message(&error)))
    }

    fn error(&self, name: &'static str, problem: String) -> DocumentError {
        let at = self.find(name).map_or(0, |field| field.at);
        DocumentError {
            kind: DocumentErrorKind::Header {
                field: name,
                problem,
            },
            position: self.document.position(at),
        }
    }
}

fn dependency(raw: &RawDependency<'_>) -> Result<PackageRequest, String> {
    let version = |text: &Option<Text<'_>>| match text.as_deref() {
        None | Some("") => Ok(None),
        Some(text) => parse_version(text)
            .map(Some)
            .map_err(|error| format!("`{text}` is no version: {error}")),
    };
    let parameterization = match &raw.parameterization {
        None => None,
        Some(parameter) => Some(Parameterization {
            name: parameter.name.as_deref().unwrap_or_default().to_owned(),
            version: version(&parameter.version)?.ok_or("a parameterization needs a version")?,
            value: STANDARD
                .decode(parameter.value.as_deref().unwrap_or_default())
                .map_err(|error| format!("`value` is not base64: {error}"))?,
        }),
    };
    let url = raw
        .download_url
        .as_deref()
        .or(raw.plugin_download_url.as_deref());
    Ok(PackageRequest {
        name: raw.name.as_deref().unwrap_or_default().to_owned(),
        version: version(&raw.version)?,
        download_url: url.filter(|url| !url.is_empty()).map(str::to_owned),
        parameterization,
    })
}

fn base_provider(raw: &RawParameterization<'_>) -> Result<BaseProvider, String> {
    let base = raw.base.as_ref().ok_or("`baseProvider` is missing")?;
    let name = base.name.as_deref().unwrap_or_default().to_owned();
    if name.is_empty() {
        return Err("`baseProvider` needs a name".to_owned());
    }
    let version = base.version.as_deref().unwrap_or_default();
    let version =
        Version::parse(version).map_err(|error| format!("`{version}` is no version: {error}"))?;
    Ok(BaseProvider { name, version })
}
