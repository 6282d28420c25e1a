export * from "./STEM.js";

/**
 * Loads the module, which has to be awaited before anything else; in Node.js it is ready at once.
 * By default a browser fetches `STEM_bg.wasm` beside the script.
 */
export default function init(options?: {
  module_or_path?: string | URL | Request | Response | BufferSource | WebAssembly.Module;
}): Promise<unknown>;
