// The chapters of a book: its table of contents, compared with the files. A file appears once. An entry without a file
// is left out, and the entries below it move up.

import { isSafeUrl } from "../document/urls";
import { slugOf } from "../slugs";
import { type Chapter, MAX_CHAPTERS } from "./book";
import type { Layout } from "./config";
import { chaptersOfFolders } from "./folders";
import { encodedPath, filesMeant, folderOf, isMarkdown, isReadme, isUrl, joined, outsideRef, splitHref } from "./paths";
import { BookRefused } from "./refused";
import { type Entry, readSummary, type Summary } from "./summary";
import type { Files } from "./tree";

/** A table of contents, and what is needed to write it again as it was. */
export interface Contents {
  readonly chapters: Chapter[];
  /** The table of contents as it is written; undefined when it was inferred from the folders. */
  readonly summary: Summary | undefined;
  /** The words of entries as they are written, by `keyOf` their chapter. */
  readonly written: ReadonlyMap<string, Entry>;
}

/** What a chapter is known by. */
export function keyOf(chapter: Chapter): string {
  if (chapter.kind === "page") return `page ${chapter.path}`;
  if (chapter.kind === "link") return `link ${chapter.href} ${chapter.title}`;
  if (chapter.kind === "group") return `group ${chapter.title}`;
  return `computed ${chapter.title ?? ""}\n${chapter.yaml.trim()}`;
}

/** Reads the chapters of a book; without a table of contents they are those of its folders. */
export async function contentsOf(files: Files, layout: Layout): Promise<Contents> {
  const found = await files.text(joined(layout.root, layout.summary));
  if (!("text" in found)) return { chapters: chaptersOfFolders(files, layout), summary: undefined, written: new Map() };
  const summary = readSummary(found.text, layout.flavour);
  const listed = new Listed(files, layout);
  const chapters = listed.chapters(summary.entries, "");
  return { chapters: listed.withReadme(chapters), summary, written: listed.written };
}

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

  chapters(entries: readonly Entry[], parent: string): Chapter[] {
    return entries.flatMap((entry) => {
      if (++this.#count > MAX_CHAPTERS) throw new BookRefused(`The book has more than ${MAX_CHAPTERS} chapters.`);
      const chapters = this.#chapter(entry, parent);
      if (chapters[0]) this.written.set(keyOf(chapters[0]), entry);
      return chapters;
    });
  }

  /** HonKit begins with the README even if it is not listed; others do so if it is named. */
  withReadme(chapters: Chapter[]): Chapter[] {
    const { readme } = this.layout;
    if (readme === undefined || this.#taken.has(readme) || !this.#has(readme)) return chapters;
    return [{ kind: "page", path: readme, chapters: [] }, ...chapters];
  }

  #has(path: string): boolean {
    return this.files.has(joined(this.layout.root, path));
  }

  #chapter(entry: Entry, parent: string): Chapter[] {
    const { kind, title } = entry;
    if (kind === "computed") return [{ kind, ...(title === "" ? {} : { title }), yaml: entry.yaml! }];
    if (kind === "draft") return this.#draft(entry, parent);
    if (kind === "link") return this.#link(entry, parent);
    const slug = entry.slug === undefined ? {} : { slug: slugOf(entry.slug) };
    return [{ kind, title, ...slug, chapters: this.chapters(entry.entries, parent) }];
  }

  /** A place without a text of its own: the path is that of the file which it would have. */
  #draft({ title, entries }: Entry, parent: string): Chapter[] {
    const base = joined(folderBelow(parent), slugOf(title));
    const path = [`${base}.md`, `${base}/README.md`].find((it) => !this.#taken.has(it) && !this.#has(it));
    if (path === undefined)
      return this.#without(title, "Another chapter stands where its file would.", entries, parent);
    this.#taken.add(path);
    return [{ kind: "page", path, title, draft: true, chapters: this.chapters(entries, path) }];
  }

  #link({ title, href, entries }: Entry, parent: string): Chapter[] {
    const below = () => this.chapters(entries, parent);
    if (isUrl(href)) {
      if (!isSafeUrl(href, "link")) return this.#without(title, "Its address cannot be linked to.", entries, parent);
      return [{ kind: "link", title: title || href, href }, ...below()];
    }
    const { path, anchor } = splitHref(href);
    const known = filesMeant(this.layout.summary, path).find((it) => this.#has(it));
    if (path === "broken-reference" || outsideRef(path))
      return [{ kind: "link", title: title || path, href: path }, ...below()];
    if (path === "" || known === undefined)
      return this.#without(
        joined(this.#folder, path) || title,
        "It is listed, but there is no such file.",
        entries,
        parent,
      );
    if (anchor !== undefined || !isMarkdown(known)) {
      const to = encodedPath(known) + (anchor === undefined ? "" : `#${anchor}`);
      return [{ kind: "link", title: title || known, href: to }, ...below()];
    }
    if (this.#taken.has(known)) return this.#without(known, "It is listed more than once.", entries, parent);
    this.#taken.add(known);
    const chapters = this.chapters(entries, known);
    return [{ kind: "page", path: known, ...(title === "" ? {} : { title }), chapters }];
  }

  #without(resource: string, reason: string, entries: readonly Entry[], parent: string): Chapter[] {
    this.files.skip(resource, reason);
    return this.chapters(entries, parent);
  }
}

/** The folder that the files of pages below a page stand in. */
export function folderBelow(path: string): string {
  if (path === "" || isReadme(path)) return folderOf(path);
  return path.replace(/\.[^./]*$/, "");
}
