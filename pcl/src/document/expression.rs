//! The expressions of a document: one table, operands before what uses them.

use pcl_language::Function;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::is_default;
use super::place::Place;
use crate::document::place::{ExpressionIndex, MemberIndex, NodeIndex, TypeIndex, VariableIndex};
use crate::document::types::Constant;

/// A typed expression.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Expression {
    /// The kind of expression, with its operands.
    #[serde(flatten)]
    pub kind: ExpressionKind,
    /// The type of its value.
    #[serde(rename = "type")]
    pub ty: TypeIndex,
    /// The type that its place expects, if it is known. For an object literal in a union, this is
    /// the member that it becomes, as far as that can be determined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<TypeIndex>,
    /// Its text.
    pub range: Place,
}

/// The kinds of expressions. Operands are positions in
/// [`Document::expressions`](super::Document::expressions), always smaller than that of the
/// expression itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ExpressionKind {
    /// A value written out: a number, `true`, `null`, a bare object key, a run of text in a
    /// template.
    Literal {
        /// The value.
        value: Constant,
    },
    /// A quoted string or heredoc. Plain text is a single literal part.
    Template {
        /// Texts and interpolations in turn.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        parts: Vec<ExpressionIndex>,
    },
    /// `%{ for … }`: the strings of the loop one after the other.
    TemplateJoin {
        /// The loop.
        value: ExpressionIndex,
    },
    /// `-x`, `!x`.
    Unary {
        /// The operator as written.
        operator: UnaryOperator,
        /// The operand.
        operand: ExpressionIndex,
    },
    /// `a + b` and its like.
    Binary {
        /// The operator as written.
        operator: BinaryOperator,
        /// The left operand.
        left: ExpressionIndex,
        /// The right operand.
        right: ExpressionIndex,
    },
    /// `c ? a : b`.
    Conditional {
        /// The condition.
        condition: ExpressionIndex,
        /// The value if so.
        if_true: ExpressionIndex,
        /// The value if not.
        if_false: ExpressionIndex,
    },
    /// `[a, b]`.
    Tuple {
        /// The elements.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        elements: Vec<ExpressionIndex>,
    },
    /// `{ a = b }`.
    Object {
        /// The items in source order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        items: Vec<ObjectItem>,
    },
    /// `c[k]` where `k` is more than a literal.
    Index {
        /// The collection.
        collection: ExpressionIndex,
        /// The key.
        key: ExpressionIndex,
    },
    /// `[for …]`, `{for …}`, or the loop of a template.
    For(For),
    /// A name, and what is reached from it by fixed steps.
    Traversal(Traversal),
    /// Fixed steps from what is not a name.
    RelativeTraversal {
        /// The steps.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        steps: Vec<Step>,
        /// The value that the steps start from.
        source: ExpressionIndex,
    },
    /// `xs[*].a`, `xs.*.a`.
    Splat {
        /// The list; a tuple around the value when it is none.
        source: ExpressionIndex,
        /// The item, which `each` refers to.
        item: VariableIndex,
        /// The expression for each item.
        each: ExpressionIndex,
        /// `[*]` rather than `.*`.
        #[serde(default, skip_serializing_if = "is_default")]
        is_full: bool,
    },
    /// `f(a)`. In a box, since it has twice the size of any other kind.
    Call(Box<Call>),
    /// A computation on eventual values that runs once they are known. Created by lowering only.
    Apply {
        /// The eventual values.
        #[serde(rename = "values", default, skip_serializing_if = "Vec::is_empty")]
        arguments: Vec<ApplyArgument>,
        /// The result, computed from the arguments. The whole is an output or promise of it.
        body: ExpressionIndex,
    },
    /// The value as one of the expression's own type. Made by lowering alone.
    Convert {
        /// The value.
        value: ExpressionIndex,
    },
    /// Syntax that is not an expression; it was reported.
    Error,
}

impl ExpressionKind {
    /// Calls `visit` with every operand, in source order where there is one.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExpressionIndex)) {
        match self {
            Self::Literal { .. } | Self::Traversal(_) | Self::Error => {}
            Self::Template { parts: operands } | Self::Tuple { elements: operands } => {
                operands.iter().copied().for_each(visit)
            }
            Self::Call(call) => call.arguments.iter().copied().for_each(visit),
            Self::TemplateJoin { value: operand }
            | Self::Convert { value: operand }
            | Self::Unary { operand, .. }
            | Self::RelativeTraversal { source: operand, .. } => visit(*operand),
            Self::Binary { left, right, .. } => [*left, *right].into_iter().for_each(visit),
            Self::Conditional { condition, if_true, if_false } => {
                [*condition, *if_true, *if_false].into_iter().for_each(visit)
            }
            Self::Object { items } => {
                for item in items {
                    visit(item.key);
                    visit(item.value);
                }
            }
            Self::Index { collection, key } => [*collection, *key].into_iter().for_each(visit),
            Self::For(each) => {
                visit(each.collection);
                each.key.into_iter().for_each(&mut visit);
                visit(each.value);
                each.condition.into_iter().for_each(visit);
            }
            Self::Splat { source, each, .. } => [*source, *each].into_iter().for_each(visit),
            Self::Apply { arguments, body } => {
                let values = arguments.iter().map(|argument| argument.value);
                values.chain([*body]).for_each(visit);
            }
        }
    }
}

/// An item of an object. In JSON it is `[key, value]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ObjectItem {
    /// The key: a literal when it is written bare.
    pub key: ExpressionIndex,
    /// The value.
    pub value: ExpressionIndex,
}

impl Serialize for ObjectItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.key, self.value).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ObjectItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (key, value) = Deserialize::deserialize(deserializer)?;
        Ok(Self { key, value })
    }
}

/// An eventual value, and the variable for it once it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ApplyArgument {
    /// The parameter of the body.
    pub parameter: VariableIndex,
    /// The eventual value.
    pub value: ExpressionIndex,
}

/// A loop that makes a collection: an object when there is a key, a list otherwise.
///
/// After lowering, the key and the condition may be applies: their values are known only later.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct For {
    /// The value of each element or entry.
    pub value: ExpressionIndex,
    /// The condition that selects items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<ExpressionIndex>,
    /// The collection that is iterated over.
    pub collection: ExpressionIndex,
    /// The key of each entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<ExpressionIndex>,
    /// The variable for keys or positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_variable: Option<VariableIndex>,
    /// The variable for values; `None` when it has the name of the key variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_variable: Option<VariableIndex>,
    /// `...`: values of equal keys are collected in lists.
    #[serde(default, skip_serializing_if = "is_default")]
    pub groups: bool,
}

/// A name and fixed steps from it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Traversal {
    /// The name as written; empty for the item of a splat.
    pub name: String,
    /// The text of the name, unless the expression starts with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name_range: Option<Place>,
    /// The target of the name.
    #[serde(flatten)]
    pub reference: Reference,
    /// The type of the name alone, if it is another than that of the expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_type: Option<TypeIndex>,
    /// The steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
}

/// The target of a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reference {
    /// A declaration of the same module.
    Node(NodeIndex),
    /// A loop variable, `range`, `args` and the like.
    Variable(VariableIndex),
    /// A named value, such as `null`.
    #[serde(rename = "value")]
    Constant(Constant),
    /// None of these.
    #[serde(rename = "reference")]
    Other(OtherReference),
}

/// The target of a name that is no declaration, variable or value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OtherReference {
    /// A path to an input of the resource, in `ignoreChanges` and its like.
    Property,
    /// A keyword, such as a moment that hooks run at.
    Keyword,
    /// Nothing; it was reported, or allowed.
    Undefined,
}

/// One step into a value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Step {
    /// The name or the constant.
    #[serde(flatten)]
    pub key: Key,
    /// From the dot or bracket to the end of the step.
    pub range: Place,
    /// The type of what is reached.
    #[serde(rename = "type")]
    pub ty: TypeIndex,
}

/// The key of a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Key {
    /// `.name`
    Name(String),
    /// `[0]`, `["name"]`, `.0`
    Index(Constant),
}

/// A variable that is not a declaration of the program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Variable {
    /// The name; empty for the item of a splat.
    pub name: String,
    /// The role of the variable.
    pub role: VariableRole,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: TypeIndex,
}

/// The origin of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VariableRole {
    /// The key or position in a loop.
    ForKey,
    /// The value in a loop.
    ForValue,
    /// The item of a splat.
    SplatItem,
    /// The parameter of an apply.
    ApplyParameter,
    /// An output of a component that comes later. Made by lowering alone.
    Deferred,
    /// `range`: the key and value of one of several resources.
    Range,
    /// `args` of a hook, and what the embedder supplies.
    Supplied,
}

/// A call of a function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Call {
    /// The name of the function, with its name spaces.
    pub name: String,
    /// The text of the name, unless the expression starts with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name_range: Option<Place>,
    /// The arguments as written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<ExpressionIndex>,
    /// `...` after the last argument.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expands_last: bool,
    /// The parameters of this call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// The parameter that further arguments belong to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variadic: Option<Parameter>,
    /// The return type, before the call is lifted because of eventual arguments, if it is another
    /// than that of the expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<TypeIndex>,
    /// The function or method of a package, for `invoke` and `call`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<Callee>,
}

impl Call {
    /// The function of the language that is called.
    pub fn function(&self) -> Option<Function> {
        Function::parse(&self.name)
    }
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The type that an argument is converted to.
    #[serde(rename = "type")]
    pub ty: TypeIndex,
}

/// A function or method of a package.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Callee {
    /// The function.
    pub member: MemberIndex,
    /// The token in the form that programs use, such as `aws:ec2:getAmi`.
    pub token: String,
    /// True if the call takes and gives outputs: the form that generators name `getAmiOutput`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_output_form: bool,
    /// True if it is a method of a resource.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_method: bool,
    /// True if the SDKs have only the form of it that gives an output.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_output_only: bool,
    /// The names of the inputs in the order of positional arguments; empty when the function takes
    /// one object.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positional_inputs: Vec<String>,
    /// The text that says what to use instead; `None` if it is not deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $variant:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$each])* #[serde(rename = $text)] $variant,)*
        }

        impl $name {
            /// As it is written.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }

        impl From<pcl_syntax::ast::$name> for $name {
            fn from(operator: pcl_syntax::ast::$name) -> Self {
                match operator { $(pcl_syntax::ast::$name::$variant => Self::$variant,)* }
            }
        }
    )*};
}

operators! {
    /// An operator with one operand.
    UnaryOperator {
        /// `-`
        Negate = "-",
        /// `!`
        Not = "!",
    }
    /// An operator with two operands.
    BinaryOperator {
        /// `||`
        Or = "||",
        /// `&&`
        And = "&&",
        /// `==`
        Equal = "==",
        /// `!=`
        NotEqual = "!=",
        /// `<`
        Less = "<",
        /// `<=`
        LessEqual = "<=",
        /// `>`
        Greater = ">",
        /// `>=`
        GreaterEqual = ">=",
        /// `+`
        Add = "+",
        /// `-`
        Subtract = "-",
        /// `*`
        Multiply = "*",
        /// `/`
        Divide = "/",
        /// `%`
        Modulo = "%",
    }
}
