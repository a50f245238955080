// The layout of a book in a repository: its root, its table of contents and its languages. They come from the settings of a
// tool, or from what the files themselves suggest.

import { omitUndefined } from "../../utils/objects";
import type { LanguagesEntry } from "../revision/entries";
import type { BookRedirects } from "./book";
import { BookError } from "./errors";
import { type BookLanguage, readLanguages } from "./languages";
import { joinPath } from "./paths";
import type { RepositoryFiles } from "./repository-files";
import {
  type BookFlavor,
  type BookSettings,
  readGitBookSettings,
  readHonKitSettings,
  readMdBookSettings,
} from "./settings";

/** The place of a book and of its parts. */
export interface BookLayout {
  readonly flavor: BookFlavor;
  /** The folder in the repository that paths of the book lead from. */
  readonly root: string;
  /** The folder in the repository that has the settings. */
  readonly directory: string;
  /** The table of contents, from the root. */
  readonly summary: string;
  /** The first page, from the root. Undefined if only the table of contents names it. */
  readonly readme: string | undefined;
  /** The page that comes last if it is not listed, from the root. */
  readonly glossary: string | undefined;
  readonly otherLanguages: readonly BookLanguage[];
  /** All languages. Undefined if there is only one. */
  readonly languages?: LanguagesEntry;
  readonly redirects: BookRedirects;
  readonly variables: NonNullable<BookSettings["variables"]>;
  readonly hidelines?: BookSettings["hidelines"];
}

/** The most languages whose pages are known as translations: every page names all of its translations. */
const MAX_LANGUAGES = 40;

/** Detects the layout of the book in a directory. Throws `BookError` if the settings lead out of the repository. */
export async function detectLayout(files: RepositoryFiles, directory: string): Promise<BookLayout> {
  const folder = joinPath("", directory);
  const find = (...names: string[]) => names.map((name) => joinPath(folder, name)).find((path) => files.has(path));

  const gitBookPath = find(".gitbook.yaml", ".gitbook.yml");
  if (gitBookPath !== undefined)
    return addLanguages(files, createLayout(folder, "gitbook", await readGitBookSettings(files, gitBookPath)));

  const mdBookPath = find("book.toml");
  if (mdBookPath !== undefined) return createLayout(folder, "mdbook", await readMdBookSettings(files, mdBookPath));

  const honKitPath = find("book.json", "book.js");
  if (honKitPath !== undefined)
    return addLanguages(files, createLayout(folder, "honkit", await readHonKitSettings(files, honKitPath)));

  const isMdBook = find("SUMMARY.md") === undefined && find("src/SUMMARY.md") !== undefined;
  if (isMdBook) return createLayout(folder, "mdbook", { root: "src" });
  return addLanguages(files, createLayout(folder, "gitbook", {}));
}

/** Returns the layout with its languages. A book with a list of languages has its root in the folder of the first one. */
async function addLanguages(files: RepositoryFiles, layout: BookLayout): Promise<BookLayout> {
  const { root, summary } = layout;
  if (files.has(joinPath(root, summary))) return layout;
  const languages = await readLanguages(files, root);
  const [first, ...others] = languages;
  if (!first) return layout;

  const folders = new Map<string, string>();
  for (const { code, folder } of languages)
    if (code !== undefined && !folders.has(code) && folders.size < MAX_LANGUAGES) folders.set(code, folder);
  const translations = { root: first.folder, folders: Object.fromEntries(folders) };

  const wayUp = first.folder.replaceAll(/[^/]+/g, "..");
  return {
    ...layout,
    root: joinPath(root, `./${first.folder}`),
    otherLanguages: others.map((language) => ({ ...language, folder: joinPath(wayUp, language.folder) })),
    ...omitUndefined({ languages: others.length === 0 ? undefined : translations }),
  };
}

function createLayout(directory: string, flavor: BookFlavor, settings: BookSettings): BookLayout {
  const { root, redirects = {}, variables = {}, hidelines } = settings;
  const folder = joinPath(directory, `./${typeof root === "string" ? root : ""}`);
  if (folder.startsWith("..")) throw new BookError("The root of the book is outside the repository.");
  const toPath = (value: unknown) => (typeof value === "string" && value !== "" ? joinPath("", value) : undefined);
  return {
    flavor,
    root: folder,
    directory,
    readme: toPath(settings.readme),
    summary: toPath(settings.summary) ?? "SUMMARY.md",
    glossary: toPath(settings.glossary),
    otherLanguages: [],
    redirects,
    variables,
    ...omitUndefined({ hidelines }),
  };
}
