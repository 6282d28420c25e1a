//! Programs that are deep, long or wide without measure.

use crate::support::{scratch, write};
use crate::{answered, check, codes};

#[test]
fn ten_thousand_of_everything_that_nests() {
    const DEPTH: usize = 10_000;
    let wrapped = |before: &str, middle: &str, after: &str| {
        format!(
            "a = {}{middle}{}\n",
            before.repeat(DEPTH),
            after.repeat(DEPTH)
        )
    };
    let directives = format!(
        "a = \"{}x{}\"\n",
        "%{ if true }".repeat(DEPTH),
        "%{ endif }".repeat(DEPTH)
    );
    let sources = [
        ("brackets", &["PCL0107"][..], wrapped("[", "", "]")),
        (
            "open-brackets",
            &["PCL0107", "PCL0136"][..],
            wrapped("[", "", ""),
        ),
        ("closing-brackets", &["PCL0121"][..], wrapped("", "", "]")),
        ("parentheses", &["PCL0107"][..], wrapped("(", "1", ")")),
        ("objects", &["PCL0107"][..], wrapped("{ a = ", "1", " }")),
        (
            "open-objects",
            &["PCL0107", "PCL0141"][..],
            wrapped("{ a = ", "", ""),
        ),
        (
            "calls",
            &["PCL0107", "PCL0601"][..],
            wrapped("f(", "1", ")"),
        ),
        (
            "indexes",
            &["PCL0107", "PCL0203"][..],
            wrapped("a[", "0", "]"),
        ),
        ("templates", &["PCL0107"][..], wrapped("\"${", "1", "}\"")),
        (
            "open-templates",
            &["PCL0107", "PCL0151"][..],
            wrapped("\"${", "", ""),
        ),
        ("directives", &["PCL0107"][..], directives),
        (
            "for",
            &["PCL0107"][..],
            wrapped("[for x in ", "[]", " : x]"),
        ),
        (
            "conditions",
            &["PCL0107"][..],
            wrapped("true ? 1 : ", "2", ""),
        ),
        (
            "middle-conditions",
            &["PCL0107"][..],
            wrapped("true ? ", "1", " : 2"),
        ),
        ("minus", &["PCL0107"][..], wrapped("-", "1", "")),
        ("not", &["PCL0107"][..], wrapped("!", "true", "")),
        (
            "heredocs",
            &["PCL0107"][..],
            wrapped("<<A\n${", "1", "}\nA\n"),
        ),
        (
            "types",
            &["PCL0107"][..],
            format!(
                "config \"a\" \"{}int{}\" {{}}\n",
                "list(".repeat(DEPTH),
                ")".repeat(DEPTH)
            ),
        ),
        (
            "blocks",
            &["PCL0107", "PCL0204"][..],
            format!("{}{}", "b {\n".repeat(DEPTH), "}\n".repeat(DEPTH)),
        ),
        (
            "open-blocks",
            &["PCL0106", "PCL0204"][..],
            "b {\n".repeat(DEPTH),
        ),
        ("closing-braces", &["PCL0103"][..], "}\n".repeat(DEPTH)),
    ];
    for (name, codes, source) in sources {
        let findings = answered(&format!("deep-{name}"), &source, codes);
        // No fault is reported twice: there are at most as many findings as openers.
        assert!(findings.len() <= DEPTH + 1, "{name}: {}", findings.len());
    }
}

#[test]
fn chains_of_twenty_thousand() {
    const LENGTH: usize = 20_000;
    let sources = [
        ("sum", &[][..], format!("a = 1{}\n", " + 1".repeat(LENGTH))),
        (
            "logic",
            &[][..],
            format!("a = true{}\n", " && true || false".repeat(LENGTH / 2)),
        ),
        (
            "steps",
            &["PCL0304"][..],
            format!("a = b{}\nb = 1\n", ".c".repeat(LENGTH)),
        ),
        (
            "indexes",
            &[][..],
            format!("config \"b\" {{}}\na = b{}\n", "[0]".repeat(LENGTH)),
        ),
        (
            "computed",
            &[][..],
            format!(
                "config \"b\" {{}}\nconfig \"i\" {{}}\na = b{}\n",
                "[i]".repeat(LENGTH)
            ),
        ),
        (
            "splats",
            &[][..],
            format!("config \"b\" {{}}\na = b{}\n", "[*]".repeat(LENGTH)),
        ),
        (
            "elements",
            &[][..],
            format!("a = [{}]\n", "1, ".repeat(LENGTH)),
        ),
        (
            "items",
            &[][..],
            format!(
                "a = {{{}}}\n",
                (0..LENGTH)
                    .map(|i| format!("k{i} = {i}, "))
                    .collect::<String>()
            ),
        ),
        (
            "parts",
            &[][..],
            format!("a = \"{}\"\n", "${1}x".repeat(LENGTH)),
        ),
        (
            "attributes",
            &[][..],
            (0..LENGTH).map(|i| format!("a{i} = {i}\n")).collect(),
        ),
        ("duplicates", &["PCL0101"][..], "a = 1\n".repeat(LENGTH)),
        (
            "blocks",
            &[][..],
            (0..LENGTH / 4)
                .map(|i| format!("config \"c{i}\" \"int\" {{}}\n"))
                .collect(),
        ),
        (
            "garbage",
            &["PCL0004", "PCL0008", "PCL0103"][..],
            ") ] } @ ' \" $\n".repeat(LENGTH / 4),
        ),
        ("comments", &[][..], "# x\n/* y */\n".repeat(LENGTH)),
        ("newlines", &[][..], "\n".repeat(LENGTH * 10)),
        (
            "long-name",
            &["PCL0201"][..],
            format!("a = {}\n", "x".repeat(LENGTH * 10)),
        ),
        (
            "long-number",
            &[][..],
            format!("a = {}\n", "9".repeat(LENGTH)),
        ),
        (
            "huge-exponent",
            &["PCL0014", "PCL0306"][..],
            "a = 1e999999999999\nb = 1e-999999999\nc = 1e999999999 + 1\nd = [1][1e999999999]\n"
                .to_owned(),
        ),
        (
            "labels",
            &["PCL0205"][..],
            format!("config {}{{}}\n", "\"a\" ".repeat(LENGTH)),
        ),
    ];
    for (name, codes, source) in sources {
        answered(&format!("long-{name}"), &source, codes);
    }
}

#[test]
fn a_chain_of_sixteen_thousand_locals() {
    let forwards: String = (0..16_000)
        .map(|i| format!("a{i} = a{}\n", i + 1))
        .collect();
    answered("chain", &format!("{forwards}a16000 = 1\n"), &[]);
    let circle = format!("{forwards}a16000 = a0\n");
    let findings = answered("circle", &circle, &["PCL0203"]);
    assert_eq!(findings.len(), 1, "one circle, one finding");
}

#[test]
fn many_errors_in_many_lines() {
    let source: String = (0..3_000)
        .map(|i| format!("a{i} = missing{i} + 1\n"))
        .collect();
    let findings = answered("many-errors", &source, &["PCL0201"]);
    assert_eq!(findings.len(), 3_000);
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
        let (run, findings) = check(&directory);
        let found = found.into_iter().collect();
        assert_eq!((run.status, codes(&findings)), (status, found), "{depth}");
    }
}
