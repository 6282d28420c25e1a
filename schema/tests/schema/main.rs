//! Packages, members, lookups and loaders, over small schemas written here.

mod hostile;
mod loaders;
mod lookup;
mod members;
mod reach;
mod validate;

use pcl_schema::{Package, Section};

/// A package of a document that is a schema.
fn package(document: &str) -> Package {
    Package::from_bytes(document).unwrap()
}

/// Reads every member and what it reaches.
fn read_all(package: &Package) {
    for section in Section::ALL {
        for member in package.members(section) {
            assert_eq!(package.section(member), section);
            let _ = package.resource_by_id(member);
            let _ = package.function_by_id(member);
            let _ = package.type_by_id(member);
            let _ = package.diagnostics(member);
            let _ = package.reach(member);
            let _ = package.resource_by_canonical(package.token(member));
            let _ = package.function_by_canonical(package.token(member));
        }
    }
}
