//! A list with one element for each node of a module.

use std::ops::{Index, IndexMut};

use crate::node::NodeId;

/// A list with one element for each node of a module, which ids of that module index.
#[derive(Clone, Debug)]
pub(crate) struct PerNode<T>(Vec<T>);

impl<T> Default for PerNode<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> PerNode<T> {
    /// A list of these elements.
    pub fn from_vec(elements: Vec<T>) -> Self {
        Self(elements)
    }

    /// Reserves room for exactly so many more elements.
    pub fn reserve_exact(&mut self, count: usize) {
        self.0.reserve_exact(count);
    }

    /// The number of elements that fit without reallocation.
    pub fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds the element of the next node.
    pub fn push(&mut self, element: T) {
        self.0.push(element);
    }

    /// The id of the next node.
    pub fn next_id(&self) -> NodeId {
        NodeId(u32::try_from(self.0.len()).unwrap_or(u32::MAX))
    }

    /// The elements in the order of their nodes.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The ids of the nodes in order.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<T> {
        (0..self.next_id().0).map(NodeId)
    }

    /// The elements in the order of their nodes.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T> FromIterator<T> for PerNode<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self(elements.into_iter().collect())
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "ids are made by `next_id`, and an element is pushed for each; nothing is removed"
)]
impl<T> Index<NodeId> for PerNode<T> {
    type Output = T;

    fn index(&self, node: NodeId) -> &T {
        &self.0[node.index()]
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "ids are made by `next_id`, and an element is pushed for each; nothing is removed"
)]
impl<T> IndexMut<NodeId> for PerNode<T> {
    fn index_mut(&mut self, node: NodeId) -> &mut T {
        &mut self.0[node.index()]
    }
}
