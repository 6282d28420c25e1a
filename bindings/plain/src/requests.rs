//! Requests and answers.
//!
//! A request is the length of its header in four bytes, the lowest first; the header in JSON; and
//! the contents of its files, one behind the other. The header says what is asked:
//!
//! ```json
//! { "ask": { "convert": { "languages": ["python"] } }, "files": [{ "path": "main.pp", "size": 9 }] }
//! ```
//!
//! The program is that of the directory `directory`, which is `.` if there is none.

use std::sync::Arc;

use pcl::render::check_json;
use pcl_convert::{Language, Options, PythonToolchain, adjusted, convert};
use pcl_embedded::programs::{self, Programs};
use pcl_embedded::schemas::{Document, Supplied, Supplier, request_json};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The result of a request.
#[derive(Debug)]
pub enum Answer {
    /// The answer, in JSON.
    Done(Vec<u8>),
    /// A message about a mistake of the host.
    Refused(String),
}

/// The programs and schemas of a module.
pub struct Instance {
    programs: Programs,
    load: Arc<Load>,
}

/// A function that gives the document of the schema for a request in JSON.
type Load = dyn Fn(&str) -> Option<Document> + Send + Sync;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    ask: Ask,
    #[serde(default = "root")]
    directory: String,
    #[serde(default)]
    files: Vec<FileHeader>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileHeader {
    path: String,
    size: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ask {
    /// The settings of all requests that follow; the answer is `null`.
    Configure(Configure),
    /// The document of `pcl check --output-format json`.
    Check,
    /// The document of `pcl dump bound --full --output-format json`; lowered, if it is for an SDK.
    Bind { sdk: Option<String> },
    /// A list with an object for each language: its `language`, the `check`, the texts of `files`
    /// by path, and `complete`.
    Convert(Convert),
    /// The text of the only file in the canonical layout; `null` if it has syntax errors.
    Format,
    /// The version of the module and the names of the languages.
    Version,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Configure {
    /// The settings of `pcl.toml`.
    #[serde(default)]
    settings: Map<String, Value>,
    /// The packages that the host is known to supply, for advice.
    #[serde(default)]
    packages: Vec<Known>,
    /// The places where the host looks schemas up, for advice.
    #[serde(default)]
    places: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    name: String,
    version: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Convert {
    languages: Vec<String>,
    /// The name of the project.
    name: String,
    #[serde(default)]
    python_toolchain: Option<String>,
    #[serde(default)]
    python_classes: bool,
}

fn root() -> String {
    ".".to_owned()
}

impl Instance {
    /// An instance whose schemas a function supplies.
    pub fn new(load: impl Fn(&str) -> Option<Document> + Send + Sync + 'static) -> Self {
        let instance = Self { programs: Programs::default(), load: Arc::new(load) };
        instance.set_supplier(Vec::new(), Vec::new());
        instance
    }

    fn set_supplier(
        &self,
        packages: Vec<(String, Option<pcl::schema::Version>)>,
        places: Vec<String>,
    ) {
        let load = Arc::clone(&self.load);
        let supply = move |request: &pcl::schema::PackageRequest| {
            let document = load(&request_json(request).to_string())?;
            Some(Supplied { document, path: None })
        };
        let supplier = Supplier { supply: Arc::new(supply), packages, places };
        self.programs.schemas().set_supplier(Some(supplier));
    }

    /// Answers a request.
    pub fn answer(&mut self, request: &[u8]) -> Answer {
        match self.answer_or_refuse(request) {
            Ok(json) => Answer::Done(json),
            Err(message) => Answer::Refused(message),
        }
    }

    fn answer_or_refuse(&mut self, request: &[u8]) -> Result<Vec<u8>, String> {
        let (header, contents) = parts(request).ok_or("the request is cut off")?;
        let header: Header =
            serde_json::from_slice(header).map_err(|error| format!("the header: {error}"))?;
        self.programs.clear();
        self.programs.schemas().forget_refused();
        let mut rest = contents;
        for FileHeader { path, size } in header.files {
            let (content, behind) = rest.split_at_checked(size).ok_or("a file is cut off")?;
            self.programs.set_file(&path, content);
            rest = behind;
        }
        let directory = header.directory;
        let answer = match header.ask {
            Ask::Configure(configure) => self.configure(configure)?,
            Ask::Check => self.programs.check(&directory),
            Ask::Bind { sdk } => {
                let sdk = sdk.as_deref().map(programs::sdk_options).transpose()?;
                self.programs.document(&directory, sdk.as_ref()).into_bytes()
            }
            Ask::Convert(wanted) => self.convert(&directory, &wanted)?,
            Ask::Format => {
                let text = std::str::from_utf8(contents).ok();
                json!(text.and_then(|text| programs::format(text).ok())).to_string().into()
            }
            Ask::Version => version(),
        };
        // The memory between requests is that of schemas.
        self.programs.clear();
        Ok(answer)
    }

    fn configure(&mut self, configure: Configure) -> Result<Vec<u8>, String> {
        for (name, value) in &configure.settings {
            self.programs.set(name, value)?;
        }
        let known = |Known { name, version }| {
            let Some(version) = version else { return Ok((name, None)) };
            let parsed = pcl::schema::parse_version(&version);
            let parsed = parsed.map_err(|error| format!("`{version}` of `{name}`: {error}"))?;
            Ok((name, Some(parsed)))
        };
        let packages = configure.packages.into_iter().map(known).collect::<Result<_, String>>()?;
        self.set_supplier(packages, configure.places);
        self.programs.forget_schemas();
        Ok(b"null".to_vec())
    }

    /// Converts a program. It is checked once for all languages whose checks have the same
    /// settings.
    fn convert(&self, directory: &str, wanted: &Convert) -> Result<Vec<u8>, String> {
        let options = options(wanted)?;
        let languages = wanted.languages.iter().map(|name| Language::parse(name));
        let languages = languages.collect::<Result<Vec<_>, _>>()?;
        let mut checked = Vec::new();
        let mut answer = b"[".to_vec();
        for (at, &language) in languages.iter().enumerate() {
            let form = language.gives_outputs();
            let known = checked.iter().find(|(known, _)| *known == form);
            let program: pcl::Checked = match known {
                Some((_, program)) => Clone::clone(program),
                None => {
                    let adjust = |settings| adjusted(settings, language);
                    let program = self.programs.checked_with(directory, adjust);
                    checked.push((form, program.clone()));
                    program
                }
            };
            let (program, project) = convert(program, language, &wanted.name, &options);
            let complete = project.as_ref().is_some_and(pcl::generated::Project::is_complete);
            let files = project.into_iter().flat_map(|project| project.files);
            let files: Map<String, Value> =
                files.map(|file| (file.path, file.text.into())).collect();
            let (name, files) = (json!(language.name()), json!(files));
            if at > 0 {
                answer.push(b',');
            }
            answer.extend(format!(r#"{{"language":{name},"complete":{complete},"files":"#).bytes());
            answer.extend(files.to_string().bytes());
            // The document of a check is JSON already.
            answer.extend(br#","check":"#);
            answer.extend(check_json(&program.report));
            answer.push(b'}');
        }
        answer.push(b']');
        Ok(answer)
    }
}

/// The header and the contents of a request.
fn parts(request: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = request.split_first_chunk()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

fn options(wanted: &Convert) -> Result<Options, String> {
    let mut options = Options::default();
    options.python.classes = wanted.python_classes;
    if let Some(toolchain) = &wanted.python_toolchain {
        options.python.toolchain = PythonToolchain::parse(toolchain)?;
    }
    Ok(options)
}

fn version() -> Vec<u8> {
    let languages = Language::ALL.map(Language::name);
    json!({ "version": env!("CARGO_PKG_VERSION"), "languages": languages }).to_string().into()
}
