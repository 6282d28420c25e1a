// The same programs give the same JSON from the command and from the package:
// `PCL_NPM=DIR PCL_BINARY=FILE node --test bindings/npm/test`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pcl = await import(pathToFileURL(`${process.env.PCL_NPM}/pcl-wasm/node.js`));
await pcl.default();

/** The number of programs that are compared where the shared corpus is there. */
const MOST = 300;

/** The endings of schemas. */
const ENDING = /\.(json|ya?ml)(\.gz)?$/;

/** The programs that have other diagnostics without a disk, with the reason. */
const EXCEPTIONS = {
  "corpus/broken/component-sources": "a directory without program files does not exist without a disk",
};

/** The directories below a directory whose `.pp` files are a program. */
function* programs(directory) {
  const entries = readdirSync(join(root, directory), { withFileTypes: true });
  const own = entries.filter((entry) => entry.name.endsWith(".pp"));
  if (own.length > 0 && own.length <= 40) {
    yield directory;
  }
  for (const entry of entries.filter((entry) => entry.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    yield* programs(join(directory, entry.name));
  }
}

/** The `.pp` files in and below a directory. */
function* files(directory) {
  for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      yield* files(path);
    } else if (entry.name.endsWith(".pp") && statSync(join(root, path)).isFile()) {
      yield path;
    }
  }
}

/** Programs whose files are text: JavaScript has no strings of other bytes. */
function isText(directory) {
  return [...files(directory)].every((path) => {
    const bytes = readFileSync(join(root, path));
    return Buffer.from(bytes.toString("utf8")).equals(bytes);
  });
}

const corpora = [["corpus", ["corpus/schemas"]]];
if (existsSync(join(root, "../shared/corpus"))) {
  const schemas = ["conformance", "testdata", "providers"].map((set) => `../shared/corpus/schemas/${set}`);
  corpora.push(["../shared/corpus/programs/conformance", schemas], ["../shared/corpus/programs/codegen", schemas]);
} else {
  assert.ok(!process.env.PCL_REQUIRE_SHARED, "the shared corpus is required");
}

/** The schema that the command finds: the first directory with a version decides, by its highest. */
function schemaOf(directories, { name, version }) {
  const listings = directories.map((directory) => {
    const files = readdirSync(join(root, directory)).filter((file) => ENDING.test(file));
    return files.map((file) => ({ path: join(directory, file), stem: file.replace(ENDING, "") }));
  });
  for (const files of listings) {
    const versions = files.filter(({ stem }) => stem.startsWith(`${name}-`) && /^\d/.test(stem.slice(name.length + 1)));
    const fitting = versions.filter(({ stem }) => !version || stem === `${name}-${version}`);
    if (fitting.length > 0) {
      return fitting.sort((a, b) => newest(a.stem, b.stem)).at(-1).path;
    }
  }
  return listings.flat().find(({ stem }) => stem === name)?.path;
}

test("the command and the package print the same documents", () => {
  let compared = 0;
  const different = [];
  for (const [corpus, schemas] of corpora) {
    const chosen = [...programs(corpus)].filter(isText).slice(0, MOST - compared);
    const flags = schemas.flatMap((directory) => ["--schema-dir", directory]);
    const it = new pcl.Workspace();
    const texts = new Map();
    it.setSchemaLoader((request) => {
      const path = schemaOf(schemas, request);
      if (path && !texts.has(path)) {
        const bytes = readFileSync(join(root, path));
        texts.set(path, path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
      }
      return texts.get(path);
    });
    for (const path of files(corpus)) {
      it.setFile(path, readFileSync(join(root, path), "utf8"));
    }
    for (const directory of chosen) {
      // A run of its own: of several programs that use a component, the command reports it once.
      const native = spawnSync(process.env.PCL_BINARY, ["check", "--isolated", "--output-format", "json", "--quiet", ...flags, directory], {
        cwd: root,
        env: { ...process.env, PULUMI_HOME: "/nonexistent" },
      });
      const [expected] = JSON.parse(native.stdout.toString()).programs;
      const [found] = it.check(directory).programs;
      if (!isDeepStrictEqual(normal(found), normal(expected)) && !(directory in EXCEPTIONS)) {
        different.push({ directory, found, expected });
      }
    }
    compared += chosen.length;
  }
  console.log(`${compared} programs`);
  const [first] = different;
  if (first) {
    console.log(different.map((it) => it.directory).join("\n"));
    assert.deepEqual(first.found, first.expected);
  }
});

const newest = (a, b) => a.localeCompare(b, "en", { numeric: true });

/** Fingerprints are made of places on a disk, and some texts name files and flags of the command. */
function normal(program) {
  for (const diagnostic of program.diagnostics) {
    delete diagnostic.fingerprint;
    if (["unknown-package", "unknown-function"].includes(diagnostic.name)) {
      delete diagnostic.help;
      delete diagnostic.notes;
    }
  }
  return program;
}
