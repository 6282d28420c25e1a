// Writes the settings of the extension into package.json: its own, and those of `pcl.toml`, which
// `pcl config schema` describes. With --check it fails if they differ.
//
//     node scripts/settings.mjs PCL [--check]
//
// `cargo xtask generate` runs it.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package.json", import.meta.url);
const [pcl, mode] = process.argv.slice(2);
const schema = JSON.parse(execFileSync(pcl, ["config", "schema"], { encoding: "utf8" }));

// Settings that only make sense in a file, or for a run of the command.
const OF_FILES = ["extend", "overrides"];
const OF_RUNS = ["error-on-warning", "exclude", "max-steps", "max-files", "max-file-bytes"];
const LEFT_OUT = [...OF_FILES, ...OF_RUNS];

/** `missing-schema` as `missingSchema`. */
function camel(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

/** The schema with its references replaced by what they refer to. */
function resolved(value) {
  if (Array.isArray(value)) {
    return value.map(resolved);
  }
  if (value === null || typeof value !== "object") {
    return value;
  }
  if (typeof value.$ref === "string") {
    const { $ref, ...rest } = value;
    return { ...resolved(schema.$defs[$ref.split("/").pop()]), ...rest };
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner)]));
}

const own = {
  "pcl.path": {
    type: ["string", "null"],
    default: null,
    scope: "machine",
    markdownDescription: "The `pcl` command. By default it is looked up in `PATH`.",
  },
  "pcl.runPlugins": {
    type: "boolean",
    default: false,
    scope: "machine",
    markdownDescription: "Start the provider plugins that Pulumi would, to get schemas that are found nowhere else.",
  },
  "pcl.allowSchemaAdd": {
    type: "boolean",
    default: false,
    scope: "machine",
    markdownDescription: "Offer to get missing schemas as `pcl schema add` does, which runs `pulumi` or a provider plugin.",
  },
  "pcl.state": {
    type: ["string", "null"],
    default: null,
    scope: "machine",
    markdownDescription: "The state of a stack, a file that `pulumi stack export` writes. What a deployment would do is shown above each block of the programs of its project, which are evaluated for it.",
  },
  "pcl.inlayHints.types": {
    type: "boolean",
    default: true,
    markdownDescription: "Show the types of locals and loop variables.",
  },
  "pcl.inlayHints.parameterNames": {
    type: "boolean",
    default: true,
    markdownDescription: "Show the names of parameters in calls.",
  },
  "pcl.codeLens": {
    type: "boolean",
    default: false,
    markdownDescription: "Show the number of references above declarations.",
  },
  "pcl.trace.server": {
    type: "string",
    enum: ["off", "messages", "verbose"],
    default: "off",
    markdownDescription: "Log the messages between the editor and the server.",
  },
};

const mirrored = Object.entries(schema.properties)
  .filter(([name]) => !LEFT_OUT.includes(name))
  .map(([name, property]) => {
    const { default: _, description, ...rest } = resolved(property);
    const type = [rest.type ?? "string", "null"].flat();
    const values = rest.enum && { enum: [...rest.enum, null] };
    // A default would count instead of what `pcl.toml` says.
    const setting = { ...rest, ...values, type, default: null, markdownDescription: `${description} By default as in \`pcl.toml\`.` };
    return [`pcl.${camel(name)}`, setting];
  });

const manifest = JSON.parse(readFileSync(file, "utf8"));
const properties = { ...own, ...Object.fromEntries(mirrored) };
const current = JSON.stringify(manifest.contributes.configuration.properties);
if (mode === "--check") {
  if (current !== JSON.stringify(properties)) {
    console.error("the settings in package.json are stale: run `cargo xtask generate`");
    process.exit(1);
  }
} else {
  manifest.contributes.configuration.properties = properties;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
