//! `call`.
use pcl_model::expression::{Call, ExprId};
use crate::expression::evaluate::Evaluator;
use crate::stop::Stop;
use crate::value::Value;
pub(crate) fn call(_: &mut Evaluator<'_>, _: ExprId, _: &Call) -> Result<Value, Stop> { Ok(Value::UNKNOWN) }
