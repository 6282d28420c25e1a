//! Any text binds to a program; every finding has a place inside its file.
#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use pcl_binder::{Lints, Options, Sources, bind};
use pcl_diagnostics::SourceMap;
use pcl_schema::{Loader, MemoryLoader};

/// A small package with something of everything.
const SCHEMA: &str = include_str!("../../corpus/schemas/harbor-2.1.0.json");

fn loader() -> Arc<dyn Loader> {
    static LOADER: OnceLock<Arc<dyn Loader>> = OnceLock::new();
    LOADER
        .get_or_init(|| {
            let mut loader = MemoryLoader::default();
            loader.add(SCHEMA).expect("the schema is sound");
            Arc::new(loader)
        })
        .clone()
}

fuzz_target!(|input: (u8, &[u8])| {
    let (flags, bytes) = input;
    let mut options = if flags & 1 == 0 {
        Options::default()
    } else {
        Options::lenient()
    };
    if flags & 2 != 0 {
        options.lints = Lints::all();
    }
    let mut map = SourceMap::new();
    let sources = Sources::from_texts([("main.pp", bytes)], &mut map);
    let mut bound = bind(&sources, &mut map, loader(), &options);
    for finding in &bound.diagnostics {
        let text = map.text(finding.primary.file);
        assert!(finding.primary.range.end() as usize <= text.len());
    }
    let order = bound.program.order();
    assert_eq!(order.len(), bound.program.nodes().len());
    for index in 0..bound.program.nodes().len() {
        let ty = bound.program.nodes()[index].ty;
        let _ = bound.program.types.pretty(ty);
    }
});
