//! The construct that is being written at a position, read from the tokens before it: what comes
//! after is not there yet.

use pcl::diagnostics::TextRange;
use pcl::syntax::{SyntaxKind, SyntaxTree};

use crate::FilePosition;

/// The surroundings of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Context {
    /// The position.
    pub at: FilePosition,
    /// The word at the place, which a completion replaces; with the quotes of a label or string.
    pub word: TextRange,
    /// The part of the word before the place, without a quote.
    pub prefix: String,
    /// The blocks around the place, the outermost first.
    pub blocks: Vec<Block>,
    /// The words of the line so far, where a block begins: the keyword and the labels.
    pub header: Vec<String>,
    /// The names of the attributes and keys around the place, the outermost first.
    pub around: Vec<String>,
    /// The kind of construct.
    pub construct: Construct,
}

/// A block that is open at a place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Block {
    /// The keyword.
    pub keyword: String,
    /// The labels without quotes.
    pub labels: Vec<String>,
    /// The attributes and blocks in it so far.
    pub names: Vec<String>,
}

/// The construct at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Construct {
    /// The start of a declaration.
    Declaration,
    /// A label of the block that is being written.
    Label { keyword: String, index: usize },
    /// The start of an attribute or block in a body.
    BodyItem,
    /// A key of an object.
    Key(Vec<Step>),
    /// A value.
    Value {
        path: Vec<Step>,
        /// The innermost call and the index of the argument.
        call: Option<(Call, usize)>,
        is_quoted: bool,
    },
    /// A member of the value that ends before this offset.
    Member { dot: u32, path: Vec<Step> },
}

/// A step from the body of a block to a value in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The value of an attribute, or of a key of an object.
    Name(String),
    /// An element of a list.
    Element,
}

/// A call that is being written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Call {
    /// The name of the function.
    pub name: String,
    /// The first argument, if it is a string without interpolations.
    pub first: Option<String>,
}

/// Something that is open at a place.
#[derive(Clone, Debug)]
enum Frame {
    Body,
    Object {
        key: Option<String>,
        at_key: bool,
    },
    List,
    Paren,
    Call {
        call: Call,
        argument: usize,
    },
    /// `${` or `%{`: what is around it does not expect the value.
    Template,
    Quote {
        start: u32,
    },
    Heredoc,
}

struct Reader<'t> {
    tree: &'t SyntaxTree,
    frames: Vec<Frame>,
    blocks: Vec<Block>,
    /// The words of the line so far, in a body: the keyword and the labels of a block.
    header: Vec<(String, bool)>,
    /// The attributes whose values are open, by the depth of their frame.
    attributes: Vec<(usize, String)>,
    last: Option<(SyntaxKind, TextRange)>,
}

/// The innermost call around an offset, and the index of the argument there.
pub(crate) fn enclosing_call(tree: &SyntaxTree, offset: u32) -> Option<(Call, usize)> {
    let (reader, _) = read(tree, offset)?;
    let mut frames = reader.frames.into_iter().rev();
    frames.find_map(|frame| match frame {
        Frame::Call { call, argument } => Some((call, argument)),
        _ => None,
    })
}

/// The surroundings of a position in a file with this tree.
pub(crate) fn context(tree: &SyntaxTree, at: FilePosition) -> Option<Context> {
    let (reader, word) = read(tree, at.offset)?;
    reader.context(word, at)
}

/// Reads the tokens before an offset. Returns the word there as well; `None` in a comment.
fn read(tree: &SyntaxTree, offset: u32) -> Option<(Reader<'_>, TextRange)> {
    let (from, end) = tokens_before(tree, offset);
    let mut reader = Reader {
        tree,
        frames: vec![Frame::Body],
        blocks: Vec::new(),
        header: Vec::new(),
        attributes: Vec::new(),
        last: None,
    };
    let mut word = TextRange::empty(offset);
    for index in from..end {
        let (kind, range) = (tree.tokens().kind(index), tree.tokens().range(index));
        let is_word = matches!(kind, SyntaxKind::Ident | SyntaxKind::Text);
        if is_word && range.start() < offset && offset <= range.end() {
            word = range;
            break;
        }
        if range.end() > offset {
            let is_comment = kind.is_trivia() && kind != SyntaxKind::Whitespace;
            if is_comment && kind != SyntaxKind::Newline {
                return None;
            }
            break;
        }
        if kind == SyntaxKind::LineComment && range.end() == offset {
            return None;
        }
        reader.token(kind, range);
    }
    Some((reader, word))
}

/// The tokens from the last declaration that begins in the first column to an offset.
fn tokens_before(tree: &SyntaxTree, offset: u32) -> (u32, u32) {
    let tokens = tree.tokens();
    let end = tree.token_at(offset).index() + 1;
    let mut from = end.saturating_sub(1);
    loop {
        let starts_line = from == 0
            || tokens.kind(from) == SyntaxKind::Ident
                && tokens.kind(from - 1) == SyntaxKind::Newline
                && tokens.range(from).start() < offset;
        if starts_line {
            return (from, end);
        }
        from -= 1;
    }
}

impl Reader<'_> {
    fn text(&self, range: TextRange) -> &str {
        self.tree.text().get(range.to_usize()).unwrap_or_default()
    }

    fn token(&mut self, kind: SyntaxKind, range: TextRange) {
        match kind {
            SyntaxKind::Whitespace | SyntaxKind::LineComment | SyntaxKind::BlockComment => return,
            SyntaxKind::Newline => {
                if matches!(self.frames.last(), Some(Frame::Body)) {
                    self.header.clear();
                    self.close_attribute();
                }
                if let Some(Frame::Object { key, at_key }) = self.frames.last_mut() {
                    (*key, *at_key) = (None, true);
                }
            }
            SyntaxKind::QuoteOpen => self.frames.push(Frame::Quote { start: range.start() }),
            SyntaxKind::QuoteClose => self.close_quote(range),
            SyntaxKind::HeredocOpen => self.frames.push(Frame::Heredoc),
            SyntaxKind::HeredocClose => self.close(|frame| matches!(frame, Frame::Heredoc)),
            SyntaxKind::InterpolationOpen | SyntaxKind::ControlOpen => {
                self.frames.push(Frame::Template);
            }
            SyntaxKind::SequenceClose => self.close(|frame| matches!(frame, Frame::Template)),
            SyntaxKind::LBrace => self.open_brace(),
            SyntaxKind::RBrace => {
                self.close(|frame| matches!(frame, Frame::Body | Frame::Object { .. }));
            }
            SyntaxKind::LBracket => self.frames.push(Frame::List),
            SyntaxKind::RBracket => self.close(|frame| matches!(frame, Frame::List)),
            SyntaxKind::LParen => self.open_paren(),
            SyntaxKind::RParen => {
                self.close(|frame| matches!(frame, Frame::Paren | Frame::Call { .. }));
            }
            SyntaxKind::Equals | SyntaxKind::Colon => self.assign(kind),
            SyntaxKind::Comma => match self.frames.last_mut() {
                Some(Frame::Object { key, at_key }) => (*key, *at_key) = (None, true),
                Some(Frame::Call { argument, .. }) => *argument += 1,
                _ => {}
            },
            SyntaxKind::Ident => self.word(self.text(range).to_owned(), false),
            _ => {}
        }
        if kind != SyntaxKind::Text {
            self.last = Some((kind, range));
        }
    }

    /// A name, or a string without interpolations.
    fn word(&mut self, text: String, is_quoted: bool) {
        let in_value = self.is_in_value();
        match self.frames.last_mut() {
            Some(Frame::Body) if !in_value => self.header.push((text, is_quoted)),
            Some(Frame::Object { key, at_key: true }) => *key = Some(text),
            Some(Frame::Call { call, argument: 0 }) if is_quoted => call.first = Some(text),
            _ => {}
        }
    }

    fn close_quote(&mut self, range: TextRange) {
        let Some(Frame::Quote { start }) = self.frames.last() else { return };
        let inside = TextRange::new(start + 1, range.start().max(start + 1));
        let text = self.text(inside).to_owned();
        self.frames.pop();
        self.word(text, true);
    }

    fn close_attribute(&mut self) {
        let depth = self.frames.len();
        self.attributes.retain(|(at, _)| *at < depth);
    }

    /// Leaves the innermost frame of a kind with all that is open in it; a bracket that closes
    /// nothing is passed over.
    fn close(&mut self, is_wanted: impl Fn(&Frame) -> bool) {
        if let Some(at) = self.frames.iter().rposition(is_wanted)
            && at > 0
        {
            if matches!(self.frames.get(at), Some(Frame::Body)) {
                self.blocks.pop();
            }
            self.frames.truncate(at);
            self.attributes.retain(|(depth, _)| *depth <= at);
        }
    }

    fn is_in_value(&self) -> bool {
        self.is_value_at(self.frames.len())
    }

    fn open_brace(&mut self) {
        let in_body = matches!(self.frames.last(), Some(Frame::Body)) && !self.is_in_value();
        if in_body && !self.header.is_empty() {
            let mut words = std::mem::take(&mut self.header).into_iter();
            let keyword = words.next().map(|(word, _)| word).unwrap_or_default();
            let labels = words.map(|(word, _)| word).collect();
            if let Some(block) = self.blocks.last_mut() {
                block.names.push(keyword.clone());
            }
            self.blocks.push(Block { keyword, labels, names: Vec::new() });
            self.frames.push(Frame::Body);
        } else {
            self.frames.push(Frame::Object { key: None, at_key: true });
        }
    }

    fn open_paren(&mut self) {
        let frame = match self.last {
            Some((SyntaxKind::Ident, range)) => Frame::Call {
                call: Call { name: self.text(range).to_owned(), first: None },
                argument: 0,
            },
            _ => Frame::Paren,
        };
        self.frames.push(frame);
    }

    fn assign(&mut self, kind: SyntaxKind) {
        let depth = self.frames.len();
        match self.frames.last_mut() {
            Some(Frame::Object { at_key, .. }) => *at_key = false,
            Some(Frame::Body) if kind == SyntaxKind::Equals && self.header.len() == 1 => {
                if let Some((name, _)) = self.header.pop() {
                    if let Some(block) = self.blocks.last_mut() {
                        block.names.push(name.clone());
                    }
                    self.attributes.push((depth, name));
                }
            }
            _ => {}
        }
    }

    fn context(self, word: TextRange, at: FilePosition) -> Option<Context> {
        let offset = at.offset;
        let mut frames = &self.frames[..];
        let mut word = word;
        let mut prefix = self.text(TextRange::new(word.start(), offset)).to_owned();
        let mut is_quoted = false;
        match frames {
            [.., Frame::Heredoc] => return None,
            [rest @ .., Frame::Quote { start }] => {
                is_quoted = true;
                let inside = TextRange::new(start + 1, offset.max(start + 1));
                prefix = self.text(inside).to_owned();
                if prefix.contains(['$', '%', '\n']) {
                    return None;
                }
                let rest_of_line = self.text(TextRange::new(offset, self.tree.text().len() as u32));
                let line = rest_of_line.split('\n').next().unwrap_or_default();
                let end =
                    line.find('"').map_or(word.end().max(offset), |at| offset + at as u32 + 1);
                word = TextRange::new(*start, end);
                frames = rest;
            }
            _ => {}
        }
        let after_dot = match self.last {
            Some((SyntaxKind::Dot, range)) if range.end() == word.start() && !is_quoted => {
                Some(range.start())
            }
            _ => None,
        };
        let construct = match (frames.last()?, after_dot) {
            (_, Some(dot)) => Construct::Member { dot, path: self.path(frames) },
            (Frame::Body, None) if !self.is_value_at(frames.len()) => self.in_body(is_quoted)?,
            (Frame::Object { at_key: true, .. }, None) => Construct::Key(self.path(frames)),
            _ => {
                let call = match frames.last() {
                    Some(Frame::Call { call, argument }) => Some((call.clone(), *argument)),
                    _ => None,
                };
                Construct::Value { path: self.path(frames), call, is_quoted }
            }
        };
        let header = self.header.iter().map(|(word, _)| word.clone()).collect();
        let around = self.around();
        Some(Context { at, word, prefix, blocks: self.blocks, header, around, construct })
    }

    fn is_value_at(&self, depth: usize) -> bool {
        self.attributes.last().is_some_and(|(at, _)| *at == depth)
    }

    fn in_body(&self, is_quoted: bool) -> Option<Construct> {
        // On the line of a closing brace nothing else begins.
        let is_closed = matches!(self.last, Some((SyntaxKind::RBrace, _)));
        match self.header.split_first() {
            None if is_quoted || is_closed => None,
            None if self.blocks.is_empty() => Some(Construct::Declaration),
            None => Some(Construct::BodyItem),
            Some(((keyword, _), labels)) => {
                Some(Construct::Label { keyword: keyword.clone(), index: labels.len() })
            }
        }
    }

    /// The names of the attributes and keys around the place.
    fn around(&self) -> Vec<String> {
        let mut around = Vec::new();
        for (at, frame) in self.frames.iter().enumerate() {
            let name = match frame {
                Frame::Object { key: Some(key), at_key: false } => Some(key),
                Frame::Body => {
                    self.attributes.iter().find(|(own, _)| *own == at + 1).map(|it| &it.1)
                }
                _ => None,
            };
            around.extend(name.cloned());
        }
        around
    }

    /// The way from the body of the innermost block to the place. It starts anew in templates and
    /// in arguments of calls.
    fn path(&self, frames: &[Frame]) -> Vec<Step> {
        let start = frames
            .iter()
            .rposition(|frame| matches!(frame, Frame::Body | Frame::Template | Frame::Call { .. }));
        let start = start.unwrap_or(0);
        let mut path = Vec::new();
        if matches!(frames.get(start), Some(Frame::Body)) {
            let own = self.attributes.iter().rev().find(|(at, _)| *at == start + 1);
            path.extend(own.map(|(_, name)| Step::Name(name.clone())));
        }
        for frame in frames.iter().skip(start + 1) {
            match frame {
                Frame::Object { key: Some(key), at_key: false } => {
                    path.push(Step::Name(key.clone()))
                }
                Frame::List => path.push(Step::Element),
                _ => {}
            }
        }
        path
    }
}
