//! Values under the conversions that [`lower::conversions`](crate::lower::conversions) makes.

use super::Document;
use super::expression::{ExpressionKind, ObjectItem};
use super::index::ExpressionIndex;
use super::types::Object;

/// An object literal and the type of a schema that it becomes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TypedObject<'d> {
    /// The items of the literal.
    pub items: &'d [ObjectItem],
    /// The type. Its [`schema`](Object::schema) is known.
    pub object: &'d Object,
}

impl Document {
    /// The expression under any number of conversions; the expression itself if it is not one.
    #[must_use]
    pub fn unconverted(&self, mut expression: ExpressionIndex) -> ExpressionIndex {
        // A document that nothing checked may have a conversion that leads back to itself.
        while let ExpressionKind::Convert { value } = self.expression(expression).kind
            && value < expression
        {
            expression = value;
        }
        expression
    }

    /// The object literal that an expression is, perhaps under conversions, if it becomes an object
    /// type of a schema. Generators write it as a value of a class.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pcl::{Settings, Target, Workspace, document::*, schema::MemoryLoader};
    /// use pcl::lower::{SdkOptions, sdk};
    /// # let mut schemas = MemoryLoader::default();
    /// # schemas.add(r##"{ "name": "zoo",
    /// #   "resources": { "zoo:index:Cage": { "inputProperties": {
    /// #     "lock": { "$ref": "#/types/zoo:index:Lock" },
    /// #     "notes": { "type": "object", "additionalProperties": { "type": "string" } } } } },
    /// #   "types": { "zoo:index:Lock": { "type": "object", "properties": { "keys": { "type": "integer" } } } } }"##)?;
    /// # let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    /// let text = "resource a \"zoo:index:Cage\" {\n  lock = { keys = \"2\" }\n  notes = { food = \"hay\" }\n}\n";
    /// let mut checked = workspace.check(&Target::text("main.pp", text));
    /// checked.program = sdk(checked.program, &SdkOptions::nodejs());
    /// let document = checked.document();
    /// let [lock, notes] = document.main.nodes[0].inputs() else { panic!() };
    ///
    /// assert!(matches!(document.expression(lock.value).kind, ExpressionKind::Convert { .. }));
    /// let lock = document.typed_object(lock.value).unwrap();
    /// let member = lock.object.schema.as_ref().unwrap().member;
    /// assert_eq!(document.member(member).token, "zoo:index:Lock");
    /// assert_eq!(document.literal(lock.items[0].value).unwrap().to_string(), "2");
    /// assert!(document.typed_object(notes.value).is_none());
    /// # Ok::<(), pcl::schema::DocumentError>(())
    /// ```
    #[must_use]
    pub fn typed_object(&self, expression: ExpressionIndex) -> Option<TypedObject<'_>> {
        let expression = self.unconverted(expression);
        let ExpressionKind::Object { items } = &self.expression(expression).kind else {
            return None;
        };
        let object = self.annotation(expression)?;
        object.schema.as_ref()?;
        Some(TypedObject { items, object })
    }
}
