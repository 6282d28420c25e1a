// The entry for Node.js: the module is compiled when it is imported.
import { readFileSync } from "node:fs";

import { initSync } from "./STEM.js";

initSync({ module: readFileSync(new URL("./STEM_bg.wasm", import.meta.url)) });

export { EXPORTS } from "./STEM.js";

/** Does nothing: the module is ready. It exists so that the same program runs in a browser. */
export default async function init() {}
