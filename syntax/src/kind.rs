//! Every kind of token and node, each with its text or production.

use logos::Logos;

/// The kind of a token or a node.
///
/// Tokens come first. The patterns distinguish tokens of code and are at most three bytes long; the
/// lexer finishes those of unlimited length (spaces, names, numbers, comments, heredoc introducers)
/// and scans template text by hand.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[logos(utf8 = false)]
#[repr(u8)]
pub enum SyntaxKind {
    // --- trivia ---
    /// A run of spaces and tabs.
    #[regex(r"[ \t]")]
    Whitespace,
    /// `#` or `//` up to, not including, the line ending.
    #[token("#")]
    #[token("//")]
    LineComment,
    /// `/* .. */`, also over several lines.
    #[token("/*")]
    BlockComment,
    /// U+FEFF as the first character of the file.
    ByteOrderMark,
    /// Words and signs that another language needs and PCL does not, such as `let`; always an
    /// error.
    Ignored,
    /// LF or CRLF. Significant or trivia, depending on the construct around it.
    #[token("\n")]
    #[token("\r\n")]
    Newline,

    // --- names and numbers ---
    /// An identifier. There are no reserved words.
    #[regex(r"[A-Za-z_]")]
    Ident,
    /// A number as written; `1.2.3` is one token and an error.
    #[regex(r"[0-9]")]
    Number,

    // --- punctuation and operators ---
    /// `(`
    #[token("(")]
    LParen,
    /// `)`
    #[token(")")]
    RParen,
    /// `[`
    #[token("[")]
    LBracket,
    /// `]`
    #[token("]")]
    RBracket,
    /// `{`
    #[token("{")]
    LBrace,
    /// `}` that closes a `{`.
    #[token("}")]
    RBrace,
    /// `.`
    #[token(".")]
    Dot,
    /// `,`
    #[token(",")]
    Comma,
    /// `:`
    #[token(":")]
    Colon,
    /// `::`
    #[token("::")]
    ColonColon,
    /// `...`
    #[token("...")]
    Ellipsis,
    /// `=>`
    #[token("=>")]
    FatArrow,
    /// `=`
    #[token("=")]
    Equals,
    /// `?`
    #[token("?")]
    Question,
    /// `||`
    #[token("||")]
    OrOr,
    /// `&&`
    #[token("&&")]
    AndAnd,
    /// `==`
    #[token("==")]
    EqualEqual,
    /// `!=`
    #[token("!=")]
    NotEqual,
    /// `<`
    #[token("<")]
    Less,
    /// `<=`
    #[token("<=")]
    LessEqual,
    /// `>`
    #[token(">")]
    Greater,
    /// `>=`
    #[token(">=")]
    GreaterEqual,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `/`
    #[token("/")]
    Slash,
    /// `%`
    #[token("%")]
    Percent,
    /// `!`
    #[token("!")]
    Bang,

    // --- templates ---
    /// `"` that opens a template.
    #[token("\"")]
    QuoteOpen,
    /// `"` that closes a template.
    QuoteClose,
    /// `<<MARKER` or `<<-MARKER` with the line ending after it.
    HeredocOpen,
    /// The line of the closing marker, without its line ending.
    HeredocClose,
    /// Literal text of a template, as written. Adjacent text is one token unless something is wrong
    /// in it.
    Text,
    /// `${` or `${~`
    InterpolationOpen,
    /// `%{` or `%{~`
    ControlOpen,
    /// `}` or `~}` that closes an interpolation or a directive; a stray `~}` elsewhere.
    #[token("~}")]
    SequenceClose,

    // --- what is always wrong ---
    /// `&`, `|`, `^` or `~`: PCL has no bitwise operators.
    #[token("&")]
    #[token("|")]
    #[token("^")]
    #[token("~")]
    BitwiseOperator,
    /// A backtick.
    #[token("`")]
    Backtick,
    /// `'`
    #[token("'")]
    SingleQuote,
    /// `;`
    #[token(";")]
    Semicolon,
    /// An invalid character.
    #[regex(r"(?-u)[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\xFF$@\\\r]")]
    BadCharacter,
    /// A run of placeholders for bytes that are not UTF-8.
    BadBytes,
    /// `/*` without `*/`, up to the end of the file.
    UnterminatedComment,
    /// A value or a statement in the notation of another language.
    Foreign,
    /// The end of the file; has no text.
    EndOfFile,

    // --- structure ---
    /// `File = Body`, the root; covers every token.
    File,
    /// `Body = { Attribute | Block }`; of a block with its braces.
    Body,
    /// `Attribute = Ident '=' Expr`
    Attribute,
    /// `Block = Ident { Label } Body`
    Block,
    /// `Label = Ident | '"' { Text } '"'`
    Label,

    // --- expressions ---
    /// A number, `true`, `false` or `null`.
    Literal,
    /// `Template = '"' { Text | Interpolation | IfDirective | ForDirective } '"'`
    Template,
    /// As `Template`, between `<<MARKER` and the line of the closing marker.
    Heredoc,
    /// A variable: one `Ident`.
    Name,
    /// `Traversal = Expr Step { Step }`: parts known when parsing.
    Traversal,
    /// `Step = '.' Ident | '.' Number | '[' Literal ']'`
    Step,
    /// `Index = Expr '[' Expr ']'`: the key is computed.
    Index,
    /// `Splat = Expr SplatMarker { Step | SplatIndex | SplatMarker }`
    Splat,
    /// `SplatMarker = '.' '*' | '[' '*' ']'`
    SplatMarker,
    /// `SplatIndex = '[' Expr ']'` inside a splat.
    SplatIndex,
    /// `Call = Ident { '::' Ident } '(' [ Expr { ',' Expr } [ ',' | '...' ] ] ')'`
    Call,
    /// `Tuple = '[' [ Expr { ',' Expr } [ ',' ] ] ']'`
    Tuple,
    /// `Object = '{' { ObjectItem } '}'`
    Object,
    /// `ObjectItem = Expr ( '=' | ':' ) Expr`
    ObjectItem,
    /// `'[' 'for' Ident [ ',' Ident ] 'in' Expr ':' Expr [ 'if' Expr ] ']'`
    ForTuple,
    /// `'{' 'for' Ident [ ',' Ident ] 'in' Expr ':' Expr '=>' Expr [ '...' ] [ 'if' Expr ] '}'`
    ForObject,
    /// `Conditional = Expr '?' Expr ':' Expr`
    Conditional,
    /// `Binary = Expr operator Expr`
    Binary,
    /// `Unary = ( '-' | '!' ) Expr`
    Unary,
    /// `Paren = '(' Expr ')'`
    Paren,

    // --- parts of templates ---
    /// `Interpolation = '${' Expr '}'`
    Interpolation,
    /// `IfDirective = IfHead parts [ ElseHead parts ] EndHead`
    IfDirective,
    /// `IfHead = '%{' 'if' Expr '}'`
    IfHead,
    /// `ElseHead = '%{' 'else' '}'`
    ElseHead,
    /// `EndHead = '%{' ( 'endif' | 'endfor' ) '}'`
    EndHead,
    /// `ForDirective = ForHead parts EndHead`
    ForDirective,
    /// `ForHead = '%{' 'for' Ident [ ',' Ident ] 'in' Expr '}'`
    ForHead,

    // --- what could not be understood ---
    /// Stands where an attribute or a block should.
    BogusItem,
    /// Stands where an expression should.
    BogusExpr,
    /// A directive that fits nothing.
    BogusDirective,
}

impl SyntaxKind {
    /// The last kind of trivia. Line endings come next, so that one comparison decides whether a
    /// token is skipped, with them or without.
    pub(crate) const LAST_TRIVIA: SyntaxKind = SyntaxKind::Ignored;
    /// The last kind of token; nodes come after it.
    const LAST_TOKEN: SyntaxKind = SyntaxKind::EndOfFile;

    /// Returns whether it is the kind of a token.
    pub const fn is_token(self) -> bool {
        self as u8 <= Self::LAST_TOKEN as u8
    }

    /// Returns whether the parser passes over such tokens everywhere. Line endings are not among
    /// them.
    pub const fn is_trivia(self) -> bool {
        self as u8 <= Self::LAST_TRIVIA as u8
    }

    /// Returns whether it is a sign between operands, or `!`.
    pub const fn is_operator(self) -> bool {
        matches!(
            self,
            Self::Question
                | Self::Colon
                | Self::OrOr
                | Self::AndAnd
                | Self::EqualEqual
                | Self::NotEqual
                | Self::Less
                | Self::LessEqual
                | Self::Greater
                | Self::GreaterEqual
                | Self::Plus
                | Self::Minus
                | Self::Star
                | Self::Slash
                | Self::Percent
                | Self::Bang
        )
    }

    /// Returns whether it is the kind of an expression node.
    pub const fn is_expression(self) -> bool {
        matches!(
            self,
            Self::Literal
                | Self::Template
                | Self::Heredoc
                | Self::Name
                | Self::Traversal
                | Self::Index
                | Self::Splat
                | Self::Call
                | Self::Tuple
                | Self::Object
                | Self::ForTuple
                | Self::ForObject
                | Self::Conditional
                | Self::Binary
                | Self::Unary
                | Self::Paren
                | Self::BogusExpr
        )
    }

    /// Returns whether it begins something that another token ends.
    pub fn is_opener(self) -> bool {
        matches!(
            self,
            Self::LParen
                | Self::LBracket
                | Self::LBrace
                | Self::QuoteOpen
                | Self::HeredocOpen
                | Self::InterpolationOpen
                | Self::ControlOpen
        )
    }

    /// Returns whether it ends something that another token begins.
    pub fn is_closer(self) -> bool {
        matches!(
            self,
            Self::RParen
                | Self::RBracket
                | Self::RBrace
                | Self::QuoteClose
                | Self::HeredocClose
                | Self::SequenceClose
        )
    }

    /// Returns whether the lexer has already reported such a token.
    pub const fn is_bad(self) -> bool {
        matches!(
            self,
            Self::BitwiseOperator
                | Self::Backtick
                | Self::SingleQuote
                | Self::Semicolon
                | Self::BadCharacter
                | Self::BadBytes
                | Self::UnterminatedComment
                | Self::Foreign
        )
    }

    /// Returns whether an expression may begin with this token.
    pub fn starts_expression(self) -> bool {
        matches!(
            self,
            Self::Ident
                | Self::Number
                | Self::LParen
                | Self::LBracket
                | Self::LBrace
                | Self::QuoteOpen
                | Self::HeredocOpen
                | Self::Minus
                | Self::Bang
                | Self::Foreign
        )
    }

    /// Returns whether this token continues an expression after a term.
    pub(crate) fn continues_expression(self) -> bool {
        matches!(
            self,
            Self::Dot | Self::LBracket | Self::LParen | Self::ColonColon | Self::BitwiseOperator
        ) || (self.is_operator() && !matches!(self, Self::Colon | Self::Bang))
    }
}
