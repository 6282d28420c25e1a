//! The converter of Pulumi YAML, with which `pulumi convert --from pcl-yaml` reads projects.

use std::path::Path;
use std::pin::Pin;

use http::Request;
use pcl_from_yaml::{Conversion, Source};
use prost::Message;
use tonic::body::Body;

use crate::calls::blocking;
use crate::engine_link::EngineLink;
use crate::protocol::language::DiagnosticsResponse;
use crate::report;
use crate::run::{service, settings_as_pulumi};
use crate::server::{Answer, Plugin, unary, unimplemented};

const CONVERT_PROGRAM: &str = "/pulumirpc.Converter/ConvertProgram";

/// The request of `ConvertProgram`, as far as it is read.
#[derive(Clone, PartialEq, Message)]
struct ConvertProgramRequest {
    #[prost(string, tag = "1")]
    source_directory: String,
    #[prost(string, tag = "2")]
    target_directory: String,
    #[prost(string, tag = "4")]
    loader_target: String,
}

/// The plugin.
#[derive(Default)]
pub(crate) struct Converter {
    engine: EngineLink,
}

impl Plugin for Converter {
    fn engine(&self) -> &EngineLink {
        &self.engine
    }

    fn cancel(&self) {}

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async {})
    }

    fn answer(&self, request: Request<Body>) -> Answer {
        match request.uri().path() {
            CONVERT_PROGRAM => {
                unary(request, |message: ConvertProgramRequest| blocking(move || convert(&message)))
            }
            _ => unimplemented(),
        }
    }
}

/// Converts a project. Pulumi checks the program again when it generates the project in another
/// language, so names and types that do not fit are warnings here.
fn convert(request: &ConvertProgramRequest) -> Result<DiagnosticsResponse, String> {
    let source = Source::read(Path::new(&request.source_directory))
        .map_err(|failed| format!("cannot read {}: {}", failed.path.display(), failed.error))?;
    let settings = settings_as_pulumi(service(&request.loader_target), false);
    let Conversion { report, programs } = Conversion::of(&source, settings);
    if !programs.is_empty() {
        let texts = programs.iter().map(|it| (it.directory.as_str(), it.text.as_str()));
        let files = source.files(texts);
        let files: Vec<_> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
        pcl_system::write_files(Path::new(&request.target_directory), &files, true)
            .map_err(|failed| format!("cannot write {failed}"))?;
    }
    Ok(DiagnosticsResponse { diagnostics: report::messages(&report) })
}
