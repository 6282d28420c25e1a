//! Display order: the order in which union members are shown.

use std::sync::Arc;

use super::{Type, TypeId, TypeStore};

/// The length of the text of each member that is compared first.
const FIRST_LOOK: usize = 64;
/// The length that is compared last; members that agree so far keep the order in which they were
/// made.
const LAST_LOOK: usize = 1 << 18;
/// The largest number of members of a large union that a message shows.
const SHOWN: usize = 48;

impl TypeStore {
    /// The members of a union in display order: bytewise by their rendered text. Empty when `ty` is
    /// no union.
    pub fn members(&mut self, ty: TypeId) -> Arc<[TypeId]> {
        if let Some(known) = self.display_orders.get(&ty) {
            return known.clone();
        }
        let Type::Union(members) = self.get(ty).clone() else {
            return Arc::default();
        };
        // A recursive union can be requested while its own members are being rendered.
        if self.ordering.contains(&ty) {
            return members.iter().copied().collect();
        }
        self.ordering.push(ty);
        let ordered = self.in_display_order(&members);
        self.ordering.pop();
        self.display_orders.insert(ty, ordered.clone());
        ordered
    }

    /// The first members of a union in display order: all if there are few, else as many as a
    /// message can show. None if `ty` is not a union.
    pub(crate) fn first_members(&mut self, ty: TypeId) -> Arc<[TypeId]> {
        let Type::Union(members) = self.get(ty) else {
            return Arc::default();
        };
        let Some(many) = members.many().cloned() else {
            return self.members(ty);
        };
        if let Some(known) = self.first_members.get(&ty) {
            return known.clone();
        }
        let mut first = vec![many.part];
        for side in [&many.left, &many.right] {
            match side.parts.len() {
                1 => first.push(side.ty),
                _ => first.extend(self.first_members(side.ty).iter()),
            }
        }
        let ordered = self.in_display_order(&first);
        let first: Arc<[TypeId]> = ordered.iter().take(SHOWN).copied().collect();
        self.first_members.insert(ty, first.clone());
        first
    }

    /// Most members differ in their first few bytes, and the whole text of a schema type can be
    /// long.
    fn in_display_order(&mut self, members: &[TypeId]) -> Arc<[TypeId]> {
        let mut limit = FIRST_LOOK;
        loop {
            let mut rendered: Vec<_> = members
                .iter()
                .map(|member| (self.display_within(*member, limit), *member))
                .collect();
            rendered.sort();
            let open = rendered
                .iter()
                .zip(rendered.iter().skip(1))
                .any(|((a, _), (b, _))| undecided(a.as_bytes(), b.as_bytes(), limit));
            if !open || limit >= LAST_LOOK {
                return rendered.into_iter().map(|(_, member)| member).collect();
            }
            limit *= 8;
        }
    }
}

/// Returns whether two texts, rendered up to `limit` bytes, may still go either way.
fn undecided(a: &[u8], b: &[u8], limit: usize) -> bool {
    a.get(..limit).is_some_and(|a| b.get(..limit) == Some(a))
}
