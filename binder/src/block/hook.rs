//! `hook "resource" name { command = [..] }`
//!
//! The rules, with examples: `tests/spec/blocks/hook.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, suggest};
use pcl_language::{HOOK, HOOK_KINDS};
use pcl_model::scope::{Definition, ScopeId};
use pcl_model::types::TypeId;
use pcl_syntax::ast;

use super::attributes::Given;
use crate::binder::Binder;
use crate::declare::UNNAMED;
use crate::node::{HookBody, NodeBody, NodeId};

impl<'t> Binder<'_, '_, 't> {
    /// Binds a hook. `command` sees `args`, what the engine tells the hook.
    pub fn bind_hook(&mut self, node: NodeId) {
        let kind = self.first_label(node);
        let mut hook = HookBody {
            on_error: kind.is_some_and(|label| label.text() == "error"),
            ..HookBody::default()
        };
        // One label may be the kind or the name, which has been reported.
        let has_both = self.block(node).is_some_and(|block| block.labels().nth(1).is_some());
        if let Some(label) = kind
            && has_both
            && !HOOK_KINDS.contains(&&*label.text())
        {
            self.unknown_hook_kind(node, label);
        }
        let kind = if hook.on_error { "error" } else { "resource" };
        let mut has_command = false;
        for item in self.body_items(node) {
            let Some((rule, attribute)) = self.known_attribute(node, item, &HOOK, Some(kind))
            else {
                continue;
            };
            let scope = match rule.name {
                "command" => self.hook_scope(hook.on_error),
                _ => self.root,
            };
            let Given::Value(value) = self.read_attribute(node, rule, attribute, scope) else {
                continue;
            };
            match rule.name {
                "command" => (hook.command, has_command) = (value, true),
                "onDryRun" => hook.on_dry_run = value,
                _ => hook.ignore_errors = value,
            }
        }
        if !has_command
            && *self.nodes[node].name != *UNNAMED
            && !self.body_is_broken(node)
            && let Some(block) = self.block(node)
        {
            let range =
                block.open_brace().map_or_else(|| block.header_range(), |brace| brace.range());
            let span = self.node_span(node, range);
            let name = &self.nodes[node].name;
            self.report(missing_command(span, name));
        }
        self.nodes[node].body = NodeBody::Hook(Box::new(hook));
        self.set_type(node, TypeId::DYNAMIC);
    }

    /// A scope with `args`: what the engine passes to a hook.
    fn hook_scope(&mut self, on_error: bool) -> ScopeId {
        let types = &mut self.session.types;
        let values = types.map(TypeId::DYNAMIC);
        let mut members = vec![
            ("urn", TypeId::STRING),
            ("id", TypeId::ID),
            ("name", TypeId::STRING),
            ("type", TypeId::STRING),
            ("newInputs", values),
            ("oldInputs", values),
            ("oldOutputs", values),
        ];
        if !on_error {
            members.push(("newOutputs", values));
        }
        let members: Vec<_> =
            members.into_iter().map(|(name, ty)| (types.symbol(name), ty)).collect();
        let args = types.object(members);
        let name = types.symbol("args");
        let scope = self.session.scopes.new_scope(Some(self.root));
        let _ = self.session.scopes.define(scope, Definition::variable(name, args));
        scope
    }

    fn unknown_hook_kind(&mut self, node: NodeId, label: ast::Label<'t>) {
        let kind = label.text();
        let message = format!("there is no kind of hook called `{kind}`");
        let span = self.node_span(node, label.range());
        let fix = suggest(&kind, HOOK_KINDS.iter().copied()).map(|meant| {
            let edit = TextEdit::replace(self.node_span(node, label.content_range()), meant);
            Fix::respelled(&kind, meant, format!("write `{meant}`"), vec![edit])
        });
        let diagnostic = Diagnostic::error(Code::UnknownHookKind, span, message)
            .help("a hook is of the kind `resource` (around changes) or `error` (after a failure)")
            .fix(fix);
        self.report(diagnostic);
    }
}

/// A hook without a command.
fn missing_command(span: Span, name: &str) -> Diagnostic {
    let message = format!("hook `{name}` has no command");
    Diagnostic::error(Code::MissingHookCommand, span, message)
        .help("add `command = [\"program\", \"argument\"]` to its body")
}
