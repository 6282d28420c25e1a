//! The fields at the top of a document that concern the package as a whole.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use semver::Version;
use serde::Deserialize;

use crate::document::Document;
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
    /// The parameter, meaningful to the plugin alone.
    pub parameter: Vec<u8>,
}

impl Header {
    /// Reads the header of an indexed document, and what is wrong with it. What is wrong counts as absent.
    pub fn read(document: &Document, index: &Index) -> io::Result<(Self, Vec<DocumentError>)> {
        // What nobody needs to load a package is read when it is asked for.
        let needed = |field: &str| !matches!(field, "config" | "description");
        let fields = index.header.iter().filter(|(field, _)| needed(field));
        let fields = fields.map(|(field, place)| {
            Ok(Field {
                name: field,
                at: place.start,
                text: document.read(place.clone())?,
            })
        });
        let fields = Fields {
            document,
            fields: fields.collect::<io::Result<_>>()?,
            problems: RefCell::default(),
        };
        let header = Self::of_fields(&fields, index);
        Ok((header, fields.problems.into_inner()))
    }

    fn of_fields(fields: &Fields<'_>, index: &Index) -> Self {
        let name = fields.read("name", |text: Text<'_>| Ok(text.0.into_owned()));
        let name = name.unwrap_or_default();
        if name.is_empty() && fields.problems.borrow().is_empty() {
            fields.problem("name", "a package needs a name".to_owned());
        }
        let version = fields.read("version", |text: Text<'_>| match &*text {
            "" => Ok(None),
            text => parse_version(text)
                .map(Some)
                .map_err(|error| format!("`{text}` is no version: {error}")),
        });
        let module_format = fields.read("meta", |meta: RawMeta<'_>| {
            ModuleFormat::parse(meta.module_format.as_deref().unwrap_or_default())
                .map_err(|error| format!("`moduleFormat` is no regular expression: {error}"))
        });
        let dependencies = fields.read("dependencies", |list: Vec<RawDependency<'_>>| {
            list.iter().map(dependency).collect()
        });
        let parameterization = fields.read("parameterization", base_provider);
        let extension = fields.read("extensionParameterization", base_provider);
        if parameterization.is_some() && extension.is_some() {
            let problem = "a package is parameterized or an extension, not both".to_owned();
            fields.problem("extensionParameterization", problem);
        }
        if extension.is_some() && index.provider.is_some() {
            let problem = "an extension has no provider of its own".to_owned();
            fields.problem("extensionParameterization", problem);
        }
        Self {
            provider_token: format!("pulumi:providers:{name}"),
            name,
            version: version.flatten(),
            module_format: module_format.unwrap_or(ModuleFormat::Whole),
            dependencies: dependencies.unwrap_or_default(),
            parameterization,
            extension,
        }
    }
}

/// The fields of a header as they are written, and what is wrong with them.
struct Fields<'d> {
    document: &'d Document,
    fields: Vec<Field<'d>>,
    problems: RefCell<Vec<DocumentError>>,
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

    /// Reads one field; `None` when it is absent, `null` or wrong.
    fn read<'f, T: Deserialize<'f>, R>(
        &'f self,
        name: &'static str,
        understand: impl FnOnce(T) -> Result<R, String>,
    ) -> Option<R> {
        let field = self.find(name)?;
        let value = serde_json::from_slice::<Option<T>>(&field.text)
            .map_err(|error| crate::lower::json_message(&error));
        match value.and_then(|value| value.map(understand).transpose()) {
            Ok(value) => value,
            Err(problem) => {
                self.problem(name, problem);
                None
            }
        }
    }

    fn problem(&self, name: &'static str, problem: String) {
        let at = self.find(name).map_or(0, |field| field.at);
        self.problems.borrow_mut().push(DocumentError {
            kind: DocumentErrorKind::Header {
                field: name,
                problem,
            },
            position: self.document.position(at),
        });
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

fn base_provider(raw: RawParameterization<'_>) -> Result<BaseProvider, String> {
    let base = raw.base.as_ref().ok_or("`baseProvider` is missing")?;
    let name = base.name.as_deref().unwrap_or_default().to_owned();
    if name.is_empty() {
        return Err("`baseProvider` needs a name".to_owned());
    }
    let version = base.version.as_deref().unwrap_or_default();
    let version =
        Version::parse(version).map_err(|error| format!("`{version}` is no version: {error}"))?;
    let parameter = raw.parameter.as_deref().unwrap_or_default();
    Ok(BaseProvider {
        name,
        version,
        parameter: STANDARD
            .decode(parameter)
            .map_err(|error| format!("`parameter` is not base64: {error}"))?,
    })
}
