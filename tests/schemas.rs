//! Every available schema: all members are read, checked with everything that they refer to, and
//! converted to types. The known errors in some of them are listed in `tests/schemas/expected.txt`;
//! anything else is an error of ours. `PCL_GENERATE=1 cargo test --test schemas` writes the list.
//!
//! `PCL_TEST_SCHEMAS` names the directory; without it, the shared corpus beside the checkout is
//! taken, if there is one.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::binder::schema_types::{SchemaOptions, SchemaTypes, Shape};
use pcl::binder::{PackageCache, PackageIndex};
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::schema::{
    ChainLoader, DirectoryLoader, FileLoader, Loader, Package, PackageRequest, Section, TypeDef,
};
use pcl_test_support::{generated, skip};

#[test]
fn every_member_of_every_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = std::env::var_os("PCL_TEST_SCHEMAS")
        .map_or_else(|| root.join("../shared/corpus/schemas"), PathBuf::from);
    if !directory.is_dir() {
        let reason = format!("there are no schemas at {}", directory.display());
        skip("PCL_REQUIRE_SHARED", reason);
        return;
    }
    let mut files = Vec::new();
    for set in sorted(&directory) {
        files.extend(sorted(&set).into_iter().map(|file| (set.clone(), file)));
    }
    let jobs = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut told = Vec::new();
    let mut members = 0;
    let work = |(set, file): &(PathBuf, PathBuf)| {
        let name = format!("{}/{}", base_name(set), base_name(file));
        (name, visit(set, file))
    };
    pcl::in_order(&files, jobs, work, |(name, (found, count))| {
        members += count;
        told.extend(found.into_iter().map(|(line, times)| format!("{name}: {times} x {line}")));
    });
    println!("{members} members");
    let text: String = told.iter().map(|line| format!("{line}\n")).collect();
    generated("tests/schemas/expected.txt", &text);
}

/// The diagnostics about a schema and its members, each with its count; and the number of its
/// members.
fn visit(set: &Path, file: &Path) -> (BTreeMap<String, usize>, u32) {
    let mut told = BTreeMap::new();
    let mut tell = |line: String| *told.entry(line).or_default() += 1;
    let package = match Package::open(file, None) {
        Ok(package) => Arc::new(package),
        Err(error) => {
            tell(plain(&error.to_string(), set));
            return (told, 0);
        }
    };
    // The package itself is that of this file; others are searched beside it.
    let mut own = FileLoader::default();
    own.add(package.name(), package.version().cloned(), file.to_owned());
    let mut chain = ChainLoader::default();
    chain.push(own);
    chain.push(DirectoryLoader::new([set.to_owned()]));
    let chain: Arc<dyn Loader> = Arc::new(chain);
    let cache = Arc::new(PackageCache::new(chain));
    let request = PackageRequest {
        version: package.version().cloned(),
        ..PackageRequest::new(package.name())
    };
    let index = match cache.load(&request) {
        Ok(index) => index,
        Err(error) => {
            tell(plain(&error.to_string(), set));
            return (told, 0);
        }
    };
    let schemas = Arc::new(SchemaTypes::new(Arc::clone(&cache), SchemaOptions::default()));
    let mut types = TypeStore::with_materializer(schemas.clone());
    let package = cache.package(index);
    for section in Section::ALL {
        for member in package.members(section) {
            let checked = schemas.check(index, member);
            let complaints = [&checked.errors, &checked.missing_packages, &checked.warnings];
            for complaint in complaints.into_iter().flatten() {
                tell(plain(complaint, set));
            }
            let made = make_types(&schemas, &mut types, index, package, member);
            for ty in made {
                look_into(&mut types, ty);
            }
        }
    }
    (told, package.member_count())
}

/// The types that programs meet when they use a member.
fn make_types(
    schemas: &SchemaTypes,
    types: &mut TypeStore,
    index: PackageIndex,
    package: &Package,
    member: pcl::schema::MemberId,
) -> Vec<TypeId> {
    let mut made = Vec::new();
    if let Ok(Some(_)) = package.resource_by_id(member) {
        made.push(schemas.object(types, index, member, Shape::ResourceInputs));
        made.push(schemas.object(types, index, member, Shape::ReadInputs));
        made.push(schemas.object(types, index, member, Shape::Resource));
    }
    if let Ok(Some(function)) = package.function_by_id(member) {
        made.push(schemas.function_result(types, index, member, function));
        for shape in [Shape::FunctionInputs, Shape::FunctionInputsWithOutputs] {
            made.push(schemas.object(types, index, member, shape));
        }
    }
    if let Ok(Some(spec)) = package.type_by_id(member)
        && matches!(spec, TypeDef::Object(_))
    {
        for shape in [Shape::Plain, Shape::Input] {
            made.push(schemas.object(types, index, member, shape));
        }
    }
    made
}

/// Reads the properties of a type and of the types directly in it; the members behind those are
/// read in their own turn.
fn look_into(types: &mut TypeStore, ty: TypeId) {
    if let Some(properties) = types.properties(ty) {
        for (_, ty) in properties.iter() {
            assert!(!types.display(*ty).is_empty() || matches!(types.get(*ty), Type::Object(_)));
        }
    }
}

/// A message without what differs from member to member and from machine to machine.
fn plain(message: &str, set: &Path) -> String {
    let message = message.replace(&set.display().to_string(), "SET");
    let message = match message.split_once(" (line ") {
        Some((message, _)) => message.to_owned(),
        None => message,
    };
    match message.split_once(": ") {
        Some((path, rest)) if path.starts_with("#/") => rest.to_owned(),
        _ => match message.split_once("` needs another package: ") {
            Some((_, rest)) => rest.to_owned(),
            None => message,
        },
    }
}

fn sorted(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The name of a file without the ending that says how it is packed.
fn base_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.trim_end_matches(".gz").to_owned()
}
