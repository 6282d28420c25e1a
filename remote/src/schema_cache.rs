//! Pulumi's cache of the answers of plugins, which it and `pcl` share.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_schema::{InstalledPlugin, PackageRequest, PulumiHome};
use sha2::{Digest as _, Sha256};

/// The file that keeps the answer of an installed plugin to a request.
pub(crate) fn place(
    home: &PulumiHome,
    plugin: &InstalledPlugin,
    request: &PackageRequest,
) -> PathBuf {
    let mut name = format!("{}-{}", plugin.name, plugin.version);
    if let Some(url) = &request.download_url {
        name.push_str(&short_hash(url.as_bytes()));
    }
    if let Some(parameter) = &request.parameterization {
        // The very text that Pulumi hashes; names need no escaping that Go and we would do
        // differently.
        let json = format!(
            r#"{{"name":{},"version":"{}","value":"{}"}}"#,
            serde_json::Value::from(parameter.name.as_str()),
            parameter.version,
            STANDARD.encode(&parameter.value),
        );
        name.push_str(&short_hash(json.as_bytes()));
    }
    home.schemas().join(format!("{name}.json"))
}

fn short_hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let digits = digest.iter().take(6).map(|byte| format!("{byte:02x}"));
    format!("-{}", digits.collect::<String>())
}

/// Returns whether an answer is younger than the installation of the plugin that gave it.
pub(crate) fn is_fresh(answer: &Path, plugin: &InstalledPlugin) -> bool {
    let changed = |path: &Path, of: fn(&Metadata) -> Option<SystemTime>| {
        path.metadata().ok().as_ref().and_then(of)
    };
    let written = changed(answer, |metadata| metadata.modified().ok());
    let installed = changed(&plugin.directory, install_time);
    written.zip(installed).is_some_and(|(written, installed)| written >= installed)
}

/// The time of the last change of a directory.
fn install_time(metadata: &Metadata) -> Option<SystemTime> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        use std::time::{Duration, UNIX_EPOCH};
        let seconds = u64::try_from(metadata.ctime()).ok()?;
        let nanoseconds = u32::try_from(metadata.ctime_nsec()).ok()?;
        UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))
    }
    #[cfg(not(unix))]
    metadata.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pcl_schema::Parameterization;
    use semver::Version;

    /// The names with a hash are those that `sha256sum` gives for the texts.
    #[test]
    fn file_names() {
        let home = PulumiHome::new("home");
        let plugin = InstalledPlugin {
            name: "bridge".to_owned(),
            version: Version::new(0, 13, 0),
            directory: PathBuf::new(),
        };
        let named = |request: &PackageRequest| {
            let place = place(&home, &plugin, request);
            place.strip_prefix("home/schemas").unwrap().display().to_string()
        };
        let mut request = PackageRequest::new("bridge");
        assert_eq!(named(&request), "bridge-0.13.0.json");
        request.download_url = Some("https://example.com".to_owned());
        assert_eq!(named(&request), "bridge-0.13.0-100680ad546c.json");
        request.parameterization = Some(Parameterization {
            name: "tfe".to_owned(),
            version: Version::new(0, 70, 0),
            value: b"{\"x\":1}".to_vec(),
        });
        assert_eq!(named(&request), "bridge-0.13.0-100680ad546c-edfce89abadd.json");
    }
}
