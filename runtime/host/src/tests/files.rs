//! Requests that write files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::engine::{Engine, Pair, directory, info, with_engine};
use crate::protocol::language::{
    DiagnosticsResponse, GenerateProgramRequest, GenerateProgramResponse, GenerateProjectRequest,
    LinkDependency, LinkRequest, LinkResponse, PackRequest, PackResponse, Severity,
};

const PROGRAM: &str = "resource box \"toy:index:Box\" {\n  name = \"one\"\n}\n";
const BLOCK: &str =
    "package \"toy\" {\n  baseProviderName    = \"toy\"\n  baseProviderVersion = \"1.0.0\"\n}\n";

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn project_request(pair: &Pair, source: &Path, target: &Path) -> GenerateProjectRequest {
    let artifact = text(&source.join("../artifacts/toy-1.0.0.pp"));
    GenerateProjectRequest {
        source_directory: text(source),
        target_directory: text(target),
        project: r#"{"name":"shop","runtime":"yaml","main":"src"}"#.into(),
        strict: true,
        loader_target: pair.engine_address.clone(),
        local_dependencies: BTreeMap::from([
            ("toy".into(), artifact),
            ("other".into(), "/not/there.pp".into()),
        ]),
    }
}

async fn generate(
    pair: &Pair,
    source: &Path,
    target: &Path,
) -> Result<DiagnosticsResponse, tonic::Status> {
    let method = "/pulumirpc.LanguageRuntime/GenerateProject";
    pair.call(method, project_request(pair, source, target)).await
}

fn sources() -> tempfile::TempDir {
    directory(&[
        ("program/main.pp", PROGRAM),
        ("program/Pulumi.yaml", "name: old\n"),
        ("program/part/part.pp", "a = 1\n"),
        ("program/text.txt", "text"),
        ("artifacts/toy-1.0.0.pp", BLOCK),
    ])
}

#[test]
fn projects_are_copied_with_the_packages_that_they_use() {
    let (sources, target) = (sources(), directory(&[]));
    with_engine(Engine::default(), |pair| async move {
        let source = sources.path().join("program");
        let answer = generate(&pair, &source, target.path()).await.unwrap();
        assert_eq!(answer.diagnostics, []);
        let read = |name: &str| fs::read_to_string(target.path().join(name)).unwrap();
        assert_eq!(read("Pulumi.yaml"), "name: shop\nruntime: pcl\nmain: src\n");
        assert_eq!(read("src/main.pp"), PROGRAM);
        assert_eq!(read("src/part/part.pp"), "a = 1\n");
        assert_eq!(read("src/text.txt"), "text");
        assert_eq!(read("src/toy.pp"), BLOCK);
        assert!(!target.path().join("src/Pulumi.yaml").exists());
    });
}

#[cfg(unix)]
#[test]
fn copies_keep_their_permissions_and_leave_out_the_target() {
    use std::os::unix::fs::PermissionsExt as _;
    let source = directory(&[("main.pp", "a = 1\n"), ("run.sh", "true\n"), ("out/old", "x")]);
    let script = source.path().join("run.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    with_engine(Engine::default(), |pair| async move {
        let target = source.path().join("out");
        generate(&pair, source.path(), &target).await.unwrap();
        let copy = fs::metadata(target.join("src/run.sh")).unwrap();
        assert_eq!(copy.permissions().mode() & 0o777, 0o755);
        assert!(!target.join("src/out").exists());
        let mut request = project_request(&pair, source.path(), &target);
        request.project = r#"{"name":"shop","main":"../elsewhere"}"#.into();
        let method = "/pulumirpc.LanguageRuntime/GenerateProject";
        let refused = pair.call::<_, DiagnosticsResponse>(method, request).await;
        assert!(refused.unwrap_err().message().contains("`../elsewhere`"));
    });
}

#[test]
fn a_program_with_errors_is_not_written() {
    let source = directory(&[("main.pp", "a = lenght([1])\n")]);
    let target = directory(&[]);
    with_engine(Engine::default(), |pair| async move {
        let answer = generate(&pair, source.path(), target.path()).await.unwrap();
        let [diagnostic] = answer.diagnostics.as_slice() else {
            panic!("one diagnostic, not {:?}", answer.diagnostics);
        };
        assert_eq!(diagnostic.severity, i32::from(Severity::Error));
        let start = diagnostic.subject.as_ref().unwrap().start.unwrap();
        assert_eq!((start.line, start.column, start.byte), (1, 5, 4));
        assert_eq!(fs::read_dir(target.path()).unwrap().count(), 0);
    });
}

#[test]
fn what_cannot_be_written_is_an_error_with_its_path() {
    let (sources, target) = (sources(), directory(&[("src", "a file")]));
    with_engine(Engine::default(), |pair| async move {
        let source = sources.path().join("program");
        let error = generate(&pair, &source, target.path()).await.unwrap_err();
        assert!(error.message().starts_with("cannot write `"), "{error}");
        let names = fs::read_dir(target.path()).unwrap();
        assert_eq!(names.count(), 1, "nothing is left behind");
    });
}

#[test]
fn programs_come_back_unchanged() {
    with_engine(Engine::default(), |pair| async move {
        let request = |text: &str| GenerateProgramRequest {
            source: BTreeMap::from([("main.pp".into(), text.into())]),
            loader_target: pair.engine_address.clone(),
            strict: true,
        };
        let method = "/pulumirpc.LanguageRuntime/GenerateProgram";
        let answer: GenerateProgramResponse = pair.call(method, request(PROGRAM)).await.unwrap();
        assert_eq!(answer.source["main.pp"], PROGRAM.as_bytes());
        let wrong = request("resource box \"toy:index:Bag\" {\n}\n");
        let answer: GenerateProgramResponse = pair.call(method, wrong).await.unwrap();
        assert!(answer.source.is_empty());
        assert_eq!(answer.diagnostics.len(), 1);
    });
}

#[test]
fn a_package_is_its_file() {
    let package = directory(&[("toy-1.0.0.pp", BLOCK)]);
    let crowd = directory(&[("a.pp", BLOCK), ("b.pp", BLOCK)]);
    let target = directory(&[]);
    with_engine(Engine::default(), |pair| async move {
        let request = |package: &Path| PackRequest {
            package_directory: text(package),
            destination_directory: text(&target.path().join("deep")),
        };
        let method = "/pulumirpc.LanguageRuntime/Pack";
        let answer: PackResponse = pair.call(method, request(package.path())).await.unwrap();
        assert_eq!(fs::read_to_string(&answer.artifact_path).unwrap(), BLOCK);
        assert!(answer.artifact_path.ends_with("deep/toy-1.0.0.pp"));
        let crowd = pair.call::<_, PackResponse>(method, request(crowd.path())).await;
        assert!(crowd.unwrap_err().message().contains("expected one file"));
    });
}

#[test]
fn a_linked_package_is_a_file_of_the_program() {
    let project = directory(&[("main.pp", PROGRAM), ("sdks/toy/toy-1.0.0.pp", BLOCK)]);
    with_engine(Engine::default(), |pair| async move {
        let request = LinkRequest {
            info: Some(info(project.path())),
            packages: vec![LinkDependency { path: "sdks/toy".into() }],
        };
        let link = || async {
            let method = "/pulumirpc.LanguageRuntime/Link";
            pair.call::<_, LinkResponse>(method, request.clone()).await
        };
        let answer = link().await.unwrap();
        assert!(answer.import_instructions.contains("toy.pp"), "{answer:?}");
        // The label of a package block is deprecated.
        let linked = fs::read_to_string(project.path().join("toy.pp")).unwrap();
        assert_eq!(linked, BLOCK.replace("package \"toy\" {", "package {"));
        let again = link().await.unwrap();
        assert!(again.import_instructions.contains("already"), "{again:?}");

        // The program may be in another directory.
        let yaml = "name: shop\nruntime: pcl\nmain: src\n";
        fs::write(project.path().join("Pulumi.yaml"), yaml).unwrap();
        fs::create_dir(project.path().join("src")).unwrap();
        link().await.unwrap();
        assert!(project.path().join("src/toy.pp").exists());
        // `main` may name a file.
        fs::write(project.path().join("src/main.pp"), PROGRAM).unwrap();
        let yaml = yaml.replace("src", "src/main.pp");
        fs::write(project.path().join("Pulumi.yaml"), yaml).unwrap();
        assert!(link().await.unwrap().import_instructions.contains("already"));
        fs::remove_file(project.path().join("Pulumi.yaml")).unwrap();

        // A newer version replaces the file, and no other block.
        let newer = BLOCK.replace("1.0.0", "2.0.0");
        fs::write(project.path().join("sdks/toy/toy-1.0.0.pp"), &newer).unwrap();
        link().await.unwrap();
        let linked = fs::read_to_string(project.path().join("toy.pp")).unwrap();
        assert!(linked.contains("2.0.0"));
        // A file with anything else in it is left alone.
        for more in ["output mine { value = 1 }\n", "# mine\n"] {
            let mine = format!("{BLOCK}{more}");
            fs::write(project.path().join("toy.pp"), &mine).unwrap();
            let refused = link().await.unwrap_err();
            assert!(
                refused.message().contains("has more in it than the package block"),
                "{refused}"
            );
            let kept = fs::read_to_string(project.path().join("toy.pp")).unwrap();
            assert_eq!(kept, mine);
        }
        fs::remove_file(project.path().join("toy.pp")).unwrap();
        fs::write(project.path().join("other.pp"), BLOCK).unwrap();
        let refused = link().await.unwrap_err();
        assert!(refused.message().contains("another package block"), "{refused}");
        assert!(!project.path().join("toy.pp").exists());
    });
}
