//! A further look at a program while and after it is bound.

use pcl_diagnostics::Reporter;

use crate::binder::Binder;
use crate::node::NodeId;
use crate::per_node::PerNode;
use crate::program::{Module, Program};
use crate::session::Session;

/// A further look at a program, which reports more about it.
pub trait Examine {
    /// Looks at nodes that are bound, each after those that it needs. Their bodies are dropped
    /// afterwards, which happens only to programs without components, and only with
    /// [`diagnostics_only`](crate::Options::diagnostics_only).
    fn nodes(&mut self, program: Program, nodes: &[NodeId], reporter: &Reporter) -> Program;

    /// Looks at the program, whose nodes have their bodies unless [`Examine::nodes`] was called.
    fn program(&mut self, program: Program, reporter: &mut Reporter) -> Program;
}

impl Binder<'_, '_, '_> {
    /// Lets nodes be examined that are bound.
    pub(crate) fn examine(&mut self, nodes: &[NodeId]) {
        let Some(examiner) = self.session.examiner.take() else {
            return;
        };
        let module = self.take_module();
        let program = self.session.take_program(module);
        let program = examiner.nodes(program, nodes, &self.session.reporter);
        let module = self.session.put_back(program);
        self.nodes = PerNode::from_vec(module.nodes);
        self.dependencies = module.dependencies;
        self.session.examiner = Some(examiner);
    }
}

impl Session<'_> {
    /// The program so far, which has to be put back.
    fn take_program(&mut self, module: Module) -> Program {
        Program {
            module,
            components: std::mem::take(&mut self.components),
            exprs: std::mem::take(&mut self.exprs),
            types: std::mem::take(&mut self.types),
            scopes: std::mem::take(&mut self.scopes),
            schemas: std::sync::Arc::clone(&self.schemas),
            policy: self.reporter.policy().clone(),
        }
    }

    fn put_back(&mut self, program: Program) -> Module {
        self.components = program.components;
        self.exprs = program.exprs;
        self.types = program.types;
        self.scopes = program.scopes;
        program.module
    }
}
