// Markdown as elements. HTML in the text is shown as text, and links are those of the web alone.
import MarkdownIt from "markdown-it";

const renderer = new MarkdownIt({ html: false, linkify: false });
renderer.validateLink = (url) => url.startsWith("https://");
renderer.renderer.rules.image = (tokens, index) => renderer.utils.escapeHtml(tokens[index]?.content ?? "");
renderer.renderer.rules.link_open = (tokens, index, options, _environment, self) => {
  tokens[index]?.attrSet("rel", "noreferrer noopener");
  tokens[index]?.attrSet("target", "_blank");
  return self.renderToken(tokens, index, options);
};

/** An element with a rendered text. */
export function markdown(text: string): HTMLElement {
  const element = document.createElement("div");
  element.className = "hover";
  // Everything that is not Markdown is escaped by the renderer.
  element.innerHTML = renderer.render(text);
  return element;
}
