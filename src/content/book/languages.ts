// The languages of a HonKit book: `LANGS.md` lists their folders, each with its own table of contents. The first language is
// the book, and each other one is a group at its end. Pages at the same path in two of these folders are translations of one
// another.

import { runStepsSync } from "../../utils/concurrency/steps";
import { createSlug } from "../slugs";
import { getBaseName, isUrl, joinPath, splitHref } from "./paths";
import type { RepositoryFiles } from "./repository-files";
import { parseSummaryInSteps } from "./summary";

export interface BookLanguage {
  readonly title: string;
  readonly slug: string;
  readonly folder: string;
  /** Such as `de` or `pt-br`. Undefined if the folder is not named after a language. */
  readonly code: string | undefined;
}

const GROUPS_NOTE =
  "The first language is the book, and each other one is a group at its end. For a language in a space of its own, synchronize it with that folder.";

/** Reads the list of languages in a folder of the repository. The folders of the languages lead from there. */
export async function readLanguages(files: RepositoryFiles, folder: string): Promise<BookLanguage[]> {
  const path = joinPath(folder, "LANGS.md");
  const file = files.has(path) ? await files.readText(path) : undefined;
  if (!file || !("text" in file)) return [];

  const languages = new Map<string, BookLanguage>();
  for (const { kind, title, href } of runStepsSync(parseSummaryInSteps(file.text, "honkit")).entries) {
    if (kind !== "link" || isUrl(href)) continue;
    const inside = joinPath("", splitHref(href).path).replace(/\/(?:README|index)\.md$/i, "");
    const prefix = `${joinPath(folder, inside)}/`;
    const hasFolder =
      inside !== "" && !inside.startsWith("..") && [...files.byPath.keys()].some((it) => it.startsWith(prefix));
    if (!hasFolder) files.skip(path, `It lists the folder ${href}, which doesn't exist.`);
    else if (!languages.has(inside)) {
      const name = getBaseName(inside);
      const code = name.replaceAll("_", "-").toLowerCase();
      languages.set(inside, {
        title: title || inside,
        slug: createSlug(name),
        folder: inside,
        code: /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/.test(code) ? code : undefined,
      });
    }
  }
  if (languages.size < 2) return [...languages.values()];

  files.skip(path, GROUPS_NOTE);
  for (const { code, folder: languageFolder } of languages.values())
    if (code === undefined)
      files.skip(path, `${languageFolder} is no code of a language, so its pages are no translations.`);
  return [...languages.values()];
}
