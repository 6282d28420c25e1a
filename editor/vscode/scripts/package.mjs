// Packages the extension as `out/pcl.vsix` and refuses one that has grown.

import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, statSync } from "node:fs";

const MOST_BYTES = 1 << 20;
const root = new URL("..", import.meta.url);
const file = new URL("out/pcl.vsix", root);
const license = new URL("LICENSE.txt", root);

copyFileSync(new URL("../../LICENSES/MIT.txt", root), license);
try {
  execFileSync("npx", ["--no-install", "vsce", "package", "--no-dependencies", "--out", "out/pcl.vsix"], { cwd: root, stdio: "inherit" });
} finally {
  rmSync(license);
}
const { size } = statSync(file);
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
console.log(`out/pcl.vsix ${version}: ${Math.round(size / 1024)} KiB`);
if (size > MOST_BYTES) {
  console.error(`it is larger than ${MOST_BYTES} bytes`);
  process.exit(1);
}
