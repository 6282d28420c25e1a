// The extension in Node.js, with a stand-in for the editor and the real server.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, test } from "node:test";

const require = createRequire(import.meta.url);
const { seen, Uri, Position } = require("./stub.cjs");
const extension = require("../out/extension.js");

const pcl = process.env.PCL_BINARY && resolve(process.env.PCL_BINARY);
const skip = pcl ? false : "PCL_BINARY does not name a pcl command";
const path = process.env.PATH;
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pcl-vscode-"));
  Object.assign(seen, { errors: [], information: [], opened: [], documents: [], activeTextEditor: undefined, input: undefined, isTrusted: true });
  seen.settings = { user: {}, workspace: {} };
});

afterEach(async () => {
  await extension.deactivate();
  process.env.PATH = path;
  rmSync(folder, { recursive: true });
});

function activate() {
  return extension.activate({ subscriptions: [], extensionPath: folder });
}

/** A file of a program that is open in the editor. */
function opened(text) {
  const file = join(folder, "main.pp");
  writeFileSync(file, text);
  const document = {
    uri: Uri.file(file),
    languageId: "pcl",
    version: 1,
    isClosed: false,
    fileName: file,
    getText: () => text,
  };
  seen.documents = [document];
  seen.activeTextEditor = { document, selection: { active: new Position(0, 0) } };
}

test("names are words, in any script", () => {
  const { pattern, flags } = JSON.parse(readFileSync(new URL("../language-configuration.json", import.meta.url))).wordPattern;
  assert.deepEqual('größe_1 = "my-name.ab"'.match(new RegExp(pattern, `${flags}g`)), ["größe_1", "my-name", "ab"]);
});

test("a missing command is explained", async () => {
  process.env.PATH = folder;
  await activate();
  assert.equal(seen.errors.length, 1);
  assert.match(seen.errors[0], /was not found.*pcl\.path/);
});

test("a workspace does not choose the command", async () => {
  process.env.PATH = folder;
  const file = join(folder, "evil");
  writeFileSync(file, "#!/bin/sh\nexit 0\n");
  chmodSync(file, 0o755);
  seen.settings.workspace["pcl.path"] = file;
  await activate();
  assert.match(seen.errors[0], /was not found/);
});

test("entries of PATH that are not absolute do not count", async () => {
  process.env.PATH = [".", "bin"].join(delimiter);
  const directory = process.cwd();
  const file = join(folder, "pcl");
  writeFileSync(file, "#!/bin/sh\necho pcl 9.9.9\n");
  chmodSync(file, 0o755);
  process.chdir(folder);
  await activate();
  process.chdir(directory);
  assert.match(seen.errors[0], /was not found/);
});

test("a command that is not pcl is explained", async () => {
  const file = join(folder, "other");
  writeFileSync(file, "#!/bin/sh\necho something else\n");
  chmodSync(file, 0o755);
  seen.settings.user["pcl.path"] = file;
  await activate();
  assert.match(seen.errors[0], /it is not a `pcl` command/);
});

test("the server of PATH starts, and restarts", { skip }, async () => {
  process.env.PATH = [dirname(pcl), path].join(delimiter);
  opened("a = 1\n");
  await activate();
  assert.deepEqual(seen.errors, []);
  assert.match(seen.status.text, /check/);
  assert.match(seen.status.tooltip, /^pcl \d/);
  await seen.commands.get("pcl.restart")();
  assert.match(seen.status.text, /check/);
});

test("restarts at once, while the server starts, leave one server", { skip, timeout: 30_000 }, async () => {
  const log = join(folder, "log");
  const file = join(folder, "pcl");
  // It says when the server begins and ends.
  writeFileSync(file, `#!/bin/sh\n[ "$1" = server ] || exec '${pcl}' "$@"\necho + >> '${log}'\n'${pcl}' "$@"\necho - >> '${log}'\n`);
  chmodSync(file, 0o755);
  seen.settings.user["pcl.path"] = file;
  opened("a = 1\n");
  const starting = activate();
  const restart = seen.commands.get("pcl.restart");
  await Promise.all([starting, restart(), restart()]);
  assert.match(seen.status.text, /check/);
  await extension.deactivate();
  const times = (sign) => readFileSync(log, "utf8").split(sign).length - 1;
  assert.equal(times("+"), 3);
  while (times("-") < 3) await new Promise((done) => setTimeout(done, 10));
});

test("the server gets no permission in a workspace that is not trusted", { skip }, async () => {
  const log = join(folder, "log");
  const file = join(folder, "pcl");
  writeFileSync(file, `#!/bin/sh\necho "$1 $3 $4 $5 $6 \${PCL_RUN_PLUGINS-} \${PCL_LOADER_ADDRESS-}" >> '${log}'\nexec '${pcl}' "$@"\n`);
  chmodSync(file, 0o755);
  Object.assign(seen.settings.user, { "pcl.path": file, "pcl.runPlugins": true, "pcl.allowSchemaAdd": true, "pcl.state": "/state.json" });
  Object.assign(process.env, { PCL_RUN_PLUGINS: "true", PCL_LOADER_ADDRESS: "127.0.0.1:1" });
  opened("a = 1\n");
  try {
    seen.isTrusted = false;
    await activate();
    seen.isTrusted = true;
    await seen.commands.get("pcl.restart")();
  } finally {
    delete process.env.PCL_RUN_PLUGINS;
    delete process.env.PCL_LOADER_ADDRESS;
  }
  const started = readFileSync(log, "utf8").split("\n").filter((line) => line.startsWith("server"));
  assert.deepEqual(started, ["server      ", "server --run-plugins --allow-schema-add --state /state.json true 127.0.0.1:1"]);
});

test("the model of a program is shown", { skip }, async () => {
  seen.settings.user["pcl.path"] = pcl;
  opened("size = 1\n");
  await activate();
  await seen.commands.get("pcl.showBoundModel")();
  assert.equal(seen.opened[0]?.language, "plaintext");
  assert.match(seen.opened[0].content, /\bsize\b/);
});

test("a code is explained", { skip }, async () => {
  seen.settings.user["pcl.path"] = pcl;
  seen.input = "PCL0601";
  await activate();
  await seen.commands.get("pcl.explainCode")();
  assert.equal(seen.opened[0]?.language, "markdown");
  assert.match(seen.opened[0].content, /PCL0601/);
});

test("the graph of a program is shown", { skip }, async () => {
  seen.settings.user["pcl.path"] = pcl;
  opened("a = 1\nb = a\n");
  await activate();
  await seen.commands.get("pcl.previewGraph")();
  assert.match(seen.opened[0]?.content ?? "", /^```mermaid\n/);
});

test("commands without a program say what to do", { skip }, async () => {
  seen.settings.user["pcl.path"] = pcl;
  await activate();
  await seen.commands.get("pcl.showBoundModel")();
  assert.match(seen.information[0], /Open a file/);
});
