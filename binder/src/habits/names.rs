//! Names that other languages have and PCL has not: prefixes of variables, references by type,
//! words for constants, and strings without quotes.
//!
//! The rules, with examples: `tests/spec/habits/names.md`.

use pcl_diagnostics::{Applicability, Fix, Matter, Span, TextEdit, suggest_where};
use pcl_model::scope::{Meant, Recovered};
use pcl_model::types::TypeId;
use pcl_model::value::Constant;
use pcl_schema::Section;
use pcl_syntax::ast::{self, StepKind};
use pcl_syntax::is_identifier;

use super::meaning::{Absent, Behind, Meaning, Prefix, meaning};
use super::terraform;
use crate::binder::Binder;
use crate::messages::habits as messages;
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
        let Some(meaning) = meaning(name, |name| self.is_declared(name)) else {
            return false;
        };
        let file = self.nodes[node].file;
        let at = Span::new(file, name.range());
        let covered = |steps: usize| {
            let traversal = name.traversal();
            let taken = traversal.into_iter().flat_map(ast::Traversal::steps);
            let range = taken
                .take(steps)
                .fold(name.range(), |range, step| range.cover(step.range()));
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
                        let diagnostic = messages::element(span, &written, part, true);
                        self.elements.entry(node).or_default().push(diagnostic);
                        self.session.scopes.recover(at, recovered);
                        return true;
                    }
                    repetition => {
                        let is_ranged = repetition.is_some();
                        let diagnostic = messages::element(span, &written, part, is_ranged);
                        (diagnostic, recovered)
                    }
                }
            }
            Meaning::Call { function, certain } => {
                let span = covered(1);
                let written = self.text_of(node, span);
                let meant = Meant::Value(TypeId::STRING);
                let diagnostic = messages::call(span, &written, function, certain);
                (diagnostic, Recovered { meant, steps: 1 })
            }
            Meaning::Word { constant, certain } => {
                let diagnostic = messages::word(at, name.text(), &constant, certain);
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
                (messages::text(span, text), recovered)
            }
            Meaning::DataSource(kind) => {
                let function = self.terraform_member(Section::Functions, kind);
                let diagnostic = messages::data_source(covered(2), kind, function.as_ref());
                let meant = Meant::Value(TypeId::ERROR);
                (diagnostic, Recovered { meant, steps: 0 })
            }
            Meaning::Absent(absent) => {
                let steps = usize::from(absent == Absent::Environment);
                let diagnostic = messages::absent(covered(steps), name.text(), absent);
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
            let diagnostic =
                messages::undeclared_behind(span, name.text(), behind.prefix, behind.written);
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
        let diagnostic = messages::behind(written, name.text(), behind.prefix, declared, fix);
        let meant = Meant::Name(root, steps);
        (
            diagnostic,
            Recovered {
                meant,
                steps: taken,
            },
        )
    }

    /// The node that an undefined name means, if it is one.
    pub fn node_behind(&self, name: ast::Name<'_>) -> Option<NodeId> {
        match meaning(name, |name| self.is_declared(name))? {
            Meaning::Behind(behind) => {
                let symbol = self.session.types.find_symbol(&behind.declared?)?;
                let definition = self.session.scopes.lookup(self.root, symbol)?;
                let definition = self.session.scopes.definition(definition);
                definition.kind.node().map(NodeId)
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
        let is_resource = self.nodes[node].kind.is_resource();
        let matter = is_resource.then_some(Matter::ResourceBody);
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

    fn text_of(&self, node: NodeId, span: Span) -> String {
        let text = self.source(self.nodes[node].file_index).tree.text();
        text.get(span.range.to_usize())
            .unwrap_or_default()
            .to_owned()
    }
}
