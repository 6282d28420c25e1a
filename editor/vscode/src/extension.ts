// The extension: it starts `pcl server` and offers commands about the program of the open file.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type Location, type Position, type ServerOptions, State } from "vscode-languageclient/node";

import { findServer, permissions, version } from "./server";

/** The scheme of documents that the server writes: members of package schemas. */
const SCHEMA_SCHEME = "pcl-schema";

let client: LanguageClient | undefined;
let status: vscode.StatusBarItem | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  status = vscode.window.createStatusBarItem("pcl.status", vscode.StatusBarAlignment.Right);
  status.name = "PCL";
  status.command = "pcl.showOutput";
  context.subscriptions.push(
    status,
    vscode.workspace.registerTextDocumentContentProvider(SCHEMA_SCHEME, { provideTextDocumentContent: schemaDocument }),
    vscode.commands.registerCommand("pcl.restart", restart),
    vscode.commands.registerCommand("pcl.showOutput", () => client?.outputChannel.show()),
    vscode.commands.registerCommand("pcl.showBoundModel", showModel),
    vscode.commands.registerCommand("pcl.explainCode", explain),
    vscode.commands.registerCommand("pcl.previewGraph", previewGraph),
    vscode.commands.registerCommand("pcl.showReferences", showReferences),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (["pcl.path", "pcl.runPlugins", "pcl.allowSchemaAdd", "pcl.state"].some((name) => event.affectsConfiguration(name))) {
        void restart();
      }
    }),
  );
  await inTurn(start);
}

export async function deactivate(): Promise<void> {
  await inTurn(stop);
}

/** The last of what starts and stops the server. */
let last: Promise<void> = Promise.resolve();

/** Runs what starts or stops the server after all that was begun before: trust and settings may
 * change at once, and while the server starts. */
function inTurn(action: () => Promise<void>): Promise<void> {
  last = last.then(action, action);
  return last;
}

function restart(): Promise<void> {
  return inTurn(async () => {
    await stop();
    await start();
  });
}

async function stop(): Promise<void> {
  // A client whose server did not start, or does not answer, refuses; there is nothing to wait for.
  await client?.dispose().catch(() => undefined);
  client = undefined;
}

/** The values that a user set, but nobody else: a workspace must not choose what is executed. */
function userSetting<T>(name: string): T | undefined {
  const setting = vscode.workspace.getConfiguration("pcl").inspect<T | null>(name);
  return setting?.globalValue ?? undefined;
}

async function start(): Promise<void> {
  const command = findServer(userSetting<string>("path"), process.env);
  if (command === undefined) {
    show("$(error) PCL", "The `pcl` command was not found.");
    // Nothing waits for an answer: the next start may come before it.
    void offerSettings();
    return;
  }
  const found = await version(command);
  if (found instanceof Error) {
    show("$(error) PCL", found.message);
    void vscode.window.showErrorMessage(`\`${command}\` cannot be used: ${found.message}`);
    return;
  }
  const allowed = {
    runPlugins: userSetting<boolean>("runPlugins"),
    addSchemas: userSetting<boolean>("allowSchemaAdd"),
    state: userSetting<string>("state"),
  };
  const { flags, environment } = permissions(vscode.workspace.isTrusted, allowed, process.env);
  const server: ServerOptions = { command, args: ["server", "--stdio", ...flags], options: { env: environment } };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "pcl" },
      { scheme: "untitled", language: "pcl" },
    ],
    // Definitions may lead to documents of `SCHEMA_SCHEME`.
    initializationOptions: { schemaDocument: true },
    outputChannelName: "PCL",
    markdown: { isTrusted: false, supportHtml: false },
  };
  client = new LanguageClient("pcl", "PCL", server, options);
  client.onDidChangeState(({ newState }) => {
    const icon = newState === State.Running ? "check" : newState === State.Starting ? "sync~spin" : "error";
    show(`$(${icon}) PCL`, `pcl ${found} (${command})`);
  });
  await client.start();
}

async function offerSettings(): Promise<void> {
  const choice = await vscode.window.showErrorMessage(
    "The `pcl` command was not found. Install it, or name it in the setting `pcl.path`.",
    "Open Settings",
  );
  if (choice !== undefined) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "pcl.path");
  }
}

function show(text: string, tooltip: string): void {
  if (status) {
    status.text = text;
    status.tooltip = tooltip;
    status.show();
  }
}

async function schemaDocument(uri: vscode.Uri): Promise<string> {
  const answer = await client?.sendRequest<{ text: string } | null>("pcl/schemaDocument", { uri: uri.toString() });
  return answer?.text ?? "";
}

/** Runs a command of the server about the program of the open file. */
async function ask(command: string): Promise<string | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (client === undefined || document?.languageId !== "pcl") {
    await vscode.window.showInformationMessage("Open a file of a PCL program first.");
    return undefined;
  }
  const argument = { uri: document.uri.toString() };
  const answer = await client.sendRequest<string | null>("workspace/executeCommand", { command, arguments: [argument] });
  return answer ?? undefined;
}

async function open(content: string | undefined, language: string): Promise<void> {
  if (content !== undefined) {
    const document = await vscode.workspace.openTextDocument({ content, language });
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }
}

async function showModel(): Promise<void> {
  await open(await ask("pcl.showModel"), "plaintext");
}

async function previewGraph(): Promise<void> {
  const graph = await ask("pcl.showGraph");
  // Editors draw Mermaid in Markdown.
  await open(graph && `\`\`\`mermaid\n${graph}\n\`\`\`\n`, "markdown");
}

/** Shows the references that a code lens counts. */
async function showReferences(uri: string, position: Position, locations: Location[]): Promise<void> {
  const converter = client?.protocol2CodeConverter;
  if (converter) {
    const places = locations.map((location) => converter.asLocation(location));
    await vscode.commands.executeCommand("editor.action.showReferences", converter.asUri(uri), converter.asPosition(position), places);
  }
}

/** Explains the code of the diagnostic at the cursor, or the one that the user writes. */
async function explain(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const at = editor && vscode.languages.getDiagnostics(editor.document.uri).find((diagnostic) => diagnostic.source === "pcl" && diagnostic.range.contains(editor.selection.active));
  const known = typeof at?.code === "object" ? at.code.value : at?.code;
  const code = await vscode.window.showInputBox({
    prompt: "A code, function, option, block, type or token",
    placeHolder: "PCL0601",
    value: known?.toString(),
  });
  if (code && client) {
    const params = { command: "pcl.explain", arguments: [{ code }] };
    const text = await client.sendRequest<string | null>("workspace/executeCommand", params);
    if (text) {
      await open(text, "markdown");
    } else {
      await vscode.window.showInformationMessage(`pcl knows nothing about ${code}.`);
    }
  }
}
