//! From places to nodes, from nodes to what is around them, and to their comments.

mod support;

use pcl_diagnostics::TextRange;
use pcl_newcomers::parse;
use pcl_syntax::ast::Item;
use pcl_syntax::{Comment, SyntaxKind, SyntaxTree};
use proptest::prelude::*;
use support::soup::{PROGRAM, soup};

#[test]
fn from_a_place_to_its_node_and_up() {
    let source = "svc \"x\" {\n  a = [f(b.c), 1]\n}\n";
    let tree = parse(source);
    let at = source.find("b.c").unwrap() as u32;
    let token = tree.token_at(at);
    assert_eq!((token.kind(), token.text()), (SyntaxKind::Ident, "b"));
    let kinds: Vec<_> = token.parent().ancestors().map(|node| node.kind()).collect();
    use SyntaxKind as K;
    assert_eq!(
        kinds,
        [
            K::Name,
            K::Traversal,
            K::Call,
            K::Tuple,
            K::Attribute,
            K::Body,
            K::Block,
            K::Body,
            K::File
        ]
    );
    let call = tree.covering(TextRange::new(at - 1, at + 2));
    assert_eq!(call.text(), "f(b.c)");
    assert_eq!(call.parent().unwrap().text(), "[f(b.c), 1]");
    assert_eq!(tree.root().parent(), None);
    assert_eq!(tree.token_at(9999).kind(), K::EndOfFile);
}

/// Detached, leading and trailing comments of each item, by their text.
fn comments(source: &str) -> Vec<[Vec<String>; 3]> {
    let tree = parse(source);
    let texts = |comments: &[Comment<'_>]| -> Vec<String> {
        comments.iter().map(|comment| comment.syntax().text().to_owned()).collect()
    };
    let items = tree.file().body().items();
    items
        .filter_map(|item| match item {
            Item::Attribute(attribute) => Some(attribute.comments()),
            Item::Block(block) => Some(block.comments()),
            Item::Bogus(_) => None,
        })
        .map(|all| [texts(&all.detached), texts(&all.leading), texts(&all.trailing)])
        .collect()
}

#[test]
fn comments_belong_to_the_line_that_they_stand_on_or_above() {
    let found = comments(
        "# license\n\n# one\n// two\na = 1 # after a\n# b's\n/* too */ b = 2\n\nsvc { # inside\n  # first\n  c = 1\n  # last\n} // after\n",
    );
    assert_eq!(
        found,
        [
            [vec!["# license"], vec!["# one", "// two"], vec!["# after a"]],
            [vec![], vec!["# b's", "/* too */"], vec![]],
            [vec![], vec![], vec!["// after"]],
        ]
        .map(|lists| lists.map(|list| list.into_iter().map(str::to_owned).collect::<Vec<_>>()))
    );
    let tree = parse("svc { # inside\n  # last\n}\n# end");
    let block = tree.file().body().blocks().next().unwrap();
    let of = |comments: &[Comment<'_>]| comments.iter().flat_map(|c| c.lines()).collect::<String>();
    assert_eq!(of(&block.open_brace().unwrap().comments().trailing), " inside");
    assert_eq!(of(&block.close_brace().unwrap().comments().leading), " last");
    assert_eq!(of(&tree.token_at(9999).comments().leading), " end");
}

#[test]
fn comments_without_their_delimiters() {
    let lines = |source: &str| {
        let tree = parse(source);
        let token = tree.token_at(0);
        let next = std::iter::successors(Some(token), |token| token.next());
        let end = next.last().unwrap();
        let comments = end.comments();
        let all = comments.leading.iter().chain(&comments.detached);
        all.flat_map(|comment| comment.lines().into_iter().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(lines("# one\r\n"), [" one"]);
    assert_eq!(lines("//two"), ["two"]);
    assert_eq!(lines("/* one line */"), [" one line"]);
    assert_eq!(lines("/** doc **/"), [" doc"]);
    assert_eq!(lines("/*\n * a\n * b\n */"), [" a", " b"]);
    assert_eq!(lines("/* a\n * b\n   c */"), [" a", " * b", "   c"]);
    assert_eq!(lines("/* a\r\n   b\r\n*/"), [" a", "   b"]);
    assert!(lines("/**/").is_empty());
    assert!(lines("/*\n*/").is_empty());
}

/// Every comment belongs to exactly one token.
fn every_comment_has_one_owner(tree: &SyntaxTree) {
    let first = tree.token_at(0);
    let tokens = || std::iter::successors(Some(first), |token| token.next());
    let mut owned: Vec<u32> = tokens()
        .flat_map(|token| {
            let all = token.comments();
            let lists = [all.detached, all.leading, all.trailing];
            lists.into_iter().flatten().map(|comment| comment.syntax().index()).collect::<Vec<_>>()
        })
        .collect();
    owned.sort_unstable();
    let kinds = [SyntaxKind::LineComment, SyntaxKind::BlockComment];
    let all = tokens().filter(|token| kinds.contains(&token.kind()));
    assert_eq!(owned, all.map(|token| token.index()).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn places_comments_and_ancestors_agree(source in prop_oneof![4 => soup(), 1 => Just(PROGRAM.to_owned())], at in any::<u32>()) {
        let tree = parse(source.as_str());
        every_comment_has_one_owner(&tree);
        let at = at % (source.len() as u32 + 1);
        let token = tree.token_at(at);
        prop_assert!(token.range().contains(at) || at as usize == source.len());
        let around = tree.covering(token.range());
        prop_assert!(around.range().start() <= token.range().start() || around.kind() == SyntaxKind::File);
        for node in tree.root().descendants() {
            let path: Vec<_> = node.ancestors().collect();
            prop_assert_eq!(path.first(), Some(&node));
            prop_assert_eq!(path.last(), Some(&tree.root()));
            for pair in path.windows(2) {
                prop_assert!(pair[1].children().any(|child| child == pair[0]));
            }
            for comment in node.comments().leading {
                prop_assert!(comment.lines().concat().len() < comment.syntax().text().len());
            }
        }
    }
}
