// Packs the command for npm: `node packaging/npm/build.mjs OUT TARGET=BINARY...`, where a TARGET is
// one of those below, such as `linux-x64`. Writes a package for each of them, and the package
// `pulumi-pcl`, which depends on all targets that there are, each optional.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");

const TARGETS = {
  "darwin-arm64": { os: ["darwin"], cpu: ["arm64"] },
  "darwin-x64": { os: ["darwin"], cpu: ["x64"] },
  "linux-arm64": { os: ["linux"], cpu: ["arm64"], libc: ["glibc"] },
  "linux-x64": { os: ["linux"], cpu: ["x64"], libc: ["glibc"] },
  "linux-x64-musl": { os: ["linux"], cpu: ["x64"], libc: ["musl"] },
  "win32-x64": { os: ["win32"], cpu: ["x64"] },
};

const manifest = readFileSync(join(root, "Cargo.toml"), "utf8");
const version = /\[workspace\.package\]\s+version = "([^"]+)"/.exec(manifest)[1];
const common = {
  version,
  license: "MIT OR Apache-2.0",
  repository: "https://github.com/pcl-lang/pcl",
  homepage: "https://pcl-lang.github.io/pcl",
};

/** Writes a package with the licences and these files. */
function pack(out, fields, files) {
  const directory = join(out, fields.name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const [name, source] of Object.entries(files)) {
    copyFileSync(source, join(directory, name));
  }
  for (const licence of ["Apache-2.0.txt", "MIT.txt"]) {
    copyFileSync(join(root, "LICENSES", licence), join(directory, `LICENSE-${licence}`));
  }
  writeFileSync(join(directory, "package.json"), `${JSON.stringify({ ...fields, ...common }, null, 2)}\n`);
  return directory;
}

const [place, ...pairs] = process.argv.slice(2);
const out = resolve(place);
for (const pair of pairs) {
  const [target, binary] = pair.split("=");
  if (!(target in TARGETS)) {
    throw new Error(`${target} is none of ${Object.keys(TARGETS).join(", ")}`);
  }
  const file = target.startsWith("win32") ? "pcl.exe" : "pcl";
  const name = `pulumi-pcl-${target}`;
  const description = `The command pcl for ${target}; install pulumi-pcl instead`;
  const directory = pack(out, { name, description, ...TARGETS[target], files: [file] }, { [file]: binary });
  chmodSync(join(directory, file), 0o755);
}
const optional = Object.keys(TARGETS).map((target) => [`pulumi-pcl-${target}`, version]);
const directory = pack(
  out,
  {
    name: "pulumi-pcl",
    description: "Checker, formatter and language server for PCL, the Pulumi Configuration Language",
    keywords: ["pulumi", "pcl", "linter", "formatter", "language-server"],
    bin: { pcl: "pcl.js" },
    files: ["pcl.js"],
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(optional),
  },
  { "pcl.js": join(here, "pcl.js"), "README.md": join(here, "README.md") },
);
chmodSync(join(directory, "pcl.js"), 0o755);
