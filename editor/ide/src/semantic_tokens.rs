//! The tokens of a text with their meanings, which editors colour.
//!
//! Plain strings and brackets have no token: the editor's own grammar knows them.

use std::cell::OnceCell;

use pcl::binder::NodeKind;
use pcl::diagnostics::{Code, FileId, TextRange};
use pcl::language;
use pcl::model::expression::{ExprKind, Traversal};
use pcl::model::scope::DefinitionKind;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{
    SuppressionForm, SyntaxKind, SyntaxNode, SyntaxToken, SyntaxTree, suppression_comments,
};

use crate::Analysis;
use crate::analysis::each_node;
use crate::element::rule_of_block;

macro_rules! token_types {
    ($($(#[$meaning:meta])* $variant:ident $name:literal,)*) => {
        /// The meaning of a token, by the names of the protocol of language servers.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum TokenType {
            $($(#[$meaning])* $variant,)*
        }

        impl TokenType {
            /// The names in the protocol, by the number of the type.
            pub const NAMES: [&'static str; [$(Self::$variant),*].len()] = [$($name),*];
        }
    };
}

token_types! {
    /// A component.
    Namespace "namespace",
    /// The type of a resource or value.
    Type "type",
    /// A resource.
    Class "class",
    /// A config variable.
    Parameter "parameter",
    /// A local, an output, a loop variable.
    Variable "variable",
    /// An attribute, a key of an object, a member.
    Property "property",
    /// The code of a diagnostic in a comment.
    EnumMember "enumMember",
    /// A hook.
    Event "event",
    /// A function.
    Function "function",
    /// The words of a comment that `pcl` reads.
    Macro "macro",
    /// A word of the language.
    Keyword "keyword",
    /// A comment.
    Comment "comment",
    /// A number.
    Number "number",
    /// An operator, and the signs of interpolations.
    Operator "operator",
}

impl TokenType {
    fn of_node(kind: NodeKind) -> Self {
        match kind {
            NodeKind::Resource | NodeKind::Read => Self::Class,
            NodeKind::Component => Self::Namespace,
            NodeKind::Config => Self::Parameter,
            NodeKind::Local | NodeKind::Output => Self::Variable,
            NodeKind::Hook => Self::Event,
            NodeKind::Pulumi => Self::Keyword,
        }
    }
}

/// Further facts about a token: a set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Modifiers(u32);

impl Modifiers {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// The token declares the name.
    pub const DECLARATION: Self = Self(1);
    /// The value never changes.
    pub const READONLY: Self = Self(1 << 1);
    /// A diagnostic calls it deprecated.
    pub const DEPRECATED: Self = Self(1 << 2);
    /// The language defines it, not the program.
    pub const DEFAULT_LIBRARY: Self = Self(1 << 3);
    /// The name is known in a part of an expression or block only.
    pub const LOCAL: Self = Self(1 << 4);
    /// The names in the protocol, by the position of the bit.
    pub const NAMES: [&'static str; 5] =
        ["declaration", "readonly", "deprecated", "defaultLibrary", "local"];

    /// The modifiers of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The bits, as the protocol has them.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The names of the modifiers.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let names = Self::NAMES.into_iter().enumerate();
        names.filter_map(move |(bit, name)| (self.0 & (1 << bit) != 0).then_some(name))
    }
}

/// A token with its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SemanticToken {
    /// The place.
    pub range: TextRange,
    /// The meaning.
    pub ty: TokenType,
    /// Further facts.
    pub modifiers: Modifiers,
}

/// The tokens of a file that touch a range, in the order of the text. They do not overlap.
pub fn semantic_tokens(
    analysis: &Analysis,
    file: FileId,
    range: Option<TextRange>,
) -> Vec<SemanticToken> {
    let Some(tree) = analysis.tree(file) else { return Vec::new() };
    let range = range.unwrap_or(tree.root().range());
    let first = tree.token_at(range.start());
    let mut meanings = Meanings { analysis, file, first: first.index(), found: Vec::new() };
    each_node(tree.root(), range, |node, above| meanings.node(node, above));
    meanings.finish(first, range)
}

/// The tokens that the nodes around them give a meaning to.
struct Meanings<'a> {
    analysis: &'a Analysis,
    file: FileId,
    /// The index of the first token.
    first: u32,
    /// The meanings, by the position of the token.
    found: Vec<Option<(TokenType, Modifiers)>>,
}

impl<'a> Meanings<'a> {
    fn set(&mut self, token: Option<SyntaxToken<'_>>, ty: TokenType, modifiers: Modifiers) {
        let at = token.and_then(|token| token.index().checked_sub(self.first));
        let Some(at) = at.map(|at| at as usize) else { return };
        if self.found.len() <= at {
            self.found.resize(at + 1, None);
        }
        if let Some(slot) = self.found.get_mut(at) {
            *slot = Some((ty, modifiers));
        }
    }

    /// Gives a meaning to the names that are directly in a node.
    fn words(&mut self, node: SyntaxNode<'_>, ty: TokenType, modifiers: Modifiers) {
        for token in node.own_tokens() {
            if token.kind() == SyntaxKind::Ident {
                self.set(Some(token), ty, modifiers);
            }
        }
    }

    fn node(&mut self, node: SyntaxNode<'a>, above: &[SyntaxNode<'a>]) {
        use SyntaxKind as K;
        match node.kind() {
            K::Block => self.block(node),
            K::Attribute => self.attribute(node, above),
            K::ObjectItem => self.key(node),
            K::Name => self.name(node, above.last().copied()),
            K::Step => self.words(node, TokenType::Property, Modifiers::NONE),
            K::Literal => self.words(node, TokenType::Keyword, Modifiers::NONE),
            K::Call => self.call(node),
            K::ForTuple | K::ForObject | K::ForHead => self.loop_words(node),
            K::IfHead | K::ElseHead | K::EndHead => {
                self.words(node, TokenType::Keyword, Modifiers::NONE);
            }
            _ => {}
        }
        let is_operation = matches!(
            node.kind(),
            K::Binary
                | K::Unary
                | K::Conditional
                | K::ForTuple
                | K::ForObject
                | K::SplatMarker
                | K::Attribute
                | K::ObjectItem
        );
        for token in node.own_tokens() {
            let kind = token.kind();
            let is_operator = match kind {
                K::InterpolationOpen | K::ControlOpen | K::SequenceClose => true,
                K::Equals | K::FatArrow | K::Ellipsis => true,
                _ if !is_operation || kind == K::Colon && node.kind() == K::ObjectItem => false,
                _ => kind.is_operator(),
            };
            if is_operator {
                self.set(Some(token), TokenType::Operator, Modifiers::NONE);
            }
        }
    }

    fn block(&mut self, node: SyntaxNode<'a>) {
        let block = ast::Block::cast(node);
        let Some((block, keyword)) = block.and_then(|block| Some((block, block.keyword()?))) else {
            return;
        };
        let Some(rule) = rule_of_block(keyword.text()) else { return };
        self.set(Some(keyword), TokenType::Keyword, Modifiers::NONE);
        for (at, label) in block.labels().enumerate() {
            let kind = rule.kind.filter(|_| at == rule.name_label);
            let (ty, modifiers) = match (kind, rule.labels.get(at)) {
                (Some(kind), _) => (TokenType::of_node(kind), declared(kind)),
                (None, Some(&("type" | "type token"))) => (TokenType::Type, Modifiers::NONE),
                (None, Some(&"kind")) => (TokenType::Keyword, Modifiers::NONE),
                _ => continue,
            };
            let words = [SyntaxKind::Ident, SyntaxKind::Text];
            let mut own = label.syntax().own_tokens();
            let word = own.find(|token| words.contains(&token.kind()));
            self.set(word, ty, modifiers);
        }
    }

    fn attribute(&mut self, node: SyntaxNode<'a>, above: &[SyntaxNode<'a>]) {
        let name = ast::Attribute::cast(node).and_then(ast::Attribute::name);
        let Some(name) = name else { return };
        // The body is directly above, and above it the block or the file.
        let owner = above.iter().rev().nth(1);
        let owner = owner.and_then(|&owner| ast::Block::cast(owner));
        let Some(owner) = owner else {
            let kind = NodeKind::Local;
            return self.set(Some(name), TokenType::of_node(kind), declared(kind));
        };
        let rule = owner.keyword().and_then(|word| rule_of_block(word.text()));
        let is_known = rule.is_some_and(|rule| rule.attribute(name.text(), None).is_some());
        let modifiers = if is_known { Modifiers::DEFAULT_LIBRARY } else { Modifiers::NONE };
        self.set(Some(name), TokenType::Property, modifiers);
    }

    fn key(&mut self, node: SyntaxNode<'a>) {
        let Some(key) = ast::ObjectItem::cast(node).and_then(ast::ObjectItem::key) else { return };
        match key {
            ast::Expr::Name(_) | ast::Expr::Literal(_) => {
                self.words(key.syntax(), TokenType::Property, Modifiers::NONE);
            }
            ast::Expr::Template(template) if template.literal().is_some() => {
                let text = key.syntax().own_token(SyntaxKind::Text);
                self.set(text, TokenType::Property, Modifiers::NONE);
            }
            _ => {}
        }
    }

    fn name(&mut self, node: SyntaxNode<'a>, parent: Option<SyntaxNode<'a>>) {
        let Some(token) = node.own_token(SyntaxKind::Ident) else { return };
        let at = token.index().checked_sub(self.first);
        if at.and_then(|at| self.found.get(at as usize)).is_some_and(Option::is_some) {
            // A key of an object.
            return;
        }
        let (ty, modifiers) = match self.traversal(node, parent) {
            None => (TokenType::Variable, Modifiers::NONE),
            Some(traversal) => self.referred(traversal),
        };
        self.set(Some(token), ty, modifiers);
    }

    /// The bound reference that begins with a name.
    fn traversal(
        &self,
        name: SyntaxNode<'_>,
        parent: Option<SyntaxNode<'_>>,
    ) -> Option<&'a Traversal> {
        let exprs = &self.analysis.checked.program.exprs;
        let of = |node| match &exprs[self.analysis.expr_of(self.file, node)?].kind {
            ExprKind::Traversal(traversal) if traversal.root_range == name.range() => {
                Some(traversal)
            }
            _ => None,
        };
        // Steps behind a name are one expression with it.
        of(name).or_else(|| of(parent?))
    }

    fn referred(&self, traversal: &Traversal) -> (TokenType, Modifiers) {
        let Some(id) = traversal.definition else { return (TokenType::Variable, Modifiers::NONE) };
        let readonly = Modifiers::READONLY;
        if let Some(node) = self.analysis.node_of(self.file, id) {
            let kind = self.analysis.node(node).kind;
            return (TokenType::of_node(kind), readonly);
        }
        let definition = self.analysis.checked.program.scopes.definition(id);
        match definition.kind {
            DefinitionKind::Property => (TokenType::Property, Modifiers::NONE),
            DefinitionKind::Constant(_) => {
                let library = readonly.with(Modifiers::DEFAULT_LIBRARY);
                (TokenType::Variable, library)
            }
            DefinitionKind::Keyword => (TokenType::Keyword, Modifiers::NONE),
            _ => (TokenType::Variable, readonly.with(Modifiers::LOCAL)),
        }
    }

    fn call(&mut self, node: SyntaxNode<'a>) {
        let name = ast::Call::cast(node).map(ast::Call::name);
        let is_known = name.is_some_and(|name| language::function(&name).is_some());
        let modifiers = if is_known { Modifiers::DEFAULT_LIBRARY } else { Modifiers::NONE };
        self.words(node, TokenType::Function, modifiers);
    }

    /// `for a, b in c`: the names before `in` are variables.
    fn loop_words(&mut self, node: SyntaxNode<'a>) {
        let mut is_variable = false;
        for token in node.own_tokens() {
            if token.kind() != SyntaxKind::Ident {
                continue;
            }
            match token.text() {
                "for" if !is_variable => is_variable = true,
                "in" if is_variable => is_variable = false,
                _ if is_variable => {
                    let modifiers =
                        Modifiers::DECLARATION.with(Modifiers::READONLY).with(Modifiers::LOCAL);
                    self.set(Some(token), TokenType::Variable, modifiers);
                    continue;
                }
                _ => {}
            }
            self.set(Some(token), TokenType::Keyword, Modifiers::NONE);
        }
    }

    /// The tokens from the first one to the end of the range.
    fn finish(self, first: SyntaxToken<'_>, range: TextRange) -> Vec<SemanticToken> {
        let tree = first.tree();
        let directives = Directives { tree, codes: OnceCell::new() };
        let deprecated = self.deprecated();
        let mut tokens = Vec::new();
        let all = std::iter::successors(Some(first), |token| token.next());
        let meanings = self.found.iter().copied().chain(std::iter::repeat(None));
        for (token, meaning) in all.zip(meanings) {
            let own = token.range();
            if own.start() >= range.end() && !own.is_empty() {
                break;
            }
            let (ty, modifiers) = match (meaning, token.kind()) {
                (Some(meaning), _) => meaning,
                (None, SyntaxKind::Number) => (TokenType::Number, Modifiers::NONE),
                (None, SyntaxKind::LineComment | SyntaxKind::BlockComment) => {
                    directives.split(token, &mut tokens);
                    continue;
                }
                _ => continue,
            };
            let at = deprecated.partition_point(|range| range.start() <= own.start());
            let place = at.checked_sub(1).and_then(|at| deprecated.get(at));
            let modifiers = if place.is_some_and(|place| place.contains_range(own)) {
                modifiers.with(Modifiers::DEPRECATED)
            } else {
                modifiers
            };
            if !own.is_empty() {
                tokens.push(SemanticToken { range: own, ty, modifiers });
            }
        }
        tokens
    }

    /// The places of the file that a diagnostic calls deprecated, in order.
    fn deprecated(&self) -> Vec<TextRange> {
        let all = self.analysis.checked.diagnostics.iter();
        let own = all.filter(|diagnostic| {
            diagnostic.primary.file == self.file && diagnostic.code == Code::Deprecated
        });
        own.map(|diagnostic| diagnostic.primary.range).collect()
    }
}

fn declared(kind: NodeKind) -> Modifiers {
    match kind {
        NodeKind::Pulumi => Modifiers::DECLARATION,
        _ => Modifiers::DECLARATION.with(Modifiers::READONLY),
    }
}

/// The parts of comments that `pcl` reads: `pcl: off`, `pcl: ignore[CODE]`.
struct Directives<'t> {
    tree: &'t SyntaxTree,
    /// The codes of the file, in order. They are found if a comment has some.
    codes: OnceCell<Vec<TextRange>>,
}

impl Directives<'_> {
    fn codes(&self) -> &[TextRange] {
        self.codes.get_or_init(|| {
            let comments = suppression_comments(self.tree).into_iter();
            let names = comments.flat_map(|comment| match comment.form {
                SuppressionForm::Names(names) => names,
                _ => Vec::new(),
            });
            names.map(|(_, range)| range).collect()
        })
    }

    /// Adds the tokens of a comment.
    fn split(&self, comment: SyntaxToken<'_>, tokens: &mut Vec<SemanticToken>) {
        let mut push = |start: u32, end: u32, ty| {
            if start < end {
                tokens.push(SemanticToken {
                    range: TextRange::new(start, end),
                    ty,
                    modifiers: Modifiers::NONE,
                });
            }
        };
        let range = comment.range();
        let Some(words) = directive(comment) else {
            return push(range.start(), range.end(), TokenType::Comment);
        };
        push(range.start(), words.start(), TokenType::Comment);
        push(words.start(), words.end(), TokenType::Macro);
        let mut at = words.end();
        let codes = if comment.text().contains('[') { self.codes() } else { &[] };
        let first = codes.partition_point(|code| code.start() < at);
        let codes = codes.iter().skip(first);
        for code in codes.take_while(|code| code.end() <= range.end()) {
            push(at, code.start(), TokenType::Comment);
            push(code.start(), code.end(), TokenType::EnumMember);
            at = code.end();
        }
        push(at, range.end(), TokenType::Comment);
    }
}

/// The words of a comment that `pcl` reads, such as `pcl: ignore`.
fn directive(comment: SyntaxToken<'_>) -> Option<TextRange> {
    let text = comment.text();
    let body = text.trim_start_matches(['#', '/', '*']).trim_start();
    let rest = body.strip_prefix("pcl:")?.trim_start();
    let word = rest.find(|letter: char| !(letter.is_ascii_lowercase() || letter == '-'));
    let word = word.unwrap_or(rest.len());
    let known = ["ignore", "ignore-file", "off", "on"];
    let is_known = rest.get(..word).is_some_and(|word| known.contains(&word));
    let start = comment.range().start();
    let [from, to] = [text.len() - body.len(), text.len() - rest.len() + word];
    is_known.then(|| TextRange::new(start + from as u32, start + to as u32))
}
