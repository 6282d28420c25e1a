//! An engine that has the resources of a state: it answers with their ids and outputs, and keeps
//! what a program registers.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::Mutex;

use pcl::eval::monitor::{
    Called, EngineError, Invoke, MethodCall, Monitor, ReadAnswer, ReadResource, RegisterHook,
    RegisterPackage, RegisterResource, Registered,
};
use pcl::state::State;
use pcl::values::{Content, Contents, Entry, PropertyMap, Urn};

use crate::plain::to_properties;

pub struct Engine {
    stack: String,
    project: String,
    known: BTreeMap<String, (String, PropertyMap)>,
    pub registered: Mutex<Vec<(String, RegisterResource)>>,
    pub read: Mutex<Vec<(String, ReadResource)>>,
}

impl Engine {
    pub fn new(state: &State, stack: &str, project: &str) -> Self {
        let resources = state.resources().filter(|resource| !resource.is_deleted());
        let known = resources.map(|resource| {
            let id = resource.id().unwrap_or_default().into_owned();
            let outputs = resource.outputs().map(to_properties).unwrap_or_default();
            (resource.urn().into_owned(), (id, outputs))
        });
        Self {
            stack: stack.to_owned(),
            project: project.to_owned(),
            known: known.collect(),
            registered: Mutex::default(),
            read: Mutex::default(),
        }
    }

    fn urn(&self, parent: Option<&Urn>, kind: &str, name: &str) -> Urn {
        let parent = parent.and_then(Urn::qualified_type).unwrap_or_default();
        Urn::new(&self.stack, &self.project, parent, kind, name)
    }
}

impl Monitor for Engine {
    fn register_resource(&self, request: &RegisterResource) -> Result<Registered, EngineError> {
        let urn = self.urn(request.parent.as_ref(), &request.kind, &request.name);
        let (id, outputs) = self.known.get(urn.as_str()).cloned().unwrap_or_default();
        let mut all = PropertyMap::clone(&request.inputs);
        all.extend(outputs);
        self.registered.lock().unwrap().push((urn.as_str().to_owned(), request.clone()));
        Ok(Registered { urn, id, outputs: all, ..Registered::default() })
    }

    fn read_resource(&self, request: &ReadResource) -> Result<ReadAnswer, EngineError> {
        let urn = self.urn(request.parent.as_ref(), &request.kind, &request.name);
        let (_, properties) = self.known.get(urn.as_str()).cloned().unwrap_or_default();
        self.read.lock().unwrap().push((urn.as_str().to_owned(), request.clone()));
        Ok(ReadAnswer { urn, properties, ..ReadAnswer::default() })
    }

    fn invoke(&self, request: &Invoke) -> Result<Called, EngineError> {
        Err(EngineError::Failed(format!("{} is called", request.token)))
    }

    fn call(&self, request: &MethodCall) -> Result<Called, EngineError> {
        Err(EngineError::Failed(format!("{} is called", request.token)))
    }

    fn register_outputs(&self, _: &Urn, _: &PropertyMap) -> Result<(), EngineError> {
        Ok(())
    }

    fn register_package(&self, request: &RegisterPackage) -> Result<String, EngineError> {
        Ok(request.name.clone())
    }

    fn register_hook(&self, _: RegisterHook) -> Result<(), EngineError> {
        Ok(())
    }

    fn require_version(&self, _: &str) -> Result<(), EngineError> {
        Ok(())
    }

    fn finish(&self) -> Result<(), EngineError> {
        Ok(())
    }
}

/// Files of which every one is there: names with a dot are files, others directories.
pub struct AnyFile;

impl Contents for AnyFile {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        if path.contains('.') {
            Ok(Content::of(b"content"))
        } else {
            Err(ErrorKind::IsADirectory.into())
        }
    }

    fn directory(&self, _: &str) -> io::Result<Vec<Entry>> {
        Ok(Vec::new())
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        Ok(Content::of(b"content"))
    }
}
