//! Packages of components in PCL: `pcl schema infer`, and `pcl check` of such a directory.

use std::ffi::OsStr;
use std::path::Path;

use pcl::diagnostics::{Code, Origin, Severity};
use pcl::{ComponentPackage, SchemaPlaces, Settings, Target, Workspace, check_schema_text};
use pcl_test_support::{SCHEMAS, Scratch, items, pcl, root, scratch, text, write};

const MANIFEST: &str = "runtime:\n  name: pcl\n  options: { name: shop, version: 1.2.0 }\n";

const HARBOR: &str =
    "package {\n  baseProviderName    = \"harbor\"\n  baseProviderVersion = \"2.1.0\"\n}\n";

/// A component with an input and an output of each kind.
const WEB: &str = r#"# A place for pages.
# It has a name.

# how many
config "size" "int" {
  default = 3
}
config "title" "string" {
  description = "what is on top"
}
config "ratio" "number" {
  default = 0.5
}
config "loud" "bool" {
  default = true
}
config "token" "string" {
  default = "hush"
  secret  = true
}
config "note" "string" {
  nullable = true
}
config "rules" "list(object({ port = int, from = object({ cidr = string }) }))" {}
config "tags" "map(string)" {
  default = { a = "b" }
}
config "anything" "any" {}
config "inner" "string" {
  __logicalName = "outer"
}
resource "server" "harbor:compute:Server" {
  image    = title
  password = token
}
resource "balancer" "harbor:network:LoadBalancer" {
  ports = [{ number = 80 }]
}
loudly = secret(title)
output "names" {
  value = [title, "${title}!"]
}
output "size" {
  value = size + 1
}
output "word" {
  value = loud ? "loud" : "still"
}
# The server.
# pcl: ignore[naming] as the others
output "server" {
  value = server
}
output "address" {
  value = balancer.address
}
output "ports" {
  value = balancer.ports
}
output "check" {
  value = balancer.check
}
output "rules" {
  value = rules
}
output "hidden" {
  value = loudly
}
output "token" {
  value = token
}
output "page" {
  value = stringAsset("<p>")
}
output "whole" {
  value = { name = title, parts = [for n in range(size) : { at = n }] }
}
output "declared" "list(number)" {
  value = [1, 2]
}
output "maybe" {
  value = note
}
"#;

/// Writes a package of components.
fn package(name: &str, files: &[(&str, &str)]) -> Scratch {
    let directory = scratch(name);
    for (file, text) in [("PulumiPlugin.yaml", MANIFEST)].iter().chain(files) {
        write(&directory.join(file), text);
    }
    directory
}

fn infer(directory: &Path, more: &[&str]) -> pcl_test_support::Run {
    let place = directory.to_str().expect("the path is text");
    let words = ["schema", "infer", place, "--schema-dir", SCHEMAS];
    pcl(words.into_iter().chain(more.iter().copied()))
}

fn workspace() -> Workspace {
    let schemas =
        SchemaPlaces { directories: vec![root().join(SCHEMAS)], ..SchemaPlaces::default() };
    Workspace::new(Settings { schemas, ..Settings::default() })
}

#[test]
fn a_schema_says_what_the_blocks_say() {
    let directory = package(
        "component-packages-schema",
        &[("harbor.pp", HARBOR), ("web/main.pp", WEB), ("web/part/main.pp", "")],
    );
    let run = infer(&directory, &[]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    insta::assert_snapshot!(run.stdout);
    assert_eq!(infer(&directory, &["-q"]).stdout, run.stdout);

    let others =
        SchemaPlaces { directories: vec![root().join(SCHEMAS)], ..SchemaPlaces::default() };
    let checked = check_schema_text(
        "schema.json",
        run.stdout,
        pcl::schema::Syntax::Json,
        Some(&*others.loader(None)),
    );
    assert!(checked.diagnostics.is_empty(), "{:#?}", checked.diagnostics);
}

#[test]
fn a_directory_is_a_component_or_not() {
    let config = "config \"size\" \"int\" {}\n";
    let files = [
        ("main.pp", ""),
        ("a/web-site/main.pp", config),
        ("a/web-site/part/main.pp", config),
        ("b.c/more.pp", config),
        ("empty/notes.txt", ""),
        (".hidden/main.pp", config),
        ("node_modules/x/main.pp", config),
        ("sdks/harbor/harbor.pp", HARBOR),
        ("example/Pulumi.yaml", "name: example\nruntime: pcl\n"),
        ("example/main.pp", config),
        ("other/PulumiPlugin.yaml", MANIFEST),
        ("other/main.pp", config),
    ];
    let directory = package("component-packages-directories", &files);
    let package = ComponentPackage::find(&directory).expect("it is one");
    let tokens = package.components().iter().map(|component| component.token.as_str());
    assert_eq!(tokens.collect::<Vec<_>>(), ["shop:index:WebSite", "shop:index:BC"]);
    assert_eq!(package.version().to_string(), "1.2.0");
    assert_eq!(package.component("shop:index:BC").expect("it is there").name, "BC");

    let own = directory.join("other/web-shop");
    write(&own.join("PulumiPlugin.yaml"), "runtime: pcl\n");
    write(&own.join("main.pp"), config);
    let package = ComponentPackage::find(&own).expect("it is one");
    assert_eq!((package.name(), package.version().to_string().as_str()), ("web-shop", "0.0.0"));
    assert_eq!(package.components()[0].token, "web-shop:index:WebShop");
    let around = ComponentPackage::around(&own.join("part")).expect("it is around");
    assert_eq!(around.components().len(), 1);
}

/// The schema of before is compared with the components of now.
#[test]
fn a_change_that_breaks_programs_is_reported() {
    let before =
        "config \"size\" \"int\" {\n  default = 3\n}\noutput \"twice\" {\n  value = 2 * size\n}\n";
    let directory =
        package("component-packages-against", &[("web/main.pp", before), ("gone/main.pp", before)]);
    let schema = directory.join("schema.json");
    write(&schema, infer(&directory, &[]).stdout);
    let against = ["--against", schema.to_str().expect("the path is text")];

    let same = infer(&directory, &against);
    assert_eq!((same.status, same.stdout.as_str()), (0, ""), "{}", same.stderr);
    assert!(same.stderr.starts_with("no program that uses `"), "{}", same.stderr);

    let later = "config \"size\" \"int\" {}\nconfig \"name\" \"string\" {}\noutput \"twice\" {\n  value = \"${size}\"\n}\n";
    write(&directory.join("web/main.pp"), later);
    std::fs::remove_dir_all(directory.join("gone")).expect("it is there");
    let other = infer(&directory, &against);
    assert_eq!((other.status, other.stdout.as_str()), (1, ""), "{}", other.stderr);
    for said in [
        "there is no `shop:index:Gone` any more",
        "the input `size` of `shop:index:Web` is required now",
        "the input `name` of `shop:index:Web` is required now",
        "the output `twice` of `shop:index:Web` has another type",
    ] {
        assert!(other.stderr.contains(&format!("error[PCL0516]: {said}")), "{}", other.stderr);
    }

    let package = ComponentPackage::find(&directory).expect("it is one");
    let inferred = package.infer(&workspace());
    let later = pcl::schema::Package::from_bytes(inferred.schema.as_bytes()).expect("a schema");
    let changes = pcl::check_schema_changes(&schema, &later);
    let first = &changes.diagnostics[0];
    let kind = (first.code, first.severity, first.origin);
    assert_eq!(kind, (Code::BreakingChange, Severity::Error, Origin::Ours));
    let missing = infer(&directory, &["--against", "nowhere.json"]);
    assert_eq!(missing.status, 2, "{}", missing.stderr);
}

#[test]
fn only_a_package_without_errors_has_a_schema() {
    let directory = package(
        "component-packages-errors",
        &[("web/main.pp", "output \"name\" {\n  value = nobody\n}\n")],
    );
    let run = infer(&directory, &[]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("PCL0201"), "{}", run.stderr);

    let run = infer(&root().join("corpus/valid"), &[]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("is not a package of components in PCL"), "{}", run.stderr);
}

/// A package is its own directory and those of its components, however it is named.
#[test]
fn a_check_of_a_package_checks_its_components() {
    let vague = "config \"size\" {}\n";
    let files = [
        ("harbor.pp", HARBOR),
        ("web/main.pp", vague),
        ("web/part/main.pp", vague),
        ("shop/main.pp", vague),
    ];
    let directory = package("component-packages-check", &files);
    let place = directory.to_str().expect("the path is text");
    let checked = |words: &[&str]| {
        let common = ["check", "--schema-dir", SCHEMAS, "--output-format", "json"];
        let run = pcl(common.iter().chain(words).copied()).json();
        let shown = |program: &serde_json::Value| {
            let path = Path::new(text(program, "path")).strip_prefix(&*directory);
            let path = path.expect("it is below the package").display().to_string();
            (path, items(program, "diagnostics").count())
        };
        items(&run, "programs").map(shown).collect::<Vec<_>>()
    };
    let named = [("".to_owned(), 0), ("shop".to_owned(), 1), ("web".to_owned(), 1)];
    assert_eq!(checked(&[place]), named);
    assert_eq!(checked(&[place, &format!("{place}/web")]).len(), 3);
    assert_eq!(checked(&[&format!("{place}/web")]), [("web".to_owned(), 1)]);
    let mut all = named.to_vec();
    all.push(("web/part".to_owned(), 0));
    assert_eq!(checked(&["-r", place]), all);
    std::fs::remove_file(directory.join("harbor.pp")).expect("it is there");
    assert_eq!(checked(&["-r", place]), all);
    assert_eq!(checked(&["-r", &format!("{place}/web")]).len(), 2);
}

/// A project names a package by its directory, as `pulumi package add ./shop` writes it.
#[test]
fn a_project_uses_a_package_beside_it() {
    let web = "config \"size\" \"int\" {}\noutput \"twice\" {\n  value = 2 * size\n}\n";
    let directory = scratch("component-packages-local");
    let main = "resource \"web\" \"shop:index:Web\" {\n  size = \"x\"\n}\noutput \"twice\" {\n  value = web.twice\n}\n";
    let block =
        "package {\n  baseProviderName    = \"shop\"\n  baseProviderVersion = \"1.2.0\"\n}\n";
    for packages in [
        "packages:\n  shop: ../shop\n",
        "packages:\n  shop: { source: ../shop }\n",
        "plugins:\n  providers:\n    - { name: shop, path: ../shop }\n",
    ] {
        for (file, text) in [
            ("shop/PulumiPlugin.yaml", MANIFEST),
            ("shop/web/main.pp", web),
            ("infra/Pulumi.yaml", &format!("name: infra\nruntime: pcl\n{packages}")),
            ("infra/main.pp", main),
            ("infra/shop.pp", block),
        ] {
            write(&directory.join(file), text);
        }
        let place = directory.join("infra");
        let run = pcl(["check".as_ref(), place.as_os_str()]);
        assert_eq!(run.status, 1, "{}", run.stdout);
        assert!(run.stdout.contains("`size` of `shop:Web` must be an int"), "{}", run.stdout);
        assert_eq!(run.stdout.matches("error[").count(), 1, "{}", run.stdout);
        // What is inferred is not missing.
        let sync = ["schema", "sync", "--locked"].map(OsStr::new);
        let run = pcl(sync.into_iter().chain([place.as_os_str()]));
        assert_eq!(run.status, 0, "{}", run.stderr);
    }
    write(&directory.join("infra/main.pp"), main.replace("\"x\"", "3"));
    let place = directory.join("infra");
    let run = pcl(["preview".as_ref(), place.as_os_str()]);
    assert!(run.status == 0 && run.stdout.contains("shop:index:Web"), "{}", run.stdout);
    // A package may need itself.
    let own = "resource \"web\" \"shop:index:Web\" {\n  size = 1\n}\n";
    write(&directory.join("shop/own/main.pp"), own);
    write(&directory.join("shop/Pulumi.yaml"), "name: shop\nruntime: pcl\npackages:\n  shop: ./\n");
    let run = pcl(["schema".as_ref(), "infer".as_ref(), directory.join("shop").as_os_str()]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout.matches("\"isComponent\"").count(), 2, "{}", run.stdout);
}

/// `package` blocks of the package decide about versions in all components, which may say
/// otherwise.
#[test]
fn the_packages_of_a_package_are_those_of_its_components() {
    let block = |version: &str| {
        format!(
            "package {{\n  baseProviderName    = \"stamps\"\n  baseProviderVersion = \"{version}\"\n}}\n"
        )
    };
    let use_it =
        "resource \"stamp\" \"stamps:index:Stamp\" {}\noutput \"stamp\" {\n  value = stamp\n}\n";
    let own = format!("{}{use_it}", block("2.0.0"));
    let outer = block("1.0.0");
    let files = [("stamps.pp", &*outer), ("a/main.pp", use_it), ("b/main.pp", &*own)];
    let directory = package("component-packages-blocks", &files);
    let package = ComponentPackage::find(&directory).expect("it is one");
    let workspace = workspace();
    let used = |token: &str| {
        let component = package.component(token).expect("it is there");
        let checked = package.check(&workspace, component);
        let packages = checked.program.packages();
        packages[0].version.as_ref().map(ToString::to_string)
    };
    assert_eq!(used("shop:index:A").as_deref(), Some("1.0.0"));
    assert_eq!(used("shop:index:B").as_deref(), Some("2.0.0"));
    let target = Target::Path(directory.join("a"));
    assert_eq!(
        workspace.check(&target).program.packages()[0].version.as_ref().map(|it| it.major),
        Some(1)
    );
}
