// The languages of a book of HonKit: `LANGS.md` lists their folders, each with a table of contents of its own. The first one
// is the book. Each other one is a group at its end.

import { slugOf } from "../slugs";
import type { Chapter, GroupChapter } from "./book";
import { isUrl, joined, lastNameOf, splitHref } from "./paths";
import { readSummary } from "./summary";
import type { Files } from "./tree";

/** A language beside the first one. */
export interface Language {
  readonly title: string;
  readonly slug: string;
  /** Its folder, from the root of the book. */
  readonly folder: string;
}

/** The languages that are listed in a folder of the repository, with their own folders from there. */
export async function languagesIn(files: Files, folder: string): Promise<Language[]> {
  const path = joined(folder, "LANGS.md");
  const found = files.has(path) ? await files.text(path) : undefined;
  if (!found || !("text" in found)) return [];
  const languages = new Map<string, Language>();
  for (const { kind, title, href } of readSummary(found.text, "honkit").entries) {
    if (kind !== "link" || isUrl(href)) continue;
    const inside = joined("", splitHref(href).path).replace(/\/(?:README|index)\.md$/i, "");
    const start = `${joined(folder, inside)}/`;
    const isThere =
      inside !== "" && !inside.startsWith("..") && [...files.plain.keys()].some((it) => it.startsWith(start));
    if (!isThere) files.skip(path, `It lists ${href}, and there is no such folder.`);
    else if (!languages.has(inside))
      languages.set(inside, { title: title || inside, slug: slugOf(lastNameOf(inside)), folder: inside });
  }
  if (languages.size > 1) files.skip(path, TOLD);
  return [...languages.values()];
}

const TOLD =
  "The first language is the book, and each other one is a group at its end. For a language in a space of its own, synchronize it with that folder.";

/** The chapters of a language as a group. Groups stand at the top only, so those of the language are pages without a text,
 * where no file is in their way. */
export function languageGroup(
  { title, slug, folder }: Language,
  chapters: readonly Chapter[],
  has: (path: string) => boolean,
): GroupChapter {
  const taken = new Set<string>();
  const inside = chapters.flatMap((chapter): Chapter[] => {
    if (chapter.kind !== "group") return [chapter];
    const path = joined(folder, `${slugOf(chapter.title)}.md`);
    if (taken.has(path) || has(path)) return [...chapter.chapters];
    taken.add(path);
    return [{ kind: "page", path, title: chapter.title, draft: true, chapters: chapter.chapters }];
  });
  return { kind: "group", title, slug, chapters: inside };
}

/** Chapters of a revision, those of a language apart: its group, and all others. */
export function withoutLanguage(
  chapters: readonly Chapter[],
  { title, slug }: Language,
): { readonly inside: readonly Chapter[]; readonly rest: readonly Chapter[] } {
  const group = chapters.find((it) => it.kind === "group" && (it.slug === slug || it.title === title));
  return { inside: group && "chapters" in group ? group.chapters : [], rest: chapters.filter((it) => it !== group) };
}
