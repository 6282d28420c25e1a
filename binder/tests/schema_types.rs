//! Package members as types: shapes, unions, constants, enumerations, recursion, other packages.

use std::sync::Arc;

use pcl_binder::schema_types::{Found, Lookup, SchemaOptions, SchemaTypes, Shape};
use pcl_binder::{PackageCache, PackageIndex};
use pcl_diagnostics::{FileId, Span, TextRange};
use pcl_model::relations::Conversion;
use pcl_model::types::{TypeId, TypeStore};
use pcl_schema::{MemberId, MemoryLoader, PackageRequest, Section};

const GARDEN: &str = r##"{
  "name": "garden", "version": "1.2.0",
  "types": {
    "garden:index:Plot": { "type": "object", "required": ["name", "kind"], "properties": {
      "name": { "type": "string" },
      "kind": { "type": "string", "const": "plot" },
      "area": { "type": "integer", "plain": true },
      "parts": { "type": "array", "items": { "$ref": "#/types/garden:index:Plot" } } } },
    "garden:index:Season": { "type": "string", "enum": [{ "value": "spring" }, { "value": "autumn" }] },
    "garden:index:Level": { "type": "integer", "enum": [{ "value": 1 }, { "value": 2 }] }
  },
  "resources": {
    "garden:beds/bed:Bed": {
      "inputProperties": {
        "name": { "type": "string" },
        "label": { "type": "string", "plain": true },
        "tags": { "type": "array", "items": { "type": "string" } },
        "plot": { "$ref": "#/types/garden:index:Plot" },
        "season": { "$ref": "#/types/garden:index:Season" },
        "level": { "$ref": "#/types/garden:index:Level" },
        "size": { "oneOf": [{ "type": "integer" }, { "type": "string" }] },
        "soil": { "$ref": "pulumi.json#/Asset" },
        "notes": { "$ref": "pulumi.json#/Any" },
        "gone": { "$ref": "#/types/garden:index:Gone" },
        "tool": { "$ref": "/shed/v2.0.0/schema.json#/types/shed:index:Tool" },
        "neighbour": { "$ref": "#/resources/garden:beds/bed:Bed" },
        "version": { "type": "integer", "const": 3 }
      },
      "requiredInputs": ["name", "version"],
      "properties": {
        "name": { "type": "string" },
        "area": { "type": "number" },
        "plot": { "$ref": "#/types/garden:index:Plot" },
        "neighbour": { "$ref": "#/resources/garden:beds/bed:Bed" },
        "version": { "type": "integer", "const": 3 }
      },
      "required": ["name", "version"],
      "stateInputs": { "properties": { "name": { "type": "string" } } }
    }
  },
  "meta": { "moduleFormat": "(.*)(?:/[^/]*)" },
  "functions": {
    "garden:beds/getBed:getBed": {
      "inputs": { "properties": { "name": { "type": "string" }, "where": { "$ref": "#/types/garden:index:Plot" } }, "required": ["name"] },
      "outputs": { "properties": { "area": { "type": "number" } }, "required": ["area"] }
    }
  }
}"##;

const SHED: &str = r##"{
  "name": "shed", "version": "2.0.0",
  "types": { "shed:index:Tool": { "type": "object", "properties": { "handle": { "type": "string" } } } }
}"##;

struct Bench {
    schemas: Arc<SchemaTypes>,
    types: TypeStore,
    garden: PackageIndex,
}

fn bench_with(options: SchemaOptions, documents: &[&str]) -> Bench {
    let mut loader = MemoryLoader::default();
    for document in documents {
        loader.add(document.as_bytes()).expect("the test's schema is a package");
    }
    let cache = Arc::new(PackageCache::new(Arc::new(loader)));
    let garden = cache.load(&PackageRequest::new("garden")).expect("the package is there");
    let schemas = Arc::new(SchemaTypes::new(cache, options));
    Bench { types: TypeStore::with_materializer(Arc::clone(&schemas) as _), schemas, garden }
}

fn bench() -> Bench {
    bench_with(SchemaOptions::default(), &[GARDEN, SHED])
}

impl Bench {
    fn bed(&self) -> MemberId {
        self.found("garden:beds:Bed").member
    }

    fn found(&self, token: &str) -> Found {
        match self.schemas.lookup_resource(self.garden, token) {
            Lookup::Found(found) => found,
            other => panic!("{token}: {other:?}"),
        }
    }

    fn property(&mut self, shape: Shape, name: &str) -> String {
        let bed = self.bed();
        let object = self.schemas.object(&mut self.types, self.garden, bed, shape);
        let ty = self.property_of(object, name);
        self.types.pretty(ty)
    }

    fn property_of(&mut self, object: TypeId, name: &str) -> TypeId {
        let name = self.types.symbol(name);
        let properties = self.types.properties(object).expect("an object");
        let found = properties.iter().find(|(known, _)| *known == name);
        found.expect("the property is there").1
    }
}

#[test]
fn inputs_take_outputs_at_every_level_that_is_not_plain() {
    let mut bench = bench();
    for (name, expected) in [
        ("name", "string | output(string)"),
        ("label", "string?"),
        ("tags", "list(string | output(string)) | output(list(string))?"),
        ("size", "int | string | output(int) | output(string) | output(int | string)?"),
        ("soil", "Archive | Asset | output(Archive | Asset)?"),
        ("notes", "dynamic | output(dynamic)?"),
        ("season", "enum(\"spring\" | \"autumn\") | output(enum(\"spring\" | \"autumn\"))?"),
        ("level", "enum(1 | 2) | output(enum(1 | 2))?"),
        ("version", "3"),
    ] {
        assert_eq!(bench.property(Shape::ResourceInputs, name), expected, "{name}");
    }
}

#[test]
fn outputs_are_plain_inside_and_constants_are_not_kept() {
    let mut bench = bench();
    for (name, expected) in [
        ("id", "output(id)"),
        ("urn", "output(string)"),
        ("name", "output(string)"),
        ("area", "output(number?)"),
        ("version", "output(int)"),
    ] {
        assert_eq!(bench.property(Shape::Resource, name), expected, "{name}");
    }
    assert_eq!(bench.property(Shape::ResourceReference, "area"), "output(number?)");
    assert_eq!(bench.property(Shape::PlainResourceReference, "area"), "number?");
    assert_eq!(bench.property(Shape::PlainResourceReference, "id"), "id");
    assert_eq!(bench.property(Shape::ReadInputs, "id"), "id | output(id)");
    assert_eq!(bench.property(Shape::ReadInputs, "name"), "string | output(string)?");
}

#[test]
fn a_recursive_type_is_finite_and_takes_literals_of_any_depth() {
    let mut bench = bench();
    let bed = bench.bed();
    let inputs = bench.schemas.object(&mut bench.types, bench.garden, bed, Shape::ResourceInputs);
    let plot = bench.property_of(inputs, "plot");
    let types = &mut bench.types;
    let [name, kind, parts] = ["name", "kind", "parts"].map(|name| types.symbol(name));
    let inner = types.object([(name, TypeId::STRING), (kind, TypeId::STRING)]);
    let list = types.tuple(&[inner]);
    let outer = types.object([(name, TypeId::STRING), (kind, TypeId::STRING), (parts, list)]);
    assert_ne!(types.convert(plot, outer), Conversion::No);
    let nameless = types.object([(kind, TypeId::STRING), (parts, list)]);
    assert_eq!(types.convert(plot, nameless), Conversion::No);
    let constless = types.object([(name, TypeId::STRING)]);
    assert_eq!(types.convert(plot, constless), Conversion::No);
}

#[test]
fn references_reach_other_packages_or_leave_something_open() {
    let mut bench = bench();
    assert_eq!(
        bench.property(Shape::ResourceInputs, "tool"),
        "{ handle: string | output(string)? } | output({ handle: string? })?"
    );
    assert_eq!(bench.property(Shape::ResourceInputs, "gone"), "output(none)?");
    let bed = bench.bed();
    let checked = bench.schemas.check(bench.garden, bed);
    assert!(checked.errors.is_empty(), "{:?}", checked.errors);
    assert_eq!(checked.warnings.len(), 1, "{:?}", checked.warnings);
    let names: Vec<String> = checked
        .packages
        .iter()
        .map(|index| bench.schemas.packages().package(*index).name().to_owned())
        .collect();
    assert_eq!(names, ["shed"]);
}

#[test]
fn a_package_that_is_missing_is_a_mistake_of_what_needs_it() {
    let bench = bench_with(SchemaOptions::default(), &[GARDEN]);
    let checked = bench.schemas.check(bench.garden, bench.bed());
    let missing = &checked.missing_packages;
    assert_eq!(missing.len(), 1, "{missing:?}");
    assert!(missing[0].contains("/shed/v2.0.0/schema.json"), "{missing:?}");

    let garden = r#"{ "name": "garden", "resources": { "garden:beds:Bed": { "inputProperties": {
        "rake": { "$ref": "/shed/v2.0.0/schema.json#/types/shed:index:Tool" },
        "hoe": { "$ref": "/shed/v2.0.0/schema.json#/types/shed:index:Hoe" } } } } }"#;
    let bench = bench_with(SchemaOptions::default(), &[garden]);
    let bed = bench.found("garden:beds:Bed");
    let checked = bench.schemas.check(bench.garden, bed.member);
    assert_eq!((checked.errors.len(), checked.missing_packages.len()), (0, 1));
    let nowhere = Span::new(FileId(0), TextRange::empty(0));
    let said = bench.schemas.report_once(&bed, nowhere).remove(0);
    assert_eq!(said.message, "`garden:beds:Bed` cannot be checked without another package");
    assert_eq!(said.notes.len(), 1);

    // Mistakes of the schema itself come first.
    let garden = garden.replace("\"hoe\"", "\"spade\": { \"type\": \"iron\" }, \"hoe\"");
    let bench = bench_with(SchemaOptions::default(), &[&garden]);
    let bed = bench.found("garden:beds:Bed");
    assert!(bench.schemas.check(bench.garden, bed.member).is_refused());
    let said = bench.schemas.report_once(&bed, nowhere).remove(0);
    assert_eq!(said.message, "the schema of `garden:beds:Bed` has errors");
    assert_eq!(said.notes.len(), 2);
    assert!(said.notes[1].contains("needs another package"), "{:?}", said.notes);
}

#[test]
fn a_resource_is_known_by_its_type() {
    let mut bench = bench();
    let bed = bench.bed();
    let Bench { schemas, types, garden } = &mut bench;
    let variable = schemas.object(types, *garden, bed, Shape::Resource);
    let resolved = types.resolve(variable);
    for ty in [variable, resolved] {
        assert_eq!(schemas.resource_of(types, ty), Some((*garden, bed)));
        assert!(types.is_resource(ty));
    }
    let list = types.list(variable);
    assert_eq!(schemas.resource_of(types, list), None);

    // References are compared by their properties, unless one is taken for what it refers to.
    let inputs = schemas.object(types, *garden, bed, Shape::ResourceInputs);
    let neighbour = bench.property_of(inputs, "neighbour");
    let plant = bench.types.refer_to_resources(variable);
    assert_eq!(bench.types.convert(neighbour, variable), Conversion::Safe);
    assert_eq!(bench.types.convert(neighbour, plant), Conversion::Safe);
}

#[test]
fn lenient_objects_have_no_required_properties() {
    let options = SchemaOptions { allow_missing_properties: true, skip_resource_typecheck: false };
    let mut bench = bench_with(options, &[GARDEN, SHED]);
    assert_eq!(bench.property(Shape::ResourceInputs, "name"), "string | output(string)?");
    assert_eq!(bench.property(Shape::Resource, "name"), "output(string)");
    let bed = bench.bed();
    let inputs = bench.schemas.object(&mut bench.types, bench.garden, bed, Shape::ResourceInputs);
    assert!(!bench.types.is_strict(inputs));
    let variable = bench.schemas.object(&mut bench.types, bench.garden, bed, Shape::Resource);
    assert!(bench.types.is_strict(variable));
}

#[test]
fn tokens_are_found_however_they_are_written_and_suggested_when_misspelled() {
    let bench = bench();
    for written in ["garden:beds:Bed", "garden:beds/bed:Bed"] {
        assert_eq!(&*bench.found(written).token, "garden:beds:Bed");
    }
    assert_eq!(bench.schemas.lookup_resource(bench.garden, "garden:beds:Bad"), Lookup::NotFound);
    let suggest = |section, written| bench.schemas.suggest_member(bench.garden, section, written);
    assert_eq!(suggest(Section::Resources, "garden:index:Bed").as_deref(), Some("garden:beds:Bed"));
    assert_eq!(suggest(Section::Resources, "garden:beds:Bad").as_deref(), Some("garden:beds:Bed"));
    assert_eq!(
        suggest(Section::Functions, "garden:beds:getBad").as_deref(),
        Some("garden:beds:getBed")
    );
    let provider = bench.found("pulumi:providers:garden");
    assert_eq!(&*provider.token, "pulumi:providers:garden");
}

#[test]
fn two_requests_for_one_package_share_its_types() {
    let bench = bench();
    let cache = bench.schemas.packages();
    let exact = PackageRequest::new("garden").with_version("1.2.0".parse().unwrap());
    assert_eq!(cache.load(&exact).unwrap(), bench.garden);
    assert!(cache.load(&PackageRequest::new("nowhere")).is_err());
}
