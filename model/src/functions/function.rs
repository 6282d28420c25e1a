//! Functions, and the calls that they are applied in.

use std::borrow::Cow;
use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, Matter, Policy, Span, TextRange};
use smallvec::SmallVec;

use crate::expression::arena::ExprArena;
use crate::expression::checker::Checker;
use crate::expression::expr::{ExprId, Operands};
use crate::types::{NominalKey, TypeId, TypeStore};

/// Something that can be called.
pub trait Callable: Send + Sync {
    /// The signature of this call. The function may report what is wrong with the call; the
    /// arguments are checked against the signature afterwards.
    fn signature(&self, call: &mut CallContext<'_, '_>) -> Signature;
}

/// An argument as the signature sees it. A last argument followed by `...` is spread: a tuple
/// counts as its elements, a list or set as one argument of its element type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// The bound expression; for a spread argument the whole collection.
    pub expr: ExprId,
    /// The type of the argument; for a spread argument that of the element.
    pub ty: TypeId,
    /// The range of the expression.
    pub range: TextRange,
}

/// The arguments of a call. Few are stored inline.
pub type Arguments = SmallVec<[Argument; 4]>;

/// The places of a call, and its bound arguments.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The name of the function, with its name spaces.
    pub name: Arc<str>,
    /// From the name to the closing parenthesis.
    pub range: TextRange,
    /// The name.
    pub name_range: TextRange,
    /// The arguments as written.
    pub written: Operands,
    /// The arguments after a final `...` is applied.
    pub arguments: Arguments,
    /// True when there is a syntax error in the call: then there may be more or fewer arguments
    /// than the tree has.
    pub is_broken: bool,
    /// True when that error is between the arguments, not inside one of them.
    pub is_lost: bool,
    /// True when a positional `invoke` was rewritten to give its inputs as one object.
    pub gives_object: bool,
}

/// A call whose signature is requested.
pub struct CallContext<'c, 'a> {
    /// Types, scopes, expressions, options: all that the checker works with.
    pub checker: &'c mut Checker<'a>,
    /// The call.
    pub site: &'c CallSite,
    /// A call of the function as it should be, which its own signature supplies.
    pub(crate) example: Option<&'static str>,
}

impl CallContext<'_, '_> {
    /// The types of the program.
    pub fn types(&mut self) -> &mut TypeStore {
        self.checker.types
    }

    /// The expressions bound so far, the arguments among them.
    pub fn exprs(&self) -> &ExprArena {
        self.checker.exprs
    }

    /// The options that decide the severity of diagnostics.
    pub fn policy(&self) -> &Policy {
        self.checker.reporter.policy()
    }

    /// The argument at `index`, after a final `...` is applied.
    pub fn argument(&self, index: usize) -> Option<Argument> {
        self.site.arguments.get(index).copied()
    }

    /// The number of arguments, after a final `...` is applied.
    pub fn argument_count(&self) -> usize {
        self.site.arguments.len()
    }

    /// The type of the argument at `index`; `dynamic` when there is none.
    pub fn argument_type(&self, index: usize) -> TypeId {
        self.argument(index).map_or(TypeId::DYNAMIC, |argument| argument.ty)
    }

    /// The text of the argument at `index`, if it is a quoted string (or heredoc) of plain text.
    pub fn literal_string(&self, index: usize) -> Option<Arc<str>> {
        self.checker.exprs.literal_string(self.argument(index)?.expr)
    }

    /// The range to blame for the argument at `index`: the argument, or the name of the function
    /// when there is none.
    pub fn argument_range(&self, index: usize) -> TextRange {
        self.argument(index).map_or(self.site.name_range, |argument| argument.range)
    }

    /// A range of the file that contains the call.
    pub fn span(&self, range: TextRange) -> Span {
        Span::new(self.checker.file, range)
    }

    /// Reports a diagnostic.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.checker.reporter.report(diagnostic);
    }

    /// Reports a diagnostic about a matter that an option may excuse.
    pub fn report_about(&mut self, matter: Matter, diagnostic: Diagnostic) {
        self.checker.reporter.report_about(matter, diagnostic);
    }

    /// Reports a wrong call of a function of the language, with an example of a right one.
    pub(crate) fn report_misuse(&mut self, diagnostic: Diagnostic) {
        let diagnostic = self.with_example(diagnostic);
        self.report(diagnostic);
    }

    /// Reports that a function does not work on values of the type `given`, unless that may be any
    /// type. Returns the type to go on with.
    pub(crate) fn refuse(&mut self, given: TypeId, diagnostic: Diagnostic) -> TypeId {
        let types = self.types();
        let resolved = types.resolve(given);
        if types.strip(resolved) != TypeId::DYNAMIC {
            self.report_misuse(diagnostic);
            return TypeId::ERROR;
        }
        let diagnostic = self.with_example(diagnostic);
        self.report_about(Matter::DynamicArgument, diagnostic);
        self.checker.unless_excused(Matter::DynamicArgument)
    }

    fn with_example(&self, diagnostic: Diagnostic) -> Diagnostic {
        match self.example {
            Some(example) => diagnostic.help(format!("call it like `{example}`")),
            None => diagnostic,
        }
    }
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name, for messages; arguments are passed by position only.
    pub name: Cow<'static, str>,
    /// The type that an argument is converted to. A parameter whose type accepts `none` may be left
    /// out, unless it is `dynamic`.
    pub ty: TypeId,
    /// The role of an argument in messages, if it is another one than that of its name.
    pub role: Option<String>,
}

impl Parameter {
    /// A parameter of that name and type.
    pub fn new(name: impl Into<Cow<'static, str>>, ty: TypeId) -> Self {
        Self { name: name.into(), ty, role: None }
    }

    /// The parameter with a description of its argument for messages, such as "the inputs of `f`".
    #[must_use]
    pub fn described(self, role: impl Into<String>) -> Self {
        Self { role: Some(role.into()), ..self }
    }

    /// Returns whether a call may leave it out.
    pub fn is_optional(&self, types: &mut TypeStore) -> bool {
        self.ty != TypeId::DYNAMIC && types.assignable(self.ty, TypeId::NONE)
    }
}

/// The parameters and result of one call of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The parameters with a place of their own.
    pub parameters: Vec<Parameter>,
    /// The parameter for every further argument; without it further arguments are errors.
    pub variadic: Option<Parameter>,
    /// The type of the call, before it is lifted because of eventual arguments.
    pub returns: TypeId,
    /// The argument that decides what the others must be: the token of an `invoke`.
    pub decided_by: Option<TextRange>,
    /// True when the arguments after the first are the properties of one input object: a positional
    /// `invoke`.
    pub multi_argument: bool,
    /// The function or method of a package that is called; its shape is that of the inputs. `None`
    /// for functions of the language.
    pub callee: Option<NominalKey>,
}

impl Signature {
    /// A signature of fixed parameters.
    pub const fn new(parameters: Vec<Parameter>, returns: TypeId) -> Self {
        Self {
            parameters,
            variadic: None,
            returns,
            decided_by: None,
            multi_argument: false,
            callee: None,
        }
    }

    /// The signature of a function that does not exist: anything goes, and what comes out is an
    /// error that was reported.
    pub fn unknown() -> Self {
        Self {
            variadic: Some(Parameter::new("arguments", TypeId::DYNAMIC)),
            ..Self::new(Vec::new(), TypeId::ERROR)
        }
    }

    /// The parameter that takes the argument at `index`.
    pub fn parameter(&self, index: usize) -> Option<&Parameter> {
        self.parameters.get(index).or(self.variadic.as_ref())
    }
}
