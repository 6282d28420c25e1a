//! Types of many parts, and chains of types that grow link by link, take memory in proportion to
//! the text that they come from. Bytes are counted, not time: they are the same in every run.

use allocation_counter::measure;
use pcl_model::{Conversion, Key, Symbol, TypeId, TypeStore};

/// The ratio of the input sizes.
const TIMES: usize = 4;

/// Runs `act` on inputs of two sizes.
#[track_caller]
fn grows_slowly(what: &str, count: usize, act: impl Fn(&mut TypeStore, usize)) {
    let [small, large] = [count, TIMES * count]
        .map(|count| measure(|| act(&mut TypeStore::new(), count)).bytes_total as f64);
    // Each link takes a path of a tree, or two: n log n and n log² n, which at this size look like
    // n^1.2 and n^1.4.
    let exponent = (large / small).log2() / (TIMES as f64).log2();
    assert!(exponent < 1.45, "{what} grow as n^{exponent:.2}: {small} to {large} bytes");
}

fn name(types: &mut TypeStore, at: usize) -> Symbol {
    types.symbol(&format!("k{at}"))
}

/// `{ k7 = int }`, which unifies with its like to an object that has both properties.
fn object(types: &mut TypeStore, at: usize) -> TypeId {
    let name = name(types, at);
    types.object([(name, TypeId::INT)])
}

/// `{ k7 = int, same = 7 }`, which does not: the constants differ.
fn object_apart(types: &mut TypeStore, at: usize) -> TypeId {
    let (own, same) = (name(types, at), types.symbol("same"));
    let constant = constant(types, at);
    types.object([(own, TypeId::INT), (same, constant)])
}

fn constant(types: &mut TypeStore, at: usize) -> TypeId {
    types.constant((at as i64).into())
}

fn list(types: &mut TypeStore, at: usize) -> TypeId {
    let object = object(types, at);
    types.list(object)
}

fn mixed(types: &mut TypeStore, at: usize) -> TypeId {
    match at % 4 {
        0 => object(types, at),
        1 => constant(types, at),
        2 => object_apart(types, at),
        _ => TypeId::STRING,
    }
}

type Make = fn(&mut TypeStore, usize) -> TypeId;

const ELEMENTS: [(&str, Make); 5] = [
    ("objects", object),
    ("objects apart", object_apart),
    ("constants", constant),
    ("lists", list),
    ("types of many kinds", mixed),
];

/// The type of `c ? before : next`.
fn conditional(types: &mut TypeStore, before: TypeId, next: TypeId) -> TypeId {
    types.unify_safely(&[before, next])
}

#[test]
fn elements_of_one_list() {
    for (what, make) in ELEMENTS {
        grows_slowly(what, 300, |types, count| {
            let all: Vec<TypeId> = (0..count).map(|at| make(types, at)).collect();
            types.unify_safely(&all);
            types.unify_loosely(&all);
            let tuple = types.tuple(&all);
            types.collection(tuple);
        });
    }
}

#[test]
fn links_of_a_chain_of_conditionals() {
    for (what, make) in ELEMENTS {
        grows_slowly(what, 300, |types, count| {
            let mut so_far = make(types, 0);
            for at in 1..count {
                let next = make(types, at);
                so_far = conditional(types, so_far, next);
            }
        });
    }
}

#[test]
fn uses_of_each_link() {
    for (what, make) in ELEMENTS {
        grows_slowly(what, 300, |types, count| {
            let mut so_far = make(types, 0);
            let map = types.map(TypeId::INT);
            for at in 1..count {
                let next = make(types, at);
                so_far = conditional(types, so_far, next);
                types.convert(TypeId::STRING, so_far);
                types.convert(map, so_far);
                types.traverse(so_far, &Key::Unknown(TypeId::STRING));
                types.resolve(so_far);
                types.null_as_none(so_far);
                types.output(so_far);
                conditional(types, so_far, TypeId::STRING);
                types.is_optional(so_far);
            }
        });
    }
}

#[test]
fn chains_that_meet() {
    for (what, make) in ELEMENTS {
        // At half of this size, one more doubling of a table counts for n^0.2.
        grows_slowly(what, 600, |types, count| {
            let [mut one, mut other] = [0, 1].map(|at| make(types, at));
            for at in 1..count {
                let next = [2 * at, 2 * at + 1].map(|at| make(types, at));
                one = conditional(types, one, next[0]);
                other = conditional(types, next[1], other);
                conditional(types, one, other);
            }
        });
    }
}

#[test]
fn wide_objects() {
    grows_slowly("wide objects", 300, |types, count| {
        let names: Vec<Symbol> = (0..count).map(|at| name(types, at)).collect();
        let constants: Vec<TypeId> = (0..count).map(|at| constant(types, at)).collect();
        let declared = types.object(names.iter().map(|&name| (name, TypeId::INT)));
        let given = types.object(names.iter().copied().zip(constants.iter().copied()));
        assert_eq!(types.convert(declared, given), Conversion::Safe);
        types.unify(declared, given);
        let input = types.input_type(declared);
        assert_eq!(types.convert(input, given), Conversion::Safe);
        let map = types.map(TypeId::STRING);
        assert_eq!(types.convert(map, given), Conversion::Safe);
        let mut so_far = given;
        for &name in &names {
            let next = types.object([(name, TypeId::STRING)]);
            so_far = conditional(types, so_far, next);
            assert!(types.property(so_far, name).is_some());
        }
    });
}

#[test]
fn parts_are_the_same_in_whatever_order_they_came() {
    for (_, make) in ELEMENTS {
        let mut types = TypeStore::new();
        let all: Vec<TypeId> = (0..300).map(|at| make(&mut types, at)).collect();
        let whole = types.union(all.iter().copied());
        let forwards = (all.iter()).fold(all[0], |sum, ty| types.union([sum, *ty]));
        let backwards = (all.iter().rev()).fold(all[0], |sum, ty| types.union([*ty, sum]));
        let halves = [&all[..200], &all[100..]].map(|half| types.union(half.iter().copied()));
        let joined = types.union(halves);
        assert_eq!([forwards, backwards, joined], [whole; 3]);
        let members = types.members(whole);
        for ty in &all {
            assert!(members.contains(ty));
            assert_eq!(types.convert(whole, *ty), Conversion::Safe);
        }
    }
}

#[test]
fn many_properties_unify_as_each_does() {
    let mut types = TypeStore::new();
    let own = |types: &mut TypeStore, step: usize, ty: TypeId| {
        let names: Vec<Symbol> = (0..600).step_by(step).map(|at| name(types, at)).collect();
        types.object(names.into_iter().map(|name| (name, ty)))
    };
    let twos = own(&mut types, 2, TypeId::INT);
    let threes = own(&mut types, 3, TypeId::NUMBER);
    let (unified, safety) = types.unify(twos, threes);
    assert_eq!(safety, Conversion::Safe);
    for at in 0..600 {
        let name = name(&mut types, at);
        let expected = match (at % 2, at % 3) {
            (0, 0) => Some(TypeId::NUMBER),
            (0, _) => Some(types.optional(TypeId::INT)),
            (_, 0) => Some(types.optional(TypeId::NUMBER)),
            _ => None,
        };
        assert_eq!(types.property(unified, name), expected, "k{at}");
    }
    assert_eq!(types.unify(threes, twos), (unified, Conversion::Safe));
}
