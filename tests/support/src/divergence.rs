//! Texts that `hcl-edit` reads otherwise than the reference and we do: the list that tests and
//! fuzzing share.

use pcl_syntax::ast::{Body, Item};
use pcl_syntax::{SyntaxKind, SyntaxTree};

/// A known difference.
pub struct Divergence {
    /// The behaviour of `hcl-edit`.
    pub what: &'static str,
    /// The vectors on which the verdicts differ for it.
    pub vectors: &'static [&'static str],
    /// Tells whether a text may show it; rather too often than too seldom.
    pub shows: fn(&str, &SyntaxTree) -> bool,
}

pub const DIVERGENCES: &[Divergence] = &[
    Divergence {
        what: "a carriage return alone ends a line comment, and is text elsewhere; control characters are text",
        vectors: &["triv-line-comment-lone-cr", "here-lone-cr"],
        shows: |text, _| text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')),
    },
    Divergence {
        what: "identifiers are those of a later Unicode, and a byte order mark is refused",
        vectors: &["id-zwj", "lex-bom"],
        shows: |text, tree| {
            use SyntaxKind as K;
            let is_text = |kind| matches!(kind, K::LineComment | K::BlockComment | K::Text);
            text.contains('\u{feff}')
                || tokens(tree).any(|(kind, text)| !text.is_ascii() && !is_text(kind))
        },
    },
    Divergence {
        what: "a number with two points is a number with legacy indexes; large numbers are refused",
        vectors: &["num-two-dots", "num-exp-frac", "num-invalid-does-not-derail"],
        shows: |_, tree| {
            tokens(tree).any(|(kind, text)| {
                kind == SyntaxKind::Number
                    && (text.len() > 15
                        || text.contains(['e', 'E'])
                        || text.matches('.').count() > 1)
            })
        },
    },
    Divergence {
        what: "a quoted string may hold line endings",
        vectors: &[
            "str-newline",
            "str-crlf-inside",
            "str-blank-lines-inside",
            "block-label-newline",
        ],
        shows: |_, tree| {
            use SyntaxKind as K;
            // Where the line ends inside of an interpolation, the error is another one.
            let count =
                |wanted: &[K]| tokens(tree).filter(|(kind, _)| wanted.contains(kind)).count();
            has_error(tree, "lex-newline-in-quoted")
                || count(&[K::QuoteOpen]) != count(&[K::QuoteClose])
                || count(&[K::InterpolationOpen, K::ControlOpen]) != count(&[K::SequenceClose])
        },
    },
    Divergence {
        what: "a heredoc ends at its marker and anything that is no name, also at the end of the file",
        vectors: &["here-prefix-not-close", "here-close-paren-same-line"],
        shows: |text, tree| {
            let marks = || tokens(tree).filter(|(kind, _)| *kind == SyntaxKind::HeredocOpen);
            text.contains("<<") && !tree.errors().is_empty()
                || marks().any(|(_, open)| {
                    let marker = open.trim_start_matches(['<', '-']).trim();
                    text.matches(marker).count() != 2
                })
        },
    },
    Divergence {
        what: "a splat, what follows it, an operand, and an operator behind a bracket may stand on lines of their own",
        vectors: &["nl-splat-index"],
        shows: |_, tree| {
            use SyntaxKind as K;
            let kinds: Vec<K> = visible(tree).collect();
            kinds.windows(2).any(|pair| {
                let step = |kind| matches!(kind, K::Dot | K::LBracket | K::Star);
                let resumes = |kind: K| step(kind) || kind.is_operator();
                (pair[0] == K::Newline && resumes(pair[1]))
                    || ((step(pair[0]) || pair[0].is_operator()) && pair[1] == K::Newline)
            })
        },
    },
    Divergence {
        what: "an operator in the collection of a `for` may not end its line",
        vectors: &[],
        shows: |_, tree| {
            use SyntaxKind as K;
            let mut operations = tree
                .root()
                .descendants()
                .filter(|node| matches!(node.kind(), K::Binary | K::Conditional | K::Unary));
            operations.any(|node| node.tokens().any(|token| token.kind() == K::Newline))
                && tokens(tree).any(|(_, word)| word == "for")
        },
    },
    Divergence {
        what: "legacy indexes are plain digits, and may follow each other",
        vectors: &[
            "trav-legacy-zeroes",
            "trav-legacy-exp",
            "trav-legacy-chain",
            "trav-legacy-chain-cont",
            "splat-attr-legacy-chain",
        ],
        shows: |_, tree| {
            let tokens: Vec<_> = tokens(tree).filter(|(kind, _)| !kind.is_trivia()).collect();
            tokens.windows(2).any(|pair| {
                let plain = pair[1].1.bytes().all(|b| b.is_ascii_digit())
                    && (pair[1].1 == "0" || !pair[1].1.starts_with('0'));
                pair[0].0 == SyntaxKind::Dot && pair[1].0 == SyntaxKind::Number && !plain
            })
        },
    },
    Divergence {
        what: "attribute splats nest",
        vectors: &["splat-attr-nested"],
        shows: |_, tree| visible(tree).filter(|kind| *kind == SyntaxKind::Star).count() > 1,
    },
    Divergence {
        what: "a key may stand only once in an object, but a name twice in a body",
        vectors: &["obj-dup-keys"],
        shows: |_, tree| {
            has_error(tree, "body-attr-redefined")
                || tree.root().descendants().any(|node| {
                    let keys =
                        node.children().filter(|child| child.kind() == SyntaxKind::ObjectItem);
                    let mut keys: Vec<_> = keys
                        .filter_map(|item| item.children().next())
                        .map(|key| key.text())
                        .collect();
                    let all = keys.len();
                    keys.sort_unstable();
                    keys.dedup();
                    keys.len() < all
                })
        },
    },
    Divergence {
        what: "keywords are recognised by what follows them, if at all",
        vectors: &["for-as-first-item", "for-as-first-key-colon", "for-in-prefix"],
        shows: |_, tree| {
            let words = tokens(tree).filter(|(kind, _)| *kind == SyntaxKind::Ident);
            let keywords = ["for", "in", "if", "else", "endif", "endfor"];
            let mut words = words.filter(|(_, word)| keywords.iter().any(|k| word.starts_with(k)));
            words.next().is_some() && !tree.errors().is_empty()
                || words.any(|(_, word)| !keywords.contains(&word))
                || tree.root().descendants().any(|node| {
                    use SyntaxKind as K;
                    matches!(node.kind(), K::Tuple | K::Object | K::Name | K::Call | K::ObjectItem)
                        && node.tokens().any(|token| keywords.contains(&token.text()))
                })
        },
    },
    Divergence {
        what: "nesting ends at 64 levels, operators after 128",
        vectors: &[],
        shows: |text, _| {
            let opened = text.matches(['(', '[', '{', '"', '-', '!', '?']).count();
            let operators =
                text.matches(['+', '-', '*', '/', '%', '=', '<', '>', '&', '|']).count();
            opened > 60 || operators > 100
        },
    },
    Divergence {
        what: "there are more escapes, and none between directives in quotes",
        vectors: &[],
        shows: |text, _| {
            ["\\/", "\\b", "\\f", "\\u", "\\U"].iter().any(|escape| text.contains(escape))
                || (text.contains("%{") && text.contains(['\\', '"']))
        },
    },
];

/// The first difference that a text may show.
pub fn shown(text: &str, tree: &SyntaxTree) -> Option<&'static str> {
    let mut all = DIVERGENCES.iter();
    all.find(|known| (known.shows)(text, tree)).map(|known| known.what)
}

fn tokens(tree: &SyntaxTree) -> impl Iterator<Item = (SyntaxKind, &str)> {
    let all = tree.tokens().iter();
    all.map(|(kind, range)| (kind, &tree.text()[range.to_usize()]))
}

/// The kinds of tokens that are not trivia.
fn visible(tree: &SyntaxTree) -> impl Iterator<Item = SyntaxKind> {
    let all = tree.tokens().iter().map(|(kind, _)| kind);
    all.filter(|kind| !kind.is_trivia())
}

fn has_error(tree: &SyntaxTree, name: &str) -> bool {
    tree.errors().iter().any(|error| error.code().name() == name)
}

/// Names, labels and nesting, which both trees have.
pub fn outline(body: Body<'_>) -> String {
    let mut text = String::new();
    for item in body.items() {
        match item {
            Item::Attribute(attribute) => {
                text += attribute.name().map_or("?", |name| name.text());
                text += ";";
            }
            Item::Block(block) => {
                text += block.keyword().map_or("?", |keyword| keyword.text());
                for label in block.labels() {
                    text += &format!(" {}", label.text());
                }
                text += &format!("({})", block.body().map(outline).unwrap_or_default());
            }
            Item::Bogus(_) => text += "?",
        }
    }
    text
}

/// The same of the other's structures.
pub fn their_outline(body: &hcl_edit::structure::Body) -> String {
    use hcl_edit::structure::Structure;
    let mut text = String::new();
    for structure in body {
        match structure {
            Structure::Attribute(attribute) => text += &format!("{};", attribute.key.as_str()),
            Structure::Block(block) => {
                text += block.ident.as_str();
                for label in &block.labels {
                    text += &format!(" {}", label.as_str());
                }
                text += &format!("({})", their_outline(&block.body));
            }
        }
    }
    text
}
