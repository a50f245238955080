// The languages of a book of HonKit: `LANGS.md` lists their folders, each with a table of contents of its own. The first one
// is the book. Each other one is a group at its end. Pages at the same path in two of these folders are translations of one
// another.

import { omitUndefined } from "../../utils/objects";
import { createSlug } from "../slugs";
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
  /** Such as `de` or `pt-br`; undefined when the name of the folder is none. */
  readonly code: string | undefined;
}

/** The most languages whose pages are known as translations: every page names them all. */
const MAX_LANGUAGES = 40;

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
      languages.set(inside, {
        title: title || inside,
        slug: createSlug(lastNameOf(inside)),
        folder: inside,
        code: codeOf(inside),
      });
  }
  if (languages.size < 2) return [...languages.values()];
  files.skip(path, TOLD);
  for (const { code, folder } of languages.values())
    if (code === undefined) files.skip(path, `${folder} is no code of a language, so its pages are no translations.`);
  return [...languages.values()];
}

const TOLD =
  "The first language is the book, and each other one is a group at its end. For a language in a space of its own, synchronize it with that folder.";

/** The language that a folder is named after. */
function codeOf(folder: string): string | undefined {
  const name = lastNameOf(folder).replaceAll("_", "-").toLowerCase();
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/.test(name) ? name : undefined;
}

/** The folders of languages by code. */
export function foldersOf(languages: readonly Pick<Language, "code" | "folder">[]): Record<string, string> {
  const folders = new Map<string, string>();
  for (const { code, folder } of languages)
    if (code !== undefined && !folders.has(code) && folders.size < MAX_LANGUAGES) folders.set(code, folder);
  return Object.fromEntries(folders);
}

/** The chapters of a language as a group. Groups stand at the top only, so those of the language are pages without a text,
 * where no file is in their way. */
export function languageGroup(
  { title, slug, folder, code }: Language,
  chapters: readonly Chapter[],
  has: (path: string) => boolean,
): GroupChapter {
  const taken = new Set<string>();
  const inside = chapters.flatMap((chapter): Chapter[] => {
    if (chapter.kind !== "group") return [chapter];
    const path = joined(folder, `${createSlug(chapter.title)}.md`);
    if (taken.has(path) || has(path)) return [...chapter.chapters];
    taken.add(path);
    return [{ kind: "page", path, title: chapter.title, draft: true, chapters: chapter.chapters }];
  });
  return { kind: "group", title, slug, ...omitUndefined({ language: code }), chapters: inside };
}

/** Chapters of a revision, those of a language apart: its group, and all others. */
export function withoutLanguage(
  chapters: readonly Chapter[],
  { title, slug }: Language,
): { readonly inside: readonly Chapter[]; readonly rest: readonly Chapter[] } {
  const group = chapters.find((it) => it.kind === "group" && (it.slug === slug || it.title === title));
  return { inside: group && "chapters" in group ? group.chapters : [], rest: chapters.filter((it) => it !== group) };
}
