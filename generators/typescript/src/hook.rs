//! Hooks: commands that run when something happens to a resource.

use pcl::document::{Constant, ExpressionKind, Hook, Node, NodeIndex};

use crate::module::Writer;
use crate::print::{self, Entry, Id};

impl<'d> Writer<'d> {
    pub fn hook(&mut self, index: NodeIndex, node: &'d Node, hook: &'d Hook) -> Vec<Id> {
        self.node_modules.insert("childProcess");
        let command = match hook.command {
            Some(command) => self.value(command),
            None => self.tree.array([]),
        };
        let words = match self.tree.node(command) {
            print::Node::Array(words) => words.clone(),
            _ => Vec::new(),
        };
        let is_written = hook.command.is_some_and(|command| {
            matches!(self.document.expression(command).kind, ExpressionKind::Tuple { .. })
        });
        let mut body = Vec::new();
        let (program, arguments) = match words.split_first() {
            Some((&program, arguments)) if is_written => {
                (program, self.tree.array(arguments.to_vec()))
            }
            _ => {
                let pattern = "[program, ...parameters]".to_owned();
                body.push(self.tree.constant(pattern, command));
                (self.tree.name("program"), self.tree.name("parameters"))
            }
        };
        let run =
            if hook.on_error { "childProcess.spawnSync" } else { "childProcess.execFileSync" };
        let run = self.tree.call(run, [program, arguments]);
        body.push(if hook.on_error {
            // An operation that failed is tried again if the command succeeds.
            let (status, zero) = (self.tree.member(run, "status"), self.tree.name("0"));
            let value = self.tree.binary(status, "===", zero);
            let word = "return";
            self.tree.add(print::Node::Leave { word, value })
        } else {
            self.tree.add(print::Node::Evaluate(run))
        });
        let body = self.tree.add(print::Node::Block(body));
        let args = self.tree.name("args");
        let parameters: Vec<Id> = if self.uses_args(hook) { vec![args] } else { Vec::new() };
        let function = self.tree.arrow(parameters, body);
        let name = match self.component {
            None => self.tree.text(node.logical_name()),
            Some(_) => {
                let (tag, values) = (None, vec![self.tree.name("name")]);
                let texts = vec![String::new(), format!("-{}", node.logical_name())];
                self.tree.add(print::Node::Template { tag, texts, values })
            }
        };
        let mut options = Vec::new();
        for (name, switch) in [("onDryRun", hook.on_dry_run), ("ignoreErrors", hook.ignore_errors)]
        {
            let switch = switch
                .filter(|&switch| self.document.literal(switch) != Some(&Constant::Bool(false)));
            if let Some(switch) = switch {
                let value = self.value(switch);
                options.push(Entry::new(name, value));
            }
        }
        let class = if hook.on_error { "pulumi.ErrorHook" } else { "pulumi.ResourceHook" };
        let mut arguments = vec![name, function];
        if !options.is_empty() {
            arguments.push(self.tree.object(options));
        }
        let value = self.tree.construct(class, arguments);
        vec![self.tree.constant(self.key(index), value)]
    }

    fn uses_args(&self, hook: &Hook) -> bool {
        let document = self.document;
        hook.command.is_some_and(|command| {
            document.walk(command).into_iter().any(|index| {
                matches!(&document.expression(index).kind,
                    ExpressionKind::Traversal(traversal) if traversal.name == "args")
            })
        })
    }
}
