//! Lifts: steps into outputs that need no apply, because the SDK of the target language makes one
//! when the property of an output is read. See `tests/spec/lowering/lift.md`.

use pcl_model::TypeId;
use pcl_model::expression::{ExprArena, ExprId, ExprKind, TraversalStep};
use pcl_model::relations::Key;
use pcl_model::types::{Type, TypeStore};
use pcl_model::value::Constant;
use rustc_hash::FxHashMap;

/// The steps into outputs that an SDK lifts: where `site` is an output, `site.url` is one too.
///
/// No SDK lifts the names of its outputs' own members, as in `site.apply`, and names that begin
/// with `_`. Promises are never lifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Lifts {
    /// None, as in Go, .NET and Java.
    #[default]
    Nothing,
    /// The steps that `@pulumi/pulumi` lifts and TypeScript can type: those from values that are
    /// neither null nor of type `dynamic`, to values that are not null. A computed key is lifted if
    /// it indexes a list, because that of a map could be the name of a member.
    NodeJs,
    /// The steps that `pulumi.Output` of Python lifts: from values of any type, with any key.
    Python,
}

/// The members of outputs in Node.js, those of all objects included.
const NODEJS_MEMBERS: &[&str] = &[
    "allResources",
    "apply",
    "constructor",
    "deploymentOnlyModule",
    "doNotCapture",
    "get",
    "hasOwnProperty",
    "isKnown",
    "isPrototypeOf",
    "isSecret",
    "promise",
    "propertyIsEnumerable",
    "resources",
    "then",
    "toJSON",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// The members of outputs in Python, by the names of properties that would be written like them.
const PYTHON_MEMBERS: &[&str] = &[
    "all",
    "apply",
    "concat",
    "format",
    "fromInput",
    "from_input",
    "future",
    "get",
    "isKnown",
    "isSecret",
    "is_known",
    "is_secret",
    "jsonDumps",
    "json_dumps",
    "jsonLoads",
    "json_loads",
    "recover",
    "resources",
    "secret",
    "unsecret",
];

impl Lifts {
    /// Returns whether the SDK lifts a step from `source` that leads to a value of type `to`. `key`
    /// is `None` where it is computed.
    fn step(self, types: &TypeStore, source: TypeId, key: Option<&Key>, to: TypeId) -> bool {
        let element = match types.get(source) {
            Type::Output(element) => *element,
            Type::Promise(_) => return false,
            // If nothing is eventual, nothing needs to be lifted.
            Type::Union(members) => {
                let is_eventual = |ty| matches!(types.get(ty), Type::Output(_) | Type::Promise(_));
                return !members.iter().any(|&member| is_eventual(member));
            }
            _ => return true,
        };
        let members = match self {
            Self::Nothing => return false,
            Self::NodeJs if !is_present(types, element) || may_be_null(types, to) => return false,
            Self::NodeJs => NODEJS_MEMBERS,
            Self::Python => PYTHON_MEMBERS,
        };
        let name = match key {
            Some(Key::Name(name)) => Some(types.name(*name)),
            Some(Key::Constant(Constant::String(key))) => Some(&**key),
            Some(_) => None,
            None if self == Self::NodeJs => {
                return matches!(types.get(element), Type::List(_) | Type::Tuple(_));
            }
            None => None,
        };
        let is_member = name.is_some_and(|name| name.starts_with('_') || members.contains(&name));
        !is_member && to != TypeId::ERROR
    }
}

/// Returns whether a value is neither null nor of an unknown type.
fn is_present(types: &TypeStore, ty: TypeId) -> bool {
    let is_known = |ty: TypeId| !matches!(types.get(ty), Type::Dynamic | Type::Error);
    let are_known = match types.get(ty) {
        Type::Union(members) => members.iter().all(|&member| is_known(member)),
        _ => is_known(ty),
    };
    are_known && !may_be_null(types, ty)
}

/// Returns whether null is among the values of a type, also inside of outputs and promises.
pub(crate) fn may_be_null(types: &TypeStore, ty: TypeId) -> bool {
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match types.get(ty) {
            Type::None => return true,
            Type::Const { value, .. } if *value == Constant::Null => return true,
            Type::Output(element) | Type::Promise(element) => open.push(*element),
            Type::Union(members) => open.extend(members.iter().copied()),
            _ => {}
        }
    }
    false
}

/// The chains of steps that the SDK lifts as a whole.
pub(super) struct LiftedChains {
    lifts: Lifts,
    /// The answers about chains and the chains that they go on from.
    known: FxHashMap<ExprId, bool>,
}

impl LiftedChains {
    pub fn new(lifts: Lifts) -> Self {
        Self { lifts, known: FxHashMap::default() }
    }

    /// Returns whether `id` is a name with steps, all of which the SDK lifts where they start from
    /// an output.
    pub fn contains(&mut self, exprs: &ExprArena, types: &mut TypeStore, id: ExprId) -> bool {
        if self.lifts == Lifts::Nothing {
            return false;
        }
        let mut seen = Vec::new();
        let mut at = id;
        let answer = loop {
            if let Some(&known) = self.known.get(&at) {
                break known;
            }
            seen.push(at);
            let expr = &exprs[at];
            match &expr.kind {
                ExprKind::Traversal(traversal) => {
                    let steps = exprs.steps(traversal.steps);
                    break self.steps(types, traversal.root_type, steps);
                }
                ExprKind::RelativeTraversal { source, steps } => {
                    if !self.steps(types, exprs[*source].ty, exprs.steps(*steps)) {
                        break false;
                    }
                    at = *source;
                }
                ExprKind::Index { collection, key } => {
                    let source = exprs[*collection].ty;
                    let is_prompt = !types.contains_eventuals(exprs[*key].ty);
                    let constant = match &exprs[*key].kind {
                        ExprKind::Literal(value) => Some(Key::Constant(value.clone())),
                        _ => exprs
                            .literal_string(*key)
                            .map(|text| Key::Constant(Constant::String(text))),
                    };
                    if !is_prompt || !self.lifts.step(types, source, constant.as_ref(), expr.ty) {
                        break false;
                    }
                    at = *collection;
                }
                _ => break false,
            }
        };
        self.known.extend(seen.into_iter().map(|id| (id, answer)));
        answer
    }

    fn steps(&self, types: &TypeStore, mut source: TypeId, steps: &[TraversalStep]) -> bool {
        steps.iter().all(|step| {
            let key = Some(&step.key).filter(|key| !matches!(key, Key::Unknown(_)));
            let lifted = self.lifts.step(types, source, key, step.ty);
            source = step.ty;
            lifted
        })
    }
}
