// What a document needs before it can be set: the text that fonts must have, and the files that it shows.

import { emojiText, fieldsOf, listOf, textIn } from "./reading";

/** The nodes that show a picture of their own. */
const SHOWING = new Set(["image", "drawing", "inline-image"]);

/** The nodes that are formulas. */
const FORMULAS = new Set(["math", "inline-math"]);

/** What a document needs. */
export interface Needs {
  /** Every character that is written in it and is not ASCII, and some that are not printed. */
  readonly characters: string;
  /** The ids of files that are shown as pictures. */
  readonly files: ReadonlySet<string>;
  readonly hasFormulas: boolean;
}

/** Walks a document once. */
export function needsOf(document: unknown): Needs {
  const characters = new Set<string>();
  const files = new Set<string>();
  let hasFormulas = false;
  const waiting: unknown[] = [document];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === "string") addCharacters(value, characters);
    else if (typeof value === "object" && value !== null) {
      showPictures(value as Shown, files);
      if (FORMULAS.has(textIn((value as Shown).type))) hasFormulas = true;
      if ((value as Shown).type === "emoji") addCharacters(emojiText(fieldsOf((value as Shown).data).code), characters);
      const isNode = typeof (value as Shown).object === "string";
      for (const name in value)
        if (!isNode || (name !== "object" && name !== "type")) waiting.push((value as Record<string, unknown>)[name]);
    }
  }
  return { characters: [...characters].join(""), files, hasFormulas };
}

function addCharacters(text: string, characters: Set<string>): void {
  if (/[^\0-\x7f]/.test(text)) for (const character of text.normalize("NFC")) characters.add(character);
}

interface Shown {
  readonly object?: unknown;
  readonly type?: unknown;
  readonly data?: unknown;
}

function showPictures(node: Shown, files: Set<string>): void {
  if (node.object !== "block" && node.object !== "inline") return;
  const data = fieldsOf(node.data);
  if (SHOWING.has(textIn(node.type))) addFile(data.ref, files);
  if (node.type !== "table") return;
  const { coverDefinition } = fieldsOf(data.view);
  const shown = Object.entries(fieldsOf(data.definition)).flatMap(([id, definition]) =>
    fieldsOf(definition).type === "image" || id === coverDefinition ? [id] : [],
  );
  if (shown.length === 0) return;
  for (const record of Object.values(fieldsOf(data.records)))
    for (const id of shown) for (const ref of listOf(fieldsOf(fieldsOf(record).values)[id])) addFile(ref, files);
}

function addFile(ref: unknown, files: Set<string>): void {
  const { kind, file } = fieldsOf(ref);
  if (kind === "file" && typeof file === "string") files.add(file);
}
