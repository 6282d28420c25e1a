//! The questions of editors about PCL programs: the meaning of a place in a text.
//!
//! An [`Analysis`] is a checked program with an index by position. Each question is one function,
//! which takes an analysis and a position. Answers have spans of the program's files and know no
//! protocol: the language server and the command `pcl query` translate them, and [`plain`] makes
//! plain data of them.
//!
//! Laws:
//! - No place in any text, however broken, makes a question panic.
//! - The index takes time in proportion to the program, and a question takes logarithmic time and
//!   time in proportion to its answer.
//! - Nothing is written or executed. Completion lists the directories that a program names, and
//!   loads the schemas that are there.
//!
//! ```
//! use pcl::{Settings, Target, Workspace};
//! use pcl_ide::{Analysis, FilePosition};
//!
//! let workspace = Workspace::new(Settings::default());
//! let text = "names = [\"ada\"]\nfirst = names[0]\n";
//! let analysis = Analysis::new(workspace.check(&Target::text("main.pp", text)));
//!
//! let file = analysis.file("main.pp").expect("the file of the program");
//! let offset = text.find("names[0]").expect("a place") as u32;
//! let node = analysis.node_at(FilePosition::new(file, offset));
//! assert_eq!(&*analysis.node(node.expect("a local")).name, "first");
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod actions;
mod analysis;
mod completion;
pub mod configuration;
mod described;
mod element;
mod hover;
mod inlay_hints;
mod kept_name;
mod moved;
pub mod names;
mod option_edits;
pub mod plain;
mod position;
mod ranges;
mod schema_facts;
mod semantic_tokens;
mod symbols;
mod type_text;

pub use actions::{NewFile, Quickfix, Refactoring, RefactoringKind, quick_fixes, refactorings};
pub use analysis::{Analysis, ModuleId, NodeRef};
pub use completion::{Completion, CompletionKind, Completions, completions};
pub use described::{Description, Property, description};
pub use element::{Typed, type_at};
pub use hover::{Hover, SignatureHelp, hover, signature_help};
pub use inlay_hints::{InlayHint, InlayHintKind, InlayHints, inlay_hints};
pub use kept_name::kept_name;
pub use moved::{moved, normalized};
pub use names::{Declaration, declarations};
pub use position::FilePosition;
pub use ranges::{Fold, Link, LinkTarget, folds, links, selections};
pub use schema_facts::{member_documentation, type_member};
pub use semantic_tokens::{Modifiers, SemanticToken, TokenType, semantic_tokens};
pub use symbols::{Symbol, symbols, top_symbols};
