// The page: the files of a program, and what is known about them.
import type { EditorDiagnostic } from "pcl-wasm";
import init, { Workspace } from "pcl-wasm";

import { createEditor, recheck, stateOf, type Host } from "./editor";
import { EXAMPLES, type Example } from "./examples";
import { picture } from "./graph";
import { decode, encode, type Files } from "./share";
import { showTabs } from "./tabs";
import { translate, type Language } from "./translate";

const element = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const status = element("status");
const panel = element("view");

type View = "diagnostics" | "graph" | "preview" | Language;
const VIEWS: { id: View; label: string }[] = [
  { id: "diagnostics", label: "Diagnostics" },
  { id: "graph", label: "Graph" },
  { id: "preview", label: "Preview" },
  { id: "typescript", label: "TypeScript" },
  { id: "python", label: "Python" },
  { id: "go", label: "Go" },
  { id: "java", label: "Java" },
  { id: "yaml", label: "YAML" },
];

await init();
const workspace = new Workspace();
let files: Files = {};
let open = "main.pp";
let view: View = "diagnostics";
let due: ReturnType<typeof setTimeout> | undefined;
const schemas = new Map<string, string>();

const host: Host = {
  workspace,
  path: () => open,
  changed(text) {
    files[open] = text;
    workspace.setFile(open, text);
    clearTimeout(due);
    due = setTimeout(() => void show(), 120);
  },
  apply: (fix) => applyFix(fix),
};
workspace.setFile(open, "");
const editor = createEditor(element("editor"), host);

/** Replaces the program. */
function load(program: Files): void {
  for (const path of workspace.files()) {
    workspace.removeFile(path);
  }
  files = { ...program };
  for (const [path, text] of Object.entries(files)) {
    workspace.setFile(path, text);
  }
  openFile("main.pp" in files ? "main.pp" : (Object.keys(files)[0] ?? "main.pp"));
}

function openFile(path: string): void {
  open = path;
  editor.setState(stateOf(files[path] ?? "", host));
  showFiles();
  void show();
}

function showFiles(): void {
  const tabs = Object.keys(files).map((path) => ({ id: path, label: path }));
  showTabs(element("files"), tabs, open, openFile);
}

/** Applies the edits of a fix, each in its file. */
function applyFix(fix: EditorDiagnostic["fixes"][number]): void {
  const own = fix.edits.filter((edit) => edit.file === open);
  for (const edit of fix.edits.filter((edit) => edit.file !== open).sort((a, b) => b.from - a.from)) {
    const text = files[edit.file] ?? "";
    setText(edit.file, text.slice(0, edit.from) + edit.insert + text.slice(edit.to));
  }
  editor.dispatch({ changes: own.map(({ from, to, insert }) => ({ from, to, insert })) });
  editor.focus();
}

function setText(path: string, text: string): void {
  if (path === open) {
    if (text !== editor.state.doc.toString()) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    }
  } else {
    files[path] = text;
    workspace.setFile(path, text);
  }
}

/** The schemas beside the page are fetched when a program needs them. */
async function fetchSchemas(): Promise<void> {
  for (const request of workspace.missingSchemas()) {
    const known = [...schemas.keys()].find((name) => name.startsWith(`${request.name}-`) || name === `${request.name}.json`);
    if (known && schemas.get(known) === "") {
      const response = await fetch(`schemas/${known}`);
      addSchema(known, await response.text());
    }
  }
}

function addSchema(name: string, text: string): void {
  try {
    workspace.addSchema(text);
    schemas.set(name, "added");
    recheck(editor);
  } catch (error) {
    status.textContent = `${name} is not a schema: ${(error as Error).message}`;
  }
  showSchemas();
}

function showSchemas(): void {
  const items = [...schemas].map(([name, state]) => {
    const item = document.createElement("li");
    item.textContent = state === "added" ? `${name} (loaded)` : name;
    return item;
  });
  element("schema-list").replaceChildren(...items);
}

function paragraph(text: string, kind = ""): HTMLParagraphElement {
  const made = document.createElement("p");
  made.textContent = text;
  made.className = kind;
  return made;
}

function block(title: string, text: string): HTMLElement[] {
  const heading = document.createElement("h2");
  heading.textContent = title;
  const code = document.createElement("pre");
  code.tabIndex = 0;
  code.textContent = text;
  return [heading, code];
}

/** The diagnostics of all files. */
function diagnostics(): HTMLElement[] {
  const all = Object.keys(files).flatMap((path) => workspace.diagnostics(path).map((found) => ({ path, found })));
  if (all.length === 0) {
    return [paragraph("No diagnostics.", "quiet")];
  }
  return all.map(({ path, found }) => {
    const item = document.createElement("article");
    item.className = "diagnostic";
    const place = document.createElement("button");
    place.type = "button";
    const line = (files[path] ?? "").slice(0, found.from).split("\n").length;
    place.textContent = `${path}:${line}`;
    place.addEventListener("click", () => {
      if (path !== open) {
        openFile(path);
      }
      editor.dispatch({ selection: { anchor: found.from, head: found.to }, scrollIntoView: true });
      editor.focus();
    });
    const code = document.createElement("a");
    code.href = found.url;
    code.target = "_blank";
    code.rel = "noreferrer noopener";
    code.textContent = found.code;
    const heading = paragraph(`${found.severity}: ${found.message} `, found.severity);
    heading.append(code);
    item.append(place, heading, ...found.notes.map((note) => paragraph(note, "quiet")));
    if (found.help) {
      item.append(paragraph(found.help, "quiet"));
    }
    for (const fix of found.fixes.filter((fix) => fix.applicability !== "display-only")) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = fix.applicability === "safe" ? fix.title : `${fix.title} (may change the meaning)`;
      button.addEventListener("click", () => applyFix(fix));
      item.append(button, " ");
    }
    return item;
  });
}

interface PreviewDocument {
  resources: { type: string; name: string; inputs?: unknown }[];
  outputs: Record<string, unknown> | null;
}

function preview(): HTMLElement[] {
  const found = workspace.preview() as PreviewDocument;
  const table = document.createElement("table");
  const row = (cells: string[], kind: "td" | "th") => {
    const made = table.insertRow();
    for (const text of cells) {
      const cell = document.createElement(kind);
      cell.textContent = text;
      made.append(cell);
    }
  };
  row(["Resource", "Type", "Inputs"], "th");
  for (const resource of found.resources) {
    row([resource.name, resource.type, JSON.stringify(resource.inputs ?? {}, null, 1)], "td");
  }
  return [table, ...block("Outputs", JSON.stringify(found.outputs, null, 2))];
}

/** Shows the chosen view. */
async function show(): Promise<void> {
  await fetchSchemas();
  showTabs(element("views"), VIEWS, view, (id) => {
    view = id as View;
    void show();
  });
  panel.setAttribute("aria-labelledby", `views-${view}`);
  const { summary, programs } = workspace.check();
  status.textContent = `${summary.errors} errors, ${summary.warnings} warnings`;
  const isValid = programs[0]?.valid === true;
  try {
    if (view === "diagnostics") {
      panel.replaceChildren(...diagnostics());
    } else if (view === "graph") {
      panel.replaceChildren(picture(workspace.graph()));
    } else if (!isValid) {
      panel.replaceChildren(paragraph("The program has errors.", "error"));
    } else if (view === "preview") {
      panel.replaceChildren(...preview());
    } else {
      const translated = await translate(workspace, view);
      const notes = translated.unsupported.map((note) => paragraph(note, "warning"));
      const texts = Object.entries(translated.files).flatMap(([path, text]) => block(path, text));
      panel.replaceChildren(...notes, ...texts);
    }
  } catch (error) {
    panel.replaceChildren(paragraph((error as Error).message, "error"));
  }
}

function showExamples(): void {
  const select = element<HTMLSelectElement>("examples");
  select.replaceChildren(...EXAMPLES.map((example) => new Option(example.name)));
  select.addEventListener("change", () => {
    const example = EXAMPLES[select.selectedIndex];
    if (example) {
      history.replaceState(null, "", location.pathname);
      load(example.files);
    }
  });
}

element("format").addEventListener("click", () => {
  try {
    setText(open, workspace.format(open));
  } catch (error) {
    status.textContent = (error as Error).message;
  }
});

element("fix").addEventListener("click", () => {
  const { files: changed, fixed } = workspace.fix();
  for (const [path, text] of Object.entries(changed)) {
    setText(path, text);
  }
  status.textContent = `${fixed.length} fixes applied`;
  void show();
});

element("share").addEventListener("click", () => {
  void encode(files).then(async (fragment) => {
    history.replaceState(null, "", fragment);
    try {
      await navigator.clipboard.writeText(location.href);
      status.textContent = "The link is in the clipboard.";
    } catch {
      status.textContent = "The link is in the address bar.";
    }
  });
});

element<HTMLInputElement>("schema-file").addEventListener("change", (event) => {
  for (const file of (event.target as HTMLInputElement).files ?? []) {
    void file.text().then((text) => {
      addSchema(file.name, text);
      void show();
    });
  }
});

addEventListener("hashchange", () => void start());

async function start(): Promise<void> {
  let program: Files | undefined;
  try {
    program = await decode(location.hash);
  } catch (error) {
    status.textContent = `The link cannot be read: ${(error as Error).message}`;
  }
  const first: Example | undefined = EXAMPLES[0];
  load(program ?? first?.files ?? {});
}

const list = await fetch("schemas/index.json");
for (const name of (await list.json()) as string[]) {
  schemas.set(name, "");
}
showSchemas();
showExamples();
await start();
