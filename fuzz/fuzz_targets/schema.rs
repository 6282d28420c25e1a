//! Any bytes are a schema or an error with a place; reading one member never spoils another.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pcl_schema::{Package, Section, Syntax, validate};

fuzz_target!(|bytes: &[u8]| {
    for syntax in [Syntax::Json, Syntax::Yaml] {
        for finding in validate(bytes, syntax) {
            assert!(finding.range.start <= finding.range.end);
            assert!(finding.range.end as usize <= bytes.len());
        }
    }
    let Ok(package) = Package::from_bytes(bytes) else {
        return;
    };
    for section in [
        Section::Types,
        Section::Resources,
        Section::Functions,
        Section::Provider,
    ] {
        let members: Vec<_> = package.members(section).collect();
        for member in members {
            let _ = package.resource_by_id(member);
            let _ = package.function_by_id(member);
            let _ = package.type_by_id(member);
            let _ = package.reach(member);
        }
    }
});
