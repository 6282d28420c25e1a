// The editor: diagnostics with fixes, explanations, completions.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { forceLinting, lintGutter, lintKeymap, linter, type Diagnostic } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { EditorState, Transaction } from "@codemirror/state";
import { EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import type { EditorDiagnostic, Workspace } from "pcl-wasm";

import { pcl } from "./language";
import { markdown } from "./markdown";

/** What the editor needs of the page. */
export interface Host {
  workspace: Workspace;
  /** The path of the file that is open. */
  path(): string;
  /** The text of the open file has changed. */
  changed(text: string): void;
  /** Applies the edits of a fix. */
  apply(fix: EditorDiagnostic["fixes"][number]): void;
}

/** The kinds of completions as CodeMirror's icons know them. */
const ICONS: Record<string, string> = { property: "property", member: "property", resource: "class", variable: "variable", function: "function", value: "enum", keyword: "keyword", type: "type", package: "namespace", directory: "namespace" };

const theme = EditorView.theme({
  "&": { backgroundColor: "var(--back)", color: "var(--text)" },
  ".cm-content": { caretColor: "var(--text)", fontFamily: "ui-monospace, monospace" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--quiet)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent) !important" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--back)" },
  ".cm-diagnosticAction": { background: "var(--accent)", color: "var(--back)" },
});

/** Creates the editor in an element. */
export function createEditor(parent: HTMLElement, host: Host): EditorView {
  return new EditorView({ parent, state: stateOf("", host) });
}

/** The state of the editor for a file, without a history. */
export function stateOf(text: string, host: Host): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      indentUnit.of("  "),
      EditorState.tabSize.of(2),
      EditorView.contentAttributes.of({ "aria-label": "Text of the program" }),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      pcl,
      theme,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          host.changed(update.state.doc.toString());
        }
      }),
      lintGutter(),
      linter((view) => diagnostics(view, host), { delay: 100 }),
      autocompletion({ override: [(context) => complete(context, host)] }),
      hoverTooltip((_view, at) => {
        const found = host.workspace.hover(host.path(), at);
        return found && { pos: found.from, end: found.to, create: () => ({ dom: markdown(found.markdown) }) };
      }),
    ],
  });
}

/** Checks the open file again, as after a change of another file or of a schema. */
export function recheck(view: EditorView): void {
  forceLinting(view);
}

function diagnostics(view: EditorView, host: Host): Diagnostic[] {
  const length = view.state.doc.length;
  return host.workspace.diagnostics(host.path()).map((found) => ({
    from: Math.min(found.from, length),
    to: Math.min(found.to, length),
    severity: found.severity,
    source: found.code,
    message: [found.message, ...found.notes, ...(found.help ? [found.help] : [])].join("\n"),
    actions: found.fixes
      .filter((fix) => fix.applicability !== "display-only")
      .map((fix) => ({ name: fix.title, apply: () => host.apply(fix) })),
  }));
}

function complete(context: CompletionContext, host: Host): CompletionResult | null {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  if (!context.explicit && !/[\p{L}\p{N}_.":]/u.test(before)) {
    return null;
  }
  const found = host.workspace.complete(host.path(), context.pos);
  if (!found) {
    return null;
  }
  const options = found.items.map((item, index): Completion => {
    const icon = ICONS[item.kind];
    return {
      label: item.label,
      ...(icon ? { type: icon } : {}),
      ...(item.detail ? { detail: item.detail } : {}),
      // The best come first; CodeMirror sorts by how well a label fits what is typed.
      boost: Math.max(-99, 99 - index),
      ...(item.documentation ? { info: () => markdown(item.documentation ?? "") } : {}),
      apply: item.snippet
        ? (view, completion, _from, to) => snippet(placeholders(item.snippet ?? ""))(view, completion, found.from, Math.max(to, found.to))
        : (view, _completion, _from, to) =>
            view.dispatch({ changes: { from: found.from, to: Math.max(to, found.to), insert: item.text }, selection: { anchor: found.from + item.text.length }, annotations: Transaction.userEvent.of("input.complete") }),
    };
  });
  return { from: wordStart(context, found.from), options, filter: !found.incomplete, validFor: /^[\w:-]*$/ };
}

/** CodeMirror filters by the word before the cursor, which may be shorter than what is replaced. */
function wordStart(context: CompletionContext, from: number): number {
  return Math.max(from, context.matchBefore(/[\w:-]*/)?.from ?? from);
}

/** A snippet of the language server protocol in CodeMirror's form. */
function placeholders(text: string): string {
  return text.replace(/\$\{\d+:((?:[^\\}]|\\.)*)\}/g, "${$1}").replace(/\$\d+|\$\{\d+\}/g, "${}");
}
