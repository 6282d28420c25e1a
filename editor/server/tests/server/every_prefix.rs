use serde_json::{Value, json};

use crate::support::Editor;

const PROGRAM: &str = "# pcl: ignore[unused-config]
config é \"list(string)\" {
  default = [\"𐍈\"]
}
resource cage \"zoo:index:Cage\" {
  bars   = range.value
  labels = { \"a\" = \"${é[0]}-x\", b = <<-E
    %{ for k, v in é ~}
    ${k} is ${v}
    %{ endfor }
  E
  }
  options {
    range = 3
  }
}
output out {
  value = [for c in cage : c.area if length(é) > 0 ? true : false]
}
";

/// Types a program letter by letter and asks for everything that the editor shows, each time.
#[test]
fn every_beginning_of_a_program_is_shown() {
    let (mut editor, _) = Editor::with("");
    let settings = json!({ "settings": { "pcl": { "codeLens": true } } });
    editor.notify("workspace/didChangeConfiguration", settings);
    let ends = PROGRAM.char_indices().map(|(at, letter)| at + letter.len_utf8());
    for (version, end) in ends.enumerate() {
        let text = &PROGRAM[..end];
        editor.replace("main.pp", version as i32 + 2, text);
        let lines: Vec<&str> = text.split('\n').collect();
        let last = lines.last().unwrap_or(&"");
        let place = json!({
            "line": lines.len() - 1, "character": last.encode_utf16().count(),
        });
        let start = json!({ "line": 0, "character": 0 });
        let options = json!({ "tabSize": 2, "insertSpaces": true });
        let with = |more: Value| {
            let mut params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
            for (name, value) in more.as_object().expect("an object") {
                params[name] = value.clone();
            }
            params
        };
        let here = json!({ "start": place, "end": place });
        let all = json!({ "start": start, "end": place });
        let requests = [
            ("semanticTokens/full", with(json!({}))),
            ("semanticTokens/full/delta", with(json!({ "previousResultId": "x" }))),
            ("semanticTokens/range", with(json!({ "range": all }))),
            ("inlayHint", with(json!({ "range": all }))),
            ("foldingRange", with(json!({}))),
            ("selectionRange", with(json!({ "positions": [place] }))),
            ("documentLink", with(json!({}))),
            ("codeLens", with(json!({}))),
            ("codeAction", with(json!({ "range": here, "context": { "diagnostics": [] } }))),
            ("formatting", with(json!({ "options": options }))),
            ("rangeFormatting", with(json!({ "range": all, "options": options }))),
            ("onTypeFormatting", with(json!({ "position": place, "ch": "}", "options": options }))),
        ];
        for (method, params) in requests {
            let answer = editor.request(&format!("textDocument/{method}"), params);
            assert!(answer.is_ok(), "{method}: {answer:?} in\n{text}");
        }
    }
}
