//! Names that other languages have and PCL has not: prefixes of variables, references by type,
//! words for constants, and strings without quotes. A guess at the declaration that an unknown name
//! is similar to is judged once all declarations are bound, because it may lead to one that needs
//! the place of the name.
//!
//! The rules, with examples: `tests/spec/habits/names.md` and `tests/spec/habits/guesses.md`.

use pcl_diagnostics::{
    Applicability, Code, Diagnostic, Fix, Matter, Span, TextEdit, TextRange, suggest_where,
};
use pcl_model::scope::{Guess, Meant, Recovered};
use pcl_model::types::TypeId;
use pcl_model::value::Constant;
use pcl_newcomers::meaning::{Absent, Behind, Meaning, Prefix, meaning};
use pcl_newcomers::terraform;
use pcl_newcomers::terraform::Counterpart;
use pcl_schema::Section;
use pcl_syntax::ast::{self, AstNode as _, StepKind};
use pcl_syntax::{is_identifier, quoted};
use rustc_hash::FxHashSet;

use crate::binder::Binder;
use crate::node::{NodeId, NodeKind};
use crate::references::{has_count, has_range};

/// The repetition of a body.
enum Repetition {
    /// By the option `range`.
    Ranged,
    /// By `count` or `for_each`, which may be inputs.
    Counted,
}

impl<'t> Binder<'_, '_, 't> {
    /// Reports an undefined name that another language explains. Returns `false` when none does.
    pub fn report_foreign_name(&mut self, node: NodeId, name: ast::Name<'t>) -> bool {
        let file = self.nodes[node].file;
        let at = Span::new(file, name.range());
        let meaning = meaning(name, |name| self.is_declared(name));
        if meaning.is_none()
            && let Some((range, text, item)) = key_without_quotes(name)
        {
            let key = Span::new(file, range);
            let meant = Meant::Value(TypeId::ERROR);
            self.session.scopes.recover(at, Recovered { meant, steps: 0 });
            // Each name in it is unknown.
            if self.unquoted_keys.insert(key) {
                self.report_in(node, unquoted_key(key, text, item));
            }
            return true;
        }
        let Some(meaning) = meaning else { return false };
        let covered = |steps: usize| {
            let taken = name.traversal().into_iter().flat_map(ast::Traversal::steps);
            let range =
                taken.take(steps).fold(name.range(), |range, step| range.cover(step.range()));
            Span::new(file, range)
        };
        let (diagnostic, recovered) = match meaning {
            Meaning::Behind(behind) => self.behind(node, name, &behind, covered),
            Meaning::Element(part) => {
                let span = covered(1);
                let written = self.text_of(node, span);
                let [root, name] = ["range", part].map(|name| self.session.types.symbol(name));
                let meant = Meant::Name(root, vec![name]);
                let recovered = Recovered { meant, steps: 1 };
                match self.repetition(node) {
                    Some(Repetition::Counted) => {
                        let diagnostic = element(span, &written, part, true);
                        self.elements.entry(node).or_default().push(diagnostic);
                        self.session.scopes.recover(at, recovered);
                        return true;
                    }
                    repetition => {
                        let is_ranged = repetition.is_some();
                        let diagnostic = element(span, &written, part, is_ranged);
                        (diagnostic, recovered)
                    }
                }
            }
            Meaning::Call { function, certain } => {
                let span = covered(1);
                let written = self.text_of(node, span);
                let meant = Meant::Value(TypeId::STRING);
                let diagnostic = call(span, &written, function, certain);
                (diagnostic, Recovered { meant, steps: 1 })
            }
            Meaning::Word { constant, certain } => {
                let constant = constant.map_or(Constant::Null, Constant::Bool);
                let diagnostic = foreign_word(at, name.text(), &constant, certain);
                let meant = Meant::Constant(constant);
                let recovered = Recovered { meant, steps: 0 };
                if !certain {
                    // What its place takes decides whether it is a boolean or a string.
                    self.words.insert(at, diagnostic);
                    self.session.scopes.recover(at, recovered);
                    return true;
                }
                (diagnostic, recovered)
            }
            Meaning::Text(text) => {
                if self.is_near_a_name(text) {
                    return false;
                }
                let span = covered(1);
                let meant = Meant::Constant(Constant::from(text));
                let recovered = Recovered { meant, steps: 1 };
                (unquoted_text(span, text), recovered)
            }
            Meaning::DataSource(kind) => {
                let function = self.terraform_member(Section::Functions, kind);
                let diagnostic = data_source(covered(2), kind, function.as_ref());
                let meant = Meant::Value(TypeId::ERROR);
                (diagnostic, Recovered { meant, steps: 0 })
            }
            Meaning::Absent(absent) => {
                let steps = usize::from(absent == Absent::Environment);
                let diagnostic = absent_name(covered(steps), name.text(), absent);
                let meant = Meant::Value(TypeId::ERROR);
                (diagnostic, Recovered { meant, steps: 0 })
            }
        };
        self.session.scopes.recover(at, recovered);
        self.report_in(node, diagnostic);
        true
    }

    /// A declared name behind a prefix.
    fn behind(
        &mut self,
        node: NodeId,
        name: ast::Name<'t>,
        behind: &Behind<'t>,
        covered: impl Fn(usize) -> Span,
    ) -> (pcl_diagnostics::Diagnostic, Recovered) {
        let span = covered(behind.steps);
        let Some(declared) = &behind.declared else {
            let meant = Meant::Value(TypeId::ERROR);
            let diagnostic = undeclared_behind(span, name.text(), behind.prefix, behind.written);
            return (diagnostic, Recovered { meant, steps: 0 });
        };
        let mut steps = Vec::new();
        let mut edits = vec![TextEdit::replace(span, declared.as_str())];
        // What follows a type of Terraform is one of its outputs, which are in snake case there.
        let next = name.traversal().and_then(|t| t.steps().nth(behind.steps));
        if behind.prefix == Prefix::Type
            && let Some(next) = next
            && let StepKind::Attribute(word) = next.kind()
            && let Some(camel) = terraform::camel(word.text())
        {
            steps.push(self.session.types.symbol(&camel));
            edits.push(TextEdit::replace(Span::new(span.file, word.range()), camel));
        }
        let taken = behind.steps + steps.len();
        let written = covered(behind.steps);
        let title = format!("write `{declared}`");
        let mut fix = Fix::safe(title, edits);
        fix.applicability = if *self.nodes[node].name == **declared {
            // A node that refers to itself is the next mistake.
            Applicability::DisplayOnly
        } else if self.is_promised(declared) {
            // It exists only once the unknown block that declares it is corrected.
            Applicability::Unsafe
        } else {
            Applicability::Safe
        };
        let root = self.session.types.symbol(declared);
        let diagnostic = behind_prefix(written, name.text(), behind.prefix, declared, fix);
        let meant = Meant::Name(root, steps);
        (diagnostic, Recovered { meant, steps: taken })
    }

    /// The node that an undefined name means, if it is one.
    pub fn node_behind(&self, name: ast::Name<'_>) -> Option<NodeId> {
        match meaning(name, |name| self.is_declared(name))? {
            Meaning::Behind(behind) => {
                let symbol = self.session.types.find_symbol(&behind.declared?)?;
                let definition = self.session.scopes.lookup(self.root, symbol)?;
                self.session.scopes.definition(definition).kind.node().map(NodeId)
            }
            _ => None,
        }
    }

    /// Makes the fix of a word safe where its place takes a boolean only, and reports it.
    pub fn report_word(&mut self, node: NodeId, place: Span, takes_bool: bool) {
        if let Some(mut diagnostic) = self.words.remove(&place) {
            if takes_bool {
                for fix in &mut diagnostic.fixes {
                    fix.applicability = Applicability::Safe;
                }
            }
            self.report_in(node, diagnostic);
        }
    }

    /// Reports the words that no rule has taken.
    pub fn report_other_words(&mut self) {
        let words = std::mem::take(&mut self.words);
        self.session.reporter.report_all(words.into_values());
    }

    /// Reports a diagnostic about the body of a node.
    fn report_in(&mut self, node: NodeId, diagnostic: pcl_diagnostics::Diagnostic) {
        let matter = self.nodes[node].kind.is_resource().then_some(Matter::ResourceBody);
        let around = self.session.reporter.set_matter(matter);
        self.report(diagnostic);
        self.session.reporter.set_matter(around);
    }

    pub fn is_declared(&self, name: &str) -> bool {
        let symbol = self.session.types.find_symbol(name);
        symbol.is_some_and(|symbol| self.session.scopes.lookup(self.root, symbol).is_some())
    }

    /// Returns true for a name that only a wrong block would declare.
    fn is_promised(&self, name: &str) -> bool {
        let symbol = self.session.types.find_symbol(name);
        let definition = symbol.and_then(|symbol| self.session.scopes.lookup(self.root, symbol));
        definition.is_some_and(|definition| {
            let definition = self.session.scopes.definition(definition);
            definition.kind.node().is_none() && definition.ty == TypeId::ERROR
        })
    }

    /// Returns whether a name is similar to one that the program declares.
    pub fn is_near_a_name(&mut self, text: &str) -> bool {
        let types = &self.session.types;
        let names = self.session.scopes.names_to_compare(self.root, text);
        let names = names.map(|symbol| types.name(symbol));
        suggest_where(text, names, is_identifier).is_some()
    }

    /// Reports references to the present element of a body that Terraform would repeat.
    pub fn report_elements(&mut self, node: NodeId, is_ranged: bool) {
        for mut diagnostic in self.elements.remove(&node).unwrap_or_default() {
            if !is_ranged {
                diagnostic.fixes.clear();
            }
            self.report_in(node, diagnostic);
        }
    }

    /// The repetition of the body of a node, in PCL or as Terraform has it.
    fn repetition(&self, node: NodeId) -> Option<Repetition> {
        let is_resource = matches!(
            self.nodes[node].kind,
            NodeKind::Resource | NodeKind::Read | NodeKind::Component
        );
        let body = self.body(node).filter(|_| is_resource)?;
        if has_range(body) {
            return Some(Repetition::Ranged);
        }
        has_count(body).then_some(Repetition::Counted)
    }

    /// The text at a place in the file of a node.
    pub fn text_of(&self, node: NodeId, span: Span) -> String {
        let text = self.source(self.nodes[node].file_index).tree.text();
        text.get(span.range.to_usize()).unwrap_or_default().to_owned()
    }
}

/// A declared name behind a prefix that PCL does not have.
fn behind_prefix(
    span: Span,
    written: &str,
    prefix: Prefix,
    declared: &str,
    fix: Fix,
) -> Diagnostic {
    let (message, rule) = match prefix {
        Prefix::Variable => (
            format!("there is no `{written}.` prefix in PCL"),
            "refer to a config or local by its name alone",
        ),
        Prefix::Module => (
            format!("there is no `{written}.` prefix in PCL"),
            "a module is a component: refer to it by its name alone",
        ),
        Prefix::Type => (
            format!("`{written}.{declared}` is a Terraform reference"),
            "refer to a resource by its name alone",
        ),
    };
    Diagnostic::error(Code::UndefinedVariable, span, message)
        .help(format!("{rule}: `{declared}`"))
        .fix(fix)
}

/// A name behind such a prefix that is not declared.
fn undeclared_behind(span: Span, written: &str, prefix: Prefix, name: &str) -> Diagnostic {
    let message = format!("there is no `{written}.` prefix in PCL, and nothing declares `{name}`");
    let help = match prefix {
        Prefix::Variable => format!(
            "declare it, as in `config \"{name}\" \"string\" {{}}` or `{name} = ..`, and refer to it as `{name}`"
        ),
        Prefix::Module => format!(
            "declare it, as in `component \"{name}\" \"./{name}\" {{ .. }}`, and refer to it as `{name}`"
        ),
        Prefix::Type => format!("refer to a resource by its name alone: `{name}`"),
    };
    Diagnostic::error(Code::UndefinedVariable, span, message).help(help)
}

/// The present element under the name that Terraform has for it.
fn element(span: Span, written: &str, part: &str, is_ranged: bool) -> Diagnostic {
    let message = format!("`{written}` is written `range.{part}` in PCL");
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
    let edits = vec![TextEdit::replace(span, format!("range.{part}"))];
    let title = format!("write `range.{part}`");
    if is_ranged {
        diagnostic.fix(Fix::safe(title, edits))
    } else {
        diagnostic
            .help(format!("add `options {{ range = .. }}` to the block, and write `range.{part}`"))
    }
}

/// A value that a function without arguments gives.
fn call(span: Span, written: &str, function: &str, certain: bool) -> Diagnostic {
    let message = format!("`{written}` is written `{function}()` in PCL");
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
    let edits = vec![TextEdit::replace(span, format!("{function}()"))];
    let title = format!("call `{function}`");
    diagnostic.fix(Fix::safe_if(certain, title, edits))
}

/// A constant under the name that another language has for it.
fn foreign_word(span: Span, written: &str, constant: &Constant, certain: bool) -> Diagnostic {
    let edits = vec![TextEdit::replace(span, constant.to_string())];
    let title = format!("write `{constant}`");
    if certain {
        let message = format!("`{written}` is written `{constant}` in PCL");
        let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
        return diagnostic.fix(Fix::safe(title, edits));
    }
    let message = format!("`{written}` is neither a boolean nor a declared name");
    Diagnostic::error(Code::UndefinedVariable, span, message)
        .help(format!("write `{constant}`; for the string, write {}", quoted(written)))
        .fix(Fix::unsafe_(title, edits))
}

/// A string without quotes.
fn unquoted_text(span: Span, text: &str) -> Diagnostic {
    let message = format!("`{text}` is not declared; a string is written in quotes");
    let text = quoted(text);
    Diagnostic::error(Code::UndefinedVariable, span, message)
        .help(format!("write {text}"))
        .fix(Fix::safe("add quotes", vec![TextEdit::replace(span, text)]))
}

/// A data source of Terraform.
fn data_source(span: Span, kind: &str, function: Option<&Counterpart>) -> Diagnostic {
    let message = format!("PCL has no data sources such as `data.{kind}`");
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
    match function {
        Some(function) => diagnostic
            .help(format!("call the function: `invoke(\"{}\", {{ .. }})`", function.token)),
        None => {
            diagnostic.help("call a function, as in `invoke(\"package:module:function\", { .. })`")
        }
    }
}

/// A thing that PCL does not have.
fn absent_name(span: Span, name: &str, absent: Absent) -> Diagnostic {
    let (message, help) = match absent {
        Absent::Own => (
            format!("there is no `{name}` in PCL: a block cannot refer to itself"),
            "give the value a name of its own, `name = ..`, and refer to that",
        ),
        Absent::Environment => (
            "PCL programs cannot read environment variables".to_owned(),
            "declare a configuration variable: `config \"name\" \"string\" {}`",
        ),
    };
    Diagnostic::error(Code::UndefinedVariable, span, message).help(help)
}

/// The number of dependencies that are followed for all guesses of a module. The walks repeat each
/// other, so without a limit many unknown names in a large program would cost its square.
const STEPS: usize = 1_000_000;

impl Binder<'_, '_, '_> {
    /// Keeps the guesses in a node, which was just bound.
    pub fn keep_guesses(&mut self, node: NodeId) {
        let guesses = self.session.scopes.take_guesses();
        self.guesses.extend(guesses.into_iter().map(|guess| (node, guess)));
    }

    /// Takes back the guesses that lead to a cycle or to a value of the wrong type. All nodes are
    /// bound.
    pub fn judge_guesses(&mut self) {
        let mut steps = STEPS;
        for (node, guess) in std::mem::take(&mut self.guesses) {
            let is_circular = self.leads_back(node, &guess, &mut steps);
            self.checker(guess.span.file).judge_guess(guess, is_circular);
        }
    }

    /// Returns true if the declaration that a guess leads to needs the node that the guess is in,
    /// or if it takes more than `steps` to tell.
    fn leads_back(&self, node: NodeId, guess: &Guess, steps: &mut usize) -> bool {
        let Some(meant) = guess.meant else { return false };
        let meant = self.session.scopes.definition(meant).kind.node();
        let mut open: Vec<NodeId> = meant.map(NodeId).into_iter().collect();
        let mut seen: FxHashSet<NodeId> = open.iter().copied().collect();
        while let Some(next) = open.pop() {
            if next == node {
                return true;
            }
            let needed = self.dependencies.of(next.index());
            *steps = steps.saturating_sub(needed.len() + 1);
            if *steps == 0 {
                return true;
            }
            open.extend(needed.iter().filter(|&&needed| seen.insert(needed)));
        }
        false
    }
}

/// The key of an object that is a name with dots or slashes, such as `app.kubernetes.io/name`, and
/// that an unknown name is a part of.
fn key_without_quotes<'t>(
    name: ast::Name<'t>,
) -> Option<(TextRange, &'t str, ast::ObjectItem<'t>)> {
    let item = name.syntax().ancestors().find_map(ast::ObjectItem::cast)?;
    let key = item.key()?;
    let (range, text) = (key.range(), key.syntax().text().trim());
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '-' | '_');
    let is_key = range.contains_range(name.range())
        && text.contains(['.', '/'])
        && text.chars().all(is_word);
    is_key.then_some((range, text, item))
}

/// The names of a key with dots, if these mean an object in an object: a domain has other words.
fn nested_names(key: &str) -> Option<Vec<&str>> {
    const DOMAINS: [&str; 7] = ["app", "com", "dev", "io", "local", "net", "org"];
    let names: Vec<&str> = key.split('.').collect();
    let is_name = |name: &&str| is_identifier(name) && !name.contains('-');
    let is_domain = names.last().is_some_and(|last| DOMAINS.contains(last));
    (!is_domain && names.iter().all(is_name)).then_some(names)
}

/// The most keys of an object that are compared with one of them.
const KEYS: usize = 100;

/// Returns whether another key of the same object may begin with the same name.
fn has_sibling(item: ast::ObjectItem<'_>, root: &str) -> bool {
    let object = item.syntax().parent().and_then(ast::Object::cast);
    let keys = object.into_iter().flat_map(|object| object.items()).filter_map(|it| it.key());
    let keys: Vec<_> = keys.take(KEYS + 1).collect();
    let begins =
        |key: &&ast::Expr<'_>| key.syntax().text().split('.').next().map(str::trim) == Some(root);
    keys.len() > KEYS || keys.iter().filter(begins).count() > 1
}

/// A key of an item that is not in quotes.
fn unquoted_key(span: Span, key: &str, item: ast::ObjectItem<'_>) -> Diagnostic {
    let message = format!("the key `{key}` is not in quotes");
    // Nothing may follow a heredoc on its line.
    let value = item.value().filter(|value| !value.syntax().text().contains("<<"));
    if let Some((names, value)) = nested_names(key).zip(value) {
        let is_alone = names.first().is_some_and(|root| !has_sibling(item, root));
        let closers = " }".repeat(names.len() - 1);
        let range = TextRange::new(span.range.start(), value.range().start());
        let before_value = Span::new(span.file, range);
        let open = names.join(" = { ");
        let help = format!(
            "write an object in an object: `{open} = ..{closers}`; or quotes, if the key has dots"
        );
        let edits = vec![
            TextEdit::replace(before_value, format!("{open} = ")),
            TextEdit::insert(span.file, value.range().end(), closers),
        ];
        return Diagnostic::error(Code::UndefinedVariable, span, message)
            .help(help)
            .fix(is_alone.then(|| Fix::unsafe_("write an object in an object", edits)));
    }
    let edits = vec![TextEdit::replace(span, quoted(key))];
    // `sku.tier = ..` may mean an object in an object, and `width/2` a quotient.
    let is_label = key.split_once('/').is_some_and(|(domain, word)| {
        domain.contains('.') && word.starts_with(char::is_alphabetic)
    });
    let fix = Fix::safe_if(is_label, "add quotes", edits);
    Diagnostic::error(Code::UndefinedVariable, span, message)
        .help("a key with `.`, `/` or `-` is written in quotes; an object in an object has braces")
        .fix(fix)
}
