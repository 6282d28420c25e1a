//! Configuration files while they are written: no place in any text is a panic, and none takes
//! long.

use pcl_ide::configuration::{Language, completions, hover};

const TEXTS: [&str; 6] = [
    "extend = \"../é.pcl.toml\"\nselect = [\"all\", 'style', # x\n  \"\"\"un\nused\"\"\"]\n[levels]\nunused-local = \"warn\"\n\n[[overrides]]\nfiles = [\"a\"]\n[overrides.levels]\nstyle = \"error\"\n",
    "[[[\n]]\n= = \"\n[a.b.\n[[overrides]\n{ , } .\nx = { y = [ { z = \r\n",
    "name: x\npcl: # é\n  select: [all, \"style\"]\n  levels:\n    unused: 'warn'\n  overrides:\n  - files:\n    - \"*.pp\"\n    levels: { style: error }\n\nruntime: pcl\n",
    "pcl:\n- - a\n  -\n   - b: [ {\n  c: ]\n : :\n\tx: |\n    - y\n--- \n? z\n",
    "pcl:\n  select:\n 𐍈: \"\n  '\n  a:b:\n",
    "",
];

fn ask(text: &str, offset: usize, language: Language) {
    let offset = offset as u32;
    if let Some(found) = completions(text, offset, language) {
        let replaced = found.replaced.range;
        assert!(text.get(replaced.to_usize()).is_some(), "{text:?} {offset}");
        assert!(replaced.start() <= offset && offset <= replaced.end(), "{text:?} {offset}");
    }
    if let Some(found) = hover(text, offset, language) {
        assert!(text.get(found.span.range.to_usize()).is_some(), "{text:?} {offset}");
    }
}

#[test]
fn every_place_of_every_beginning_can_be_asked_about() {
    for text in TEXTS {
        for language in [Language::Toml, Language::Yaml] {
            let ends = text.char_indices().map(|(at, it)| at + it.len_utf8());
            for end in ends {
                ask(&text[..end], end, language);
                // Within a letter, and after the end.
                ask(&text[..end], end - 1, language);
                ask(&text[..end], end + 1, language);
                ask(text, end, language);
            }
        }
    }
}

#[test]
fn hostile_texts_take_linear_time() {
    const PARTS: [&str; 16] = [
        "[",
        "{",
        "x = [",
        "- ",
        "a.",
        "[a.",
        "[[a]]\n",
        "\"\\",
        "'\n",
        "\"\"\"",
        "a: [\n",
        "a:\n ",
        ",",
        "pcl: {a: ",
        "x = 'a' \"",
        "#",
    ];
    for part in PARTS {
        let text = part.repeat(1 << 17);
        for language in [Language::Toml, Language::Yaml] {
            ask(&text, text.len(), language);
        }
    }
}
