//! `pcl-schemas.lock`: the schemas that `pcl schema add` and `sync` have kept, with their digests.
//!
//! Its form is described in `docs/schemas.md`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use semver::Version;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::status::Failure;
use pcl::remote::is_plugin_name;
use pcl::schema::{PackageRequest, Parameterization};

const NAME: &str = "pcl-schemas.lock";

const FORMAT: &str = "1.0";

const MAX_BYTES: u64 = 16 << 20;

/// The content of a lock file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Lock {
    format_version: String,
    /// Sorted by name and version.
    packages: Vec<Locked>,
}

/// A schema that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Locked {
    pub name: String,
    /// `None` if the schema does not say it and nobody asked for one.
    pub version: Option<Version>,
    /// `sha256:` and the digest of the file in hexadecimal.
    pub digest: String,
    /// The plugin that made the package of a parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<Base>,
}

/// A plugin with the parameter that it made a package of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Base {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<Version>,
    /// In Base64.
    parameter: String,
}

impl Lock {
    /// The lock file of a directory; an empty one if there is none.
    pub fn read(directory: &Path) -> Result<Self, Failure> {
        let path = place(directory);
        let bytes = match pcl_system::read(&path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound) => {
                return Ok(Self::default());
            }
            Err(error) => return Err(Failure::io("read", path, error)),
        };
        let broken = |reason: String| {
            let path = path.display();
            Failure::usage(format!("`{path}` is not a lock file of schemas: {reason}"))
        };
        let lock: Self =
            serde_json::from_slice(&bytes).map_err(|error| broken(error.to_string()))?;
        if lock.format_version != FORMAT {
            let found = &lock.format_version;
            return Err(broken(format!(
                "its format is `{found}`, and this is the format `{FORMAT}`"
            )));
        }
        for locked in &lock.packages {
            let names = [Some(&locked.name), locked.base.as_ref().map(|base| &base.name)];
            // Names become parts of paths.
            if let Some(name) = names.into_iter().flatten().find(|name| !is_plugin_name(name)) {
                return Err(broken(format!("`{name}` is not the name of a package")));
            }
            let parameter = locked.base.as_ref().map(|base| &base.parameter);
            if parameter.is_some_and(|parameter| STANDARD.decode(parameter).is_err()) {
                return Err(broken(format!("the parameter of `{}` is not Base64", locked.name)));
            }
        }
        Ok(lock)
    }

    /// Replaces the lock file of a directory.
    pub fn write(&mut self, directory: &Path) -> Result<(), Failure> {
        FORMAT.clone_into(&mut self.format_version);
        self.packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
        let path = place(directory);
        let failed = |error| Failure::io("write", &path, error);
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|error| failed(std::io::Error::other(error)))?;
        text.push(b'\n');
        pcl_system::replace(&path, &text).map_err(failed)
    }

    pub fn packages(&self) -> &[Locked] {
        &self.packages
    }

    /// The schema that a request means: without a version, that of the highest one.
    pub fn find(&self, request: &PackageRequest) -> Option<&Locked> {
        let named = self.packages.iter().filter(|it| it.name == request.name());
        let fitting = named.filter(|it| match (request.version(), &it.version) {
            (Some(wanted), Some(version)) => version.cmp_precedence(wanted).is_eq(),
            (wanted, _) => wanted.is_none(),
        });
        fitting.max_by(|a, b| a.version.cmp(&b.version))
    }

    /// Adds a schema, in the place of one with the same name and version.
    pub fn put(&mut self, locked: Locked) {
        let is_other =
            |other: &Locked| (&other.name, &other.version) != (&locked.name, &locked.version);
        self.packages.retain(is_other);
        self.packages.push(locked);
    }
}

impl Locked {
    /// The entry for a schema that answers a request.
    pub fn new(request: &PackageRequest, version: Option<&Version>, document: &[u8]) -> Self {
        Self {
            name: request.name().to_owned(),
            version: version.cloned(),
            digest: digest(document),
            base: request.parameterization.as_ref().map(|parameter| Base {
                name: request.name.clone(),
                version: request.version.clone(),
                parameter: STANDARD.encode(&parameter.value),
            }),
        }
    }

    /// The name of its file.
    pub fn file_name(&self) -> String {
        match &self.version {
            Some(version) => format!("{}-{version}.json", self.name),
            None => format!("{}.json", self.name),
        }
    }

    /// The request that gets it again.
    pub fn request(&self) -> PackageRequest {
        let own =
            PackageRequest { version: self.version.clone(), ..PackageRequest::new(&self.name) };
        let Some((base, version)) = self.base.as_ref().zip(self.version.clone()) else {
            return own;
        };
        PackageRequest {
            version: base.version.clone(),
            parameterization: Some(Parameterization {
                name: self.name.clone(),
                version,
                value: STANDARD.decode(&base.parameter).unwrap_or_default(),
            }),
            ..PackageRequest::new(&base.name)
        }
    }
}

/// The digest of a schema, as lock files have it.
pub(super) fn digest(document: &[u8]) -> String {
    let digest = Sha256::digest(document);
    let digits = digest.iter().map(|byte| format!("{byte:02x}"));
    format!("sha256:{}", digits.collect::<String>())
}

fn place(directory: &Path) -> PathBuf {
    directory.join(NAME)
}
