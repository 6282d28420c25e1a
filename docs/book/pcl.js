// Long names in tables may break behind `_`, `/` and `:`.
for (const name of document.querySelectorAll("td code")) {
  const parts = name.textContent.split(/(?<=[_/:]+)(?![_/:])/);
  if (name.children.length === 0 && parts.length > 1) {
    name.replaceChildren(...parts.flatMap((part, at) => (at ? [document.createElement("wbr"), part] : [part])));
  }
}
// Colours for PCL, which highlight.js does not know.
(() => {
  if (typeof hljs === "undefined") {
    return;
  }
  hljs.registerLanguage("pcl", (hljs) => ({
    keywords: {
      keyword: "resource component config output package pulumi read hook for in if else endif endfor invoke call options",
      literal: "true false null",
    },
    contains: [
      hljs.HASH_COMMENT_MODE,
      hljs.C_LINE_COMMENT_MODE,
      hljs.C_BLOCK_COMMENT_MODE,
      { className: "string", begin: '"', end: '"', contains: [hljs.BACKSLASH_ESCAPE] },
      { className: "string", begin: /<<-?(\w+)$/, end: /^\s*[A-Z]+$/ },
      hljs.C_NUMBER_MODE,
      { className: "attr", begin: /^\s*[A-Za-z_]\w*(?=\s*=[^=])/ },
    ],
  }));
  for (const block of document.querySelectorAll("code.language-pcl")) {
    (hljs.highlightElement ?? hljs.highlightBlock)(block);
  }
})();
