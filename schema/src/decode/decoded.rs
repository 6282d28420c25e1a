//! Members and configuration, read from the document.

use std::borrow::Cow;
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::{Decoder, Path};
use crate::diagnostic::span;
use crate::parts::PackageParts;
use crate::raw::{RawConfig, RawFunction, RawObject, RawResource};
use crate::{
    ExternalReference, FunctionSpec, MemberError, MemberId, Properties, ResourceSpec,
    SchemaDiagnostic, Section, TypeDef, json,
};

/// A member that was read.
#[derive(Debug)]
pub(crate) struct DecodedMember {
    pub value: Result<MemberSpec, MemberError>,
    pub diagnostics: Box<[SchemaDiagnostic]>,
    /// The number of diagnostics beyond those.
    pub left_out: usize,
    pub references: Box<[MemberId]>,
    pub external: Box<[ExternalReference]>,
}

/// The spec of a member.
#[derive(Debug)]
pub(crate) enum MemberSpec {
    Resource(Arc<ResourceSpec>),
    Function(Arc<FunctionSpec>),
    Type(TypeDef),
}

impl PackageParts {
    /// Reads the configuration; when `strict`, with all diagnostics.
    pub fn config(&self, strict: bool) -> Result<(Properties, Vec<SchemaDiagnostic>), String> {
        let Some((start, text)) = self.field("config") else { return Ok(Default::default()) };
        let text = text.map_err(|error| error.to_string())?;
        let raw = json::read::<Option<RawConfig<'_>>>(&text);
        let raw = raw.map_err(|error| error.message.into_owned())?;
        let Some(raw) = raw else { return Ok(Default::default()) };
        let nobody = MemberId(self.index.len() + 1);
        let mut decoder = Decoder::at(self, nobody, &text, start, strict);
        let variables = decoder.properties(
            raw.variables.unwrap_or_default(),
            &raw.defaults.unwrap_or_default(),
            Path::MEMBER,
            "variables",
            "defaults",
        );
        Ok((variables, decoder.diagnostics))
    }

    /// Reads a member; when `strict`, with all diagnostics.
    pub fn decode(&self, member: MemberId, strict: bool) -> DecodedMember {
        let section = self.index.section(member);
        let place = self.value(member);
        let start = place.as_ref().map_or(0, |place| place.start);
        let text = match place {
            Some(place) => self.document.read(place),
            None => Ok(Cow::Borrowed(&b"null"[..])),
        };
        let (text, unread) = match text {
            Ok(text) => (text, None),
            Err(error) => (Cow::default(), Some(error.to_string())),
        };
        let text = &*text;
        let mut decoder = Decoder::new(self, member, text, strict);
        let value = match section {
            Section::Types => {
                json::read::<RawObject<'_>>(text).map(|raw| MemberSpec::Type(decoder.type_def(raw)))
            }
            Section::Resources => json::read::<RawResource<'_>>(text)
                .map(|raw| MemberSpec::Resource(Arc::new(decoder.resource(raw)))),
            Section::Functions => json::read::<RawFunction<'_>>(text)
                .map(|raw| MemberSpec::Function(Arc::new(decoder.function(raw)))),
            Section::Provider => json::read::<RawResource<'_>>(text)
                .map(|raw| MemberSpec::Resource(Arc::new(decoder.provider(raw)))),
        };
        let value = value.map_err(|error| {
            let at = start + error.at;
            let message = unread.unwrap_or_else(|| error.message.into_owned());
            // Reading may stop inside a value.
            let end = usize::try_from(self.document.len()).unwrap_or(usize::MAX);
            let here = span(at.min(end)..(at + 1).min(end));
            decoder.diagnostics.push(SchemaDiagnostic {
                path: self.pointer(member).into(),
                diagnostic: unreadable(here, &message),
            });
            MemberError::new(section, self.token(member), message, self.position(at))
        });
        DecodedMember {
            value,
            left_out: decoder.left_out,
            diagnostics: decoder.diagnostics.into(),
            references: decoder.references.into_iter().collect(),
            external: decoder.external.into_iter().collect(),
        }
    }
}

/// A value cannot be read; `error` is the text of the JSON reader or of the system.
pub(crate) fn unreadable(at: Span, error: &str) -> Diagnostic {
    Diagnostic::error(Code::SchemaValue, at, error).help("correct the value")
}
