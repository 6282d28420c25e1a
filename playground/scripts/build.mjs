// Builds the page: `node playground/scripts/build.mjs PACKAGES [OUT]`, where PACKAGES is what
// `bindings/npm/build.mjs` wrote. The result is static files for any web server.
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const [packages, place] = process.argv.slice(2);
if (packages === undefined) {
  throw new Error("usage: node playground/scripts/build.mjs PACKAGES [OUT]");
}
const out = resolve(place ?? join(here, "dist"));
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "schemas"), { recursive: true });

// Beside the other packages, so that the type checker finds them too.
const local = join(here, "node_modules/.pcl");
rmSync(local, { recursive: true, force: true });
const names = ["pcl-wasm", "pcl-generators"];
for (const name of names) {
  cpSync(join(packages, name), join(local, name), { recursive: true });
}
await build({
  entryPoints: [join(here, "src/main.ts")],
  outdir: out,
  bundle: true,
  format: "esm",
  splitting: true,
  minify: true,
  target: "es2022",
  legalComments: "linked",
  alias: Object.fromEntries(names.map((name) => [name, join(local, name, "web.js")])),
  // The modules are found beside the scripts.
  define: { "import.meta.url": "document.baseURI" },
});
for (const name of names) {
  const module = `${name.replaceAll("-", "_")}_bg.wasm`;
  copyFileSync(join(local, name, module), join(out, module));
}
for (const name of ["index.html", "style.css"]) {
  copyFileSync(join(here, name), join(out, name));
}
// The schemas of the examples.
const SCHEMAS = ["tests/performance/random-4.21.1.json", "corpus/schemas/harbor-2.1.0.json"];
for (const path of SCHEMAS) {
  copyFileSync(join(here, "..", path), join(out, "schemas", basename(path)));
}
writeFileSync(join(out, "schemas/index.json"), JSON.stringify(SCHEMAS.map((path) => basename(path))));
console.log(`${out}: ${readFileSync(join(out, "main.js")).length} bytes of script`);
