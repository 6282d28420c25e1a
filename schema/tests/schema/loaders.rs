//! The choice of the file that serves a request.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl_schema::{
    ChainLoader, DirectoryLoader, FileLoader, LoadError, Loader, MemoryLoader, Package,
    PackageRequest, Parameterization, parse_version,
};

/// A directory that is removed at the end of the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pcl-schema-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, file: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn document(name: &str, version: &str) -> String {
    match version {
        "" => format!(r#"{{"name": "{name}"}}"#),
        version => format!(r#"{{"name": "{name}", "version": "{version}"}}"#),
    }
}

fn request(text: &str) -> PackageRequest {
    match text.split_once('@') {
        Some((name, version)) => {
            PackageRequest::new(name).with_version(parse_version(version).unwrap())
        }
        None => PackageRequest::new(text),
    }
}

/// The file and version that a request gets, or the error, without the directory of the test.
fn answer(loader: &dyn Loader, scratch: &Path, text: &str) -> String {
    let answer = match loader.load(&request(text)) {
        Ok(package) => {
            let version = package.version().map_or("none".to_owned(), ToString::to_string);
            format!("{} {version}", package.path().unwrap_or(Path::new("memory")).display())
        }
        Err(error) => error.to_string(),
    };
    let root = scratch.display().to_string();
    answer.replace(&format!("{root}/"), "").replace(&root, "HOME")
}

#[test]
fn directories() {
    let scratch = Scratch::new("directories");
    scratch.write("one/zoo.json", document("zoo", ""));
    scratch.write("one/zoo-1.0.0.json", document("zoo", ""));
    scratch.write("one/zoo-1.10.0.json", document("zoo", ""));
    scratch.write("one/zoo-1.9.0-beta.1.json", document("zoo", ""));
    scratch.write("one/zoo-keeper-9.0.0.json", document("zoo-keeper", "9.0.0"));
    scratch.write("one/sky-1.0.0.json", document("sky", "v1.0.1"));
    scratch.write("one/only.json", document("only", ""));
    scratch.write("one/liar-1.0.0.json", document("truth", "1.0.0"));
    scratch.write("one/broken-1.0.0.json", "{\n  \"name\":");
    scratch.write("two/zoo-2.0.0.json", document("zoo", "2.0.0"));
    scratch.write("two/only-3.0.0.json", document("only", ""));
    scratch.write("two/sea.json", document("sea", "4.0.0"));
    scratch.write("two/build-1.0.0+exp.7.json", document("build", ""));
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(document("packed", "5.0.0").as_bytes()).unwrap();
    scratch.write("two/packed-5.0.0.json.gz", gz.finish().unwrap());
    scratch.write("two/torn-5.0.0.json.gz", "no gzip");
    let loader =
        DirectoryLoader::new(["one", "two", "three"].map(|directory| scratch.0.join(directory)));
    let requests = [
        "zoo",
        "zoo@1.0.0",
        "zoo@1.9.0-beta.1",
        "zoo@2.0.0",
        "zoo@3.0.0",
        "zoo-keeper",
        "sky",
        "sky@1.0.0",
        "sky@1.0.1",
        "only",
        "sea",
        "sea@4.0.0",
        "sea@5.0.0",
        "packed",
        "torn",
        "liar",
        "broken",
        "nowhere",
        "nowhere@1.0.0",
        "build@1.0.0",
        "pulumi",
    ];
    let told = requests.map(|text| format!("{text}: {}", answer(&loader, &scratch.0, text)));
    insta::assert_snapshot!(told.join("\n"));
    assert_eq!(
        loader.names(),
        ["broken", "build", "liar", "only", "packed", "sea", "sky", "torn", "zoo", "zoo-keeper"]
    );
}

#[test]
fn the_cache_of_an_installation() {
    let scratch = Scratch::new("cache");
    scratch.write("schemas/zoo-1.0.0.json", document("zoo", ""));
    scratch.write("schemas/bridge-0.1.0-0123456789ab.json", document("first", "1.0.0"));
    scratch.write("schemas/bridge-0.1.0-ba9876543210.json", document("second", "1.0.0"));
    scratch.write("plugins/schema-zoo-2.0.0-.json", document("zoo", ""));
    scratch.write("plugins/resource-zoo-v3.0.0/schema-zoo.json", document("zoo", ""));
    scratch.write("plugins/resource-ark-v1.0.0/README", "");
    let loader = DirectoryLoader::new([]).with_plugin_cache(scratch.0.clone());
    let told = ["zoo", "zoo@1.0.0", "zoo@2.0.0", "ark", "bridge", "second"]
        .map(|text| format!("{text}: {}", answer(&loader, &scratch.0, text)));
    insta::assert_snapshot!(told.join("\n"));
    let parameterization = Parameterization {
        name: "second".to_owned(),
        version: parse_version("1.0.0").unwrap(),
        value: vec![1],
    };
    let parameterized =
        PackageRequest { parameterization: Some(parameterization), ..request("bridge@0.1.0") };
    assert_eq!(loader.load(&parameterized).unwrap().name(), "second");
}

/// Without a version the schema of the plugin that Pulumi would run is meant, else that of the
/// newest release, else that of the newest pre-release.
#[test]
fn which_version_of_an_installation() {
    let scratch = Scratch::new("versions");
    let cached = |name: &str, version: &str| {
        scratch.write(&format!("schemas/{name}-{version}.json"), document(name, version));
    };
    let installed = |name: &str, version: &str| {
        let binary = format!("plugins/resource-{name}-v{version}/pulumi-resource-{name}");
        scratch.write(&binary, "");
    };
    for version in ["1.0.0", "1.9.0", "2.0.0-rc.1"] {
        cached("released", version);
        cached("downgraded", version);
        cached("behind", version);
        installed("dev", version);
    }
    cached("early", "0.1.0-alpha.2");
    cached("early", "0.1.0-alpha.10");
    installed("downgraded", "1.0.0");
    installed("downgraded", "2.0.0-rc.1");
    installed("behind", "3.0.0");
    installed("half", "1.0.0");
    scratch.write("plugins/resource-half-v1.0.0.partial", "");
    scratch.write("plugins/resource-odd-vnext/pulumi-resource-odd", "");
    let loader = DirectoryLoader::new([]).with_plugin_cache(scratch.0.clone());
    let told = [
        "released",
        "released@1.0.0",
        "released@2.0.0-rc.1",
        "released@1.1.0",
        "downgraded",
        "behind",
        "early",
        "dev",
        "dev@1.0.0",
        "half",
        "odd",
    ]
    .map(|text| format!("{text}: {}", answer(&loader, &scratch.0, text)));
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn named_files_before_others() {
    let scratch = Scratch::new("files");
    let new = scratch.write("new.json", document("zoo", "2.0.0"));
    let old = scratch.write("old.json", document("zoo", ""));
    let other = scratch.write("other.json", document("ark", "1.0.0"));
    let mut files = FileLoader::default();
    files.add("zoo", None, new);
    files.add("zoo", Some(parse_version("1.0.0").unwrap()), old);
    files.add("boat", None, other);
    files.add("gone", None, scratch.0.join("gone.json"));
    let mut memory = MemoryLoader::default();
    memory.add(document("zoo", "3.0.0")).unwrap();
    memory.add(document("sea", "1.0.0")).unwrap();
    let mut chain = ChainLoader::default();
    chain.push(files);
    chain.push(memory);
    let requests =
        ["zoo", "zoo@1.0.0", "zoo@2.0.0", "zoo@3.0.0", "zoo@4.0.0", "boat", "sea", "nowhere"];
    let told = requests.map(|text| format!("{text}: {}", answer(&chain, &scratch.0, text)));
    insta::assert_snapshot!(told.join("\n"));
    assert!(matches!(chain.load(&request("gone")), Err(LoadError::Unreadable { .. })));
    assert_eq!(chain.names(), ["boat", "gone", "sea", "zoo"]);
}

#[test]
fn a_file_is_opened_once_for_all_threads() {
    let scratch = Scratch::new("threads");
    let properties: Vec<String> = (0..3_000)
        .map(|n| format!(r#""zoo:a:R{n}": {{"properties": {{"x": {{"type": "string"}}}}}}"#))
        .collect();
    let text = format!(r#"{{"name": "zoo", "resources": {{{}}}}}"#, properties.join(","));
    scratch.write("zoo-1.0.0.json", text);
    let loader = DirectoryLoader::new([scratch.0.clone()]);
    let load = || {
        let package = loader.load(&request("zoo")).unwrap();
        let spec = package
            .resource_by_canonical("zoo:a:R2999")
            .and_then(|found| package.resource_by_id(found.member).unwrap().cloned())
            .unwrap();
        (package, spec)
    };
    let answers: Vec<(Arc<Package>, _)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(load)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(
        answers.iter().all(|(package, spec)| Arc::ptr_eq(package, &answers[0].0)
            && Arc::ptr_eq(spec, &answers[0].1))
    );
}

#[test]
fn yaml_files() {
    let place = Scratch::new("yaml");
    place.write("zoo-1.0.0.yaml", "name: zoo\nresources:\n  zoo:a:Cage: {isComponent: true}\n");
    place.write("zoo-2.0.0.yml", "name: zoo\n");
    place.write("zoo-2.0.0.json", document("zoo", "2.0.0"));
    place.write("bad.yml", "name: [bad");
    let loader = DirectoryLoader::new([place.0.clone()]);
    let zoo = |version: &str| {
        loader.load(&PackageRequest::new("zoo").with_version(parse_version(version).unwrap()))
    };
    let oldest = zoo("1.0.0").unwrap();
    let cage = oldest.resource("zoo:a:Cage").unwrap().unwrap();
    assert!(cage.is_component);
    assert!(zoo("2.0.0").unwrap().path().unwrap().ends_with("zoo-2.0.0.json"));
    let error = loader.load(&PackageRequest::new("bad")).unwrap_err();
    assert!(error.to_string().contains("bad.yml:2:1: not a YAML document"), "{error}");
}
