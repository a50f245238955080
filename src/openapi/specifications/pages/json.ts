// Values as JSON that people read, as far as there is room.

/** How deep values are written. */
const MAX_DEPTH = 40;

/** A value as JSON with indentation, in about so many characters. What is beyond is a line with dots. */
export function jsonWithin(value: unknown, most: number): { readonly text: string; readonly isWhole: boolean } {
  const pieces: string[] = [];
  let room = most;
  let isWhole = true;
  const put = (piece: string) => {
    room -= piece.length;
    pieces.push(piece);
  };

  function write(it: unknown, indent: string, depth: number): void {
    if (typeof it !== "object" || it === null) {
      const text = typeof it === "string" && it.length > most ? `${it.slice(0, most)}…` : it;
      if (text !== it) isWhole = false;
      put(JSON.stringify(text) ?? "null");
      return;
    }
    const isList = Array.isArray(it);
    const [open, close] = isList ? "[]" : "{}";
    const entries: [string, unknown][] = isList ? it.slice(0, most).map((item) => ["", item]) : Object.entries(it);
    if (entries.length === 0) {
      put(`${open}${close}`);
      return;
    }
    put(open!);
    const inner = `${indent}  `;
    for (const [i, [name, inside]] of entries.entries()) {
      put(`${i === 0 ? "" : ","}\n${inner}`);
      if (room <= 0 || depth >= MAX_DEPTH) {
        put("…");
        isWhole = false;
        break;
      }
      if (!isList) put(`${JSON.stringify(name.slice(0, 1000))}: `);
      write(inside, inner, depth + 1);
    }
    put(`\n${indent}${close}`);
  }

  write(value, "", 0);
  return { text: pieces.join(""), isWhole };
}
