// The requirements of a document: the characters that fonts must have, and the files that it shows.

import { getEmojiText, readString, toFields, toList } from "./read-document";

/** The nodes that show a picture of their own. */
const SHOWING = new Set(["image", "drawing", "inline-image"]);

/** The nodes that are formulas. */
const FORMULAS = new Set(["math", "inline-math"]);

/** The requirements of a document. */
export interface DocumentRequirements {
  /** Every character that is not ASCII, including some that are not printed. */
  readonly characters: string;
  /** The ids of files that are shown as pictures. */
  readonly files: ReadonlySet<string>;
  readonly hasFormulas: boolean;
}

/** Collects the requirements of a document in one pass. */
export function collectRequirements(document: unknown): DocumentRequirements {
  const characters = new Set<string>();
  const files = new Set<string>();
  let hasFormulas = false;
  const waiting: unknown[] = [document];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === "string") addCharacters(value, characters);
    else if (typeof value === "object" && value !== null) {
      addPictures(value as UntrustedNode, files);
      if (FORMULAS.has(readString((value as UntrustedNode).type))) hasFormulas = true;
      if ((value as UntrustedNode).type === "emoji")
        addCharacters(getEmojiText(toFields((value as UntrustedNode).data).code), characters);
      const isNode = typeof (value as UntrustedNode).object === "string";
      for (const name in value)
        if (!isNode || (name !== "object" && name !== "type")) waiting.push((value as Record<string, unknown>)[name]);
    }
  }
  return { characters: [...characters].join(""), files, hasFormulas };
}

function addCharacters(text: string, characters: Set<string>): void {
  if (/[^\0-\x7f]/.test(text)) for (const character of text.normalize("NFC")) characters.add(character);
}

interface UntrustedNode {
  readonly object?: unknown;
  readonly type?: unknown;
  readonly data?: unknown;
}

function addPictures(node: UntrustedNode, files: Set<string>): void {
  if (node.object !== "block" && node.object !== "inline") return;
  const data = toFields(node.data);
  if (SHOWING.has(readString(node.type))) addFile(data.ref, files);
  if (node.type !== "table") return;
  const { coverDefinition } = toFields(data.view);
  const shown = Object.entries(toFields(data.definition)).flatMap(([id, definition]) =>
    toFields(definition).type === "image" || id === coverDefinition ? [id] : [],
  );
  if (shown.length === 0) return;
  for (const record of Object.values(toFields(data.records)))
    for (const id of shown) for (const ref of toList(toFields(toFields(record).values)[id])) addFile(ref, files);
}

function addFile(ref: unknown, files: Set<string>): void {
  const { kind, file } = toFields(ref);
  if (kind === "file" && typeof file === "string") files.add(file);
}
