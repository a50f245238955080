// The tree that a book is written over, and the changes to it. Only parts of the book are ever deleted, and only those that an
// import would have taken: a skipped file stays.

import { walkPages } from "./book";
import type { BookLayout } from "./layout";
import { getRelativePath, isMarkdown, joinPath } from "./paths";
import type { RepositoryFiles } from "./repository-files";
import type { RevisionContents } from "./revision-contents";
import { getChapterKey, type TableOfContents } from "./table-of-contents";

/** A file that is to be written, with its Git id. If it is stored already, or there are many, it is read when it is needed. */
export type WrittenFile = { readonly oid: string } & (
  | { readonly text: string }
  | { readonly readBytes: () => Promise<Uint8Array> }
);

/** A part of a revision in the tree that was written. */
export interface WrittenItem {
  readonly kind: "page" | "file" | "reusable";
  readonly id: string;
  /** From the book's root. */
  readonly path: string;
  /** The Git id of its file. */
  readonly oid: string;
  /** The hash under which the revision stores its content. */
  readonly hash: string;
  /** Reads the text of its file, if it differs from the stored one. */
  readonly readText?: () => Promise<string>;
}

export async function readWrittenFile(file: WrittenFile): Promise<Uint8Array> {
  return "readBytes" in file ? file.readBytes() : new TextEncoder().encode(file.text);
}

export class PreviousTree {
  /** The files that are written, by their path in the repository. */
  readonly writtenFiles = new Map<string, WrittenFile>();
  readonly deletedPaths: string[] = [];
  /** The pages of its table of contents, by path. */
  readonly pages: ReadonlyMap<string, { readonly title?: string | undefined; readonly isDraft: boolean }>;

  constructor(
    readonly files: RepositoryFiles,
    readonly layout: BookLayout,
    readonly contents: TableOfContents,
  ) {
    const pages = [...walkPages(contents.chapters)];
    this.pages = new Map(pages.map(({ path, title, isDraft }) => [path, { title, isDraft: isDraft === true }]));
  }

  getFullPath(path: string): string {
    return joinPath(this.layout.root, path);
  }

  /** Returns the Git id of the file at a path of the book. */
  getOid(path: string): string | undefined {
    return this.files.byPath.get(this.getFullPath(path))?.oid;
  }

  /** Returns whether a file at a path of the book would collide with something that is not a page of the book. */
  isTaken(path: string): boolean {
    const fullPath = this.getFullPath(path);
    if (this.files.isListed(fullPath)) return !this.pages.has(path);
    for (let end = fullPath.lastIndexOf("/"); end > 0; end = fullPath.lastIndexOf("/", end - 1))
      if (this.files.isListed(fullPath.slice(0, end))) return true;
    return false;
  }

  /** Returns the slug that the table of contents states for a group. */
  getGroupSlug(title: string): string | undefined {
    return this.contents.entries.get(getChapterKey({ kind: "group", title, chapters: [] }))?.slug;
  }

  /** Writes a file at a path of the repository, unless the same file is there. */
  put(fullPath: string, file: WrittenFile): void {
    if (this.files.byPath.get(fullPath)?.oid !== file.oid) this.writtenFiles.set(fullPath, file);
  }

  delete(fullPath: string): void {
    if (this.files.has(fullPath)) this.deletedPaths.push(fullPath);
  }

  /** Deletes the parts of the book that are not among these items. `before` is the revision that the tree was written from. */
  async deleteOthers(items: readonly WrittenItem[], before: RevisionContents | undefined): Promise<void> {
    const keptPaths = new Set(items.map(({ path }) => path));
    const ownPaths = new Set([...this.pages.keys(), ...this.#walkGitBookFolders()]);
    for (const { path } of before?.files ?? []) ownPaths.add(path);
    for (const path of ownPaths) {
      const fullPath = this.getFullPath(path);
      if (keptPaths.has(path) || this.writtenFiles.has(fullPath) || !this.files.has(fullPath)) continue;
      if (await this.isReadable(path)) this.deletedPaths.push(fullPath);
    }
    this.deletedPaths.sort();
  }

  /** Returns whether an import would have taken the file at a path of the book. */
  async isReadable(path: string): Promise<boolean> {
    const fullPath = this.getFullPath(path);
    if (this.pages.has(path) || /\/includes\//.test(path)) return "text" in (await this.files.readText(fullPath));
    const isSizeKnown = this.files.byPath.get(fullPath)?.size !== undefined;
    return isSizeKnown || (await this.files.readBytes(fullPath)) !== undefined;
  }

  /** Yields the files in `.gitbook` that belong to the book. */
  *#walkGitBookFolders(): Generator<string> {
    const { root, directory } = this.layout;
    const folders = new Set([joinPath(root, ".gitbook"), joinPath(directory, ".gitbook")]);
    for (const fullPath of this.files.byPath.keys())
      for (const folder of folders) {
        const isAsset = fullPath.startsWith(`${folder}/assets/`);
        const isInclude = fullPath.startsWith(`${folder}/includes/`) && isMarkdown(fullPath);
        if (isAsset || isInclude) yield getRelativePath(joinPath(root, "x"), fullPath);
      }
  }
}
