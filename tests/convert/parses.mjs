// Reads JSON lines `[name, text]` and prints those that are neither TypeScript nor YAML, as their
// names say, each with the error: parses.mjs NODE_MODULES < texts.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(`${process.argv[2]}/package.json`);
const typescript = require("typescript");
const yaml = require("js-yaml");

function problem(name, text) {
  if (name.endsWith(".ts")) {
    const file = typescript.createSourceFile(name, text, typescript.ScriptTarget.Latest);
    const found = file.parseDiagnostics[0];
    return found && typescript.flattenDiagnosticMessageText(found.messageText, " ");
  }
  try {
    yaml.load(text);
  } catch (error) {
    return error.message;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [name, text] = JSON.parse(line);
  const found = problem(name, text);
  if (found) {
    console.log(JSON.stringify([name, found]));
  }
}
