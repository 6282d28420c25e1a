// The same programs give the same JSON from the command and from the package:
// `PCL_NPM=DIR PCL_BINARY=FILE node --test bindings/npm/test`. The programs are those of
// `bindings/programs.json`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pcl = await import(pathToFileURL(`${process.env.PCL_NPM}/pcl-wasm/node.js`));
await pcl.default();

const sets = JSON.parse(readFileSync(join(root, "bindings/programs.json"), "utf8"));

/**
 * The advice of the package, and that of the command in its place, which has flags instead of
 * settings. The package for Python is compared by the same table.
 */
const advice = JSON.parse(readFileSync(join(root, "bindings/advice.json"), "utf8"));

/** The endings of schemas. */
const ENDING = /\.(json|ya?ml)(\.gz)?$/;

/** The files in and below a directory, as paths from it. */
function* files(directory, below = "") {
  for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) {
      yield* files(directory, path);
    } else {
      yield path;
    }
  }
}

/** The rule about files that a program reads, which only the command can look for. */
const UNSEEN = "unreadable-content";

/** The path of a program below the root of a workspace. */
const inPlace = (program) => program.replace(/^(\.\.\/)+/, "");

/** The schemas in directories, by the directory. */
const listed = (directories) =>
  directories.map((directory) => {
    const schemas = readdirSync(directory).filter((file) => ENDING.test(file));
    return schemas.map((file) => {
      const [, name, version] = /^(.*?)(?:-(\d.*))?$/.exec(file.replace(ENDING, ""));
      return { path: join(directory, file), name, version };
    });
  });

/**
 * The schema that the command finds: the first directory with a version decides, by its highest.
 * Files without a version count for packages that have no others.
 */
function schemaOf(schemas, { name, version }) {
  const named = schemas.map((directory) => directory.filter((schema) => schema.name === name));
  if (!named.flat().some((schema) => schema.version)) {
    return named.flat()[0]?.path;
  }
  for (const directory of named) {
    const fitting = directory.filter((schema) => schema.version && (!version || schema.version === version));
    if (fitting.length > 0) {
      return fitting.sort((a, b) => a.version.localeCompare(b.version, "en", { numeric: true })).at(-1).path;
    }
  }
  return undefined;
}

/** The advice of a diagnostic in the words of the command; rows without a code are words inside of it. */
function inWordsOfTheCommand({ name, help }) {
  for (const { library, command } of advice.filter(({ code }) => !code)) {
    help = help && help.replaceAll(library, command);
  }
  for (const { library, command } of advice.filter(({ code }) => code === name)) {
    const [before, after = ""] = library.split("{}");
    if (help?.startsWith(before) && help.endsWith(after)) {
      return command.replace("{}", help.slice(before.length, help.length - after.length));
    }
  }
  return help;
}

/** Checks programs with the command and with the package; the documents by program. */
function* documents({ schemas: directories, programs }) {
  // A repository in which the programs have the paths that they have in the workspace.
  const place = mkdtempSync(join(tmpdir(), "pcl-parity-"));
  try {
    mkdirSync(join(place, ".git"));
    for (const program of programs) {
      cpSync(join(root, program), join(place, inPlace(program)), { recursive: true });
    }
    const places = directories.map((it) => join(root, it));
    const schemas = listed(places);
    const it = new pcl.Workspace();
    const texts = new Map();
    const load = (request) => {
      const path = schemaOf(schemas, request);
      if (path && !texts.has(path)) {
        const bytes = readFileSync(path);
        texts.set(path, path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
      }
      return path && { path, document: texts.get(path) };
    };
    it.setSchemaLoader(load, { packages: schemas.flat().map(({ name, version }) => ({ name, version })), places });
    for (const path of files(place)) {
      it.setFile(path, readFileSync(join(place, path)));
    }
    const flags = places.flatMap((place) => ["--schema-dir", place]);
    for (const program of programs) {
      // A run of its own: of several programs that use a component, the command reports it once.
      const fixed = ["check", "--isolated", "--output-format", "json", "--quiet", ...flags];
      const env = { ...process.env, PULUMI_HOME: join(place, "none") };
      const native = (options) => {
        const command = [...fixed, ...options, inPlace(program)];
        return JSON.parse(spawnSync(process.env.PCL_BINARY, command, { cwd: place, env }).stdout.toString());
      };
      let expected = native([]);
      if (expected.programs.flatMap((it) => it.diagnostics).some((it) => it.name === UNSEEN)) {
        // The package has no files but those that it is given, and so looks for no others.
        expected = native(["--ignore", UNSEEN]);
      }
      const found = it.check(inPlace(program));
      for (const diagnostic of found.programs.flatMap((program) => program.diagnostics)) {
        diagnostic.help = inWordsOfTheCommand(diagnostic);
      }
      yield { program, found, expected };
    }
  } finally {
    rmSync(place, { recursive: true });
  }
}

test("the command and the package print the same documents", () => {
  let compared = 0;
  const different = [];
  assert.ok(sets.flatMap((set) => set.programs).length >= 300);
  for (const set of sets) {
    if (!existsSync(join(root, set.schemas[0]))) {
      assert.ok(!process.env.PCL_REQUIRE_SHARED, `${set.schemas[0]} is required`);
      console.log(`skipped: ${set.programs.length} programs with ${set.schemas[0]}`);
      continue;
    }
    for (const document of documents(set)) {
      compared += 1;
      if (!isDeepStrictEqual(document.found, document.expected)) {
        different.push(document);
      }
    }
  }
  console.log(`${compared} programs`);
  const [first] = different;
  if (first) {
    console.log(different.map((it) => it.program).join("\n"));
    assert.deepEqual(first.found, first.expected);
  }
});
