/** The settings of `pcl.toml`, by their names in camel case. */
export interface Settings {
  /** The treatment of packages without a schema. */
  missingSchema?: "error" | "warn" | "ignore";
  /** `pulumi` gives the verdicts of Pulumi's own binder. */
  compat?: "none" | "pulumi";
  /** The lints that run, by code, name or group. */
  select?: string[];
  /** Levels by code, name or group. */
  levels?: Record<string, "error" | "warn" | "ignore">;
  [name: string]: unknown;
}

/** A package whose schema is needed. */
export interface SchemaRequest {
  name: string;
  version: string | null;
  /** The plugin that has the schema: the package itself unless it is parameterized. */
  plugin: string;
  pluginVersion: string | null;
  downloadUrl: string | null;
}

/** The document of a schema; with the path of its file, if diagnostics are to name it. */
export type SuppliedSchema = string | Uint8Array | { document: string | Uint8Array; path: string };

export type Severity = "error" | "warning";
export type Applicability = "safe" | "unsafe" | "display-only";

/** A position: `byte` counts from 0, `line` and `column` from 1, columns in Unicode characters. */
export interface Position {
  byte: number;
  line: number;
  column: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** The document of `pcl check --output-format json`. */
export interface CheckDocument {
  format_version: string;
  programs: CheckedProgram[];
  summary: { programs: number; errors: number; warnings: number };
}

export interface CheckedProgram {
  path: string;
  valid: boolean;
  errors: number;
  warnings: number;
  diagnostics: Diagnostic[];
}

export interface Diagnostic {
  code: string;
  name: string;
  severity: Severity;
  message: string;
  file: string;
  range: Range;
  labels: { file: string; range: Range; message: string }[];
  notes: string[];
  help: string | null;
  fixes: {
    title: string;
    applicability: Applicability;
    edits: { file: string; range: Range; text: string }[];
  }[];
  fingerprint: string;
}

/** A place in a file, as offsets in UTF-16 code units. */
export interface Location {
  file: string;
  from: number;
  to: number;
}

/** A diagnostic for an editor, with offsets in UTF-16 code units. */
export interface EditorDiagnostic {
  from: number;
  to: number;
  severity: Severity;
  code: string;
  name: string;
  message: string;
  notes: string[];
  help: string | null;
  /** The address of the page about the code. */
  url: string;
  tag: "unused" | "deprecated" | null;
  labels: (Location & { message: string })[];
  fixes: {
    title: string;
    applicability: Applicability;
    /** The edits, which are applied at once. */
    edits: (Location & { insert: string })[];
  }[];
}

export interface Hover {
  from: number;
  to: number;
  markdown: string;
}

export interface Completions {
  /** The text that a completion replaces. */
  from: number;
  to: number;
  /** Set if there are more, which typing on reveals. */
  incomplete: boolean;
  /** The completions, the best first. */
  items: Completion[];
}

export interface Completion {
  label: string;
  kind:
    | "keyword"
    | "type"
    | "package"
    | "directory"
    | "property"
    | "member"
    | "resource"
    | "variable"
    | "function"
    | "value";
  detail: string | null;
  /** The text that is inserted. */
  text: string;
  /** The text with placeholders such as `${1:name}`. */
  snippet: string | null;
  deprecated: boolean;
  documentation: string | null;
}

export interface Fixed {
  /** The new texts of the files that change, by path. */
  files: Record<string, string>;
  /** The names of the diagnostics that were fixed, one for each fix. */
  fixed: string[];
  /** The program after the fixes. */
  check: CheckDocument;
}

export interface PreviewOptions {
  /** The name of the project; by default that in `Pulumi.yaml`, or else `project`. */
  project?: string;
  /** The name of the stack, whose configuration is in `Pulumi.STACK.yaml`; by default `dev`. */
  stack?: string;
  organization?: string;
  /** The file that the configuration of the stack is read from instead. */
  configFile?: string;
  /** Configuration by key, which outweighs that of the stack; a key without a colon is one of the project. */
  config?: Record<string, string>;
  /** The same for values that are secret. */
  secrets?: Record<string, string>;
  /** The environment variables from which schemas take defaults. */
  environment?: Record<string, string>;
  /** Answers of providers, in the form that `pcl preview --mock` reads. */
  mock?: unknown;
}

export interface Workspace {
  /** Adds a file, or replaces its content. A program reads files other than `.pp` when it runs. */
  setFile(path: string, content: string | Uint8Array): void;
  /** Adds the schema of a package, in JSON or YAML. */
  addSchema(document: string | Uint8Array): { name: string; version: string | null };
  /** Sets the function that is asked for schemas that were not added. */
  setSchemaLoader(
    load: ((request: SchemaRequest) => SuppliedSchema | undefined | null) | undefined,
    /** What diagnostics about a package without a schema tell: what the function supplies, and from where. */
    options?: { packages?: { name: string; version?: string | null }[]; places?: string[] },
  ): void;
  /** The packages that a program needs and whose schemas are not there. */
  missingSchemas(directory?: string): SchemaRequest[];
  /** Checks the program of a directory. */
  check(directory?: string): CheckDocument;
  /** The diagnostics of a file. */
  diagnostics(path: string): EditorDiagnostic[];
  /** The explanation of what is at an offset, in Markdown. */
  hover(path: string, offset: number): Hover | null;
  /** What can be written at an offset. */
  complete(path: string, offset: number): Completions | null;
  /** The declaration of the name at an offset. */
  definition(path: string, offset: number): Location | null;
  /** The places of the name at an offset: its declaration, then the references to it. */
  references(path: string, offset: number): Location[];
  /** The edits that rename what is at an offset; an exception gives the reason if it cannot be. */
  rename(path: string, offset: number, name: string): (Location & { insert: string })[];
  /** The files that fixes change, and the check after them. Nothing in the workspace changes. */
  fix(directory?: string, options?: { unsafe?: boolean }): Fixed;
  /** The document for code generators, as `docs/formats/document.schema.json` describes it. */
  document(
    directory?: string,
    /** The SDK of the generated code: outputs are applied as it needs them. */
    options?: { sdk?: "nodejs" | "python" | "go" | "java" },
  ): unknown;
  /** The dependency graph. */
  graph(directory: string | undefined, format: "mermaid" | "dot"): string;
  graph(directory?: string, format?: "json"): unknown;
  /** What `pcl preview --output-format json` prints. */
  preview(directory?: string, options?: PreviewOptions): unknown;
}
