// File names that people can see and save: never a path, and without invisible characters.

/** The most UTF-16 units of a file name. */
export const MAX_FILE_NAME_LENGTH = 256;

/** Control characters, marks that change the direction of text, line separators, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
const FOLDERS = /^.*[/\\]/s;
const DRIVE = /^[A-Za-z]:/;

/** Returns a name without folders, control characters and direction marks, and not too long; `file` if nothing remains. */
export function sanitizeFileName(name: string): string {
  const visible = name.normalize("NFC").replace(INVISIBLE, "").replace(FOLDERS, "").replace(DRIVE, "").trim();
  if (/^\.*$/.test(visible)) return "file";
  if (visible.length <= MAX_FILE_NAME_LENGTH) return visible;
  // The extension stays, so that people can still see the type of the file. No surrogate pair is split.
  const extension = /\.[^.\s]{1,16}$/.exec(visible)?.[0] ?? "";
  return visible.slice(0, MAX_FILE_NAME_LENGTH - extension.length).replace(/[\ud800-\udbff]$/, "") + extension;
}
