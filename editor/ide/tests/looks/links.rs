use pcl::Target;
use pcl::diagnostics::Span;
use pcl_ide::{Analysis, LinkTarget, links};

use crate::support::{marked, workspace};

#[test]
fn words_lead_somewhere() {
    let text = "# pcl: ignore[PCL0601, unused-config, nothing]\na = readFile(\"./x.txt\")\nb = \
                fileAsset(\"é/${a}\")\nc = length([\"./x.txt\"])\n";
    let (analysis, Span { file, .. }) = marked(text);
    let shown = links(&analysis, file).into_iter().map(|link| {
        let own = &text[link.range.to_usize()];
        match link.target {
            LinkTarget::Page(code) => format!("{own} {}", code.id()),
            LinkTarget::Written(path) => format!("{own} {path}"),
            LinkTarget::File(_) => format!("{own} a file"),
        }
    });
    let shown: Vec<String> = shown.collect();
    let [name, unused] = ["PCL0601 PCL0601", "unused-config "];
    assert_eq!(shown[0], name);
    assert!(shown[1].starts_with(unused), "{shown:?}");
    assert_eq!(shown[2..], ["./x.txt ./x.txt"]);
}

#[test]
fn a_component_leads_to_its_program() {
    let directory = tempfile::tempdir().expect("a directory");
    let inner = directory.path().join("inner");
    std::fs::create_dir(&inner).expect("a directory");
    for (path, text) in [
        (inner.join("a.pp"), "b = 1\n"),
        (inner.join("main.pp"), "a = 1\n"),
        (
            directory.path().join("main.pp"),
            "component c \"./inner\" {}\ncomponent d \"./none\" {}\n",
        ),
    ] {
        std::fs::write(path, text).expect("a file");
    }
    let target = Target::Path(directory.path().to_path_buf());
    let analysis = Analysis::new(workspace().check(&target));
    let main = directory.path().join("main.pp");
    let file = analysis.file(&main.to_string_lossy()).expect("the file");
    let [link] = &links(&analysis, file)[..] else {
        panic!("one link");
    };
    assert_eq!(analysis.text(Span::new(file, link.range)), "./inner");
    let LinkTarget::File(target) = link.target else {
        panic!("a file");
    };
    assert!(analysis.checked.sources.path(target).ends_with("inner/main.pp"));
}
