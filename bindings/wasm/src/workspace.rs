//! The classes and functions of the JavaScript module.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use js_sys::{Function, JSON, Reflect, Uint8Array};
use pcl::Fixes;
use pcl::schema::PackageRequest;
use pcl_embedded::programs::{self, Programs};
use pcl_embedded::schemas::{Document, Supplied, Supplier, Supply, request_json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

thread_local! {
    /// The callbacks of workspaces, which must not leave the thread of JavaScript.
    static CALLBACKS: RefCell<BTreeMap<u32, Function>> = const { RefCell::new(BTreeMap::new()) };
}

/// Programs and schemas in memory, and the questions about them.
#[wasm_bindgen]
pub struct Workspace {
    programs: Programs,
    callback: u32,
}

#[wasm_bindgen]
impl Workspace {
    /// Creates a workspace without files.
    ///
    /// # Errors
    /// Throws an error if a setting does not exist or has the wrong value.
    #[wasm_bindgen(constructor, skip_typescript)]
    pub fn new(settings: JsValue) -> Result<Workspace, JsError> {
        let mut programs = Programs::default();
        if let Value::Object(settings) = from_js(&settings)? {
            for (name, value) in settings {
                programs.set(&name, &value).map_err(|it| error(&it))?;
            }
        }
        Ok(Self { programs, callback: 0 })
    }

    /// Adds a file, or replaces its content.
    ///
    /// # Errors
    /// Throws an error if the content is neither a string nor bytes.
    #[wasm_bindgen(js_name = setFile, skip_typescript)]
    pub fn set_file(&mut self, path: &str, content: &JsValue) -> Result<(), JsError> {
        let content = bytes(content).ok_or_else(|| error("a file is a string or a Uint8Array"))?;
        self.programs.set_file(path, content);
        Ok(())
    }

    /// Removes a file.
    #[wasm_bindgen(js_name = removeFile)]
    pub fn remove_file(&mut self, path: &str) {
        self.programs.remove_file(path);
    }

    /// The paths of the files, sorted.
    pub fn files(&self) -> Vec<String> {
        self.programs.paths()
    }

    /// Adds the schema of a package, in JSON or YAML.
    ///
    /// # Errors
    /// Throws an error if the document is not a schema.
    #[wasm_bindgen(js_name = addSchema, skip_typescript)]
    pub fn add_schema(&mut self, document: &JsValue) -> Result<JsValue, JsError> {
        let bytes = bytes(document).ok_or_else(|| error("a schema is a string or a Uint8Array"))?;
        let package = self.programs.schemas().add(bytes).map_err(|it| error(&it))?;
        self.programs.forget_schemas();
        to_js(&json!({
            "name": package.name(),
            "version": package.version().map(ToString::to_string),
        }))
    }

    /// Sets the function that is asked for schemas that were not added, and what is known about it.
    ///
    /// # Errors
    /// Throws an error if the options have the wrong form, or if a version is none.
    #[wasm_bindgen(js_name = setSchemaLoader, skip_typescript)]
    pub fn set_schema_loader(
        &mut self,
        load: Option<Function>,
        options: &JsValue,
    ) -> Result<(), JsError> {
        #[derive(Deserialize)]
        struct Known {
            name: String,
            version: Option<String>,
        }
        #[derive(Deserialize, Default)]
        #[serde(default)]
        struct Options {
            packages: Vec<Known>,
            places: Vec<String>,
        }
        let Options { packages, places } = options_of(options)?;
        let known = |Known { name, version }| {
            let version = version.map(|it| pcl::schema::parse_version(&it)).transpose();
            Ok((name, version.map_err(|it| error(&it.to_string()))?))
        };
        let packages = packages.into_iter().map(known);
        let packages = packages.collect::<Result<Vec<_>, JsError>>()?;
        self.forget_callback();
        let supplier = load.map(|load| {
            self.callback = remember(load);
            Supplier { supply: supply(self.callback), packages, places }
        });
        self.programs.schemas().set_supplier(supplier);
        self.programs.forget_schemas();
        Ok(())
    }

    fn forget_callback(&self) {
        CALLBACKS.with_borrow_mut(|known| known.remove(&self.callback));
    }

    /// The packages that a program needs and whose schemas are not there.
    ///
    /// # Errors
    /// Throws an error if the answer cannot be represented.
    #[wasm_bindgen(js_name = missingSchemas, skip_typescript)]
    pub fn missing_schemas(&self, directory: Option<String>) -> Result<JsValue, JsError> {
        let missing = self.programs.missing_packages(&directory_or_root(directory));
        let missing: Vec<Value> = missing.iter().map(request_json).collect();
        to_js(&missing)
    }

    /// Checks a program.
    ///
    /// # Errors
    /// Throws an error if the answer cannot be represented.
    #[wasm_bindgen(skip_typescript)]
    pub fn check(&mut self, directory: Option<String>) -> Result<JsValue, JsError> {
        parse(self.programs.check(&directory_or_root(directory)))
    }

    /// The diagnostics of a file, for editors.
    ///
    /// # Errors
    /// Throws an error if there is no such file.
    #[wasm_bindgen(skip_typescript)]
    pub fn diagnostics(&mut self, path: &str) -> Result<JsValue, JsError> {
        to_js(&self.programs.diagnostics(path).map_err(|it| error(&it))?)
    }

    /// The explanation of the thing at a place.
    ///
    /// # Errors
    /// Throws an error if there is no such file.
    #[wasm_bindgen(skip_typescript)]
    pub fn hover(&mut self, path: &str, offset: u32) -> Result<JsValue, JsError> {
        to_js(&self.programs.hover(path, offset).map_err(|it| error(&it))?)
    }

    /// The completions at a place.
    ///
    /// # Errors
    /// Throws an error if there is no such file.
    #[wasm_bindgen(skip_typescript)]
    pub fn complete(&mut self, path: &str, offset: u32) -> Result<JsValue, JsError> {
        to_js(&self.programs.complete(path, offset).map_err(|it| error(&it))?)
    }

    /// The declaration of the name at a place.
    ///
    /// # Errors
    /// Throws an error if there is no such file.
    #[wasm_bindgen(skip_typescript)]
    pub fn definition(&mut self, path: &str, offset: u32) -> Result<JsValue, JsError> {
        to_js(&self.programs.definition(path, offset).map_err(|it| error(&it))?)
    }

    /// The places of a name in the program.
    ///
    /// # Errors
    /// Throws an error if there is no such file.
    #[wasm_bindgen(skip_typescript)]
    pub fn references(&mut self, path: &str, offset: u32) -> Result<JsValue, JsError> {
        let places = self.programs.references(path, offset);
        to_js(&places.map_err(|it| error(&it))?)
    }

    /// The edits that give the name at a place another text.
    ///
    /// # Errors
    /// Throws an error if there is no such file, or if the name cannot be changed to this one.
    #[wasm_bindgen(skip_typescript)]
    pub fn rename(&mut self, path: &str, offset: u32, name: &str) -> Result<JsValue, JsError> {
        let edits = self.programs.rename(path, offset, name);
        to_js(&edits.map_err(|it| error(&it))?)
    }

    /// A file in the canonical layout.
    ///
    /// # Errors
    /// Throws an error if there is no such file, or if it has syntax errors.
    pub fn format(&self, path: &str) -> Result<String, JsError> {
        self.programs.format(path).map_err(|it| error(&it))
    }

    /// The files that fixes change, and the check after them.
    ///
    /// # Errors
    /// Throws an error if the fixes lead to each other without an end.
    #[wasm_bindgen(skip_typescript)]
    pub fn fix(&self, directory: Option<String>, options: &JsValue) -> Result<JsValue, JsError> {
        #[derive(Deserialize, Default)]
        #[serde(default)]
        struct Options {
            r#unsafe: bool,
        }
        let options: Options = options_of(options)?;
        let fixes = if options.r#unsafe { Fixes::Unsafe } else { Fixes::Safe };
        let fixed = self.programs.fix(&directory_or_root(directory), fixes);
        if fixed.is_endless {
            return Err(error("the fixes lead to each other without an end, so none is applied"));
        }
        let files = fixed.files.into_iter().map(|file| (file.path, file.new));
        let files: BTreeMap<String, String> = files.collect();
        let names: Vec<&str> = fixed.fixed.iter().map(|code| code.name()).collect();
        let check = pcl::render::check_json(&fixed.checked.report);
        let check: Value = serde_json::from_slice(&check).unwrap_or_default();
        to_js(&json!({ "files": files, "fixed": names, "check": check }))
    }

    /// The model of a program for code generators.
    ///
    /// # Errors
    /// Throws an error if the answer cannot be represented.
    #[wasm_bindgen(skip_typescript)]
    pub fn document(
        &mut self,
        directory: Option<String>,
        options: &JsValue,
    ) -> Result<JsValue, JsError> {
        #[derive(Deserialize, Default)]
        #[serde(default)]
        struct Options {
            sdk: Option<String>,
        }
        let options: Options = options_of(options)?;
        let sdk = options.sdk.as_deref().map(programs::sdk_options).transpose();
        let sdk = sdk.map_err(|it| error(&it))?;
        let directory = directory_or_root(directory);
        parse(self.programs.document(&directory, sdk.as_ref()).into_bytes())
    }

    /// The dependency graph of a program.
    ///
    /// # Errors
    /// Throws an error if the format is unknown.
    #[wasm_bindgen(skip_typescript)]
    pub fn graph(
        &mut self,
        directory: Option<String>,
        format: Option<String>,
    ) -> Result<JsValue, JsError> {
        let directory = directory_or_root(directory);
        match format.as_deref().unwrap_or("json") {
            "json" => parse(self.programs.graph_json(&directory)),
            "mermaid" => Ok(self.programs.graph(&directory).to_mermaid().into()),
            "dot" => Ok(self.programs.graph(&directory).to_dot().into()),
            other => Err(error(&format!(
                "unknown format `{other}`; expected `json`, `mermaid` or `dot`"
            ))),
        }
    }

    /// The resources that a program would register, and its outputs.
    ///
    /// # Errors
    /// Throws an error if an option has the wrong form, or if the configuration of the stack has.
    #[wasm_bindgen(skip_typescript)]
    pub fn preview(
        &mut self,
        directory: Option<String>,
        options: &JsValue,
    ) -> Result<JsValue, JsError> {
        let directory = directory_or_root(directory);
        let document = self.programs.preview(&directory, options_of(options)?);
        parse(document.map_err(|it| error(&it))?)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        self.forget_callback();
    }
}

/// A text in the canonical layout.
///
/// # Errors
/// Throws an error if the text has syntax errors.
#[wasm_bindgen]
pub fn format(text: &str) -> Result<String, JsError> {
    programs::format(text).map_err(|it| error(&it))
}

/// The page about a code, function, block, option, type or keyword, in Markdown.
///
/// # Errors
/// Throws an error that names similar topics if there is no page.
#[wasm_bindgen]
pub fn explain(topic: &str) -> Result<String, JsError> {
    pcl::explain::explain(topic).map_err(|unknown| error(&unknown.to_string()))
}

/// The version of the module.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Keeps a callback and returns its number.
fn remember(callback: Function) -> u32 {
    CALLBACKS.with_borrow_mut(|known| {
        let number = known.last_key_value().map_or(1, |(last, _)| last + 1);
        known.insert(number, callback);
        number
    })
}

/// The function that asks a callback.
fn supply(number: u32) -> Arc<Supply> {
    Arc::new(move |wanted: &PackageRequest| {
        let callback = CALLBACKS.with_borrow(|known| known.get(&number).cloned())?;
        let wanted = to_js(&request_json(wanted)).ok()?;
        let answer = callback.call1(&JsValue::NULL, &wanted).ok()?;
        if let Some(document) = bytes(&answer) {
            return Some(Supplied { document: Document::Text(document), path: None });
        }
        let part = |name: &str| Reflect::get(&answer, &name.into()).ok();
        let document = Document::Text(bytes(&part("document")?)?);
        Some(Supplied { document, path: part("path")?.as_string() })
    })
}

/// The bytes of a document.
fn bytes(document: &JsValue) -> Option<Vec<u8>> {
    match document.as_string() {
        Some(text) => Some(text.into_bytes()),
        None => Some(document.dyn_ref::<Uint8Array>()?.to_vec()),
    }
}

fn directory_or_root(directory: Option<String>) -> String {
    directory.unwrap_or_else(|| ".".to_owned())
}

fn error(message: &str) -> JsError {
    JsError::new(message)
}

/// The value of a JSON document.
fn parse(document: Vec<u8>) -> Result<JsValue, JsError> {
    let text = String::from_utf8_lossy(&document);
    JSON::parse(&text).map_err(|_| error("a document is not JSON, which is a bug in pcl"))
}

fn to_js(value: &(impl Serialize + ?Sized)) -> Result<JsValue, JsError> {
    parse(serde_json::to_vec(value)?)
}

/// A JavaScript value as JSON; `undefined` is null.
fn from_js(value: &JsValue) -> Result<Value, JsError> {
    if value.is_undefined() || value.is_null() {
        return Ok(Value::Null);
    }
    let text = JSON::stringify(value).map_err(|_| error("the options cannot be read as JSON"))?;
    Ok(serde_json::from_str(&String::from(text))?)
}

fn options_of<T: serde::de::DeserializeOwned + Default>(value: &JsValue) -> Result<T, JsError> {
    match from_js(value)? {
        Value::Null => Ok(T::default()),
        value => Ok(serde_json::from_value(value)?),
    }
}
