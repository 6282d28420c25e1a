// Generated projects. The generators are a module of their own, which is loaded when it is needed.
import type { Workspace } from "pcl-wasm";

export type Language = "typescript" | "python" | "go" | "java" | "yaml";

export interface Translated {
  files: Record<string, string>;
  unsupported: string[];
}

/** Translates the program of a workspace. */
export async function translate(workspace: Workspace, language: Language): Promise<Translated> {
  const generators = await import("pcl-generators");
  await generators.default();
  const sdk = ({ typescript: "nodejs", python: "python", go: "go", java: "java", yaml: undefined } as const)[language];
  const document = workspace.document(".", sdk ? { sdk } : {});
  const project = generators.generate(document, language, "playground");
  return { files: project.files, unsupported: project.unsupported.map((it) => `${it.file}: ${it.message}`) };
}
