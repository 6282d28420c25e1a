// Builds the packages for npm, `pcl-wasm` and `pcl-generators`: `node bindings/npm/build.mjs OUT`.
// It needs `wasm-bindgen` of the version in `Cargo.toml` on the path.
//
// With the source of Rust's standard library (`rustup component add rust-src`), that library is
// built for size too, which makes the modules a fifth smaller. `--fast` leaves out everything that
// takes long: the modules are ten times as large, and slow.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const [place] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const isFast = process.argv.includes("--fast");
const out = resolve(place ?? join(root, "target/npm"));
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");

const PACKAGES = [
  {
    name: "pcl-wasm",
    description: "The front end of PCL, the Pulumi Configuration Language: check, format, hover, complete, preview",
    crate: "bindings/wasm",
    exports: ["Workspace", "explain", "format", "version"],
  },
  {
    name: "pcl-generators",
    description: "Code generators for PCL, the Pulumi Configuration Language: TypeScript and Pulumi YAML",
    crate: "bindings/generators",
    exports: ["generate"],
  },
];

const FEATURES = ["bulk-memory", "nontrapping-float-to-int", "sign-ext", "mutable-globals", "reference-types", "multivalue"];

// The first kilobyte of the memory is the end of the stack, which no address is below.
const PASSES = ["-Oz", "--converge", "--low-memory-unused", "--merge-similar-functions"];

const run = (command, args, env = {}) =>
  execFileSync(command, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...env } }).toString();

/** Compiles the modules, and returns the directory that they are in. */
function compile() {
  const flags = ["-Clink-arg=-zstack-size=4194304"];
  const args = ["build", "--locked", "--quiet", "--lib", "--target", "wasm32-unknown-unknown"];
  args.push(...PACKAGES.flatMap(({ name }) => ["--package", name]));
  const env = {};
  if (!isFast) {
    args.push("--profile", "wasm");
    if (existsSync(join(run("rustc", ["--print", "sysroot"]).trim(), "lib/rustlib/src/rust/library/std"))) {
      // The stable compiler takes unstable flags with this variable.
      env.RUSTC_BOOTSTRAP = "1";
      // Crates write characters into messages by `Debug`, so that `none` would lose them.
      flags.push("-Zlocation-detail=none", "-Zfmt-debug=shallow");
      args.push("-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size");
    } else {
      console.error("the modules are larger than they could be: the source of the standard library is not installed");
    }
  }
  env.CARGO_ENCODED_RUSTFLAGS = flags.join("\x1f");
  run("cargo", args, env);
  return join(target, "wasm32-unknown-unknown", isFast ? "debug" : "wasm");
}

/** Writes a package. */
function pack({ name, description, crate, exports }, modules) {
  const directory = join(out, name);
  const stem = name.replaceAll("-", "_");
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  run("wasm-bindgen", ["--target", "web", "--out-dir", directory, join(modules, `${stem}.wasm`)]);
  rmSync(join(directory, `${stem}_bg.wasm.d.ts`));
  const module = join(directory, `${stem}_bg.wasm`);
  if (!isFast) {
    const optimizer = join(here, "node_modules/.bin/wasm-opt");
    run(optimizer, [...PASSES, ...FEATURES.map((feature) => `--enable-${feature}`), module, "-o", module]);
  }
  for (const file of ["node.js", "web.js", "index.d.ts"]) {
    const template = readFileSync(join(here, "template", file), "utf8");
    writeFileSync(join(directory, file), template.replaceAll("STEM", stem).replaceAll("EXPORTS", exports.join(", ")));
  }
  const template = JSON.parse(readFileSync(join(here, "template/package.json"), "utf8"));
  const manifest = { name, version: version(), description, ...template };
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, crate, "README.md"), join(directory, "README.md"));
  for (const licence of ["Apache-2.0.txt", "MIT.txt"]) {
    copyFileSync(join(root, "LICENSES", licence), join(directory, `LICENSE-${licence}`));
  }
  const bytes = readFileSync(module);
  const sizes = [`${name}: ${bytes.length} bytes`];
  if (!isFast) {
    const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    sizes.push(`${gzipSync(bytes, { level: 9 }).length} with gzip`, `${brotli.length} with Brotli`);
  }
  console.log(sizes.join(", "));
}

/** The version of the workspace. */
function version() {
  const manifest = readFileSync(join(root, "Cargo.toml"), "utf8");
  return /\[workspace\.package\]\s+version = "([^"]+)"/.exec(manifest)[1];
}

const modules = compile();
for (const it of PACKAGES) {
  pack(it, modules);
}
