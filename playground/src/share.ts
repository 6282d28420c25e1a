// Links that carry the program: its files, compressed, in the part of the address that no browser
// sends to a server.

export type Files = Record<string, string>;

const MOST_BYTES = 1 << 20;

async function pipe(bytes: Uint8Array, through: TransformStream): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(through);
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    size += value.length;
    if (size > MOST_BYTES) {
      throw new Error("the program of the link is too large");
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The fragment of an address with a program. */
export async function encode(files: Files): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(files));
  const packed = await pipe(bytes, new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of packed) {
    binary += String.fromCharCode(byte);
  }
  return `#p=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The program of a fragment; `undefined` if it has none. */
export async function decode(fragment: string): Promise<Files | undefined> {
  const text = /^#p=([\w-]+)$/.exec(fragment)?.[1];
  if (text === undefined) {
    return undefined;
  }
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(binary, (one) => one.charCodeAt(0));
  const bytes = await pipe(packed, new DecompressionStream("deflate-raw"));
  const files: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof files !== "object" || files === null) {
    return undefined;
  }
  const entries = Object.entries(files).filter((entry): entry is [string, string] => {
    return typeof entry[1] === "string" && /^[\w.\-/]+\.pp$/.test(entry[0]);
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
