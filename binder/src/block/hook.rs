//! `hook "resource" name { command = [..] }`

use pcl_diagnostics::{Code, Diagnostic, Fix, TextEdit, TextRange, suggest};
use pcl_model::scope::{Definition, ScopeId};
use pcl_model::types::TypeId;
use pcl_syntax::ast;

use crate::binder::Binder;
use crate::declare::UNNAMED;
use crate::program::{HookBody, NodeBody, NodeId};

/// The kinds of hooks: the first label.
pub(crate) const KINDS: &[&str] = &["error", "resource"];

/// What a hook that runs around changes may hold.
const RESOURCE_ATTRIBUTES: &[&str] = &["command", "ignoreErrors", "onDryRun"];

/// What a hook that runs on errors may hold.
const ERROR_ATTRIBUTES: &[&str] = &["command"];

impl<'t> Binder<'_, '_, 't> {
    /// Binds a hook. `command` sees `args`, what the engine tells the hook.
    pub fn bind_hook(&mut self, node: NodeId) {
        let kind = self.block(node).and_then(|block| block.labels().next());
        let mut hook = HookBody {
            on_error: kind.is_some_and(|label| label.text() == "error"),
            ..HookBody::default()
        };
        if let Some(label) = kind
            && !KINDS.contains(&&*label.text())
        {
            self.unknown_hook_kind(node, label);
        }
        let allowed = if hook.on_error {
            ERROR_ATTRIBUTES
        } else {
            RESOURCE_ATTRIBUTES
        };
        let mut has_command = false;
        for item in self.body_items(node) {
            match item {
                ast::Item::Attribute(attribute) => {
                    let Some(name) = attribute.name() else {
                        continue;
                    };
                    match name.text() {
                        "command" => {
                            has_command = true;
                            let scope = self.hook_scope(hook.on_error);
                            hook.command = self.bind_value(node, attribute, scope);
                            let strings = self.session.types.list(TypeId::STRING);
                            self.check_hook_value(hook.command, strings, "`command`");
                        }
                        "onDryRun" if !hook.on_error => {
                            hook.on_dry_run = self.bind_value(node, attribute, self.root);
                            self.check_hook_value(hook.on_dry_run, TypeId::BOOL, "`onDryRun`");
                        }
                        "ignoreErrors" if !hook.on_error => {
                            hook.ignore_errors = self.bind_value(node, attribute, self.root);
                            self.check_hook_value(
                                hook.ignore_errors,
                                TypeId::BOOL,
                                "`ignoreErrors`",
                            );
                        }
                        text => {
                            let (text, range) = (text.to_owned(), name.range());
                            self.bind_value(node, attribute, self.root);
                            self.unknown_hook_member(node, &text, range, allowed);
                        }
                    }
                }
                ast::Item::Block(block) => {
                    if let Some(keyword) = block.keyword() {
                        let (text, range) = (keyword.text().to_owned(), keyword.range());
                        self.unknown_hook_member(node, &text, range, allowed);
                    }
                }
                ast::Item::Bogus(_) => {}
            }
        }
        if !has_command
            && self.nodes[node.index()].name != UNNAMED
            && !self.body_is_broken(node)
            && let Some(block) = self.block(node)
        {
            let range = block
                .open_brace()
                .map_or_else(|| block.header_range(), |brace| brace.range());
            let span = self.node_span(node, range);
            self.report(
                Diagnostic::error(
                    Code::MissingHookCommand,
                    span,
                    format!("hook `{}` has no command", self.nodes[node.index()].name),
                )
                .help("add `command = [\"program\", \"argument\"]` to its body"),
            );
        }
        self.nodes[node.index()].body = NodeBody::Hook(hook);
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
        let members: Vec<_> = members
            .into_iter()
            .map(|(name, ty)| (types.symbol(name), ty))
            .collect();
        let args = types.object(members);
        let name = types.symbol("args");
        let scope = self.session.scopes.new_scope(Some(self.root));
        let _ = self
            .session
            .scopes
            .define(scope, Definition::variable(name, args));
        scope
    }

    fn check_hook_value(
        &mut self,
        value: Option<pcl_model::expression::ExprId>,
        target: TypeId,
        place: &str,
    ) {
        if let Some(value) = value
            && let Some(finding) = self.mismatch(value, target, &place)
        {
            self.report(finding);
        }
    }

    fn unknown_hook_kind(&mut self, node: NodeId, label: ast::Label<'t>) {
        let text = label.text().into_owned();
        let span = self.node_span(node, label.range());
        let mut finding = Diagnostic::error(
            Code::UnknownHookKind,
            span,
            format!("there is no kind of hook called `{text}`"),
        )
        .help("a hook is of the kind `resource` (around changes) or `error` (after a failure)");
        if let Some(meant) = suggest(&text, KINDS.iter().copied()) {
            let edit = self.node_span(node, label.content_range());
            finding = finding.fix(Fix::safe(
                format!("write `{meant}`"),
                vec![TextEdit::replace(edit, meant)],
            ));
        }
        self.report(finding);
    }

    fn unknown_hook_member(
        &mut self,
        node: NodeId,
        name: &str,
        range: TextRange,
        allowed: &[&'static str],
    ) {
        let span = self.node_span(node, range);
        let finding = Diagnostic::error(
            Code::UnknownProperty,
            span,
            format!("a hook of this kind has no `{name}`"),
        );
        let finding = self.with_choices(finding, name, span, allowed.iter().copied());
        self.report(finding);
    }
}
