// The requirements of a document: the characters that fonts must have, and the files that it shows.

import { getEmojiText, readString, toFields, toList } from "./read-document";

/** The nodes that show a picture of their own. */
const SHOWING = new Set(["image", "drawing", "inline-image"]);

const FORMULAS = new Set(["math", "inline-math"]);

export interface DocumentRequirements {
  /** Every character that is not ASCII, including some that are not printed. */
  readonly characters: string;
  /** The ids of files that are shown as pictures. */
  readonly files: ReadonlySet<string>;
  readonly hasFormulas: boolean;
}

interface UntrustedNode {
  readonly object?: unknown;
  readonly type?: unknown;
  readonly data?: unknown;
}

export function collectRequirements(document: unknown): DocumentRequirements {
  const characters = new Set<string>();
  const files = new Set<string>();
  let hasFormulas = false;
  const waiting: unknown[] = [document];
  while (waiting.length > 0) {
    const value = waiting.pop();
    let text = "";
    if (typeof value === "string") text = value;
    else if (typeof value === "object" && value !== null) {
      const node = value as UntrustedNode;
      const type = readString(node.type);
      const data = toFields(node.data);
      const refs: unknown[] = [];
      if (node.object === "block" || node.object === "inline") {
        if (SHOWING.has(type)) refs.push(data.ref);
        // The cells of a table that show a picture, row by row.
        const { coverDefinition } = toFields(data.view);
        const columns = Object.entries(type === "table" ? toFields(data.definition) : {}).flatMap(([id, definition]) =>
          toFields(definition).type === "image" || id === coverDefinition ? [id] : [],
        );
        for (const record of columns.length > 0 ? Object.values(toFields(data.records)) : [])
          for (const id of columns) for (const ref of toList(toFields(toFields(record).values)[id])) refs.push(ref);
      }
      for (const { kind, file } of refs.map(toFields)) if (kind === "file" && typeof file === "string") files.add(file);
      if (FORMULAS.has(type)) hasFormulas = true;
      if (type === "emoji") text = getEmojiText(data.code);
      const isNode = typeof node.object === "string";
      for (const name in value)
        if (!isNode || (name !== "object" && name !== "type")) waiting.push((value as Record<string, unknown>)[name]);
    }
    if (/[^\0-\x7f]/.test(text)) for (const character of text.normalize("NFC")) characters.add(character);
  }
  return { characters: [...characters].join(""), files, hasFormulas };
}
