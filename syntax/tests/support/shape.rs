//! A tree in the notation of the vectors: its shape as an s-expression, and the ranges of its
//! parts.

use pcl_diagnostics::TextRange;
use pcl_syntax::ast::{
    Block, Body, Expr, ForDirective, IfDirective, Item, LiteralKind, Splat, SplatStep, Step,
    StepKind, TemplatePart, TemplateParts,
};
use pcl_syntax::{SyntaxKind, SyntaxToken, SyntaxTree};
use unicode_normalization::UnicodeNormalization;

/// Shape and ranges, the latter in no particular order.
#[derive(Default)]
pub struct Shape {
    pub text: String,
    pub ranges: Vec<String>,
}

impl Shape {
    pub fn of(tree: &SyntaxTree) -> Self {
        let mut shape = Self::default();
        match tree.expression() {
            Some(expr) => shape.expr(expr),
            None => shape.body(tree.file().body()),
        }
        shape
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn range(&mut self, name: &str, range: TextRange) {
        let line = format!("{name} {} {}", range.start(), range.end());
        self.ranges.push(line);
    }

    fn token(&mut self, name: &str, token: Option<SyntaxToken<'_>>) {
        if let Some(token) = token {
            self.range(name, token.range());
        }
    }

    fn opt(&mut self, expr: Option<Expr<'_>>) {
        match expr {
            Some(expr) => self.expr(expr),
            None => self.put("(err)"),
        }
    }

    fn body(&mut self, body: Body<'_>) {
        let range = body.content_range();
        self.range("body", range);
        self.range("body.end", TextRange::empty(range.end()));
        self.put("(body");
        for item in body.items() {
            self.put(" ");
            match item {
                Item::Attribute(attribute) => {
                    let name = attribute.name();
                    self.range("attr", attribute.range());
                    self.token("attr.name", name);
                    self.token("attr.eq", attribute.equals());
                    self.put(&format!("(attr {} ", name.map_or("?", SyntaxToken::text)));
                    self.opt(attribute.value());
                    self.put(")");
                }
                Item::Block(block) => self.block(block),
                Item::Bogus(_) => self.put("(bogus)"),
            }
        }
        self.put(")");
    }

    fn block(&mut self, block: Block<'_>) {
        self.range("block", block.range());
        self.range("block.def", block.header_range());
        self.token("block.type", block.keyword());
        self.token("block.obrace", block.open_brace());
        self.token("block.cbrace", block.close_brace());
        self.put(&format!("(block {}", block.keyword().map_or("?", SyntaxToken::text)));
        for label in block.labels() {
            self.range("label", label.range());
            self.put(&format!(" (label {})", quote(&label.text())));
        }
        self.put(" ");
        match block.body() {
            Some(body) => self.body(body),
            None => self.put("(err)"),
        }
        self.put(")");
    }

    fn expr(&mut self, expr: Expr<'_>) {
        let range = expr.range();
        match expr {
            Expr::Literal(literal) => match literal.kind() {
                LiteralKind::Number(text) => {
                    self.range("num", range);
                    self.put(&format!("(num {text})"));
                }
                LiteralKind::Bool(value) => {
                    self.range("bool", range);
                    self.put(&format!("(bool {value})"));
                }
                LiteralKind::Null => {
                    self.range("null", range);
                    self.put("(null)");
                }
            },
            Expr::Template(template) => match template.wrapped() {
                Some(inner) => {
                    self.range("wrap", range);
                    self.put("(wrap ");
                    self.expr(inner);
                    self.put(")");
                }
                None => self.template(range, template.parts()),
            },
            Expr::Heredoc(heredoc) => self.template(range, heredoc.parts()),
            Expr::Name(name) => {
                self.range("scope", range);
                self.range("root", range);
                self.put(&format!("(var {})", name.text()));
            }
            Expr::Traversal(traversal) => {
                match traversal.receiver() {
                    Expr::Name(name) => {
                        self.range("scope", range);
                        self.range("root", name.range());
                        self.put(&format!("(scope {}", name.text()));
                    }
                    receiver => {
                        self.range("rel", range);
                        self.put("(rel ");
                        self.expr(receiver);
                    }
                }
                for step in traversal.steps() {
                    self.step(step);
                }
                self.put(")");
            }
            Expr::Splat(splat) => self.splat(splat),
            Expr::Index(index) => {
                self.index_ranges(range, index.bracket_range());
                self.put("(index ");
                self.opt(index.collection());
                self.put(" ");
                self.opt(index.key());
                self.put(")");
            }
            Expr::Call(call) => {
                let syntax = call.syntax();
                self.range("call", range);
                self.range("call.name", call.name_range());
                self.token("call.open", syntax.own_token(SyntaxKind::LParen));
                self.token("call.close", syntax.own_token(SyntaxKind::RParen));
                self.put(&format!("(call {}", call.name()));
                for argument in call.arguments() {
                    self.put(" ");
                    self.expr(argument);
                }
                if call.expands_last() {
                    self.put(" ...");
                }
                self.put(")");
            }
            Expr::Tuple(tuple) => {
                self.range("tuple", range);
                self.token("tuple.open", tuple.syntax().own_token(SyntaxKind::LBracket));
                self.put("(tuple");
                for element in tuple.elements() {
                    self.put(" ");
                    self.expr(element);
                }
                self.put(")");
            }
            Expr::Object(object) => {
                self.range("object", range);
                self.token("object.open", object.syntax().own_token(SyntaxKind::LBrace));
                self.put("(object");
                for item in object.items() {
                    self.put(" (item ");
                    match (item.key_is_bare_name(), item.key()) {
                        (Some(name), _) => {
                            self.range("key", name.range());
                            let name: String = name.text().nfc().collect();
                            self.put(&format!("(key {})", quote(&name)));
                        }
                        (None, Some(key)) => {
                            self.range("keyexpr", key.range());
                            self.put("(keyexpr ");
                            self.expr(key);
                            self.put(")");
                        }
                        (None, None) => self.put("(err)"),
                    }
                    self.put(" ");
                    self.opt(item.value());
                    self.put(")");
                }
                self.put(")");
            }
            Expr::For(each) => {
                let name = if each.is_object() { "for-object" } else { "for-tuple" };
                self.range(name, range);
                self.token(&format!("{name}.open"), each.syntax().first_token());
                self.token(&format!("{name}.close"), each.syntax().last_token());
                self.put(&format!("({name} "));
                self.variables(each.key_variable(), each.value_variable());
                self.opt(each.collection());
                if let Some(key) = each.key() {
                    self.put(" (keyval ");
                    self.expr(key);
                    self.put(")");
                }
                self.put(" ");
                self.opt(each.value());
                if each.groups() {
                    self.put(" ...");
                }
                if let Some(condition) = each.condition() {
                    self.put(" (if ");
                    self.expr(condition);
                    self.put(")");
                }
                self.put(")");
            }
            Expr::Conditional(conditional) => {
                self.range("cond", range);
                self.put("(cond ");
                self.opt(conditional.condition());
                self.put(" ");
                self.opt(conditional.if_true());
                self.put(" ");
                self.opt(conditional.if_false());
                self.put(")");
            }
            Expr::Binary(binary) => {
                self.range("bin", range);
                self.put(&format!("(bin {} ", binary.operator().text()));
                self.opt(binary.left());
                self.put(" ");
                self.opt(binary.right());
                self.put(")");
            }
            Expr::Unary(unary) => {
                self.range("un", range);
                self.token("un.sym", unary.syntax().first_token());
                self.put(&format!("(un {} ", unary.operator().text()));
                self.opt(unary.operand());
                self.put(")");
            }
            Expr::Paren(paren) => {
                self.range("paren", range);
                self.put("(paren ");
                self.opt(paren.inner());
                self.put(")");
            }
            Expr::Bogus(_) => self.put("(err)"),
        }
    }

    fn variables(&mut self, key: Option<SyntaxToken<'_>>, value: Option<SyntaxToken<'_>>) {
        self.put("(vars");
        for variable in [key, value].into_iter().flatten() {
            self.put(&format!(" {}", variable.text()));
        }
        self.put(") ");
    }

    fn index_ranges(&mut self, range: TextRange, bracket: TextRange) {
        self.range("index", range);
        self.range("index.bracket", bracket);
        let open = TextRange::new(bracket.start(), bracket.start() + 1);
        self.range("index.open", open);
    }

    fn step(&mut self, step: Step<'_>) {
        match step.kind() {
            StepKind::Attribute(name) => {
                self.range(".", step.range());
                self.put(&format!(" (. {})", name.text()));
            }
            StepKind::LegacyIndex(number) => {
                self.range("legacyidx", step.range());
                self.put(&format!(" (legacyidx {})", number_value(number.text())));
            }
            StepKind::Index(key) => {
                self.range("idx", step.range());
                let key = match key {
                    Expr::Literal(literal) => match literal.kind() {
                        LiteralKind::Number(text) => number_value(text),
                        LiteralKind::Bool(value) => value.to_string(),
                        LiteralKind::Null => "null".to_owned(),
                    },
                    Expr::Template(template) => quote(&template.literal().unwrap_or_default()),
                    Expr::Heredoc(heredoc) => quote(&heredoc.literal().unwrap_or_default()),
                    _ => "unknown".to_owned(),
                };
                self.put(&format!(" (idx {key})"));
            }
            StepKind::Broken => self.put(" (broken)"),
        }
    }

    fn splat(&mut self, splat: Splat<'_>) {
        let name = splat_name(splat.is_full());
        let marker = splat.marker_range();
        self.range(name, splat.range());
        self.range(&format!("{name}.marker"), marker);
        self.put(&format!("({name} "));
        self.expr(splat.source());
        self.put(" ");
        let steps: Vec<_> = splat.steps().collect();
        let each = Self::each(&steps, marker, splat.is_full());
        self.put(&each.text);
        self.ranges.extend(each.ranges);
        self.put(")");
    }

    /// The effect of a splat on each item, from the flat list of steps after its marker.
    fn each(steps: &[SplatStep<'_>], marker: TextRange, full: bool) -> Self {
        let mut current = Self::default();
        current.put("(item)");
        current.range("item", marker);
        let mut rest = steps;
        while let Some(first) = rest.first() {
            let mut next = Self::default();
            match first {
                SplatStep::Step(step) => {
                    let run: Vec<_> = rest
                        .iter()
                        .map_while(|step| match step {
                            SplatStep::Step(step) => Some(*step),
                            _ => None,
                        })
                        .collect();
                    rest = &rest[run.len()..];
                    let start = if full { marker } else { step.range() };
                    let end = run.last().map_or(start, |step| step.range());
                    next.range("rel", start.cover(end));
                    next.put(&format!("(rel {}", current.text));
                    for step in run {
                        next.step(step);
                    }
                    next.put(")");
                }
                SplatStep::Index { key, range } => {
                    rest = &rest[1..];
                    next.index_ranges(marker.cover(*range), *range);
                    next.put(&format!("(index {} ", current.text));
                    next.opt(*key);
                    next.put(")");
                }
                SplatStep::Marker { full: inner, range } => {
                    let taken = if *inner {
                        rest.len()
                    } else {
                        let names = rest[1..].iter().take_while(
                            |step| matches!(step, SplatStep::Step(step) if !matches!(step.kind(), StepKind::Index(_))),
                        );
                        1 + names.count()
                    };
                    let each = Self::each(&rest[1..taken], *range, *inner);
                    let end = rest[1..taken].last().map(step_end);
                    rest = &rest[taken..];
                    let name = splat_name(*inner);
                    let end = end.unwrap_or(range.end());
                    next.range(name, TextRange::new(marker.start(), end));
                    next.range(&format!("{name}.marker"), *range);
                    next.put(&format!("({name} {} {})", current.text, each.text));
                    next.ranges.extend(each.ranges);
                }
            }
            next.ranges.append(&mut current.ranges);
            current = next;
        }
        current
    }

    fn template(&mut self, range: TextRange, parts: TemplateParts<'_>) {
        self.range("tmpl", range);
        self.put("(tmpl");
        for part in parts {
            self.put(" ");
            match part {
                TemplatePart::Literal { value, range } => {
                    self.range("lit", range);
                    self.put(&format!("(lit {})", quote(&value)));
                }
                TemplatePart::Interpolation(expr) => self.expr(expr),
                TemplatePart::If(directive) => self.if_directive(directive),
                TemplatePart::For(directive) => self.for_directive(directive),
            }
        }
        self.put(")");
    }

    fn if_directive(&mut self, directive: IfDirective<'_>) {
        self.range("tmpl-if", directive.range());
        self.put("(tmpl-if ");
        self.opt(directive.condition());
        self.put(" ");
        self.template(directive.then_range(), directive.then_parts());
        self.put(" ");
        self.template(directive.else_range(), directive.else_parts());
        self.put(")");
    }

    fn for_directive(&mut self, directive: ForDirective<'_>) {
        self.range("join", directive.range());
        self.range("tmpl-for", directive.range());
        let heads: Vec<_> = directive.syntax().children().collect();
        if let (Some(open), Some(close)) = (heads.first(), heads.last()) {
            self.range("tmpl-for.open", open.range());
            self.range("tmpl-for.close", close.range());
        }
        self.put("(join (tmpl-for ");
        self.variables(directive.key_variable(), directive.value_variable());
        self.opt(directive.collection());
        self.put(" ");
        self.template(directive.body_range(), directive.parts());
        self.put("))");
    }
}

fn splat_name(full: bool) -> &'static str {
    if full { "splat-full" } else { "splat-attr" }
}

fn step_end(step: &SplatStep<'_>) -> u32 {
    match step {
        SplatStep::Step(step) => step.range().end(),
        SplatStep::Index { range, .. } | SplatStep::Marker { range, .. } => range.end(),
    }
}

/// The keys of the vectors are small.
fn number_value(text: &str) -> String {
    text.parse::<f64>().map_or_else(|_| text.to_owned(), |value| value.to_string())
}

/// As the vectors quote text: JSON with what does not print left as it is.
fn quote(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}
