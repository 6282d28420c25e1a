//! The cost of types: `cargo bench --bench types`. Real schemas are read from `PCL_SCHEMAS`, a
//! directory of `NAME-VERSION.json`; without it, those of the repository's corpus.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use pcl::binder::PackageCache;
use pcl::binder::schema_types::{SchemaOptions, SchemaTypes, Shape};
use pcl::model::{Constant, Symbol, TypeId, TypeStore};
use pcl::schema::{DirectoryLoader, PackageRequest, Section};

fn main() {
    divan::main();
}

/// A small generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % limit as u64) as usize
    }
}

/// The number of operations in a run.
const OPERATIONS: usize = 10_000;

/// A type to make: one operation of each kind on parts chosen at random.
enum Operation {
    List(TypeId),
    Map(TypeId),
    Output(TypeId),
    Optional(TypeId),
    Union([TypeId; 2]),
    Tuple([TypeId; 2]),
    Object([(Symbol, TypeId); 3]),
}

impl Operation {
    fn make(&self, types: &mut TypeStore) -> TypeId {
        match self {
            Self::List(part) => types.list(*part),
            Self::Map(part) => types.map(*part),
            Self::Output(part) => types.output(*part),
            Self::Optional(part) => types.optional(*part),
            Self::Union(parts) => types.union(*parts),
            Self::Tuple(parts) => types.tuple(parts),
            Self::Object(parts) => types.object(*parts),
        }
    }
}

/// Operations on `pool` types that are made first.
fn operations(types: &mut TypeStore, pool: usize) -> Vec<Operation> {
    let names: Vec<_> = (0..50).map(|at| types.symbol(&format!("name{at}"))).collect();
    let mut parts = vec![TypeId::STRING, TypeId::INT, TypeId::BOOL, TypeId::NUMBER];
    let mut random = Random(88_172_645_463_325_252);
    let mut operation = |parts: &[TypeId]| {
        let [a, b, c] = [0; 3].map(|_| parts[random.below(parts.len())]);
        match random.below(20) {
            0..5 => Operation::List(a),
            5..8 => Operation::Map(a),
            8..12 => Operation::Output(a),
            12..15 => Operation::Optional(a),
            15 => Operation::Union([a, b]),
            16 => Operation::Tuple([a, b]),
            _ => {
                let at = random.below(names.len() - 3);
                Operation::Object([(names[at], a), (names[at + 1], b), (names[at + 2], c)])
            }
        }
    };
    while parts.len() < pool {
        let made = operation(&parts).make(types);
        parts.push(made);
    }
    (0..OPERATIONS).map(|_| operation(&parts)).collect()
}

/// Existing types, which a binder requests most often.
#[divan::bench(args = [100, 5000])]
fn intern_known(bencher: Bencher, pool: usize) {
    let mut types = TypeStore::new();
    let operations = operations(&mut types, pool);
    for operation in &operations {
        operation.make(&mut types);
    }
    bencher.counter(ItemsCount::new(OPERATIONS)).bench_local(|| {
        for operation in &operations {
            divan::black_box(operation.make(&mut types));
        }
    });
}

/// Types that do not exist, and those that come about on the way.
#[divan::bench(args = [100, 5000])]
fn intern_new(bencher: Bencher, pool: usize) {
    bencher
        .counter(ItemsCount::new(OPERATIONS))
        .with_inputs(|| {
            let mut types = TypeStore::new();
            let operations = operations(&mut types, pool);
            (types, operations)
        })
        .bench_local_refs(|(types, operations)| {
            for operation in operations {
                divan::black_box(operation.make(types));
            }
        });
}

/// The store of a program that uses several packages, and questions about their types: each
/// property of a resource's inputs against values of the same property, of the one before and of
/// the one after it, as a resource or as another type has them.
fn questions() -> (TypeStore, Vec<(TypeId, TypeId)>) {
    let directory = std::env::var_os("PCL_SCHEMAS").map(PathBuf::from);
    let directory =
        directory.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/schemas"));
    let names = [
        "random",
        "tfe",
        "eks",
        "github",
        "docker",
        "digitalocean",
        "harbor",
        "orchard",
        "mailroom",
    ];
    let loader = DirectoryLoader::new([directory]);
    let cache = Arc::new(PackageCache::new(Arc::new(loader)));
    let schema = Arc::new(SchemaTypes::new(Arc::clone(&cache), SchemaOptions::default()));
    let mut types = TypeStore::with_materializer(Arc::clone(&schema) as _);
    let (mut wanted, mut given) = (Vec::new(), Vec::new());
    for name in names {
        let Ok(package) = cache.load(&PackageRequest::new(name)) else { continue };
        for member in cache.package(package).members(Section::Resources) {
            let inputs = schema.object(&mut types, package, member, Shape::ResourceInputs);
            let variable = schema.object(&mut types, package, member, Shape::Resource);
            let inputs = types.properties(inputs).unwrap_or_default();
            wanted.extend(inputs.iter().map(|(_, ty)| *ty));
            given.extend(inputs.iter().map(|(_, ty)| types.strip(*ty)));
            let outputs = types.properties(variable).unwrap_or_default();
            given.extend(outputs.iter().map(|(_, ty)| *ty));
        }
    }
    let mut random = Random(42);
    let mut pairs = Vec::new();
    for (at, want) in wanted.iter().enumerate() {
        let want = types.input_type(*want);
        for give in [at, at + 1, random.below(given.len()), random.below(given.len())] {
            pairs.push((want, given[give.min(given.len() - 1)]));
        }
    }
    (types, pairs)
}

/// Questions that were not asked before, the making of schema types that they look into included.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn convert_cold(bencher: Bencher) {
    let count = questions().1.len();
    bencher.counter(ItemsCount::new(count)).with_inputs(questions).bench_local_refs(
        |(types, pairs)| {
            for (dst, src) in pairs {
                divan::black_box(types.convert(*dst, *src));
            }
        },
    );
}

/// The same questions once more, in a store whose schema types exist but which has forgotten every
/// answer.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn convert_made(bencher: Bencher) {
    let count = questions().1.len();
    bencher
        .counter(ItemsCount::new(count))
        .with_inputs(|| {
            let (mut types, pairs) = questions();
            for (dst, src) in &pairs {
                types.convert(*dst, *src);
            }
            types.forget_answers();
            (types, pairs)
        })
        .bench_local_refs(|(types, pairs)| {
            for (dst, src) in pairs {
                divan::black_box(types.convert(*dst, *src));
            }
        });
}

/// A question that was asked before.
#[divan::bench]
fn convert_known(bencher: Bencher) {
    let (mut types, pairs) = questions();
    let pairs = &pairs[..pairs.len().min(1_000)];
    for (dst, src) in pairs {
        types.convert(*dst, *src);
    }
    bencher.counter(ItemsCount::new(pairs.len())).bench_local(|| {
        for (dst, src) in pairs {
            divan::black_box(types.convert(*dst, *src));
        }
    });
}

/// The element type of a list of small objects that differ in the values of literals.
#[divan::bench(args = [1000, 3000])]
fn unify_objects(bencher: Bencher, count: i64) {
    bencher
        .with_inputs(|| {
            let mut types = TypeStore::new();
            let [name, port, open] = ["name", "port", "open"].map(|name| types.symbol(name));
            let objects: Vec<_> = (0..count)
                .map(|at| {
                    let value = types.constant(Constant::from(at));
                    let flag = types.constant(Constant::from(at % 2 == 0));
                    types.object([(name, TypeId::STRING), (port, value), (open, flag)])
                })
                .collect();
            let list = types.tuple(&objects);
            (types, list)
        })
        .bench_local_refs(|(types, list)| types.collection(*list).value);
}
