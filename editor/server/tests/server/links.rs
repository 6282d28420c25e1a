use serde_json::{Value, json};

use crate::support::Editor;

#[test]
fn links_lead_to_files_and_pages() {
    let (mut editor, _) = Editor::with("");
    editor.write("inner/main.pp", "a = 1\n");
    editor.write("x é.txt", "x");
    editor.replace(
        "main.pp",
        2,
        "# pcl: ignore[PCL0601]\ncomponent c \"./inner\" {}\na = readFile(\"./x é.txt\")\nb = \
         readFile(\"none.txt\")\nd = fileAsset(\"/etc/hostname\")\ne = fileAsset(\"../\")\n",
    );
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let links = editor.request("textDocument/documentLink", params);
    let links = links.expect("links");
    let links: Vec<&Value> = links.as_array().expect("a list").iter().collect();
    let targets: Vec<&str> =
        links.iter().map(|link| link["target"].as_str().expect("a target")).collect();
    assert_eq!(targets.len(), 3, "{targets:?}");
    assert!(targets[0].contains("PCL0601"), "{targets:?}");
    assert_eq!(targets[1], editor.uri("inner/main.pp"));
    assert!(targets[2].ends_with("/x%20%C3%A9.txt"), "{targets:?}");
    assert_eq!(links[1]["range"]["start"], json!({ "line": 1, "character": 13 }));
    assert_eq!(links[1]["range"]["end"], json!({ "line": 1, "character": 20 }));
}
