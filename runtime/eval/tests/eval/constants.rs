//! The law of constants: a resource is registered with the inputs that are written and with the
//! constants that its objects lack, and with nothing else.

use pcl_test_support::engine::evaluated;
use serde_json::{Map, Value as Json, json};

use crate::laws::Random;

/// The resources of one program.
const RESOURCES: usize = 400;

const SECRET: &str = "4dabf18193072939515e22adb298388d";

/// A package whose types have constants of each kind, required or not, and contain each other: as
/// they are, in lists, in maps, and in unions with and without a discriminator.
fn schema() -> Json {
    let to = |name: &str| json!({ "$ref": format!("#/types/lab:index:{name}") });
    let list = |item: Json| json!({ "type": "array", "items": item });
    let one_of = |types: &[Json]| json!({ "oneOf": types });
    let told = json!({
        "oneOf": [to("Leaf"), to("Node")],
        "discriminator": { "propertyName": "kind", "mapping": {
            "leaf": "#/types/lab:index:Leaf", "node": "#/types/lab:index:Node" } },
    });
    let node = json!({
        "kind": { "type": "string", "const": "node" },
        "level": { "type": "integer", "const": 3 },
        "size": { "type": "number" },
        "next": to("Node"),
        "list": list(to("Node")),
        "map": { "type": "object", "additionalProperties": to("Leaf") },
        "told": list(told),
        "perhaps": one_of(&[json!({ "type": "string" }), to("Node"), list(to("Leaf"))]),
        "untold": one_of(&[to("Round"), to("Square")]),
    });
    let object = |properties: Json, required: &[&str]| json!({ "type": "object", "properties": properties, "required": required });
    json!({
        "name": "lab",
        "version": "1.0.0",
        "types": {
            "lab:index:Node": object(node.clone(), &["kind"]),
            "lab:index:Leaf": object(json!({
                "kind": { "type": "string", "const": "leaf" },
                "isEnd": { "type": "boolean", "const": true },
                "size": { "type": "number" },
            }), &["kind"]),
            "lab:index:Round": object(json!({
                "radius": { "type": "number" },
                "corners": { "type": "integer", "const": 0 },
                "leaf": to("Leaf"),
            }), &["radius"]),
            "lab:index:Square": object(json!({
                "side": { "type": "number" },
                "corners": { "type": "integer", "const": 4 },
                "leaf": to("Leaf"),
            }), &["side"]),
        },
        "resources": { "lab:index:Tree": { "inputProperties": node } },
    })
}

/// A value as a program writes it, and as it is registered.
struct Pair {
    written: String,
    registered: Json,
}

impl Pair {
    fn of(value: Json) -> Self {
        Self { written: value.to_string(), registered: value }
    }

    fn list(elements: Vec<Self>) -> Self {
        let written: Vec<&str> = elements.iter().map(|it| it.written.as_str()).collect();
        Self {
            written: format!("[{}]", written.join(", ")),
            registered: elements.into_iter().map(|it| it.registered).collect(),
        }
    }

    fn object(entries: Vec<(&str, Self)>) -> Self {
        let written = entries.iter().filter(|(_, it)| !it.written.is_empty());
        let written: Vec<String> =
            written.map(|(name, it)| format!("{name} = {}", it.written)).collect();
        let registered = entries.into_iter().map(|(name, it)| (name.to_owned(), it.registered));
        Self {
            written: format!("{{ {} }}", written.join(", ")),
            registered: Json::Object(registered.collect::<Map<_, _>>()),
        }
    }

    fn secret(self) -> Self {
        let signature = "1b47061264138c4ac30d75fd1eb44270";
        Self {
            written: format!("secret({})", self.written),
            registered: json!({ SECRET: signature, "value": self.registered }),
        }
    }
}

/// Writes values of the types of the schema.
struct Writer(Random);

impl Writer {
    fn one_in(&mut self, count: usize) -> bool {
        self.0.below(count) == 0
    }

    /// A constant: left out, or written.
    fn constant(&mut self, only: Json) -> Pair {
        match self.0.below(3) {
            0 => Pair::of(only),
            _ => Pair { written: String::new(), registered: only },
        }
    }

    fn many(&mut self, mut one: impl FnMut(&mut Self) -> Pair) -> Vec<Pair> {
        let count = self.0.below(3);
        (0..count).map(|_| one(self)).collect()
    }

    fn leaf(&mut self) -> Pair {
        let kind = self.constant(json!("leaf"));
        self.leaf_of(kind)
    }

    fn leaf_of(&mut self, kind: Pair) -> Pair {
        let is_end = self.constant(json!(true));
        let mut entries = vec![("kind", kind), ("isEnd", is_end)];
        if self.one_in(2) {
            entries.push(("size", Pair::of(json!(1.5))));
        }
        self.perhaps_secret(Pair::object(entries))
    }

    fn node(&mut self, depth: usize) -> Pair {
        let kind = self.constant(json!("node"));
        let entries = self.entries(kind, depth);
        let node = Pair::object(entries);
        self.perhaps_secret(node)
    }

    fn entries(&mut self, kind: Pair, depth: usize) -> Vec<(&'static str, Pair)> {
        let level = self.constant(json!(3));
        let mut entries = vec![("kind", kind), ("level", level)];
        if depth == 0 {
            return entries;
        }
        if self.one_in(2) {
            entries.push(("next", self.node(depth - 1)));
        }
        if self.one_in(3) {
            let nodes = self.many(|writer| writer.node(depth - 1));
            entries.push(("list", Pair::list(nodes)));
        }
        if self.one_in(3) {
            let leaves = self.many(Self::leaf);
            let names = ["left", "right", "top"];
            entries.push(("map", Pair::object(names.into_iter().zip(leaves).collect())));
        }
        if self.one_in(3) {
            let told = self.many(|writer| {
                if writer.one_in(2) {
                    writer.leaf_of(Pair::of(json!("leaf")))
                } else {
                    let entries = writer.entries(Pair::of(json!("node")), depth - 1);
                    Pair::object(entries)
                }
            });
            entries.push(("told", Pair::list(told)));
        }
        if self.one_in(3) {
            let perhaps = match self.0.below(3) {
                0 => Pair::of(json!("text")),
                1 => self.node(depth - 1),
                _ => Pair::list(self.many(Self::leaf)),
            };
            entries.push(("perhaps", perhaps));
        }
        if self.one_in(3) {
            let (name, corners) = if self.one_in(2) { ("radius", 0) } else { ("side", 4) };
            let corners = if self.one_in(2) {
                Pair::of(json!(corners))
            } else {
                Pair { written: String::new(), registered: json!(corners) }
            };
            let untold =
                vec![(name, Pair::of(json!(1))), ("corners", corners), ("leaf", self.leaf())];
            entries.push(("untold", Pair::object(untold)));
        }
        entries
    }

    fn perhaps_secret(&mut self, pair: Pair) -> Pair {
        if self.one_in(6) { pair.secret() } else { pair }
    }
}

/// The inputs with which resources are registered, which are written as attributes.
fn registered(inputs: &[Vec<(String, String)>]) -> Vec<Json> {
    let mut main = String::new();
    for (at, inputs) in inputs.iter().enumerate() {
        main.push_str(&format!("resource r{at} \"lab:index:Tree\" {{\n"));
        for (name, written) in inputs {
            main.push_str(&format!("  {name} = {written}\n"));
        }
        main.push_str("}\n");
    }
    let program = json!({ "id": "constants", "files": { "main.pp": main }, "responses": {} });
    let (outcome, events) = evaluated(&program, true, &schema(), Some(1)).expect("a valid program");
    assert!(outcome.outputs.is_some(), "{:?}", outcome.diagnostics);
    let requests = events.into_iter().map(|mut event| event["request"].take());
    let mut trees: Vec<Json> =
        requests.filter(|request| request["type"] == "lab:index:Tree").collect();
    trees.sort_by_key(|tree| {
        let name = tree["name"].as_str().expect("a name");
        name[1..].parse::<usize>().expect("a number")
    });
    trees.iter_mut().map(|tree| tree["object"].take()).collect()
}

/// A value as a program writes it.
fn written(value: &Json) -> String {
    match value {
        Json::Object(fields) if fields.contains_key(SECRET) => {
            format!("secret({})", written(&fields["value"]))
        }
        Json::Object(fields) => {
            let items = fields.iter();
            let items: Vec<String> =
                items.map(|(name, value)| format!("{name} = {}", written(value))).collect();
            format!("{{ {} }}", items.join(", "))
        }
        Json::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(written).collect();
            format!("[{}]", elements.join(", "))
        }
        value => value.to_string(),
    }
}

#[test]
fn missing_constants_are_filled_in_once() {
    let mut writer = Writer(Random(11));
    let mut inputs = Vec::new();
    let mut expected = Vec::new();
    for _ in 0..RESOURCES {
        let kind = writer.constant(json!("node"));
        let entries = writer.entries(kind, 4);
        let lines = entries.iter().filter(|(_, it)| !it.written.is_empty());
        let lines = lines.map(|(name, it)| ((*name).to_owned(), it.written.clone()));
        inputs.push(lines.collect());
        expected.push(Pair::object(entries).registered);
    }
    let once = registered(&inputs);
    for (at, (once, expected)) in once.iter().zip(&expected).enumerate() {
        // Numbers are compared as the requests have them.
        let normal = |value: &Json| value.to_string().replace(".0", "");
        assert_eq!(normal(once), normal(expected), "{:?}", inputs[at]);
    }
    let again: Vec<Vec<(String, String)>> = once
        .iter()
        .map(|tree| {
            let inputs = tree.as_object().expect("inputs").iter();
            inputs.map(|(name, value)| (name.clone(), written(value))).collect()
        })
        .collect();
    assert_eq!(registered(&again), once);
}
