// The page in a real browser: `PLAYGROUND=DIR node --test playground/test`. DIR is what the build
// script wrote. CHROMIUM names the browser; PICTURE is a file that a picture of the page is
// written to.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import test, { after, before } from "node:test";

import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };

let server;
let browser;
let address;

before(async () => {
  server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname).replace(/^\/$/, "/index.html");
    try {
      const body = readFileSync(join(process.env.PLAYGROUND, path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** A page, which fails the test with any error of the script. */
async function open(t, fragment = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  t.after(async () => {
    await context.close();
    assert.deepEqual(errors, []);
  });
  await page.goto(address + fragment);
  await page.locator("#status").filter({ hasText: /errors/ }).waitFor();
  return page;
}

const text = (page) => page.locator(".cm-content").evaluate((element) => element.cmTile?.view?.state.doc.toString() ?? [...element.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));

async function type(page, program) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(program);
}

const status = (page, pattern) => page.locator("#status").filter({ hasText: pattern }).waitFor();

test("mistakes are shown, and fixed", async (t) => {
  const page = await open(t);
  await page.locator(".diagnostic", { hasText: "lenght" }).first().waitFor();
  assert.ok((await page.locator(".cm-lintRange-error").count()) > 0);
  if (process.env.PICTURE) {
    await page.locator(".cm-content").click();
    await page.screenshot({ path: process.env.PICTURE });
  }
  await page.locator(".diagnostic", { hasText: "lenght" }).getByRole("button", { name: /length/ }).click();
  await page.locator(".diagnostic", { hasText: "lenght" }).first().waitFor({ state: "detached" });
  assert.match(await text(page), /length\s+= words/);
});

test("what is typed is checked, and a fix in the text applies", async (t) => {
  const page = await open(t);
  await type(page, "size = lenght([1, 2])\n");
  await status(page, /^1 errors/);
  await page.locator(".cm-lintRange-error").first().hover();
  await page.locator(".cm-diagnosticAction").click();
  await status(page, /^0 errors/);
  assert.match(await text(page), /length\(\[1, 2\]\)/);
});

test("properties are completed, and names explained", async (t) => {
  const page = await open(t);
  await type(page, 'resource pet "random:index/randomPet:RandomPet" {\n  ');
  await page.keyboard.press("Control+Space");
  const option = page.locator(".cm-tooltip-autocomplete li", { hasText: "separator" });
  await option.waitFor();
  await option.click();
  assert.match(await text(page), /separator/);
  await type(page, "size = length([1])\n");
  await page.keyboard.press("Escape");
  await page.locator(".cm-line span", { hasText: /^length$/ }).hover();
  await page.locator(".cm-tooltip-hover .hover").waitFor();
});

test("a link carries the program, with all of its files", async (t) => {
  const page = await open(t);
  const program = 'answer = "é𐍈"\n';
  await type(page, program);
  await page.locator("#share").click();
  await status(page, /link/);
  const fragment = await page.evaluate(() => location.hash);
  assert.match(fragment, /^#p=/);
  const other = await open(t, fragment);
  assert.equal((await text(other)).trim(), program.trim());
  await page.locator("#examples").selectOption("A component");
  await page.locator("#share").click();
  await status(page, /link/);
  const third = await open(t, await page.evaluate(() => location.hash));
  assert.equal(await third.locator("#files [role=tab]").count(), 2);
});

test("a link that is broken opens the first example", async (t) => {
  const page = await open(t, "#p=AAAA");
  assert.match(await text(page), /RandomPet/);
});

test("the views show the graph, the preview and generated code", async (t) => {
  const page = await open(t);
  await page.locator("#examples").selectOption("Values and functions");
  await status(page, /^0 errors/);
  await page.getByRole("tab", { name: "Graph" }).click();
  await page.locator("#view svg text", { hasText: "regions" }).first().waitFor();
  await page.getByRole("tab", { name: "Preview" }).click();
  await page.locator("#view pre", { hasText: "north-5" }).waitFor();
  await page.getByRole("tab", { name: "TypeScript" }).click();
  await page.locator("#view pre", { hasText: "import * as pulumi" }).waitFor();
  await page.getByRole("tab", { name: "YAML" }).click();
  await page.locator("#view", { hasText: "Pulumi.yaml" }).waitFor();
});

test("the text of a program is never markup", async (t) => {
  const page = await open(t);
  const attack = "<img src=x onerror=alert(1)>";
  await type(page, `config x "${attack}" {\n  description = "${attack} [a](javascript:alert(1))"\n}\nb = "${attack}"\nc = x + ${attack}\n`);
  await page.locator(".diagnostic").first().waitFor();
  for (const name of ["Diagnostics", "Graph", "Preview", "TypeScript"]) {
    await page.getByRole("tab", { name }).click();
    await page.waitForTimeout(150);
    assert.equal(await page.locator("#view img, .cm-content img, a[href^=javascript]").count(), 0);
  }
});

test("everything can be reached by keyboard and has a name", async (t) => {
  const page = await open(t);
  await page.getByRole("tab", { name: "Diagnostics" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getByRole("tab", { selected: true, name: "Graph" }).count(), 1);
  const nameless = await page.evaluate(() => {
    const controls = [...document.querySelectorAll("button, select, input, [role=tab], [role=tabpanel]")];
    const name = (it) => it.ariaLabel || it.textContent.trim() || it.labels?.[0]?.textContent || it.getAttribute("aria-labelledby");
    return controls.filter((it) => !name(it)).map((it) => it.outerHTML);
  });
  assert.deepEqual(nameless, []);
});

test("the page is dark where the system is, and fits a phone", async (t) => {
  const dark = await open(t, "", { colorScheme: "dark" });
  const light = await open(t, "", { colorScheme: "light" });
  const back = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.notEqual(await back(dark), await back(light));
  const phone = await open(t, "", { viewport: { width: 380, height: 700 } });
  const [width, visible] = await phone.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(width <= visible, `${width} > ${visible}`);
});

test("a schema can be added", async (t) => {
  const page = await open(t);
  await type(page, 'resource cage "zoo:index:Cage" {\n}\n');
  await status(page, /^1 errors/);
  const schema = { name: "zoo", resources: { "zoo:index:Cage": {} } };
  await page.locator("#schema-file").setInputFiles({ name: "zoo.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(schema)) });
  await status(page, /^0 errors/);
  await page.locator("#schema-file").setInputFiles({ name: "no.json", mimeType: "application/json", buffer: Buffer.from("{") });
});
