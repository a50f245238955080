// Titles and slugs of pages that state none: from their file, or from their chapter.

import { getDefaultTitle } from "../revision/computed";
import { createSlug } from "../slugs";
import type { Chapter, PageChapter } from "./book";
import { isReadme } from "./paths";

/** The longest title that is stored, in characters. */
const MAX_TITLE_LENGTH = 255;

/** Returns the title for a text that states none: the name of its file, or of the folder that the file represents. */
export function deriveTitle(path: string): string {
  const names = path.replace(/\.[^./]*$/, "").split("/");
  const last = names.at(-1)!;
  const name = /^(?:readme|index)$/i.test(last) ? (names.at(-2) ?? last) : last;
  const words = name.replace(/[-_\s]+/g, " ").trim();
  return words === "" ? name : words[0]!.toUpperCase() + words.slice(1);
}

/**
 * Returns the slug of a page by the name of its file: `guides/setup.md` is `setup`, and `guides/README.md` is `guides`.
 * Returns undefined for the README at the top, whose slug comes from its title.
 */
export function deriveSlug(path: string): string | undefined {
  const names = path.replace(/\.[^./]*$/, "").split("/");
  const name = isReadme(path) ? names.at(-2) : names.at(-1);
  return name === undefined || name === ".." ? undefined : createSlug(name);
}

/** Returns the title of a chapter that has no file to state one. A computed page without a title keeps the one it had. */
export function getChapterTitle(chapter: Exclude<Chapter, PageChapter>, existing?: { readonly title: string }): string {
  if (chapter.kind !== "computed") return truncateTitle(chapter.title);
  return truncateTitle(chapter.title ?? existing?.title ?? getDefaultTitle(chapter.yaml));
}

/** Cuts a title to the longest length, at a character and not within one. */
export function truncateTitle(title: string): string {
  return [...title].slice(0, MAX_TITLE_LENGTH).join("");
}
