// The package in Node.js: `PCL_NPM=DIR node --test bindings/npm/test`.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "node:test";
import { pathToFileURL } from "node:url";

const place = process.env.PCL_NPM;
const pcl = await import(pathToFileURL(`${place}/pcl-wasm/node.js`));
await pcl.default();

const ZOO = readFileSync(new URL("../../../editor/server/tests/server/zoo.json", import.meta.url), "utf8");

const workspace = (files, settings) => {
  const made = new pcl.Workspace(settings);
  for (const [path, text] of Object.entries(files)) {
    made.setFile(path, text);
  }
  return made;
};

/** The text without the mark of a cursor, and the offset of the mark. */
const marked = (text) => [text.replace("▮", ""), text.indexOf("▮")];

test("a program is checked", () => {
  const it = workspace({ "main.pp": "size = lenght([1, 2])\n" });
  const { programs, summary } = it.check();
  assert.equal(summary.errors, 1);
  const [diagnostic] = programs[0].diagnostics;
  assert.equal(diagnostic.code, "PCL0601");
  assert.deepEqual(diagnostic.range.start, { byte: 7, line: 1, column: 8 });
  it.setFile("main.pp", "size = length([1, 2])\n");
  assert.equal(it.check().summary.errors, 0);
});

test("diagnostics have offsets in UTF-16, and fixes apply", () => {
  const text = 'a = "𐍈" \nsize = lenght([1, 2])\n';
  const it = workspace({ "main.pp": text });
  const [found] = it.diagnostics("main.pp");
  assert.equal(text.slice(found.from, found.to), "lenght");
  assert.match(found.url, /PCL0601/);
  const [edit] = found.fixes[0].edits;
  const fixed = text.slice(0, edit.from) + edit.insert + text.slice(edit.to);
  assert.equal(fixed, text.replace("lenght", "length"));
  assert.equal(found.fixes[0].applicability, "unsafe");
  const all = it.fix(".", { unsafe: true });
  assert.equal(all.files["main.pp"], fixed);
  assert.deepEqual(all.fixed, ["unknown-function"]);
  assert.equal(all.check.programs[0].valid, true);
  assert.deepEqual(it.fix().files, {});
});

test("components are other directories of the workspace", () => {
  const it = workspace({
    "infra/main.pp": 'component inner "./inner" {\n}\noutput n {\n  value = inner.double\n}\n',
    "infra/inner/main.pp": 'config size "int" {\n}\noutput double {\n  value = size * 2\n}\n',
  });
  const messages = it.check("infra").programs[0].diagnostics.map((it) => it.message);
  assert.deepEqual(messages, ["component `inner` is missing the required input `size`"]);
  it.setFile("infra/main.pp", 'component inner "./inner" {\n  size = 2\n}\noutput n {\n  value = inner.double\n}\n');
  assert.equal(it.check("infra").summary.errors, 0);
  const preview = it.preview("infra");
  assert.equal(preview.outputs.n.$output.value, 4);
  it.removeFile("infra/inner/main.pp");
  assert.equal(it.check("infra").summary.errors > 0, true);
  assert.deepEqual(it.files(), ["infra/main.pp"]);
});

test("schemas are added, or supplied by a function", () => {
  const program = { "main.pp": 'resource cage "zoo:index:Cage" {\n}\n' };
  const it = workspace(program);
  assert.deepEqual(it.missingSchemas().map((request) => request.name), ["zoo"]);
  assert.equal(it.check().programs[0].diagnostics[0].name, "unknown-package");
  const added = it.addSchema(ZOO);
  assert.equal(added.name, "zoo");
  assert.deepEqual(it.missingSchemas(), []);
  assert.notEqual(it.check().programs[0].diagnostics[0]?.name, "unknown-package");

  const asked = [];
  const other = workspace(program);
  other.setSchemaLoader((request) => {
    asked.push(request.name);
    return new TextEncoder().encode(ZOO);
  });
  assert.deepEqual(other.check(), it.check());
  assert.deepEqual(asked, ["zoo"]);
  other.setSchemaLoader(undefined);
  assert.throws(() => it.addSchema("{"), /./);
  assert.throws(() => it.addSchema(1), /string or a Uint8Array/);
});

test("a loader that fails is a missing schema", () => {
  const it = workspace({ "main.pp": 'resource cage "zoo:index:Cage" {\n}\n' });
  it.setSchemaLoader(() => {
    throw new Error("offline");
  });
  assert.equal(it.check().programs[0].diagnostics[0].name, "unknown-package");
});

test("places are explained and completed", () => {
  const [text, offset] = marked('name = "𐍈"\nlonger = leng▮th(name)\n');
  const it = workspace({ "main.pp": text });
  const hover = it.hover("main.pp", offset);
  assert.equal(text.slice(hover.from, hover.to), "length");
  assert.match(hover.markdown, /length/);
  const found = it.complete("main.pp", offset);
  assert.ok(found.items.some((item) => item.label === "length" && item.kind === "function"));
  const at = text.lastIndexOf("name");
  assert.deepEqual(it.definition("main.pp", at), { file: "main.pp", from: 0, to: 4 });
  assert.equal(it.hover("main.pp", text.length), null);
  assert.throws(() => it.hover("other.pp", 0), /no file `other.pp`/);
});

test("texts are formatted and topics explained", () => {
  assert.equal(pcl.format("a=1\nlong=2\n"), "a    = 1\nlong = 2\n");
  assert.throws(() => pcl.format("a = [\n"), /syntax errors/);
  assert.match(pcl.explain("PCL0601"), /unknown-function/);
  assert.throws(() => pcl.explain("lenght"), /length/);
  assert.match(pcl.version(), /^\d+\.\d+\.\d+$/);
});

test("settings are those of pcl.toml", () => {
  const files = { "main.pp": "a = 1\n" };
  assert.deepEqual(workspace(files).check().summary.warnings, 0);
  const strict = workspace(files, { select: ["unused"], levels: { "unused-local": "error" } });
  assert.equal(strict.check().summary.errors, 1);
  assert.throws(() => new pcl.Workspace({ missingSchemas: "warn" }), /unknown setting `missing-schemas`/);
});

test("documents, graphs and previews are those of the command", () => {
  const it = workspace({ "main.pp": 'config size "int" {\n  default = 2\n}\noutput double {\n  value = size * 2\n}\n' });
  assert.equal(it.document().format, "pcl-document");
  assert.match(it.graph(".", "mermaid"), /flowchart|graph/);
  assert.equal(it.graph().nodes.length, 2);
  assert.throws(() => it.graph(".", "svg"), /unknown format `svg`/);
  assert.equal(it.preview().outputs.double, 4);
  assert.equal(it.preview(".", { config: { size: "21" } }).outputs.double, 42);
  assert.throws(() => it.preview(".", { config: 1 }), /./);
});

test("deep nesting and long chains end with an answer", () => {
  for (const text of [`a = ${"[".repeat(5000)}`, `a = ${"(".repeat(200)}1${")".repeat(200)}\n`, `a = 1${" + 1".repeat(20000)}\n`]) {
    const it = workspace({ "main.pp": text });
    it.check();
    it.preview();
  }
});

test("names are found and renamed in all files of a program", () => {
  const it = workspace({ "main.pp": "é = 1\nb = é + é\n", "other.pp": "c = é\n" });
  const places = it.references("other.pp", 4);
  assert.deepEqual(places, [
    { file: "main.pp", from: 0, to: 1 },
    { file: "main.pp", from: 10, to: 11 },
    { file: "main.pp", from: 14, to: 15 },
    { file: "other.pp", from: 4, to: 5 },
  ]);
  const edits = it.rename("other.pp", 4, "first");
  assert.deepEqual(edits, places.map((place) => ({ ...place, insert: "first" })));
  assert.throws(() => it.rename("other.pp", 4, "b"), /another declaration is named `b` already/);
  assert.throws(() => it.rename("other.pp", 4, "1b"), /`1b` is not a name/);
  assert.deepEqual(it.references("other.pp", 2), []);
});

test("a preview reads the files of the workspace", () => {
  const text = 'output text {\n  value = readFile("data/motd.txt")\n}\noutput hash {\n  value = filebase64sha256("./data/bytes")\n}\n';
  const it = workspace({ "web/main.pp": `${text}output place {\n  value = cwd()\n}\n`, "web/data/motd.txt": "hello" });
  assert.match(it.preview("web").diagnostics[0].message, /bytes/);
  const bytes = Uint8Array.of(0xff, 0, 1);
  it.setFile("web/data/bytes", bytes);
  const hash = createHash("sha256").update(bytes).digest("base64");
  const { outputs, diagnostics } = it.preview("web");
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(outputs, { hash, place: "/web", text: "hello" });
  it.setFile("web/main.pp", 'zip = fileArchive("data")\nup = fileAsset("../none")\noutput up {\n  value = up\n}\noutput zip {\n  value = zip\n}\n');
  const messages = it.preview("web").diagnostics.map((found) => found.message);
  assert.equal(messages.length, 1);
  assert.match(messages[0], /none/);
  it.removeFile("web/data/motd.txt");
  assert.deepEqual(it.files(), ["web/data/bytes", "web/main.pp"]);
});

test("the configuration of a preview is that of the stack in the workspace", () => {
  const it = workspace({
    "shop/Pulumi.yaml": "name: shop\nconfig:\n  zone: north\n",
    "shop/Pulumi.prod.yaml": "config:\n  size: 3\n  token:\n    secure: v1:a:b\n",
    "shop/web/main.pp": `config size int {}
config zone string {}
config token string {}
output all {
  value = "\${zone}-\${size} of \${project()} in \${rootDirectory()}"
}
output token {
  value = token
}
`,
  });
  const { diagnostics } = it.preview("shop/web", { stack: "prod" });
  assert.match(diagnostics[0].message, /token/);
  for (const given of [{ secrets: { token: "hunter2" } }, { config: { "shop:token": "hunter2" } }]) {
    const preview = it.preview("shop/web", { stack: "prod", ...given });
    assert.deepEqual(preview.diagnostics, []);
    assert.deepEqual(preview.outputs, { all: "north-3 of shop in /shop", token: { $secret: true } });
    assert.ok(!JSON.stringify(preview).includes("hunter2"));
  }
  it.setFile("other.yaml", "config:\n  size: [\n");
  assert.throws(() => it.preview("shop/web", { configFile: "other.yaml" }), /^Error: other.yaml:3:1: /);
  assert.throws(() => it.preview("shop/web", { configFile: "none.yaml" }), /there is no file `none.yaml`/);
});

test("program files need not be text", () => {
  const it = workspace({ "main.pp": Uint8Array.of(0x61, 0x20, 0x3d, 0x20, 0xff, 0x0a) });
  const [found] = it.check().programs[0].diagnostics;
  assert.equal(found.range.start.byte, 4);
  it.setFile("main.pp", "a = 1\n");
  assert.deepEqual(it.check().programs[0].diagnostics, []);
  assert.throws(() => it.setFile("main.pp", 1), /a string or a Uint8Array/);
});
