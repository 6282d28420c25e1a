//! `package` blocks, and the extensions of packages.

use pcl_diagnostics::{FileId, Span};
use pcl_schema::Token;
use pcl_syntax::ast;
use rustc_hash::FxHashMap;

use super::view::View;
use crate::block::package::read_blocks;
use crate::packages::PackageIndex;
use crate::program::Module;

/// The names that the `package` blocks of a module describe, and the place of each block.
fn described(module: &Module) -> Vec<(String, Span)> {
    let mut names = Vec::new();
    for (&file, tree) in module.files.iter().zip(&module.trees) {
        for block in tree.file().body().blocks() {
            let keyword = block.keyword();
            if let Some(keyword) = keyword.filter(|keyword| keyword.text() == "package")
                && let Some(name) = name_of(file, block)
            {
                names.push((name, Span::new(file, keyword.range())));
            }
        }
    }
    names
}

/// The name by which tokens refer to the package of a block.
fn name_of(file: FileId, block: ast::Block<'_>) -> Option<String> {
    let read = read_blocks([(file, block)], &mut Vec::new());
    read.into_keys().next()
}

/// Looks for a package that several files describe in the same way.
pub(super) fn find(view: &mut View<'_>) {
    let mut first: FxHashMap<String, FileId> = FxHashMap::default();
    for (name, span) in described(view.module) {
        match first.get(&name) {
            Some(&file) if file != span.file => {
                let construct = "semantics.package.identical-duplicates-allowed";
                view.changed(construct, span, &name);
            }
            Some(_) => {}
            None => {
                first.insert(name.clone(), span.file);
            }
        }
        view.described.insert(name);
    }
}

/// The function of an `invoke` whose package a block describes.
pub(super) fn of_invoke(view: &mut View<'_>, span: Span, written: &str) {
    let Some(token) = Token::parse(written) else {
        return;
    };
    if view.described.contains(token.owner()) {
        let construct = "semantics.invoke.unknown-package-is-warning";
        view.needs(construct, span, token.owner());
    }
}

/// A token of a package that extends another one.
pub(super) fn of_member(view: &mut View<'_>, span: Span, package: PackageIndex, written: &str) {
    let package = view.schemas.packages().package(package);
    if package.extension().is_some() {
        let construct = "semantics.package.extension-tokens-of-base";
        view.changed(construct, span, written);
    }
}
