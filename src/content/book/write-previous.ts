// The tree that a book is written over, and what is done to it. Only what belongs to the book is ever deleted, and only what
// an import would have taken: a file that was passed over stays.

import { type Contents, keyOf } from "./chapters";
import type { Layout } from "./config";
import { isMarkdown, joined, relativePath } from "./paths";
import { pagesIn } from "./read";
import type { Holdings } from "./standings";
import type { Files } from "./tree";
import type { Stand, WrittenFile } from "./written";

export class Previous {
  readonly written = new Map<string, WrittenFile>();
  readonly deleted: string[] = [];
  /** Pages of the previous table of contents, by path. */
  readonly pages: ReadonlyMap<string, { readonly title?: string | undefined; readonly draft: boolean }>;

  constructor(
    readonly files: Files,
    readonly layout: Layout,
    readonly contents: Contents,
  ) {
    const pages = [...pagesIn(contents.chapters)];
    this.pages = new Map(pages.map(({ path, title, draft }) => [path, { title, draft: draft === true }]));
  }

  /** A path of the book in the repository. */
  whole(path: string): string {
    return joined(this.layout.root, path);
  }

  /** The name that Git has for what stands at a path of the book. */
  oidAt(path: string): string | undefined {
    return this.files.plain.get(this.whole(path))?.oid;
  }

  /** Whether something else than a page of the book stands where a file would have to. */
  isTaken(path: string): boolean {
    const whole = this.whole(path);
    if (this.files.isListed(whole)) return !this.pages.has(path);
    for (let at = whole.lastIndexOf("/"); at > 0; at = whole.lastIndexOf("/", at - 1))
      if (this.files.isListed(whole.slice(0, at))) return true;
    return false;
  }

  /** The slug that the table of contents states for a group. */
  slugOf(title: string): string | undefined {
    return this.contents.written.get(keyOf({ kind: "group", title, chapters: [] }))?.slug;
  }

  /** Writes a file, unless it is there as it is. Paths are those of the repository. */
  put(path: string, file: WrittenFile): void {
    if (this.files.plain.get(path)?.oid !== file.oid) this.written.set(path, file);
  }

  delete(path: string): void {
    if (this.files.has(path)) this.deleted.push(path);
  }

  /** Deletes what was part of the book and is no more. */
  async dropAllBut(stands: readonly Stand[], before: Holdings | undefined): Promise<void> {
    const kept = new Set(stands.map(({ path }) => path));
    const owned = new Set([...this.pages.keys(), ...this.#ofFolders()]);
    for (const { path } of before?.files ?? []) owned.add(path);
    for (const path of owned) {
      const whole = this.whole(path);
      if (kept.has(path) || this.written.has(whole) || !this.files.has(whole)) continue;
      if (await this.isReadable(path)) this.deleted.push(whole);
    }
    this.deleted.sort();
  }

  /** Whether an import would have taken what stands at a path of the book. */
  async isReadable(path: string): Promise<boolean> {
    const whole = this.whole(path);
    if (this.pages.has(path) || /\/includes\//.test(path)) return "text" in (await this.files.text(whole));
    return this.files.plain.get(whole)?.size !== undefined || (await this.files.bytes(whole)) !== undefined;
  }

  *#ofFolders(): Generator<string> {
    const { root, directory } = this.layout;
    const places = new Set([joined(root, ".gitbook"), joined(directory, ".gitbook")]);
    for (const whole of this.files.plain.keys()) {
      for (const place of places) {
        const isOwned =
          whole.startsWith(`${place}/assets/`) || (whole.startsWith(`${place}/includes/`) && isMarkdown(whole));
        if (isOwned) yield relativePath(joined(root, "x"), whole);
      }
    }
  }
}
