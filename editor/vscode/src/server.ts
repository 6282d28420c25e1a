// The `pcl` command: where it is, and whether it can be used.

import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The command that the user names, or else the one in `PATH`. Entries of `PATH` that are not
 * absolute are left out: they would name files of the workspace. */
export function findServer(named: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  if (named) {
    return isAbsolute(named) && isExecutable(named) ? named : undefined;
  }
  const name = process.platform === "win32" ? "pcl.exe" : "pcl";
  const directories = (environment.PATH ?? "").split(delimiter).filter((directory) => isAbsolute(directory));
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The environment variables that let `pcl` start programs or connect to one. */
const PERMITTING = ["PCL_RUN_PLUGINS", "PCL_LOADER_ADDRESS"];

/** What the user lets the server do. */
export interface Allowed {
  runPlugins: boolean | undefined;
  addSchemas: boolean | undefined;
  /** The file of the state that programs are planned for. */
  state: string | undefined;
}

/** What the server may start and connect to: what the user allows, and nothing in a workspace that
 * is not trusted. */
export function permissions(isTrusted: boolean, allowed: Allowed, environment: NodeJS.ProcessEnv): { flags: string[]; environment: NodeJS.ProcessEnv } {
  if (isTrusted) {
    const flags = [];
    if (allowed.runPlugins) {
      flags.push("--run-plugins");
    }
    if (allowed.addSchemas) {
      flags.push("--allow-schema-add");
    }
    if (allowed.state) {
      flags.push("--state", allowed.state);
    }
    return { flags, environment };
  }
  const harmless = Object.entries(environment).filter(([name]) => !PERMITTING.includes(name.toUpperCase()));
  return { flags: [], environment: Object.fromEntries(harmless) };
}

/** The version of a command; an error if it is not `pcl`, or is too old to have a server. */
export function version(command: string): Promise<string | Error> {
  return new Promise((resolve) => {
    execFile(command, ["version"], { timeout: 10_000 }, (error, output) => {
      const found = /^pcl (\S+)/.exec(output ?? "");
      if (error || !found) {
        resolve(new Error("it is not a `pcl` command"));
      } else {
        resolve(found[1] ?? "");
      }
    });
  });
}
