// A stand-in for the module `vscode`, with what the extension and its client use: enough to start
// the real server and to see what the user would.

const { EventEmitter } = require("node:events");
const Module = require("node:module");
const { pathToFileURL, fileURLToPath } = require("node:url");

/** What the tests set and see. */
const seen = {
  commands: new Map(),
  providers: new Map(),
  errors: [],
  information: [],
  opened: [],
  settings: { user: {}, workspace: {} },
  input: undefined,
  isTrusted: true,
  diagnostics: [],
  activeTextEditor: undefined,
  documents: [],
  status: undefined,
};

const emitter = new EventEmitter();
const event = (name) => (listener) => {
  emitter.on(name, listener);
  return { dispose: () => emitter.off(name, listener) };
};

class Disposable {
  constructor(dispose = () => {}) {
    this.dispose = dispose;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
}

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.split(":")[0];
    this.fsPath = this.scheme === "file" ? fileURLToPath(text) : text;
    this.path = this.fsPath;
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(path) {
    return new Uri(pathToFileURL(path).href);
  }
  toString() {
    return this.text;
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, startCharacter, end, endCharacter) {
    this.start = typeof start === "number" ? new Position(start, startCharacter) : start;
    this.end = typeof start === "number" ? new Position(end, endCharacter) : startCharacter;
  }
  contains(position) {
    const before = (a, b) => a.line < b.line || (a.line === b.line && a.character <= b.character);
    return before(this.start, position) && before(position, this.end);
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class EventSource {
  constructor() {
    this.emitter = new EventEmitter();
    this.event = (listener) => {
      this.emitter.on("event", listener);
      return new Disposable(() => this.emitter.off("event", listener));
    };
  }
  fire(value) {
    this.emitter.emit("event", value);
  }
  dispose() {
    this.emitter.removeAllListeners();
  }
}

class CancellationTokenSource {
  constructor() {
    this.token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable() };
  }
  cancel() {}
  dispose() {}
}

class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}
for (const name of ["Empty", "QuickFix", "Refactor", "Source"]) {
  CodeActionKind[name] = new CodeActionKind(name === "Empty" ? "" : name.toLowerCase());
}

/** A class that only has to be there. */
const empty = () => class {
  constructor(...values) {
    this.values = values;
  }
};

function configuration(section) {
  const all = { ...seen.settings.user, ...seen.settings.workspace };
  const name = (key) => (section ? `${section}.${key}` : key);
  return {
    get: (key, fallback) => all[name(key)] ?? fallback,
    has: (key) => name(key) in all,
    inspect: (key) => ({
      key,
      globalValue: seen.settings.user[name(key)],
      workspaceValue: seen.settings.workspace[name(key)],
    }),
    update: async () => {},
  };
}

const registered = (kind) => (...values) => {
  seen.providers.set(kind, values);
  return new Disposable();
};

const languages = new Proxy(
  {
    match: () => 10,
    getDiagnostics: () => seen.diagnostics,
    createDiagnosticCollection: () => ({
      set: (uri, items) => {
        seen.diagnostics = items;
        emitter.emit("diagnostics", items);
      },
      delete() {},
      clear() {},
      forEach() {},
      has: () => false,
      get: () => [],
      dispose() {},
    }),
  },
  { get: (target, name) => target[name] ?? registered(name) },
);

const channel = { append() {}, appendLine() {}, show() {}, clear() {}, dispose() {}, info() {}, warn() {}, error() {}, debug() {}, trace() {}, onDidChangeLogLevel: event("log"), logLevel: 2, name: "PCL", replace() {}, hide() {} };

const known = {
  CodeActionKind, Disposable, Uri, Position, Range, Selection: Range, Location: empty(), Diagnostic, EventEmitter: EventSource, CancellationTokenSource,
  StatusBarAlignment: { Left: 1, Right: 2 },
  ViewColumn: { Beside: -2, One: 1 },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  TextDocumentChangeReason: { Undo: 1, Redo: 2 },
  LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 },
  ProgressLocation: { Window: 10, Notification: 15, SourceControl: 1 },
  TabInputText: empty(),
  version: "1.91.0",
  env: { appName: "test", language: "en", uriScheme: "vscode", remoteName: undefined, onDidChangeLogLevel: event("loglevel"), logLevel: 3 },
  extensions: { getExtension: () => undefined, all: [] },
  languages,
  commands: {
    registerCommand: (name, run) => {
      seen.commands.set(name, run);
      return new Disposable(() => seen.commands.delete(name));
    },
    executeCommand: async (name, ...values) => seen.commands.get(name)?.(...values),
  },
  window: {
    createStatusBarItem: () => {
      seen.status = { show() {}, hide() {}, dispose() {} };
      return seen.status;
    },
    createOutputChannel: () => channel,
    showErrorMessage: async (text) => void seen.errors.push(text),
    showWarningMessage: async () => undefined,
    showInformationMessage: async (text) => void seen.information.push(text),
    showInputBox: async () => seen.input,
    showTextDocument: async (document) => void seen.opened.push(document),
    withProgress: async (_, run) => run({ report() {} }, new CancellationTokenSource().token),
    get activeTextEditor() {
      return seen.activeTextEditor;
    },
    visibleTextEditors: [],
    tabGroups: { all: [], onDidChangeTabs: event("tabs"), onDidChangeTabGroups: event("groups"), close: async () => true },
    onDidChangeActiveTextEditor: event("active"),
    onDidChangeVisibleTextEditors: event("visible"),
  },
  workspace: {
    get isTrusted() {
      return seen.isTrusted;
    },
    get workspaceFolders() {
      return undefined;
    },
    get textDocuments() {
      return seen.documents;
    },
    getConfiguration: configuration,
    getWorkspaceFolder: () => undefined,
    registerTextDocumentContentProvider: (scheme, provider) => {
      seen.providers.set(scheme, provider);
      return new Disposable();
    },
    openTextDocument: async (options) => options,
    createFileSystemWatcher: () => ({ onDidCreate: event("created"), onDidChange: event("changed"), onDidDelete: event("deleted"), dispose() {} }),
    notebookDocuments: [],
    fs: { isWritableFileSystem: () => true },
    applyEdit: async () => true,
  },
};

const workspace = new Proxy(known.workspace, {
  get: (target, name) => target[name] ?? (String(name).startsWith("on") ? event(name) : undefined),
});

const vscode = new Proxy(
  { ...known, workspace },
  // Enumerations and classes of features that the tests do not touch.
  { get: (target, name) => target[name] ?? (target[name] = empty()), has: () => true },
);

const load = Module._load;
Module._load = function (name, ...rest) {
  return name === "vscode" ? vscode : load.call(this, name, ...rest);
};

module.exports = { seen, emitter, Uri, Position, Range };
