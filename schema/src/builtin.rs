//! The package `pulumi`, which every program has and no plugin provides.

use std::sync::{Arc, OnceLock};

use crate::Package;

const DOCUMENT: &str = r##"{
  "name": "pulumi",
  "version": "3.0.0",
  "provider": { "inputProperties": { "name": { "type": "string" } } },
  "resources": {
    "pulumi:index:Stash": {
      "inputProperties": { "input": { "$ref": "pulumi.json#/Any" } },
      "requiredInputs": ["input"],
      "properties": { "input": { "$ref": "pulumi.json#/Any" }, "output": { "$ref": "pulumi.json#/Any" } },
      "required": ["input", "output"]
    },
    "pulumi:pulumi:StackReference": {
      "inputProperties": { "name": { "type": "string" } },
      "properties": {
        "name": { "type": "string" },
        "outputs": { "type": "object", "additionalProperties": { "$ref": "pulumi.json#/Any" } },
        "secretOutputNames": { "type": "object", "additionalProperties": { "type": "string" } }
      },
      "required": ["outputs"]
    }
  }
}"##;

/// The package `pulumi`: the same one for the whole process.
pub fn builtin_package() -> Arc<Package> {
    static PACKAGE: OnceLock<Arc<Package>> = OnceLock::new();
    #[cfg_attr(
        not(test),
        expect(clippy::expect_used, reason = "the document is a constant, which tests load")
    )]
    let load = || Arc::new(Package::from_bytes(DOCUMENT).expect("our own document is a schema"));
    PACKAGE.get_or_init(load).clone()
}
