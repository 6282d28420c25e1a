//! Completion and hover in configuration files, which belong to no program.

use std::path::Path;

use lsp_types::{Position, Range, TextDocumentPositionParams};
use pcl::diagnostics::{Encoding, LineIndex, TextRange};
use pcl_ide::configuration::{Language, completions, hover};
use pcl_ide::{Completions, Hover};

use crate::convert;
use crate::documents::is_configuration;
use crate::server::Server;

/// The size of the largest file that is read if it is not open.
const MAX_BYTES: u64 = 16 << 20;

/// A configuration file, and a place in it.
pub struct ConfigurationFile {
    text: String,
    lines: LineIndex,
    language: Language,
    offset: u32,
    encoding: Encoding,
}

impl Server<'_> {
    /// The configuration file that a place is in: its open text, or the one on disk.
    pub fn configuration_file(&self, at: &TextDocumentPositionParams) -> Option<ConfigurationFile> {
        let path = convert::to_path(&at.text_document.uri.0).filter(|it| is_configuration(it))?;
        let path = Path::new(&path);
        let text = match self.programs.edited.get(path) {
            Some(text) => text.to_string(),
            None => String::from_utf8(pcl_system::read(path, MAX_BYTES).ok()?).ok()?,
        };
        let is_toml = path.extension().is_some_and(|it| it == "toml");
        let encoding = self.features.encoding;
        let lines = LineIndex::new(&text);
        let Position { line, character } = at.position;
        Some(ConfigurationFile {
            offset: lines.offset(&text, line, character, encoding),
            language: if is_toml { Language::Toml } else { Language::Yaml },
            text,
            lines,
            encoding,
        })
    }
}

impl ConfigurationFile {
    /// The completions at the place.
    pub fn completions(&self) -> Option<Completions> {
        completions(&self.text, self.offset, self.language)
    }

    /// The explanation of what is at the place.
    pub fn hover(&self) -> Option<Hover> {
        hover(&self.text, self.offset, self.language)
    }

    /// A range as the protocol has it.
    pub fn range(&self, range: TextRange) -> Range {
        convert::range(&self.lines, &self.text, range, self.encoding)
    }

    /// The text of a range.
    pub fn text(&self, range: TextRange) -> &str {
        self.text.get(range.to_usize()).unwrap_or_default()
    }
}
