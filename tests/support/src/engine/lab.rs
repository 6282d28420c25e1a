//! The package `lab` of the recorded registrations.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_schema::{LoadError, Loader, Package, PackageRequest};
use serde_json::{Value as Json, json};

/// The loader of the package `lab` in any version, and of `other`, which has the same schema under
/// every name that a parameter gives it.
pub struct Lab {
    schema: Json,
    loaded: Mutex<BTreeMap<String, Arc<Package>>>,
}

impl Lab {
    pub fn new(schema: &Json) -> Self {
        Self { schema: schema.clone(), loaded: Mutex::default() }
    }
}

impl Loader for Lab {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let mut loaded = self.loaded.lock().expect("packages");
        let known = loaded.entry(format!("{request:?}")).or_insert_with(|| {
            let name = request.name();
            let text = self.schema.to_string().replace("lab:", &format!("{name}:"));
            let mut schema: Json = serde_json::from_str(&text).expect("JSON");
            schema["name"] = json!(name);
            if let Some(version) = &request.version {
                schema["version"] = json!(version.to_string());
            }
            if let Some(parameter) = &request.parameterization {
                schema["version"] = json!(parameter.version.to_string());
                schema["parameterization"] = json!({
                    "baseProvider": { "name": request.name, "version": request.version.as_ref().map(ToString::to_string) },
                    "parameter": STANDARD.encode(&parameter.value),
                });
            }
            Arc::new(Package::from_bytes(schema.to_string()).expect("a schema"))
        });
        Ok(Arc::clone(known))
    }
}
