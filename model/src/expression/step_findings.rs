//! What there is to say about a step that does not lead where it should.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, TextRange};

use super::{Checker, quoted, shown};
use crate::relations::{Key, TraverseProblem, TraverseProblemKind};
use crate::types::{Type, TypeId};
use crate::value::{Constant, Number};

impl Checker<'_> {
    /// Strings convert to numbers, so `names.length` passes for an index. It never is one.
    pub(super) fn warn_of_list_name(&mut self, ty: TypeId, key: &Key, range: TextRange) {
        let stripped = self.types.strip(ty);
        let &Type::List(element) = self.types.get(stripped) else {
            return;
        };
        let name = match key {
            Key::Name(name) => self.types.shared_name(*name),
            Key::Constant(Constant::String(name)) => Arc::clone(name),
            _ => return,
        };
        if Number::parse(&name).is_some() {
            return;
        }
        let span = Span::new(self.file, range);
        let message = format!("a list has no part called `{name}`");
        let finding = Diagnostic::warning(Code::ListIndexNotNumber, span, message).ours();
        let element = self.types.strip(element);
        let symbol = self.types.symbol(&name);
        let finding = if self.types.property(element, symbol).is_some() {
            let insert = TextEdit::insert(span.file, range.start(), "[*]");
            finding
                .help("its elements have: reach into all with `[*]`, or into one with `[0]`")
                .fix(Fix::unsafe_("reach into all elements", vec![insert]))
        } else {
            finding.help(match &*name {
                "length" | "len" | "size" | "count" => "use `length(..)` to count its elements",
                _ => "use an index, as in `[0]`, or `[*]` to reach into every element",
            })
        };
        self.reporter.report(finding);
    }

    /// Reports what is wrong with one step. What the members of a union say one by one is one finding.
    pub fn report_step(&mut self, problems: &[TraverseProblem], range: TextRange, key: &Key) {
        let problem = match problems {
            [member, _union] => member,
            [.., problem] => problem,
            [] => return,
        };
        let span = Span::new(self.file, range);
        let diagnostic = self.describe(&problem.kind, span, key);
        self.reporter
            .report(diagnostic.with_severity(problem.severity));
    }

    pub(super) fn describe(
        &mut self,
        kind: &TraverseProblemKind,
        span: Span,
        key: &Key,
    ) -> Diagnostic {
        use TraverseProblemKind as Kind;
        match *kind {
            Kind::Unsupported { receiver } => {
                let shown = shown(self.types, receiver);
                let message = format!("{shown} has no parts to reach into");
                Diagnostic::error(Code::CannotTraverse, span, message)
                    .help("only objects, maps, lists and tuples have parts")
            }
            Kind::NoneReceiver => {
                let message = "null has no parts to reach into";
                Diagnostic::error(Code::CannotTraverse, span, message)
            }
            Kind::ListIndex { key } => {
                let message = format!("the index must be a number, not {}", shown(self.types, key));
                Diagnostic::error(Code::TypeNotAssignable, span, message)
            }
            Kind::MapKey { key } => {
                let message = format!("the index must be a string, not {}", shown(self.types, key));
                Diagnostic::error(Code::TypeNotAssignable, span, message)
            }
            Kind::TupleIndex { .. } => {
                let message = "a tuple is indexed by a whole number";
                Diagnostic::error(Code::TupleIndexNotInteger, span, message)
                    .help("count its elements from 0, as in `[0]`")
            }
            Kind::TupleRange { length } => {
                let elements = match length {
                    0 => "no elements".to_owned(),
                    1 => "one element".to_owned(),
                    _ => format!("{length} elements"),
                };
                let message = match key {
                    Key::Constant(key) => {
                        format!("there is no element `[{key}]`: this tuple has {elements}")
                    }
                    _ => format!("there is no such element: this tuple has {elements}"),
                };
                let diagnostic = Diagnostic::error(Code::TupleIndexOutOfRange, span, message);
                match length.checked_sub(1) {
                    Some(last) => diagnostic.help(format!("the last element is `[{last}]`")),
                    None => diagnostic,
                }
            }
            Kind::ObjectKey { key: ty } => {
                let shown = match key {
                    Key::Constant(Constant::Null) => "null".to_owned(),
                    _ => shown(self.types, ty),
                };
                let message = format!("a property is asked for by a string, not {shown}");
                Diagnostic::error(Code::PropertyNameNotString, span, message)
                    .help("write the name of the property, as in `[\"name\"]`")
            }
            Kind::OtherCase { asked, actual } => {
                let [asked, actual] = [asked, actual].map(|name| self.types.shared_name(name));
                let message = format!("the property is called `{actual}`, not `{asked}`");
                let fix = rename(span, key, &actual);
                Diagnostic::warning(Code::PropertyCaseMismatch, span, message)
                    .fix(Fix::safe(format!("write `{actual}`"), vec![fix]))
            }
            Kind::UnknownProperty { name, object } => {
                let name = self.types.shared_name(name);
                let properties = self.types.properties(object).unwrap_or_default();
                let message = format!("there is no property `{name}` here");
                let mut diagnostic = Diagnostic::error(Code::UnknownProperty, span, message);
                let types = &*self.types;
                let names = properties.iter().map(|&(name, _)| types.name(name));
                let comparisons = self.scopes.comparisons();
                if let Some(meant) = comparisons.suggest(&name, names.clone()) {
                    let fix = rename(span, key, meant);
                    diagnostic = diagnostic
                        .help(format!("did you mean `{meant}`?"))
                        .fix(Fix::unsafe_(format!("use `{meant}`"), vec![fix]));
                }
                diagnostic.note(listed(names))
            }
        }
    }
}

/// Rewrites a step so that it asks for `name`, in the form in which it is written.
fn rename(span: Span, key: &Key, name: &str) -> TextEdit {
    let text = match key {
        Key::Name(_) if pcl_syntax::is_identifier(name) => format!(".{name}"),
        _ => format!("[{}]", quoted(name)),
    };
    TextEdit::replace(span, text)
}

/// The properties that there are, as far as they are few enough to read.
fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const MOST: usize = 12;
    let count = names.len();
    let shown: Vec<String> = names.take(MOST).map(|name| format!("`{name}`")).collect();
    let shown = shown.join(", ");
    match count {
        0 => "the object has no properties".to_owned(),
        1 => format!("its only property is {shown}"),
        2..=MOST => format!("its properties are {shown}"),
        _ => format!("it has {count} properties, among them {shown}"),
    }
}
