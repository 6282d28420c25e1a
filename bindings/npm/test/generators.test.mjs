// The generators in Node.js: `PCL_NPM=DIR node --test bindings/npm/test`.
import assert from "node:assert/strict";
import test from "node:test";
import { pathToFileURL } from "node:url";

const load = (name) => import(pathToFileURL(`${process.env.PCL_NPM}/${name}/node.js`));
const { Workspace } = await load("pcl-wasm");
const { generate } = await load("pcl-generators");

const workspace = (text) => {
  const made = new Workspace();
  made.setFile("main.pp", text);
  return made;
};

test("a program is translated", () => {
  const it = workspace('config name string {\n  default = "Ada"\n}\noutput greeting {\n  value = "Hello, ${name}!"\n}\n');
  const typescript = generate(it.document(".", { sdk: "nodejs" }), "typescript", "demo");
  assert.match(typescript.files["index.ts"], /export const greeting = `Hello, \$\{name\}!`;/);
  assert.equal(JSON.parse(typescript.files["package.json"]).name, "demo");
  const python = generate(it.document(".", { sdk: "python" }), "python", "demo");
  assert.match(python.files["__main__.py"], /pulumi\.export\("greeting", f"Hello, \{name\}!"\)/);
  const yaml = generate(it.document(), "yaml", "demo");
  assert.match(yaml.files["Main.yaml"], /greeting: Hello, \$\{name\}!/);
  assert.deepEqual(yaml.unsupported, []);
});

test("what a language cannot express has a place", () => {
  const it = workspace("a = [for x in [1] : x + 1]\noutput b {\n  value = a\n}\n");
  const { unsupported } = generate(it.document(), "yaml", "demo");
  assert.equal(unsupported[0].file, "main.pp");
  assert.equal(unsupported[0].line, 1);
});

test("mistakes of the caller are exceptions", () => {
  const it = workspace("a = 1\n");
  assert.throws(() => generate(it.document(), "cobol", "demo"), /unknown language `cobol`/);
  assert.throws(() => generate({ format: "other" }, "yaml", "demo"), /./);
  assert.throws(() => it.document(".", { sdk: "cobol" }), /unknown SDK `cobol`/);
});
