// Compares the time of a re-check after an edit in a browser with the native one:
//
//     cargo build --release -p pcl-wasm --example recheck
//     node bindings/npm/build.mjs target/npm
//     npm ci --prefix playground
//     node tests/performance/browser.mjs target/npm target/release/examples/recheck
//
// Both edit a number in the middle of a program of 10,000 lines, back and forth, and ask for the
// diagnostics of the file, by the same functions. A browser runs a module with a compiler that is
// quick and generates slow code, until another one has compiled the functions that run often; so
// the first edits are a row of their own. The exit status is 1 if those after them take more than 4
// times as long as natively. CHROMIUM names the browser.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const LINES = 10_000;
// What a person types in less than a minute.
const WARM_UP = 200;
const TIMES = 100;
const MOST = 4;

const here = fileURLToPath(new URL(".", import.meta.url));
const { chromium } = createRequire(join(here, "../../playground/package.json"))("playwright-core");
const [packages, native] = process.argv.slice(2);

/** A program of so many lines, with groups of nodes that refer to those before. */
function program(lines) {
  const python = "import programs, sys; sys.stdout.write(programs.nodes(int(sys.argv[1])))";
  const groups = execFileSync("python3", ["-c", python, String(lines)], { cwd: here, maxBuffer: 1 << 28 }).toString();
  const start = groups.split("\n").slice(0, lines).join("\n");
  // Whole blocks only.
  const kept = `${start.slice(0, start.lastIndexOf("\n}\n") + 3)}`;
  return kept + "# end\n".repeat(lines - kept.split("\n").length + 1);
}

const before = program(LINES);
const places = [...before.matchAll(/length += 2 \+ \d$/gm)];
const place = places[places.length >> 1];
const at = place.index + place[0].length;
const after = `${before.slice(0, at)}1${before.slice(at)}`;

/** The median of the first times, and of those after the warm-up. */
function medians(times) {
  const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
  return [median(times.slice(0, 20)), median(times.slice(WARM_UP))];
}

function natively() {
  const directory = mkdtempSync(join(tmpdir(), "pcl-recheck-"));
  try {
    const files = [before, after].map((text, number) => {
      const path = join(directory, `${number}.pp`);
      writeFileSync(path, text);
      return path;
    });
    const times = execFileSync(native, [join(here, "random-4.21.1.json"), ...files, String(WARM_UP + TIMES)]).toString();
    return medians(times.trim().split("\n").map(Number));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };

async function inBrowser() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/") {
      return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>pcl</title>");
    }
    const path = pathname === "/schema.json" ? join(here, "random-4.21.1.json") : join(packages, pathname);
    try {
      const body = readFileSync(path);
      return response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/plain" }).end(body);
    } catch {
      return response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const times = await page.evaluate(
      async ([before, after, count]) => {
        const { default: init, Workspace } = await import("/pcl-wasm/web.js");
        await init();
        const workspace = new Workspace();
        workspace.addSchema(await (await fetch("/schema.json")).text());
        const times = [];
        for (let number = 0; number <= count; number += 1) {
          const text = number % 2 ? after : before;
          const start = performance.now();
          workspace.setFile("main.pp", text);
          const found = workspace.diagnostics("main.pp");
          times.push(performance.now() - start);
          if (found.length > 0) {
            throw new Error(JSON.stringify(found));
          }
        }
        // The first time is a check from nothing.
        return times.slice(1);
      },
      [before, after, WARM_UP + TIMES],
    );
    return { times: medians(times), version: browser.version() };
  } finally {
    await browser.close();
    server.close();
  }
}

const lines = before.split("\n").length - 1;
const nativeTimes = natively();
const { times, version } = await inBrowser();
console.log(`${lines} lines, the medians of edits, natively and in Chromium ${version}:`);
let ratio;
for (const [number, name] of ["the first 20", `${TIMES} after ${WARM_UP}`].entries()) {
  ratio = times[number] / nativeTimes[number];
  console.log(`${name}: ${nativeTimes[number].toFixed(1)} ms, ${times[number].toFixed(1)} ms, ${ratio.toFixed(1)} times`);
}
process.exitCode = ratio <= MOST ? 0 : 1;
