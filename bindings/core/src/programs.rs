//! Programs as texts by path, and the questions about them.

use std::collections::HashMap;
use std::sync::Arc;

use pcl::binder::{Sources, package_requests};
use pcl::config::{Configuration, kebab_case};
use pcl::diagnostics::{FileId, SourceMap};
use pcl::eval::notation::Secrets;
use pcl::graph::Graph;
use pcl::lower::SdkOptions;
use pcl::preview::RunOptions;
use pcl::render::{check_json, preview_json};
use pcl::schema::PackageRequest;
use pcl::{Checked, Fixed, Fixes, MemoryFiles, Settings, Workspace};
use pcl_ide::plain::{self, Completions, Diagnostic, Edit, Hover, Location, Units};
use pcl_ide::{Analysis, FilePosition};
use serde_json::Value;

use crate::schemas::Schemas;

/// The message about a text that cannot be formatted.
const SYNTAX_ERRORS: &str = "a text with syntax errors cannot be formatted";

/// Programs as texts by path. The paths are relative, with `/` between their parts; the files of a
/// directory are one program, and `.` is the directory of those without a directory.
pub struct Programs {
    configuration: Configuration,
    schemas: Arc<Schemas>,
    workspace: Workspace,
    files: MemoryFiles,
    /// The checked programs by directory.
    known: HashMap<String, Analysis>,
}

impl Default for Programs {
    fn default() -> Self {
        let schemas = Arc::new(Schemas::default());
        let configuration = Configuration::default();
        Self {
            workspace: workspace(configuration.settings(), &schemas),
            configuration,
            schemas,
            files: MemoryFiles::default(),
            known: HashMap::new(),
        }
    }
}

fn workspace(mut settings: Settings, schemas: &Arc<Schemas>) -> Workspace {
    settings.schemas = pcl::SchemaPlaces::default();
    Workspace::new(settings).with_loader(Arc::clone(schemas) as Arc<dyn pcl::schema::Loader>)
}

impl Programs {
    /// Sets a setting of `pcl.toml` by its name, which may be in camel case.
    ///
    /// # Errors
    /// Returns a message if there is no such setting, or if the value is not one of its values.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let name = kebab_case(name);
        self.configuration.set_json(&name, value).map_err(|found| {
            let messages = found.into_iter().map(|diagnostic| diagnostic.message);
            messages.collect::<Vec<_>>().join("; ")
        })?;
        self.forget_schemas();
        Ok(())
    }

    /// Adds a file, or replaces its content. The files whose name ends in `.pp` are programs; those
    /// read the others when they run.
    pub fn set_file(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        match self.files.bytes(path) {
            Some(_) => self.forget_file(path),
            // Advice names directories, and a program has all files of its own.
            None => self.known.clear(),
        }
        self.files.insert(path, content);
    }

    /// Removes all files.
    pub fn clear(&mut self) {
        self.files = MemoryFiles::default();
        self.known.clear();
    }

    /// Removes a file.
    pub fn remove_file(&mut self, path: &str) {
        self.files.remove(path);
        self.known.clear();
    }

    /// Forgets the programs that have a file.
    fn forget_file(&mut self, path: &str) {
        let path = MemoryFiles::normal(path);
        self.known.retain(|_, program| {
            let sources = &program.checked.sources;
            sources.files().all(|file| *sources.path(file) != *path)
        });
    }

    /// The paths of the files, sorted.
    pub fn paths(&self) -> Vec<String> {
        self.files.paths()
    }

    /// The schemas.
    pub fn schemas(&self) -> &Arc<Schemas> {
        &self.schemas
    }

    /// Forgets the programs that were checked with other schemas.
    pub fn forget_schemas(&mut self) {
        self.workspace = workspace(self.configuration.settings(), &self.schemas);
        self.known.clear();
    }

    /// The packages that a program needs and that were not handed in.
    pub fn missing_packages(&self, directory: &str) -> Vec<PackageRequest> {
        use pcl::schema::Loader as _;
        let mut map = SourceMap::new();
        let target = self.files.target(directory);
        let (sources, _): (Sources, _) = target.read(self.files.programs(), &mut map);
        let mut requests = package_requests(&sources, &self.configuration.settings().options);
        requests.retain(|request| self.schemas.load(request).is_err());
        requests
    }

    /// Checks a program with other settings, such as those of a conversion.
    pub fn checked_with(
        &self,
        directory: &str,
        adjust: impl FnOnce(Settings) -> Settings,
    ) -> Checked {
        let workspace = workspace(adjust(self.configuration.settings()), &self.schemas);
        workspace.check_open(&self.files.target(directory), self.files.programs())
    }

    /// Checks a program.
    fn checked(&self, directory: &str) -> Checked {
        let target = self.files.target(directory);
        self.workspace.check_open(&target, self.files.programs())
    }

    /// A program, checked if it was not.
    fn analysis(&mut self, directory: &str) -> &mut Analysis {
        let directory = MemoryFiles::normal(directory);
        let known = self.known.remove(&directory);
        let known = known.unwrap_or_else(|| Analysis::new(self.checked(&directory)));
        self.known.entry(directory).or_insert(known)
    }

    /// A program and one of its files.
    fn file(&mut self, path: &str) -> Result<(&mut Analysis, FileId), String> {
        let path = MemoryFiles::normal(path);
        if self.files.tree(&path).is_none() {
            return Err(format!("there is no file `{path}` in the workspace"));
        }
        let analysis = self.analysis(directory_of(&path));
        let file = analysis.file(&path);
        let file = file.ok_or_else(|| format!("`{path}` is not a file of a program"))?;
        Ok((analysis, file))
    }

    /// The position of an offset in UTF-16 code units.
    fn position(
        &mut self,
        path: &str,
        offset: u32,
    ) -> Result<(&mut Analysis, FilePosition), String> {
        let (analysis, file) = self.file(path)?;
        let at = plain::position_of_units(analysis, file, offset);
        Ok((analysis, at))
    }

    /// The document of `pcl check --output-format json`.
    pub fn check(&mut self, directory: &str) -> Vec<u8> {
        let analysis = self.analysis(directory);
        check_json(&analysis.checked.report)
    }

    /// The diagnostics of a file, for editors.
    ///
    /// # Errors
    /// Returns a message if there is no such file.
    pub fn diagnostics(&mut self, path: &str) -> Result<Vec<Diagnostic<Units>>, String> {
        let (analysis, file) = self.file(path)?;
        Ok(plain::diagnostics(analysis, file))
    }

    /// The explanation of the thing at a place.
    ///
    /// # Errors
    /// Returns a message if there is no such file.
    pub fn hover(&mut self, path: &str, offset: u32) -> Result<Option<Hover<Units>>, String> {
        let (analysis, at) = self.position(path, offset)?;
        Ok(plain::hover(analysis, at))
    }

    /// The completions at a place.
    ///
    /// # Errors
    /// Returns a message if there is no such file.
    pub fn complete(
        &mut self,
        path: &str,
        offset: u32,
    ) -> Result<Option<Completions<Units>>, String> {
        let (analysis, at) = self.position(path, offset)?;
        Ok(plain::complete(analysis, at))
    }

    /// The declaration of the name at a place.
    ///
    /// # Errors
    /// Returns a message if there is no such file.
    pub fn definition(
        &mut self,
        path: &str,
        offset: u32,
    ) -> Result<Option<Location<Units>>, String> {
        let (analysis, at) = self.position(path, offset)?;
        Ok(plain::definition(analysis, at))
    }

    /// The places of a name in the program: its declaration, then the references.
    ///
    /// # Errors
    /// Returns a message if there is no such file.
    pub fn references(&mut self, path: &str, offset: u32) -> Result<Vec<Location<Units>>, String> {
        let (analysis, at) = self.position(path, offset)?;
        Ok(plain::references(analysis, at))
    }

    /// The edits that give the name at a place another text.
    ///
    /// # Errors
    /// Returns a message if there is no such file, if the name cannot be changed, or if something
    /// else would get its meaning.
    pub fn rename(
        &mut self,
        path: &str,
        offset: u32,
        name: &str,
    ) -> Result<Vec<Edit<Units>>, String> {
        let (analysis, at) = self.position(path, offset)?;
        plain::rename(analysis, at, name)
    }

    /// A file in the canonical layout.
    ///
    /// # Errors
    /// Returns a message if there is no such file, or if it has syntax errors.
    pub fn format(&self, path: &str) -> Result<String, String> {
        let path = MemoryFiles::normal(path);
        let tree = self.files.tree(&path);
        let tree = tree.ok_or_else(|| format!("there is no file `{path}` in the workspace"))?;
        pcl::format::format(tree).ok_or_else(|| SYNTAX_ERRORS.to_owned())
    }

    /// A program after its fixes. The files of the workspace stay as they are.
    pub fn fix(&self, directory: &str, fixes: Fixes) -> Fixed {
        let target = self.files.target(directory);
        let open = self.files.programs();
        self.workspace.fix_open(&target, open, fixes, |_, _| true)
    }

    /// The document of `pcl dump bound --full --output-format json`; lowered, if it is for an SDK.
    pub fn document(&mut self, directory: &str, sdk: Option<&SdkOptions>) -> String {
        let Some(options) = sdk else {
            return self.analysis(directory).checked.document().to_json();
        };
        let mut checked = self.analysis(directory).checked.clone();
        if checked.is_valid() {
            checked.program = pcl::lower::sdk(checked.program, options);
        }
        checked.document().to_json()
    }

    /// The dependency graph of a program.
    pub fn graph(&mut self, directory: &str) -> Graph {
        Graph::of(&self.analysis(directory).checked.program)
    }

    /// The document of `pcl graph --output-format json`.
    pub fn graph_json(&mut self, directory: &str) -> Vec<u8> {
        let analysis = self.analysis(directory);
        Graph::of(&analysis.checked.program).to_json(&analysis.checked.report)
    }

    /// The document of `pcl preview --output-format json`. The configuration of the stack is in
    /// the file `Pulumi.STACK.yaml` of the workspace.
    ///
    /// # Errors
    /// Returns a message if an option or the configuration of the stack has the wrong form.
    pub fn preview(&mut self, directory: &str, options: RunOptions) -> Result<Vec<u8>, String> {
        let checked = self.analysis(directory).checked.clone();
        let files = self.files.clone();
        let program = options.in_memory(checked, files, directory)?;
        Ok(preview_json(&program.preview(), Secrets::Hide))
    }
}

/// A text in the canonical layout.
///
/// # Errors
/// Returns a message if the text has syntax errors.
pub fn format(text: &str) -> Result<String, String> {
    let tree = pcl::syntax::parse(text);
    pcl::format::format(&tree).ok_or_else(|| SYNTAX_ERRORS.to_owned())
}

/// The form of a document for the SDK with a name.
///
/// # Errors
/// Returns a message with all names if there is none.
pub fn sdk_options(name: &str) -> Result<SdkOptions, String> {
    match name {
        "nodejs" => Ok(SdkOptions::nodejs()),
        "python" => Ok(SdkOptions::python()),
        "go" => Ok(SdkOptions::go()),
        "java" => Ok(SdkOptions::java()),
        other => Err(format!("unknown SDK `{other}`; expected `nodejs`, `python`, `go` or `java`")),
    }
}

/// The directory of a file.
fn directory_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(directory, _)| directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The directories of the programs that are still known.
    fn known(programs: &Programs) -> Vec<&str> {
        let mut known: Vec<&str> = programs.known.keys().map(String::as_str).collect();
        known.sort_unstable();
        known
    }

    #[test]
    fn an_edit_forgets_the_programs_that_have_the_file() {
        let mut programs = Programs::default();
        programs.set_file("main.pp", "component web \"./web\" {\n}\n");
        programs.set_file("web/main.pp", "size = 1\n");
        programs.set_file("shop/main.pp", "size = lenght([1])\n");
        programs.set_file("shop/notes.txt", "old");
        let check_all = |programs: &mut Programs| {
            for directory in [".", "web", "shop"] {
                programs.check(directory);
            }
            assert_eq!(known(programs), [".", "shop", "web"]);
        };

        check_all(&mut programs);
        programs.set_file("shop/notes.txt", "new");
        assert_eq!(known(&programs), [".", "shop", "web"]);
        programs.set_file("shop/main.pp", "size = length([1])\n");
        assert_eq!(known(&programs), [".", "web"]);
        assert!(programs.diagnostics("shop/main.pp").unwrap().is_empty());

        // A program has the files of its components.
        check_all(&mut programs);
        programs.set_file("./web/main.pp", "size = nix\n");
        assert_eq!(known(&programs), ["shop"]);

        // A new file may be one of any program.
        check_all(&mut programs);
        programs.set_file("shop/more.pp", "size = 1\n");
        assert!(known(&programs).is_empty());
        check_all(&mut programs);
        programs.remove_file("web/main.pp");
        assert!(known(&programs).is_empty());
    }

    /// Whatever is asked about a program, it is checked once.
    #[test]
    fn answers_are_about_the_program_that_is_known() {
        let mut programs = Programs::default();
        programs.set_file("main.pp", "output mine {\n  value = 1\n}\n");
        programs.check(".");
        // Another program takes its place, which a second check would bring back.
        let mut others = Programs::default();
        others.set_file("main.pp", "output other {\n  value = 2\n}\n");
        let other = Analysis::new(others.checked("."));
        programs.known.insert(".".to_owned(), other);
        for sdk in [None, Some(SdkOptions::nodejs())] {
            assert!(programs.document(".", sdk.as_ref()).contains("\"other\""));
        }
        let preview = programs.preview(".", RunOptions::default()).unwrap();
        assert!(String::from_utf8(preview).unwrap().contains("\"other\":2"));
    }
}
