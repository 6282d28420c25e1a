//! How a value that does not fit can be made to fit.

use pcl_diagnostics::{Diagnostic, Fix, TextEdit};

use super::{Checker, ExprId};
use crate::types::{Type, TypeId};

impl Checker<'_> {
    /// Adds to a finding about `expr`, which is a `given` where a `wanted` is needed, what to write instead, if that is plain.
    pub(super) fn advise(
        &mut self,
        finding: Diagnostic,
        expr: ExprId,
        given: TypeId,
        wanted: TypeId,
    ) -> Diagnostic {
        let wanted = self.plain(wanted);
        let given = self.plain(given);
        let element = match self.types.get(wanted) {
            Type::List(element) | Type::Set(element) => Some(*element),
            _ => None,
        };
        if element.is_some_and(|element| self.accepts(element, given)) {
            let span = self.span_of(expr);
            let edits = vec![
                TextEdit::insert(span.file, span.range.start(), "["),
                TextEdit::insert(span.file, span.range.end(), "]"),
            ];
            return finding
                .help("put it into a list")
                .fix(Fix::unsafe_("put it into a list", edits));
        }
        if given == TypeId::STRING {
            return match self.accepts(wanted, TypeId::ASSET)
                || self.accepts(wanted, TypeId::ARCHIVE)
            {
                true => finding.help(
                    "make one of it, as in `fileAsset(..)`, `stringAsset(..)` or `fileArchive(..)`",
                ),
                false => finding,
            };
        }
        let is_text = wanted == TypeId::STRING;
        let is_scalar = [TypeId::BOOL, TypeId::INT, TypeId::NUMBER, TypeId::ID].contains(&wanted);
        if !is_text && !is_scalar {
            return finding;
        }
        let has_parts = self.types.properties(given).is_some();
        match self.types.get(given) {
            Type::List(_) | Type::Set(_) | Type::Tuple(_) if is_text => finding
                .help("name one element, as in `[0]`, or join them, as in `join(\", \", ..)`"),
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => {
                finding.help("name one element, as in `[0]`")
            }
            _ if has_parts => finding.help("name the part that is meant, as in `.id`"),
            _ => finding,
        }
    }
}
