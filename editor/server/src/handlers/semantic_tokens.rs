//! Semantic tokens: of a document, of a part of it, and what changed since the last answer.

use lsp_types::{
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams,
    SemanticTokensDeltaResponse, SemanticTokensEdit, SemanticTokensParams,
    SemanticTokensRangeParams,
};
use pcl::diagnostics::{Encoding, LineIndex, TextRange};
use pcl_ide::{TokenType, semantic_tokens};

use crate::convert;
use crate::server::Server;

/// The tokens of a document.
pub fn full(server: &mut Server, params: SemanticTokensParams) -> Option<SemanticTokens> {
    let uri = params.text_document.uri.0;
    let data = server.tokens_of(&uri, None)?;
    let numbers = numbers(&data);
    let result_id = convert::hash(&numbers);
    server.tokens.insert(uri, (result_id.clone(), numbers));
    Some(SemanticTokens { result_id: Some(result_id), data })
}

/// The tokens of a part of a document.
pub fn range(server: &mut Server, params: SemanticTokensRangeParams) -> Option<SemanticTokens> {
    let data = server.tokens_of(&params.text_document.uri.0, Some(params.range))?;
    Some(SemanticTokens { result_id: None, data })
}

/// The difference to the last answer; all tokens if the editor has another one.
pub fn delta(
    server: &mut Server,
    params: SemanticTokensDeltaParams,
) -> Option<SemanticTokensDeltaResponse> {
    let uri = params.text_document.uri.0;
    let data = server.tokens_of(&uri, None)?;
    let new = numbers(&data);
    let result_id = convert::hash(&new);
    let last = server
        .tokens
        .insert(uri, (result_id.clone(), new.clone()))
        .filter(|(id, _)| *id == params.previous_result_id);
    Some(match last {
        None => SemanticTokens { result_id: Some(result_id), data }.into(),
        Some((_, old)) => SemanticTokensDelta {
            result_id: Some(result_id),
            edits: difference(&old, &new).into_iter().collect(),
        }
        .into(),
    })
}

/// The one edit that makes the new numbers of the old ones.
fn difference(old: &[u32], new: &[u32]) -> Option<SemanticTokensEdit> {
    if old == new {
        return None;
    }
    let same = old.iter().zip(new).take_while(|(old, new)| old == new);
    let start = same.count();
    let [old, new] = [old, new].map(|numbers| numbers.get(start..).unwrap_or_default());
    let same = old.iter().rev().zip(new.iter().rev());
    let end = same.take_while(|(old, new)| old == new).count();
    let added = new.get(..new.len() - end).unwrap_or_default().to_vec();
    Some(SemanticTokensEdit {
        start: start as u32,
        delete_count: (old.len() - end) as u32,
        data: Some(added).filter(|added| !added.is_empty()),
    })
}

fn numbers(tokens: &[SemanticToken]) -> Vec<u32> {
    let numbers = tokens.iter().flat_map(|token| {
        [
            token.delta_line,
            token.delta_start,
            token.length,
            token.token_type,
            token.token_modifiers_bitset,
        ]
    });
    numbers.collect()
}

impl Server<'_> {
    fn tokens_of(
        &mut self,
        uri: &str,
        range: Option<lsp_types::Range>,
    ) -> Option<Vec<SemanticToken>> {
        let (encoding, splits) = (self.features.encoding, !self.features.multiline_tokens);
        let whole = lsp_types::Range::default();
        let (snapshot, part) = self.part(uri, range.unwrap_or(whole))?;
        let tokens = semantic_tokens(snapshot.analysis, part.file, range.map(|_| part.range));
        let sources = &snapshot.analysis.checked.sources;
        let mut writer = Writer {
            lines: sources.line_index(part.file),
            text: sources.text(part.file),
            encoding,
            last: (0, 0),
            at: (0, 0, 0),
            data: Vec::with_capacity(tokens.len()),
        };
        for token in tokens {
            let modifiers = token.modifiers.bits();
            if splits {
                writer.lines_of(token.range, token.ty, modifiers)
            } else {
                writer.push(token.range, token.ty, modifiers)
            }
        }
        Some(writer.data)
    }
}

/// Writes tokens as numbers relative to each other.
struct Writer<'a> {
    lines: &'a LineIndex,
    text: &'a str,
    encoding: Encoding,
    /// The line and column of the last token.
    last: (u32, u32),
    /// A known place: its line, its offset and its column. Lines may be long, so that columns are
    /// not counted from their beginning each time.
    at: (u32, usize, u32),
    data: Vec<SemanticToken>,
}

impl Writer<'_> {
    /// One token for each line of a range.
    fn lines_of(&mut self, range: TextRange, ty: TokenType, modifiers: u32) {
        let text = self.text.get(range.to_usize()).unwrap_or_default();
        let mut start = range.start();
        for line in text.split_inclusive('\n') {
            let shown = line.trim_end_matches(['\n', '\r']);
            let end = start + shown.len() as u32;
            if !shown.is_empty() {
                self.push(TextRange::new(start, end), ty, modifiers);
            }
            start += line.len() as u32;
        }
    }

    fn push(&mut self, range: TextRange, ty: TokenType, modifiers: u32) {
        let line = self.lines.line_of(range.start());
        let (known_line, known, column) = self.at;
        let start = range.start() as usize;
        let line_number = line as u32;
        let (from, column) = if line_number == known_line {
            (known, column)
        } else {
            (self.lines.line_start(line).unwrap_or(0) as usize, 0)
        };
        let width = |from: usize, to: usize| {
            let text = self.text.get(from..to).unwrap_or_default();
            self.encoding.width_of(text) as u32
        };
        let column = column + width(from, start);
        self.at = (line_number, start, column);
        let length = width(start, range.end() as usize);
        let (last_line, last_column) = self.last;
        let delta_start = if line_number == last_line { column - last_column } else { column };
        self.data.push(SemanticToken {
            delta_line: line_number - last_line,
            delta_start,
            length,
            token_type: ty as u32,
            token_modifiers_bitset: modifiers,
        });
        self.last = (line_number, column);
    }
}
