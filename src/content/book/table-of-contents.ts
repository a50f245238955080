// The chapters of a book: its table of contents, compared with the files. A file appears once. An entry without a file is
// left out, and the entries below it move up.

import { type RunSteps, runStepsAtOnce, type Steps } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { isSafeUrl } from "../document/safe-url";
import { createSlug } from "../slugs";
import { type Chapter, type GroupChapter, MAX_CHAPTERS } from "./book";
import { BookError } from "./errors";
import { inferChaptersInSteps } from "./folder-chapters";
import type { BookLanguage } from "./languages";
import type { BookLayout } from "./layout";
import {
  encodeLinkPath,
  getBaseName,
  getParentFolder,
  isMarkdown,
  isReadme,
  isUrl,
  joinPath,
  listCandidatePaths,
  parseResourceHref,
  splitHref,
} from "./paths";
import type { RepositoryFiles } from "./repository-files";
import { parseSummaryInSteps, type SummaryEntry, type SummaryFile } from "./summary";

/** The chapters of a book, and what is needed to write its table of contents again as it was. */
export interface TableOfContents {
  readonly chapters: Chapter[];
  /** The file with the table of contents. Undefined if the chapters were inferred from the folders. */
  readonly summary: SummaryFile | undefined;
  /** The entries of that file, by `getChapterKey` of their chapter. */
  readonly entries: ReadonlyMap<string, SummaryEntry>;
  /** The languages other than the first one. Their groups are among the chapters. */
  readonly otherLanguages: readonly LanguageContents[];
}

/** The table of contents of a language other than the first one. */
interface LanguageContents extends BookLanguage, Pick<TableOfContents, "summary" | "entries"> {
  readonly group: GroupChapter;
}

/** The number of chapters between two yields to the event loop. */
const CHAPTERS_PER_YIELD = 100;

/** Returns a text that identifies a chapter among others. */
export function getChapterKey(chapter: Chapter): string {
  if (chapter.kind === "page") return `page ${chapter.path}`;
  if (chapter.kind === "link") return `link ${chapter.href} ${chapter.title}`;
  if (chapter.kind === "group") return `group ${chapter.title}`;
  return `computed ${chapter.title ?? ""}\n${chapter.yaml.trim()}`;
}

/** Returns the folder that the files of pages below a page are in. */
export function getChildFolder(path: string): string {
  if (path === "" || isReadme(path)) return getParentFolder(path);
  return path.replace(/\.[^./]*$/, "");
}

/** Reads the chapters of a book: those of its first language, and then each other language as a group. */
export async function readTableOfContents(
  files: RepositoryFiles,
  layout: BookLayout,
  runSteps: RunSteps = runStepsAtOnce,
): Promise<TableOfContents> {
  const first = await readLanguageContents(files, layout, "", runSteps);

  const otherLanguages: LanguageContents[] = [];
  for (const language of layout.otherLanguages) {
    const { title, slug, folder, code } = language;
    const languageLayout = {
      ...layout,
      summary: joinPath(folder, layout.summary),
      readme: layout.readme && joinPath(folder, layout.readme),
      glossary: undefined,
    };
    const { chapters, summary, entries } = await readLanguageContents(files, languageLayout, folder, runSteps);
    // Groups exist at the top level only, so the groups of the language become pages without a text, unless a file is in their way.
    const usedPaths = new Set<string>();
    const inside = chapters.flatMap((chapter): Chapter[] => {
      if (chapter.kind !== "group") return [chapter];
      const path = joinPath(folder, `${createSlug(chapter.title)}.md`);
      if (usedPaths.has(path) || files.has(joinPath(layout.root, path))) return [...chapter.chapters];
      usedPaths.add(path);
      return [{ kind: "page", path, title: chapter.title, isDraft: true, chapters: chapter.chapters }];
    });
    const stated = omitUndefined({ language: code });
    const group: GroupChapter = { kind: "group", title, slug, ...stated, chapters: inside };
    otherLanguages.push({ ...language, group, summary, entries });
  }

  const chapters = [...first.chapters, ...otherLanguages.map(({ group }) => group)];
  return { ...first, chapters, otherLanguages };
}

/** Reads the chapters of one language. Without a table of contents, they are inferred from its folders. */
async function readLanguageContents(
  files: RepositoryFiles,
  layout: BookLayout,
  folder: string,
  runSteps: RunSteps,
): Promise<Omit<TableOfContents, "otherLanguages">> {
  const file = await files.readText(joinPath(layout.root, layout.summary));
  if ("text" in file) {
    const summary = await runSteps(parseSummaryInSteps(file.text, layout.flavor));
    const resolver = new ChapterResolver(files, layout);
    const listed = await runSteps(resolver.resolveInSteps(summary.entries, folder === "" ? "" : `${folder}/README.md`));
    return { chapters: resolver.addUnlisted(listed), summary, entries: resolver.entriesByKey };
  }

  const root = joinPath(layout.root, `./${folder}`);
  const inferred = await runSteps(inferChaptersInSteps(files, { root, summary: getBaseName(layout.summary) }));
  return { chapters: prefixPaths(inferred, folder), summary: undefined, entries: new Map() };
}

function prefixPaths(chapters: readonly Chapter[], folder: string): Chapter[] {
  if (folder === "") return [...chapters];
  return chapters.map((chapter) =>
    chapter.kind === "page"
      ? { ...chapter, path: joinPath(folder, chapter.path), chapters: prefixPaths(chapter.chapters, folder) }
      : chapter,
  );
}

/** Turns the entries of a table of contents into chapters. */
class ChapterResolver {
  readonly entriesByKey = new Map<string, SummaryEntry>();
  readonly #usedPaths = new Set<string>();
  #chapterCount = 0;

  constructor(
    readonly files: RepositoryFiles,
    readonly layout: BookLayout,
  ) {}

  /** Resolves entries below the page with a path. Throws `BookError` if there are too many. */
  *resolveInSteps(entries: readonly SummaryEntry[], parentPath: string): Steps<Chapter[]> {
    const all: Chapter[] = [];
    for (const entry of entries) {
      if (++this.#chapterCount > MAX_CHAPTERS) throw new BookError(`The book has more than ${MAX_CHAPTERS} chapters.`);
      if (this.#chapterCount % CHAPTERS_PER_YIELD === 0) yield;
      const { path, placeInside } = this.#resolveEntry(entry, parentPath);
      const children = yield* this.resolveInSteps(entry.entries, path);
      const chapters = placeInside ? placeInside(children) : children;
      // The chapters of an entry that is left out keep their own entries.
      if (placeInside) this.entriesByKey.set(getChapterKey(chapters[0]!), entry);
      for (const chapter of chapters) all.push(chapter);
    }
    return all;
  }

  /**
   * Adds the README and the glossary if they are not listed. HonKit begins with the README, and the others do if their
   * settings name it. HonKit ends with the glossary.
   */
  addUnlisted(chapters: Chapter[]): Chapter[] {
    const { readme, glossary } = this.layout;
    return [...this.#listUnlisted(readme), ...chapters, ...this.#listUnlisted(glossary, "Glossary")];
  }

  #listUnlisted(path: string | undefined, title?: string): Chapter[] {
    if (path === undefined || this.#usedPaths.has(path) || !this.#hasFile(path)) return [];
    return [{ kind: "page", path, ...omitUndefined({ title }), chapters: [] }];
  }

  #hasFile(path: string): boolean {
    return this.files.has(joinPath(this.layout.root, path));
  }

  /** Resolves an entry alone. If it is a link or is left out, the chapters below it follow or take its place. */
  #resolveEntry(entry: SummaryEntry, parentPath: string): ResolvedEntry {
    const { kind, title, slug, href } = entry;
    const placeAfter = (chapter: Chapter) => {
      return { path: parentPath, placeInside: (chapters: readonly Chapter[]) => [chapter, ...chapters] };
    };
    if (kind === "computed")
      return placeAfter({ kind, ...omitUndefined({ title: title === "" ? undefined : title }), yaml: entry.yaml! });
    if (kind === "group") {
      const stated = omitUndefined({ slug: slug === undefined ? undefined : createSlug(slug) });
      return { path: parentPath, placeInside: (chapters) => [{ kind, title, ...stated, chapters }] };
    }
    if (kind === "draft") {
      // An entry without a text. Its path is that of the file that it would have.
      const stem = joinPath(getChildFolder(parentPath), createSlug(title));
      const path = [`${stem}.md`, `${stem}/README.md`].find((it) => !this.#usedPaths.has(it) && !this.#hasFile(it));
      if (path === undefined)
        return this.#skipEntry(title, "Another chapter already has the path of its file.", parentPath);
      this.#usedPaths.add(path);
      return { path, placeInside: (chapters) => [{ kind: "page", path, title, isDraft: true, chapters }] };
    }

    if (isUrl(href)) {
      if (!isSafeUrl(href, "link")) return this.#skipEntry(title, "It has a URL that can't be linked to.", parentPath);
      return placeAfter({ kind: "link", title: title || href, href });
    }
    const { path, anchor } = splitHref(href);
    const file = listCandidatePaths(this.layout.summary, path).find((it) => this.#hasFile(it));
    if (path === "broken-reference" || parseResourceHref(path))
      return placeAfter({ kind: "link", title: title || path, href: path });
    if (path === "" || file === undefined) {
      const resource = joinPath(getParentFolder(this.layout.summary), path) || title;
      return this.#skipEntry(resource, "It is listed, but the file doesn't exist.", parentPath);
    }
    if (anchor !== undefined || !isMarkdown(file)) {
      const target = encodeLinkPath(file) + (anchor === undefined ? "" : `#${anchor}`);
      return placeAfter({ kind: "link", title: title || file, href: target });
    }
    if (this.#usedPaths.has(file)) return this.#skipEntry(file, "It is listed more than once.", parentPath);
    this.#usedPaths.add(file);
    const stated = omitUndefined({ title: title === "" ? undefined : title });
    return { path: file, placeInside: (chapters) => [{ kind: "page", path: file, ...stated, chapters }] };
  }

  /** Reports an entry that is left out. */
  #skipEntry(resource: string, reason: string, parentPath: string): ResolvedEntry {
    this.files.skip(resource, reason);
    return { path: parentPath, placeInside: undefined };
  }
}

/** An entry that is resolved, without the chapters below it. */
interface ResolvedEntry {
  /** The path of the page that the chapters below it are below. */
  readonly path: string;
  /** Returns the chapter of the entry, with those below it inside or after it. Undefined for an entry that is left out. */
  readonly placeInside: ((chapters: readonly Chapter[]) => readonly Chapter[]) | undefined;
}
