//! Structures of `hcl-edit` with any names and strings are written as PCL.

use hcl_edit::Ident;
use hcl_edit::expr::{Array, Expression, Object, ObjectKey};
use hcl_edit::structure::{Attribute, Block, BlockLabel, Body};
use hcl_edit::template::{Element, HeredocTemplate, Interpolation, StringTemplate};
use pcl_syntax::ast::{Expr, Item};
use pcl_syntax::write::{from_body, ident, to_body};
use proptest::prelude::*;

fn strings() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => any::<char>().prop_map(String::from),
        4 => prop::sample::select(vec![
            "${", "%{", "$", "%", "$${", "\"", "\\", "\n", "\r\n", "\r", "\t", "~", "}", "\u{0}", "\u{FEFF}", "\u{85}",
            "e\u{301}", "<<E\n", "#", "//", "a", "for", " ", "\u{7F}", "\u{1F}", "\u{2028}",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn literal(text: &str) -> Element {
    Element::Literal(text.to_owned().into())
}

fn body(names: &[String], texts: &[String]) -> Body {
    let mut body = Body::new();
    for (at, (name, text)) in names.iter().zip(texts).enumerate() {
        let ident = ident(&format!("{name}_{at}"));
        let key: Expression = Expression::from(text.as_str());
        let mut object = Object::new();
        object.insert(ObjectKey::Expression(key), Expression::from(text.as_str()));
        let mut list = Array::new();
        list.push(Expression::from(text.as_str()));
        list.push(Expression::from(object));
        let template = || [text.as_str(), "x", text.as_str()].map(literal).into_iter();
        let name = Element::Interpolation(Interpolation::new(Ident::new("x")));
        let with_name = template().chain([name]).chain(template());
        list.push(with_name.collect::<StringTemplate>());
        let heredoc = HeredocTemplate::new(Ident::new("E"), template().collect());
        list.push(heredoc.clone());
        list.push(Expression::from(text.as_str()));
        body.push(Attribute::new(ident.clone(), Expression::from(list)));
        let inner = Attribute::new(Ident::new("v"), Expression::from(text.as_str()));
        let heredoc = Attribute::new(Ident::new("w"), heredoc);
        let block = Block::builder(ident)
            .label(BlockLabel::from(text.as_str()))
            .attribute(inner)
            .attribute(heredoc);
        body.push(block.build());
    }
    body
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_names_and_strings(
        names in prop::collection::vec(strings(), 3),
        texts in prop::collection::vec(strings(), 3),
    ) {
        let tree = from_body(&body(&names, &texts));
        prop_assert_eq!(tree.errors(), &[], "{}", tree.text());
        let normal = |text: &str| unicode_normalization::UnicodeNormalization::nfc(text).collect::<String>();
        let mut items = tree.file().body().items();
        for text in &texts {
            let Some(Item::Attribute(attribute)) = items.next() else { panic!("{}", tree.text()) };
            let Some(Expr::Tuple(tuple)) = attribute.value() else { panic!("{}", tree.text()) };
            let Some(Expr::Template(value)) = tuple.elements().next() else { panic!("{}", tree.text()) };
            prop_assert_eq!(value.literal().unwrap_or_default(), normal(text), "{}", tree.text());
            let Some(Item::Block(block)) = items.next() else { panic!("{}", tree.text()) };
            prop_assert_eq!(block.labels().next().map(|label| label.text().into_owned()), Some(text.clone()), "{}", tree.text());
        }
        prop_assert!(to_body(&tree).is_ok(), "{}", tree.text());
    }
}

/// `U+FDFA` may begin a name of the language, but no `Ident` that `hcl-edit` reads back.
#[test]
fn names_of_both() {
    for (name, expected) in [
        ("\u{FDFA}_1", "__1"),
        ("a\u{FDFA}", "a_"),
        ("1a", "_1a"),
        ("", "_"),
        ("-", "_-"),
        ("\u{e9}-x", "\u{e9}-x"),
    ] {
        assert_eq!(ident(name).as_str(), expected);
    }
}
