//! Programs that are deep, long or wide without measure.

use serde_json::Value;

use crate::{answered, check, codes, program};
use pcl_test_support::{scratch, write};

#[test]
fn ten_thousand_of_everything_that_nests() {
    const DEPTH: usize = 10_000;
    let wrapped = |before: &str, middle: &str, after: &str| {
        format!("a = {}{middle}{}\n", before.repeat(DEPTH), after.repeat(DEPTH))
    };
    let directives =
        format!("a = \"{}x{}\"\n", "%{ if true }".repeat(DEPTH), "%{ endif }".repeat(DEPTH));
    let sources = [
        ("brackets", &["PCL0107"][..], wrapped("[", "", "]")),
        ("open-brackets", &["PCL0107"][..], wrapped("[", "", "")),
        ("closing-brackets", &["PCL0121"][..], wrapped("", "", "]")),
        ("parentheses", &["PCL0107"][..], wrapped("(", "1", ")")),
        ("objects", &["PCL0107"][..], wrapped("{ a = ", "1", " }")),
        ("open-objects", &["PCL0107"][..], wrapped("{ a = ", "", "")),
        ("calls", &["PCL0107"][..], wrapped("f(", "1", ")")),
        ("indexes", &["PCL0107", "PCL0203"][..], wrapped("a[", "0", "]")),
        ("templates", &["PCL0107"][..], wrapped("\"${", "1", "}\"")),
        ("open-templates", &["PCL0151"][..], wrapped("\"${", "", "")),
        ("directives", &["PCL0107"][..], directives),
        ("for", &["PCL0107"][..], wrapped("[for x in ", "[]", " : x]")),
        ("conditions", &["PCL0107"][..], wrapped("true ? 1 : ", "2", "")),
        ("middle-conditions", &["PCL0107"][..], wrapped("true ? ", "1", " : 2")),
        ("minus", &["PCL0107"][..], wrapped("-", "1", "")),
        ("not", &["PCL0107"][..], wrapped("!", "true", "")),
        ("heredocs", &["PCL0107"][..], wrapped("<<A\n${", "1", "}\nA\n")),
        (
            "types",
            &["PCL0107"][..],
            format!("config \"a\" \"{}int{}\" {{}}\n", "list(".repeat(DEPTH), ")".repeat(DEPTH)),
        ),
        (
            "blocks",
            &["PCL0107", "PCL0204"][..],
            format!("{}{}", "b {\n".repeat(DEPTH), "}\n".repeat(DEPTH)),
        ),
        ("open-blocks", &["PCL0106", "PCL0204"][..], "b {\n".repeat(DEPTH)),
        ("closing-braces", &["PCL0103"][..], "}\n".repeat(DEPTH)),
    ];
    for (name, codes, source) in sources {
        let diagnostics = answered(&format!("deep-{name}"), &source, codes);
        // No error is reported twice: there are at most as many diagnostics as openers.
        assert!(diagnostics.len() <= DEPTH + 1, "{name}: {}", diagnostics.len());
    }
}

#[test]
fn chains_of_twenty_thousand() {
    const LENGTH: usize = 20_000;
    let sources = [
        ("sum", &[][..], format!("a = 1{}\n", " + 1".repeat(LENGTH))),
        ("logic", &[][..], format!("a = true{}\n", " && true || false".repeat(LENGTH / 2))),
        ("steps", &["PCL0304"][..], format!("a = b{}\nb = 1\n", ".c".repeat(LENGTH))),
        ("indexes", &[][..], format!("config \"b\" {{}}\na = b{}\n", "[0]".repeat(LENGTH))),
        (
            "computed",
            &[][..],
            format!("config \"b\" {{}}\nconfig \"i\" {{}}\na = b{}\n", "[i]".repeat(LENGTH)),
        ),
        ("splats", &[][..], format!("config \"b\" {{}}\na = b{}\n", "[*]".repeat(LENGTH))),
        ("elements", &[][..], format!("a = [{}]\n", "1, ".repeat(LENGTH))),
        (
            "items",
            &[][..],
            format!(
                "a = {{{}}}\n",
                (0..LENGTH).map(|i| format!("k{i} = {i}, ")).collect::<String>()
            ),
        ),
        ("parts", &[][..], format!("a = \"{}\"\n", "${1}x".repeat(LENGTH))),
        ("attributes", &[][..], (0..LENGTH).map(|i| format!("a{i} = {i}\n")).collect()),
        ("duplicates", &["PCL0101"][..], "a = 1\n".repeat(LENGTH)),
        (
            "blocks",
            &[][..],
            (0..LENGTH / 4).map(|i| format!("config \"c{i}\" \"int\" {{}}\n")).collect(),
        ),
        ("garbage", &["PCL0004", "PCL0008", "PCL0103"][..], ") ] } @ ' \" $\n".repeat(LENGTH / 4)),
        ("comments", &[][..], "# x\n/* y */\n".repeat(LENGTH)),
        ("newlines", &[][..], "\n".repeat(LENGTH * 10)),
        ("long-name", &["PCL0201"][..], format!("a = {}\n", "x".repeat(LENGTH * 10))),
        ("long-number", &["PCL1003"][..], format!("a = {}\n", "9".repeat(LENGTH))),
        (
            "huge-exponent",
            &["PCL0014", "PCL0306"][..],
            "a = 1e999999999999\nb = 1e-999999999\nc = 1e999999999 + 1\nd = [1][1e999999999]\n"
                .to_owned(),
        ),
        ("labels", &["PCL0205"][..], format!("config {}{{}}\n", "\"a\" ".repeat(LENGTH))),
    ];
    for (name, codes, source) in sources {
        answered(&format!("long-{name}"), &source, codes);
    }
}

#[test]
fn a_chain_of_sixteen_thousand_locals() {
    let forwards: String = (0..16_000).map(|i| format!("a{i} = a{}\n", i + 1)).collect();
    answered("chain", &format!("{forwards}a16000 = 1\n"), &[]);
    let circle = format!("{forwards}a16000 = a0\n");
    let diagnostics = answered("circle", &circle, &["PCL0203"]);
    assert_eq!(diagnostics.len(), 1, "one circle, one diagnostic");
}

#[test]
fn many_errors_in_many_lines() {
    let source: String = (0..3_000).map(|i| format!("a{i} = missing{i} + 1\n")).collect();
    let diagnostics = answered("many-errors", &source, &["PCL0201"]);
    assert_eq!(diagnostics.len(), 3_000);
}

#[test]
fn components_in_components() {
    for (depth, status, found) in [(60, 0, vec![]), (300, 1, vec!["PCL0502", "PCL0503"])] {
        let directory = scratch(&format!("hostile-components-{depth}"));
        let mut place = directory.to_owned();
        for _ in 0..depth {
            write(&place.join("main.pp"), "component \"c\" \"./c\" {}\n");
            place.push("c");
        }
        write(&place.join("main.pp"), "x = 1\n");
        let (run, diagnostics) = check(&directory);
        let found = found.into_iter().collect();
        assert_eq!((run.status, codes(&diagnostics)), (status, found), "{depth}");
    }
}

/// Each misspelled name resembles as many others: the first ones are compared with all, the later
/// ones with none.
#[test]
fn as_many_mistakes_as_names() {
    const NAMES: usize = 2_000;
    let list = |form: &dyn Fn(usize) -> String, between: &str| {
        let all: Vec<String> = (0..NAMES).map(form).collect();
        all.join(between)
    };
    let properties = list(&|at| format!(r#""property{at}": {{ "type": "string" }}"#), ",");
    let values = list(&|at| format!(r#"{{ "value": "property{at}" }}"#), ",");
    let resources = list(&|at| format!(r#""wide:index:Property{at}": {{}}"#), ",");
    let schema = format!(
        r##"{{ "name": "wide", "version": "1.0.0",
            "types": {{
              "wide:index:Object": {{ "type": "object", "properties": {{ {properties} }} }},
              "wide:index:Enum": {{ "type": "string", "enum": [{values}] }} }},
            "resources": {{ {resources},
              "wide:index:Keys": {{ "inputProperties": {{ "o": {{ "$ref": "#/types/wide:index:Object" }} }} }},
              "wide:index:Values": {{ "inputProperties": {{
                "o": {{ "type": "array", "items": {{ "$ref": "#/types/wide:index:Enum" }} }} }} }},
              "wide:index:Wide": {{ "inputProperties": {{ {properties} }} }} }} }}"##
    );
    let attributes = list(&|at| format!("proparty{at} = 1"), "\n");
    let texts = list(&|at| format!("\"proparty{at}\""), ",\n");
    let locals = list(&|at| format!("property{at} = 1"), "\n");
    let uses = list(&|at| format!("use{at} = proparty{at}"), "\n");
    let steps = list(&|at| format!("use{at} = o.proparty{at}"), "\n");
    let inputs = list(&|at| format!("config property{at} string {{}}"), "\n");
    let misspelled = list(&|at| format!("resource r{at} \"wide:index:Proparty{at}\" {{}}"), "\n");
    let programs = [
        format!("resource r \"wide:index:Wide\" {{\n{attributes}\n}}\n"),
        format!("resource r \"wide:index:Keys\" {{\no = {{\n{attributes}\n}}\n}}\n"),
        format!("resource r \"wide:index:Values\" {{\no = [\n{texts}\n]\n}}\n"),
        format!("component c \"./inner\" {{\n{attributes}\n}}\n"),
        format!("{locals}\n{uses}\n"),
        format!("o = {{\n{locals}\n}}\n{steps}\n"),
        format!("{misspelled}\n"),
    ];
    for text in programs {
        let files = [
            ("main.pp", text.as_bytes()),
            ("inner/main.pp", inputs.as_bytes()),
            ("schemas/wide-1.0.0.json", schema.as_bytes()),
        ];
        let (_, diagnostics) = check(&program("mistakes", &files));
        let (start, _) = text.split_at(60);
        let wrong =
            diagnostics.iter().filter(|diagnostic| diagnostic.to_string().contains("roparty"));
        assert_eq!(wrong.count(), NAMES, "{start}");
        let meant = |diagnostic: &&Value| diagnostic["help"].to_string().contains("did you mean");
        let suggested = diagnostics.iter().filter(meant).count();
        assert!((10..NAMES / 4).contains(&suggested), "{start}: {suggested}");
    }
}
