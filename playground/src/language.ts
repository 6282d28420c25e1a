// The colours of PCL: tokens by line, which is enough for an editor; the checker does the rest.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const BLOCKS = new Set(["config", "resource", "read", "component", "output", "hook", "pulumi", "package", "options"]);
const WORDS = new Set(["for", "in", "if", "true", "false", "null"]);

interface State {
  /** The open templates: the number of braces open inside of each, or -1 inside of its text. */
  stack: number[];
  comment: boolean;
}

const parser = StreamLanguage.define<State>({
  name: "pcl",
  startState: () => ({ stack: [], comment: false }),
  copyState: (state) => ({ stack: [...state.stack], comment: state.comment }),
  languageData: {
    commentTokens: { line: "#", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", '"'] },
    indentOnInput: /^\s*[}\])]$/,
  },
  token(stream, state) {
    if (state.comment) {
      if (stream.skipTo("*/")) {
        stream.match("*/");
        state.comment = false;
      } else {
        stream.skipToEnd();
      }
      return "comment";
    }
    const top = state.stack.length - 1;
    if (state.stack[top] === -1) {
      while (!stream.eol()) {
        if (stream.match("$${") || stream.match("%%{") || stream.match(/^\\./)) {
          continue;
        }
        if (stream.peek() === '"') {
          stream.next();
          state.stack.pop();
          return "string";
        }
        if (stream.match(/^[$%]\{/, false)) {
          if (stream.start < stream.pos) {
            return "string";
          }
          stream.match(/^[$%]\{~?/);
          state.stack.push(0);
          return "processingInstruction";
        }
        stream.next();
      }
      return "string";
    }
    if (stream.eatSpace()) {
      return null;
    }
    if (stream.match(/^(#|\/\/).*/)) {
      return "comment";
    }
    if (stream.match("/*")) {
      state.comment = true;
      return "comment";
    }
    if (stream.match('"')) {
      state.stack.push(-1);
      return "string";
    }
    if (stream.match(/^\d+(\.\d+)?([eE][+-]?\d+)?/)) {
      return "number";
    }
    if (stream.match("{")) {
      if (top >= 0) {
        state.stack[top] = (state.stack[top] ?? 0) + 1;
      }
      return "brace";
    }
    if (stream.match("}")) {
      if (top >= 0 && state.stack[top] === 0) {
        state.stack.pop();
        return "processingInstruction";
      }
      if (top >= 0) {
        state.stack[top] = (state.stack[top] ?? 1) - 1;
      }
      return "brace";
    }
    const word = stream.match(/^[\p{L}_][\p{L}\p{N}_-]*/u);
    if (word && typeof word === "object") {
      const text = word[0] ?? "";
      if (BLOCKS.has(text) && stream.string.slice(0, stream.start).trim() === "" && stream.match(/^\s*("|\{|[\p{L}_])/u, false)) {
        return "keyword";
      }
      if (WORDS.has(text)) {
        return "atom";
      }
      return stream.match(/^\(/, false) ? "function" : "variableName";
    }
    stream.next();
    return "operator";
  },
  tokenTable: { function: tags.function(tags.variableName) },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)" },
  { tag: tags.atom, color: "var(--keyword)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: tags.processingInstruction, color: "var(--keyword)" },
  { tag: tags.function(tags.variableName), color: "var(--function)" },
]);

/** The language with its colours. */
export const pcl = [parser, syntaxHighlighting(colours)];
