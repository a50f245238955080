// The chapters of a book: its table of contents, compared with the files. A file appears once. An entry without a file
// is left out, and the entries below it move up.

import { omitUndefined } from "../../utils/objects";
import { isSafeUrl } from "../document/safe-url";
import { type RunSteps, runStepsAtOnce, type Steps } from "../markdown/steps";
import { createSlug } from "../slugs";
import { type Chapter, type GroupChapter, MAX_CHAPTERS } from "./book";
import type { Layout } from "./config";
import { chaptersOfFolders } from "./folders";
import { type Language, languageGroup } from "./languages";
import {
  encodedPath,
  filesMeant,
  folderOf,
  isMarkdown,
  isReadme,
  isUrl,
  joined,
  lastNameOf,
  outsideRef,
  splitHref,
} from "./paths";
import { BookRefused } from "./refused";
import { type Entry, readSummaryInSteps, type Summary } from "./summary";
import type { Files } from "./tree";

/** A table of contents, and what is needed to write it again as it was. */
export interface Contents {
  readonly chapters: Chapter[];
  /** The table of contents as it is written; undefined when it was inferred from the folders. */
  readonly summary: Summary | undefined;
  /** The words of entries as they are written, by `keyOf` their chapter. */
  readonly written: ReadonlyMap<string, Entry>;
  /** The languages beside the first one, whose groups are among the chapters. */
  readonly languages: readonly (Language & Pick<Contents, "summary" | "written"> & { readonly group: GroupChapter })[];
}

/** What a chapter is known by. */
export function keyOf(chapter: Chapter): string {
  if (chapter.kind === "page") return `page ${chapter.path}`;
  if (chapter.kind === "link") return `link ${chapter.href} ${chapter.title}`;
  if (chapter.kind === "group") return `group ${chapter.title}`;
  return `computed ${chapter.title ?? ""}\n${chapter.yaml.trim()}`;
}

/** Reads the chapters of a book: those of its first language, and each other language as a group. `runSteps` carries out what
 * is long; default: at once. */
export async function contentsOf(files: Files, layout: Layout, inTurns: RunSteps = runStepsAtOnce): Promise<Contents> {
  const first = await contentsIn(files, layout, "", inTurns);
  const others: Contents["languages"][number][] = [];
  for (const language of layout.languages) {
    const { folder } = language;
    const named = (path: string | undefined) => path && joined(folder, path);
    const has = (path: string) => files.has(joined(layout.root, path));
    const structure = { summary: joined(folder, layout.summary), readme: named(layout.readme), glossary: undefined };
    const { chapters, summary, written } = await contentsIn(files, { ...layout, ...structure }, folder, inTurns);
    others.push({ ...language, group: languageGroup(language, chapters, has), summary, written });
  }
  return { ...first, chapters: [...first.chapters, ...others.map(({ group }) => group)], languages: others };
}

/** Reads the chapters of one language; without a table of contents they are those of its folders. */
async function contentsIn(files: Files, layout: Layout, folder: string, inTurns: RunSteps): Promise<Contents> {
  const found = await files.text(joined(layout.root, layout.summary));
  if (!("text" in found)) {
    const inside = { ...layout, root: joined(layout.root, `./${folder}`), summary: lastNameOf(layout.summary) };
    const chapters = below(folder, await inTurns(chaptersOfFolders(files, inside)));
    return { chapters, summary: undefined, written: new Map(), languages: [] };
  }
  const summary = await inTurns(readSummaryInSteps(found.text, layout.flavour));
  const listed = new Listed(files, layout);
  const chapters = await inTurns(listed.chapters(summary.entries, folder === "" ? "" : `${folder}/README.md`));
  return { chapters: listed.withUnlisted(chapters), summary, written: listed.written, languages: [] };
}

/** Chapters whose paths lead from a folder. */
function below(folder: string, chapters: readonly Chapter[]): Chapter[] {
  if (folder === "") return [...chapters];
  return chapters.map((it) =>
    it.kind === "page" ? { ...it, path: joined(folder, it.path), chapters: below(folder, it.chapters) } : it,
  );
}

/** Chapters that are looked for before others may have their turn. */
const CHAPTERS_A_TURN = 100;

class Listed {
  readonly written = new Map<string, Entry>();
  readonly #taken = new Set<string>();
  readonly #folder: string;
  #count = 0;

  constructor(
    readonly files: Files,
    readonly layout: Layout,
  ) {
    this.#folder = folderOf(layout.summary);
  }

  *chapters(entries: readonly Entry[], parent: string): Steps<Chapter[]> {
    const all: Chapter[] = [];
    for (const entry of entries) {
      if (++this.#count > MAX_CHAPTERS) throw new BookRefused(`The book has more than ${MAX_CHAPTERS} chapters.`);
      if (this.#count % CHAPTERS_A_TURN === 0) yield;
      const chapters = yield* this.#chapter(entry, parent);
      if (chapters[0]) this.written.set(keyOf(chapters[0]), entry);
      for (const chapter of chapters) all.push(chapter);
    }
    return all;
  }

  /** HonKit begins with the README even if it is not listed, and others do so if it is named. HonKit ends with the
   * glossary. */
  withUnlisted(chapters: Chapter[]): Chapter[] {
    const { readme, glossary } = this.layout;
    return [...this.#unlisted(readme), ...chapters, ...this.#unlisted(glossary, "Glossary")];
  }

  #unlisted(path: string | undefined, title?: string): Chapter[] {
    if (path === undefined || this.#taken.has(path) || !this.#has(path)) return [];
    return [{ kind: "page", path, ...omitUndefined({ title }), chapters: [] }];
  }

  #has(path: string): boolean {
    return this.files.has(joined(this.layout.root, path));
  }

  *#chapter(entry: Entry, parent: string): Steps<Chapter[]> {
    const { kind, title } = entry;
    if (kind === "computed")
      return [{ kind, ...omitUndefined({ title: title === "" ? undefined : title }), yaml: entry.yaml! }];
    if (kind === "draft") return yield* this.#draft(entry, parent);
    if (kind === "link") return yield* this.#link(entry, parent);
    const slug = entry.slug === undefined ? {} : { slug: createSlug(entry.slug) };
    return [{ kind, title, ...slug, chapters: yield* this.chapters(entry.entries, parent) }];
  }

  /** A place without a text of its own: the path is that of the file which it would have. */
  *#draft({ title, entries }: Entry, parent: string): Steps<Chapter[]> {
    const base = joined(folderBelow(parent), createSlug(title));
    const path = [`${base}.md`, `${base}/README.md`].find((it) => !this.#taken.has(it) && !this.#has(it));
    if (path === undefined)
      return yield* this.#without(title, "Another chapter stands where its file would.", entries, parent);
    this.#taken.add(path);
    return [{ kind: "page", path, title, draft: true, chapters: yield* this.chapters(entries, path) }];
  }

  *#link({ title, href, entries }: Entry, parent: string): Steps<Chapter[]> {
    const below = () => this.chapters(entries, parent);
    if (isUrl(href)) {
      if (!isSafeUrl(href, "link"))
        return yield* this.#without(title, "Its address cannot be linked to.", entries, parent);
      return [{ kind: "link", title: title || href, href }, ...(yield* below())];
    }
    const { path, anchor } = splitHref(href);
    const known = filesMeant(this.layout.summary, path).find((it) => this.#has(it));
    if (path === "broken-reference" || outsideRef(path))
      return [{ kind: "link", title: title || path, href: path }, ...(yield* below())];
    if (path === "" || known === undefined)
      return yield* this.#without(
        joined(this.#folder, path) || title,
        "It is listed, but there is no such file.",
        entries,
        parent,
      );
    if (anchor !== undefined || !isMarkdown(known)) {
      const to = encodedPath(known) + (anchor === undefined ? "" : `#${anchor}`);
      return [{ kind: "link", title: title || known, href: to }, ...(yield* below())];
    }
    if (this.#taken.has(known)) return yield* this.#without(known, "It is listed more than once.", entries, parent);
    this.#taken.add(known);
    const chapters = yield* this.chapters(entries, known);
    return [{ kind: "page", path: known, ...omitUndefined({ title: title === "" ? undefined : title }), chapters }];
  }

  #without(resource: string, reason: string, entries: readonly Entry[], parent: string): Steps<Chapter[]> {
    this.files.skip(resource, reason);
    return this.chapters(entries, parent);
  }
}

/** The folder that the files of pages below a page stand in. */
export function folderBelow(path: string): string {
  if (path === "" || isReadme(path)) return folderOf(path);
  return path.replace(/\.[^./]*$/, "");
}
