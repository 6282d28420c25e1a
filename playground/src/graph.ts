// The dependency graph as a picture.
import dagre from "@dagrejs/dagre";

interface GraphDocument {
  nodes: { kind: string; name: string; token?: string | null }[];
  edges: { from: number; to: number }[];
}

const SVG = "http://www.w3.org/2000/svg";
const MOST_NODES = 300;

function create(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, String(value));
  }
  if (text !== undefined) {
    element.textContent = text;
  }
  return element;
}

/** A picture of a graph, with a text for screen readers. */
export function picture(document_: unknown): Element {
  const { nodes, edges } = document_ as GraphDocument;
  if (nodes.length === 0 || nodes.length > MOST_NODES) {
    const note = document.createElement("p");
    note.textContent = nodes.length === 0 ? "The program declares nothing." : `The graph has ${nodes.length} nodes, which are too many for a picture.`;
    return note;
  }
  const layout = new dagre.graphlib.Graph();
  layout.setGraph({ rankdir: "LR", nodesep: 16, ranksep: 48, marginx: 8, marginy: 8 });
  layout.setDefaultEdgeLabel(() => ({}));
  nodes.forEach((node, index) => {
    const longest = Math.max(node.name.length, (node.token ?? node.kind).length);
    layout.setNode(String(index), { width: 24 + 7 * longest, height: 40 });
  });
  for (const edge of edges) {
    layout.setEdge(String(edge.to), String(edge.from));
  }
  dagre.layout(layout);
  const { width = 0, height = 0 } = layout.graph() as { width?: number; height?: number };
  const svg = create("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
  const words = edges.map((edge) => `${nodes[edge.from]?.name} needs ${nodes[edge.to]?.name}`);
  svg.append(create("title", {}, `Dependencies: ${words.join(", ") || "none"}`));
  const marker = create("marker", { id: "head", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  marker.append(create("path", { d: "M0,0 L8,4 L0,8 z", class: "head" }));
  const definitions = create("defs", {});
  definitions.append(marker);
  svg.append(definitions);
  for (const edge of layout.edges()) {
    const points = (layout.edge(edge) as { points: { x: number; y: number }[] }).points;
    const path = points.map((point, index) => `${index === 0 ? "M" : "L"}${point.x},${point.y}`).join(" ");
    svg.append(create("path", { d: path, class: "edge", "marker-end": "url(#head)" }));
  }
  nodes.forEach((node, index) => {
    const { x, y, width, height } = layout.node(String(index)) as { x: number; y: number; width: number; height: number };
    svg.append(create("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 6, class: "node" }));
    svg.append(create("text", { x, y: y - 3, "text-anchor": "middle", "font-weight": "bold" }, node.name));
    svg.append(create("text", { x, y: y + 13, "text-anchor": "middle" }, node.token ?? node.kind));
  });
  return svg;
}
