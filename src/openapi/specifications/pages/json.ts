// Formats values as JSON for people, as far as there is room.

/** The depth to which values are written. */
const MAX_DEPTH = 40;

/** Formats a value as JSON with indentation, in about `most` characters. The rest is replaced by an ellipsis. */
export function formatJson(value: unknown, most: number): { readonly text: string; readonly isWhole: boolean } {
  const pieces: string[] = [];
  let remaining = most;
  let isWhole = true;
  const append = (piece: string) => {
    remaining -= piece.length;
    pieces.push(piece);
  };

  function writeValue(it: unknown, indent: string, depth: number): void {
    if (typeof it !== "object" || it === null) {
      const text = typeof it === "string" && it.length > most ? `${it.slice(0, most)}…` : it;
      if (text !== it) isWhole = false;
      append(JSON.stringify(text) ?? "null");
      return;
    }
    const isList = Array.isArray(it);
    const [open, close] = isList ? "[]" : "{}";
    const entries: [string, unknown][] = isList ? it.slice(0, most).map((item) => ["", item]) : Object.entries(it);
    if (entries.length === 0) {
      append(`${open}${close}`);
      return;
    }
    append(open!);
    const inner = `${indent}  `;
    for (const [i, [name, child]] of entries.entries()) {
      append(`${i === 0 ? "" : ","}\n${inner}`);
      if (remaining <= 0 || depth >= MAX_DEPTH) {
        append("…");
        isWhole = false;
        break;
      }
      if (!isList) append(`${JSON.stringify(name.slice(0, 1000))}: `);
      writeValue(child, inner, depth + 1);
    }
    append(`\n${indent}${close}`);
  }

  writeValue(value, "", 0);
  return { text: pieces.join(""), isWhole };
}
