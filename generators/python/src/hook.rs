//! Hooks: commands that run when something happens to a resource.

use pcl::document::{Constant, Hook, Node, NodeIndex};

use crate::module::Writer;
use crate::print::{self, Id, Item};

impl<'d> Writer<'d> {
    pub fn hook(&mut self, index: NodeIndex, node: &'d Node, hook: &'d Hook) -> Vec<Id> {
        self.library("subprocess");
        let command = match hook.command {
            Some(command) => self.value(command),
            None => self.tree.list([]),
        };
        let check = self.tree.name(if hook.on_error { "False" } else { "True" });
        let items = [Item::from(command), Item::keyword("check", check)];
        let run = self.tree.call("subprocess.run", items);
        let statement = if hook.on_error {
            // An operation that failed is tried again if the command succeeds.
            let (status, zero) = (self.tree.member(run, "returncode"), self.tree.name("0"));
            let value = self.tree.binary(status, "==", zero);
            self.tree.add(print::Node::Return(value))
        } else {
            self.tree.add(print::Node::Evaluate(run))
        };
        let (class, arguments, returns) = if hook.on_error {
            ("pulumi.ErrorHook", "pulumi.ErrorHookArgs", "bool")
        } else {
            ("pulumi.ResourceHook", "pulumi.ResourceHookArgs", "None")
        };
        let function = self.names.take(&format!("run_{}", node.name));
        let defined = self.tree.add(print::Node::Def {
            name: function.clone(),
            parameters: vec![format!("args: {arguments}")],
            returns: returns.to_owned(),
            body: vec![statement],
        });
        let name = match self.component {
            None => self.tree.text(node.logical_name()),
            Some(_) => {
                let name = self.tree.name("name");
                self.formatted(vec![String::new(), format!("-{}", node.logical_name())], vec![name])
            }
        };
        let mut arguments = vec![name, self.tree.name(function)];
        let mut options = Vec::new();
        for (name, switch) in
            [("on_dry_run", hook.on_dry_run), ("ignore_errors", hook.ignore_errors)]
        {
            let switch = switch
                .filter(|&switch| self.document.literal(switch) != Some(&Constant::Bool(false)));
            if let Some(switch) = switch {
                let value = self.value(switch);
                options.push(Item::keyword(name, value));
            }
        }
        if !options.is_empty() {
            arguments.push(self.tree.call("pulumi.ResourceHookOptions", options));
        }
        let value = self.tree.call(class, arguments);
        let statement = if self.is_unused(index) {
            self.tree.add(print::Node::Evaluate(value))
        } else {
            self.tree.assign(&self.key(index), value)
        };
        vec![defined, statement]
    }
}
