#!/usr/bin/env node
// Runs the command of the package for this platform.
"use strict";
const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");

/** The target of this process, as the names of the packages have it. */
function target() {
  const { platform, arch } = process;
  // Node.js that is built with musl reports no version of glibc.
  const isMusl = platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
  return `${platform}-${arch}${isMusl ? "-musl" : ""}`;
}

const name = `pulumi-pcl-${target()}`;
let binary;
try {
  binary = require.resolve(`${name}/pcl${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`pcl: the package \`${name}\` is not installed`);
  console.error("It is an optional dependency of `pulumi-pcl`: install without `--omit=optional`.");
  console.error("There may be none for this platform; `cargo install pulumi-pcl` builds the command anywhere.");
  process.exit(2);
}
const { status, signal, error } = spawnSync(binary, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`pcl: ${binary} cannot be run: ${error.message}`);
  process.exit(2);
}
process.exit(status ?? 128 + constants.signals[signal]);
