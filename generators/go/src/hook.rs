//! Hooks: commands that run when something happens to a resource.

use pcl::document::{Constant, ExpressionKind, Hook, Node, NodeIndex};

use crate::module::{Value, Writer, complete};
use crate::names::exported;
use crate::place::Place;
use crate::syntax::{Expr, Item, Stmt};
use crate::types::Ty;

impl<'d> Writer<'d> {
    pub fn hook(&mut self, index: NodeIndex, node: &'d Node, hook: &'d Hook) {
        let document = self.document;
        let key = self.key(index);
        let (mut body, command) = self.block(|writer| {
            let Some(command) = hook.command else {
                return Expr::call("exec.Command", [Expr::quoted("")]);
            };
            writer.refuel(command);
            let list = document.unconverted(command);
            if let ExpressionKind::Tuple { elements } = &document.expression(list).kind
                && !elements.is_empty()
            {
                let text = Place::Plain(Ty::Text);
                let words: Vec<Expr> =
                    elements.iter().map(|&word| writer.operand_in(word, &text)).collect();
                return Expr::call("exec.Command", words);
            }
            let words = writer.operand_in(command, &Place::Plain(Ty::list(Ty::Text)));
            let words = writer.simple("words", Value::new(words, Ty::list(Ty::Text))).expr;
            let first = words.clone().index(Expr::text("0"));
            let rest = words.index(Expr::text("1:"));
            Expr::Call {
                callee: Box::new(Expr::text("exec.Command")),
                arguments: vec![first, rest],
                expands: true,
            }
        });
        let run = command.method("Run", []);
        let (function, kind, class, zero) = if hook.on_error {
            // An operation that failed is tried again if the command succeeds.
            let succeeded = Expr::binary("==", run, Expr::nil());
            body.push(Stmt::Return(vec![succeeded, Expr::nil()]));
            ("RegisterErrorHook", "ErrorHook", "*pulumi.ErrorHookArgs", "false")
        } else {
            body.push(Stmt::Return(vec![run]));
            ("RegisterResourceHook", "ResourceHook", "*pulumi.ResourceHookArgs", "")
        };
        complete(&mut body, zero);
        let parameters = if crate::syntax::mentions(&body, "args") {
            format!("args {class}")
        } else {
            format!("_ {class}")
        };
        let results = if hook.on_error { "(bool, error)" } else { "error" };
        let callback = Expr::Function { parameters, results: results.to_owned(), body };
        let texts = match self.component {
            None => vec![node.logical_name().to_owned()],
            Some(_) => vec![String::new(), format!("-{}", node.logical_name())],
        };
        let values = match self.component {
            None => Vec::new(),
            Some(_) => vec![Value::text("name", Ty::Text)],
        };
        let name = self.formatted(&texts, values).expr;
        let mut arguments = vec![name, callback];
        if !hook.on_error {
            let mut options = Vec::new();
            for (name, switch) in
                [("onDryRun", hook.on_dry_run), ("ignoreErrors", hook.ignore_errors)]
            {
                let switch = switch
                    .filter(|&switch| document.literal(switch) != Some(&Constant::Bool(false)));
                if let Some(switch) = switch {
                    let value = self.value_in(switch, &Place::Plain(Ty::Bool));
                    options.push(Item::keyed(exported(name), value));
                }
            }
            arguments.push(if options.is_empty() {
                Expr::nil()
            } else {
                let ty = "pulumi.ResourceHookOptions".to_owned();
                Expr::unary("&", Expr::Composite { ty, items: options, on_lines: true })
            });
        }
        let call = Expr::call(format!("ctx.{function}"), arguments);
        self.emit(Stmt::define([&key, "err"], call));
        self.emit(Stmt::check());
        self.nodes.insert(index, Value::text(key, Ty::Hook(kind)));
    }
}
