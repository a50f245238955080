// File names that people can see and save: never a path, and without invisible characters.

/** How long a file's name may be, in UTF-16 units. */
export const MAX_NAME = 256;

/** Control characters, marks that change the direction of text, line separators, halves of surrogate pairs. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
const FOLDERS = /^.*[/\\]/s;
const DRIVE = /^[A-Za-z]:/;

/** A name without folders, controls and marks of direction, and no longer than it may be; `file` when nothing is left. */
export function safeFileName(name: string): string {
  const seen = name.normalize("NFC").replace(UNSEEN, "").replace(FOLDERS, "").replace(DRIVE, "").trim();
  const isDots = /^\.*$/.test(seen);
  return isDots ? "file" : shortened(seen);
}

/** The ending stays, so that what the file is can still be seen. */
function shortened(name: string): string {
  if (name.length <= MAX_NAME) return name;
  const ending = /\.[^.\s]{1,16}$/.exec(name)?.[0] ?? "";
  return cut(name, MAX_NAME - ending.length) + ending;
}

function cut(name: string, length: number): string {
  return name.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
