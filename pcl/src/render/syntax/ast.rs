//! The typed views: what the later layers see of a file.

use pcl_syntax::Comment;
use pcl_syntax::ast::{
    Body, Expr, ForDirective, IfDirective, Item, Label, LiteralKind, ObjectItem, SplatStep, Step,
    StepKind, TemplatePart,
};

use super::{Record, View};

/// A view of anything.
pub(super) enum AstView<'t> {
    Body(Body<'t>),
    Item(Item<'t>),
    Label(Label<'t>),
    Comment(Comment<'t>),
    Expr(Expr<'t>),
    Step(Step<'t>),
    SplatStep(SplatStep<'t>),
    ObjectItem(ObjectItem<'t>),
    Part(TemplatePart<'t>),
}

/// Declares how a view becomes one of anything.
macro_rules! from {
    ($($name:ident),+) => {
        $(impl<'t> From<$name<'t>> for AstView<'t> {
            fn from(view: $name<'t>) -> Self {
                Self::$name(view)
            }
        })+
    };
}

from!(Body, Item, Label, Comment, Expr, Step, SplatStep, ObjectItem);

impl<'t> From<TemplatePart<'t>> for AstView<'t> {
    fn from(part: TemplatePart<'t>) -> Self {
        Self::Part(part)
    }
}

impl<'t> View for AstView<'t> {
    fn record(self) -> Record<Self> {
        match self {
            Self::Body(body) => Record::new("body", body.range()).parts("items", body.items()),
            Self::Item(item) => self::item(item),
            Self::Label(label) => Record::new("label", label.range()).text("text", label.text()),
            Self::Comment(comment) => {
                Record::new("comment", comment.range()).text("text", comment.lines().join("\n"))
            }
            Self::Expr(expr) => expression(expr),
            Self::Step(step) => self::step(step),
            Self::SplatStep(step) => match step {
                SplatStep::Step(step) => self::step(step),
                SplatStep::Index { key, range } => Record::new("index", range).part("key", key),
                SplatStep::Marker { full, range } => {
                    Record::new("marker", range).flag("full", full)
                }
            },
            Self::ObjectItem(item) => Record::new("object-item", item.range())
                .part("key", item.key())
                .part("value", item.value()),
            Self::Part(part) => template_part(part),
        }
    }
}

fn item<'t>(item: Item<'t>) -> Record<AstView<'t>> {
    let range = item.syntax().range();
    let comments = item.syntax().comments();
    let record = match item {
        Item::Attribute(attribute) => Record::new("attribute", range)
            .opt_text("name", attribute.name().map(|name| name.text()))
            .part("value", attribute.value()),
        Item::Block(block) => Record::new("block", range)
            .opt_text("keyword", block.keyword().map(|keyword| keyword.text()))
            .parts("labels", block.labels())
            .part("body", block.body()),
        Item::Bogus(_) => return Record::new("bogus", range),
    };
    if comments.leading.is_empty() && comments.trailing.is_empty() {
        return record;
    }
    record.parts("leading_comments", comments.leading).parts("trailing_comments", comments.trailing)
}

fn expression<'t>(expr: Expr<'t>) -> Record<AstView<'t>> {
    let range = expr.range();
    match expr {
        Expr::Literal(literal) => match literal.kind() {
            LiteralKind::Number(text) => Record::new("number", range).text("text", text),
            LiteralKind::Bool(value) => Record::new("bool", range).text("text", value.to_string()),
            LiteralKind::Null => Record::new("null", range),
        },
        Expr::Template(template) => Record::new("template", range).parts("parts", template.parts()),
        Expr::Heredoc(heredoc) => Record::new("heredoc", range)
            .text("marker", heredoc.marker())
            .flag("flush", heredoc.is_flush())
            .parts("parts", heredoc.parts()),
        Expr::Name(name) => Record::new("name", range).text("text", name.text()),
        Expr::Traversal(traversal) => Record::new("traversal", range)
            .part("receiver", Some(traversal.receiver()))
            .parts("steps", traversal.steps()),
        Expr::Splat(splat) => Record::new("splat", range)
            .flag("full", splat.is_full())
            .part("source", Some(splat.source()))
            .parts("steps", splat.steps()),
        Expr::Index(index) => Record::new("index", range)
            .part("collection", index.collection())
            .part("key", index.key()),
        Expr::Call(call) => Record::new("call", range)
            .text("name", call.name())
            .flag("expands_last", call.expands_last())
            .parts("arguments", call.arguments()),
        Expr::Tuple(tuple) => Record::new("tuple", range).parts("elements", tuple.elements()),
        Expr::Object(object) => Record::new("object", range).parts("items", object.items()),
        Expr::For(each) => {
            let kind = if each.is_object() { "for-object" } else { "for-tuple" };
            let record = Record::new(kind, range)
                .opt_text("key_variable", each.key_variable().map(|name| name.text()))
                .opt_text("value_variable", each.value_variable().map(|name| name.text()))
                .flag("groups", each.groups())
                .part("collection", each.collection());
            let record = if each.is_object() { record.part("key", each.key()) } else { record };
            let record = record.part("value", each.value());
            match each.condition() {
                Some(condition) => record.part("condition", Some(condition)),
                None => record,
            }
        }
        Expr::Conditional(conditional) => Record::new("conditional", range)
            .part("condition", conditional.condition())
            .part("if_true", conditional.if_true())
            .part("if_false", conditional.if_false()),
        Expr::Binary(binary) => Record::new("binary", range)
            .opt_text("operator", binary.operator_token().map(|token| token.text()))
            .part("left", binary.left())
            .part("right", binary.right()),
        Expr::Unary(unary) => Record::new("unary", range)
            .opt_text("operator", unary.syntax().first_token().map(|token| token.text()))
            .part("operand", unary.operand()),
        Expr::Paren(paren) => Record::new("paren", range).part("inner", paren.inner()),
        Expr::Bogus(_) => Record::new("bogus", range),
    }
}

fn step<'t>(step: Step<'t>) -> Record<AstView<'t>> {
    let range = step.range();
    match step.kind() {
        StepKind::Attribute(name) => Record::new("attribute-step", range).text("name", name.text()),
        StepKind::LegacyIndex(number) => {
            Record::new("legacy-index", range).text("text", number.text())
        }
        StepKind::Index(key) => Record::new("index", range).part("key", Some(key)),
        StepKind::Broken => Record::new("bogus", range),
    }
}

fn template_part<'t>(part: TemplatePart<'t>) -> Record<AstView<'t>> {
    match part {
        TemplatePart::Literal { value, range } => Record::new("text", range).text("text", value),
        TemplatePart::Interpolation(expr) => expression(expr),
        TemplatePart::If(directive) => if_directive(directive),
        TemplatePart::For(directive) => for_directive(directive),
    }
}

fn if_directive<'t>(directive: IfDirective<'t>) -> Record<AstView<'t>> {
    Record::new("if", directive.range())
        .part("condition", directive.condition())
        .parts("then", directive.then_parts())
        .parts("else", directive.else_parts())
}

fn for_directive<'t>(directive: ForDirective<'t>) -> Record<AstView<'t>> {
    let (key, value) = (directive.key_variable(), directive.value_variable());
    Record::new("for", directive.range())
        .opt_text("key_variable", key.map(|name| name.text()))
        .opt_text("value_variable", value.map(|name| name.text()))
        .part("collection", directive.collection())
        .parts("parts", directive.parts())
}
