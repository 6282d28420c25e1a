//! The declarations for TypeScript of what the methods take and return.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const DECLARATIONS: &str = include_str!("declarations.d.ts");
