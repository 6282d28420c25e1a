// The extension in VS Code, as code-server serves it to a browser: its extension host runs the
// packaged extension, which starts the real server. Each test does what a user does.
//
//     CODE_SERVER=DIR PCL_BINARY=FILE node --test tests/editor/vscode/host.test.mjs
//
// DIR has the packages of `package.json` here, and those of the VS Code in code-server; `.ci/lib.sh`
// installs them. The extension is `editor/vscode/out/pcl.vsix`. CHROMIUM names the browser; PICTURES
// is a directory that a picture of each window, as a test leaves it, is written to.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import test, { after, before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const packages = resolve(process.env.CODE_SERVER);
const pcl = resolve(process.env.PCL_BINARY);
const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");

// The program that the tests start from. It has two errors.
const TEXT = `resource office "harbor:network:Network" {
  cidr = "10.0.0.0/16"
}

size = lenght([1, 2])

resource front "harbor:network:LoadBalancer" {
}

resource inner "harbor:network:Subnet" {
  cidr      = "10.0.1.0/24"
  networkId = office.id
}
`;

const SETTINGS = {
  "[pcl]": { "editor.formatOnSave": true },
  // These keep what is not tested here away from the window.
  "chat.disableAIFeatures": true,
  "files.autoSave": "off",
  "telemetry.telemetryLevel": "off",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
};

const folder = mkdtempSync(join(tmpdir(), "pcl-vscode-"));
const servers = [];
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});

after(async () => {
  await browser?.close();
  for (const server of servers) if (server.kill()) await once(server, "exit");
  rmSync(folder, { recursive: true, force: true, maxRetries: 9, retryDelay: 100 });
});

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function script(file, text) {
  write(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

/** What is found in the end. */
async function until(find) {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = await find();
    if (found) return found;
    await sleep(100);
  }
  throw new Error(`timed out: ${find}`);
}

/** Starts VS Code with the extension, settings of the user, and those for the machine that the server is on, where `pcl.path`
 * belongs. Returns its address and a context of the browser. */
async function start(settings, machine = { "pcl.path": pcl }) {
  const data = mkdtempSync(join(folder, "data-"));
  write(join(data, "User/settings.json"), JSON.stringify({ ...SETTINGS, ...settings }));
  write(join(data, "Machine/settings.json"), JSON.stringify(machine));
  const node = join(packages, "node_modules/node/bin/node");
  const main = join(packages, "node_modules/code-server/lib/vscode/out/server-main.js");
  const places = ["--user-data-dir", data, "--server-data-dir", data, "--extensions-dir", join(data, "extensions")];
  execFileSync(node, [main, ...places, "--install-extension", join(root, "editor/vscode/out/pcl.vsix")], { stdio: "ignore" });
  // It leaves its sockets behind.
  const env = { ...process.env, TMPDIR: folder };
  const server = spawn(node, [main, ...places, "--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--accept-server-license-terms"], { env });
  servers.push(server);
  let output = "";
  const read = (data) => {
    output += data;
  };
  server.stdout.on("data", read);
  server.stderr.on("data", read);
  const port = await until(() => {
    assert.equal(server.exitCode, null, output);
    return /Extension host agent listening on (\d+)/.exec(output)?.[1];
  });
  return { authority: `127.0.0.1:${port}`, context: await browser.newContext({ viewport: { width: 1280, height: 800 } }) };
}

let trusting;

/** A window on a folder with the program, which is open there and was checked. */
async function open(t, code, files = {}) {
  const { authority, context } = await (code ?? (trusting ??= start({ "security.workspace.trust.enabled": false })));
  const place = mkdtempSync(join(folder, "program-"));
  const file = join(place, "main.pp");
  write(file, TEXT);
  cpSync(join(root, "corpus/schemas/harbor-2.1.0.json"), join(place, "schemas/harbor-2.1.0.json"));
  for (const [name, text] of Object.entries(files)) write(join(place, name), text);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  t.after(async () => {
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${t.name}.png`) });
    await page.close();
  });
  const query = new URLSearchParams({ folder: place, payload: JSON.stringify([["openFile", `vscode-remote://${authority}${file}`]]) });
  await page.goto(`http://${authority}/?${query}`);
  await running(page);
  await errors(page, 2);
  return { page, file };
}

const status = (page) => page.locator("[id='pcl-lang.pcl.pcl.status']");
const running = (page) => status(page).locator(".codicon-check").waitFor();
const errors = (page, number) => page.locator("[id='status.problems']", { hasText: new RegExp(`^\\s*${number}\\s+0\\s*$`) }).waitFor();
const row = (page, text) => page.locator(".monaco-list-row", { hasText: text }).first();
const token = (page, text) => page.locator(".view-line span[class^=mtk]", { hasText: new RegExp(`^${text}$`) });

/** Presses a key for what is shown then. What comes from the server closes some widgets, and a user presses the key again. */
async function press(page, key, shown) {
  for (let tries = 0; tries < 9 && !(await shown.isVisible()); tries += 1) {
    await page.keyboard.press(key);
    await shown.waitFor({ timeout: 5000 }).catch(() => undefined);
  }
  await shown.waitFor({ timeout: 1000 });
}

/** Puts the cursor on the first place of a text, at an offset in it. */
async function go(page, needle, offset = 0) {
  const before = TEXT.slice(0, TEXT.indexOf(needle) + offset).split("\n");
  const [line, column] = [before.length, before.at(-1).length + 1];
  await press(page, "Control+g", page.locator(".quick-input-widget input:focus"));
  await page.keyboard.type(`${line}:${column}`);
  await page.keyboard.press("Enter");
  await page.locator("[id='status.editor.selection']", { hasText: `Ln ${line}, Col ${column}` }).waitFor();
}

/** Runs a command of the palette. */
async function run(page, command) {
  await press(page, "F1", page.locator(".quick-input-widget input:focus"));
  await page.keyboard.type(command);
  await page.locator(".quick-input-widget .monaco-list-row.focused", { hasText: command }).waitFor();
  await page.keyboard.press("Enter");
}

/** Saves the file, whose text is then as expected. */
async function save(page, file, expected) {
  await page.keyboard.press("Control+s");
  await until(() => expected.test(readFileSync(file, "utf8"))).catch(() => assert.match(readFileSync(file, "utf8"), expected));
}

test("the language of the file is known, and it has colours", async (t) => {
  const { page } = await open(t);
  assert.equal(await page.locator("[id='status.editor.mode']").textContent(), "PCL");
  const colour = (place) => place.evaluate((element) => getComputedStyle(element).color);
  const texts = ["resource", "=", "1", '"10.0.1.0/24"'];
  await until(async () => new Set(await Promise.all(texts.map((text) => colour(token(page, text).first())))).size === texts.length);
  // Only the server can tell the name of a resource, where it is used, from that of a variable.
  const [declared, used] = [token(page, "office").first(), token(page, "office").last()];
  await until(async () => (await colour(used)) === (await colour(declared)) && (await colour(used)) !== (await colour(token(page, "size"))));
});

test("a mistake is among the problems, with its code", async (t) => {
  const { page } = await open(t);
  const problem = page.locator(".markers-panel .monaco-list-row", { hasText: "there is no function `lenght`" });
  await press(page, "Control+Shift+m", problem);
  assert.match(await problem.textContent(), /PCL0601.*did you mean `length`\?/);
});

test("a quick fix is applied", async (t) => {
  const { page, file } = await open(t);
  await go(page, "lenght");
  await press(page, "Control+.", row(page, "call `length`"));
  await page.keyboard.press("Enter");
  await errors(page, 1);
  await save(page, file, /^size = length\(\[1, 2\]\)$/m);
});

test("what is wanted is completed first", async (t) => {
  const { page, file } = await open(t);
  const first = page.locator(".suggest-widget.visible .monaco-list-row[data-index='0']");
  // A member that fits: by the letters, `cidr` would be the first.
  await go(page, "office.id", "office.".length);
  await press(page, "Control+Space", first);
  assert.match(await first.getAttribute("aria-label"), /^id\b/);
  await page.keyboard.press("Escape");
  // The required input: by the letters, `check` would be the first.
  await go(page, 'LoadBalancer" {', 'LoadBalancer" {'.length);
  await page.keyboard.press("Enter");
  await press(page, "Control+Space", first);
  assert.match(await first.getAttribute("aria-label"), /^ports\b/);
  await page.keyboard.press("Enter");
  await save(page, file, /LoadBalancer" {\n  ports = /);
});

test("hover shows the documentation", async (t) => {
  const { page } = await open(t);
  await token(page, ".?harbor:network:Network.?").hover();
  await page.locator(".monaco-hover", { hasText: "A private network" }).waitFor();
});

test("a type leads to what its schema says", async (t) => {
  const { page } = await open(t);
  await go(page, "harbor:network:Network");
  await page.keyboard.press("F12");
  await page.locator(".view-line", { hasText: "A private network" }).waitFor();
});

test("files are formatted when they are saved", async (t) => {
  const { page, file } = await open(t);
  await go(page, "= office");
  await page.keyboard.type("    ");
  await save(page, file, /^  networkId = office.id$/m);
});

test("a renamed resource keeps its name outside of the program", async (t) => {
  const { page, file } = await open(t);
  await go(page, "office");
  await press(page, "F2", page.locator(".rename-box input:focus"));
  await page.keyboard.type("building");
  await page.keyboard.press("Control+Enter");
  await row(page, '__logicalName = "office"').waitFor();
  await page.getByRole("button", { name: "Apply" }).click();
  await save(page, file, /^resource building .*\n  __logicalName = "office"\n/);
  assert.match(readFileSync(file, "utf8"), /networkId = building\.id/);
});

test("commands show documents beside the program", async (t) => {
  const { page } = await open(t);
  await run(page, "PCL: Preview Graph of Program");
  await page.locator(".view-line", { hasText: "flowchart" }).waitFor();
});

test("a workspace chooses neither the command nor, without trust, its permissions", async (t) => {
  const [theirs, ours, log] = ["theirs", "ours", "log"].map((name) => join(folder, name));
  script(theirs, `touch '${theirs}-ran'`);
  script(ours, `echo "$*" >> '${log}'\nexec '${pcl}' "$@"`);
  const started = () => readFileSync(log, "utf8").match(/^server.*$/gm);
  const code = start({ "security.workspace.trust.startupPrompt": "never" }, { "pcl.path": ours, "pcl.runPlugins": true });
  const { page } = await open(t, code, { ".vscode/settings.json": JSON.stringify({ "pcl.path": theirs }) });
  assert.deepEqual(started(), ["server --stdio"]);
  await page.getByRole("button", { name: /^Restricted Mode/ }).click();
  await page.getByRole("button", { name: "Trust", exact: true }).click();
  await until(() => started().at(-1) === "server --stdio --run-plugins");
  await running(page);
  await errors(page, 2);
  assert.ok(!existsSync(`${theirs}-ran`));
});
