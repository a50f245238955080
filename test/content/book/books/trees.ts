// Trees of files in memory, and revisions that books are applied to: the two ends of a synchronization, without Git.

import { type ApplyBookResult, applyBook } from "../../../../src/content/book/apply-book";
import { computeBlobOid } from "../../../../src/content/book/hashes";
import { readWrittenFile } from "../../../../src/content/book/previous-tree";
import { type ReadBookOptions, readBook } from "../../../../src/content/book/read-book";
import { recordWrittenBook } from "../../../../src/content/book/record-written";
import type { FileTree, TreeFile } from "../../../../src/content/book/repository-files";
import { loadKnownFiles } from "../../../../src/content/book/revision-contents";
import { type WriteBookOptions, type WrittenBook, writeBook } from "../../../../src/content/book/write-book";
import { createMemorySource, listEntries, type MapRoot, type NodeSource } from "../../../../src/content/prolly-tree";
import { applyChanges, type BatchChange } from "../../../../src/content/revision/changes";
import { createDraft, createStoredView, type Draft } from "../../../../src/content/revision/draft";
import type { PageEntry } from "../../../../src/content/revision/entries";
import type { RevisionView, WithId } from "../../../../src/content/revision/view";

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export type Contents = Readonly<Record<string, string | Uint8Array>>;

/** A tree of files in memory, which counts what is read of it. */
export class Repository implements FileTree {
  readonly files = new Map<string, Uint8Array>();
  readonly odd: TreeFile[] = [];
  reads: string[] = [];

  constructor(contents: Contents = {}) {
    for (const [path, content] of Object.entries(contents)) this.set(path, content);
  }

  set(path: string, content: string | Uint8Array): this {
    this.files.set(path, typeof content === "string" ? utf8.encode(content) : content);
    return this;
  }

  copy(): Repository {
    const copy = new Repository();
    for (const [path, bytes] of this.files) copy.files.set(path, bytes);
    copy.odd.push(...this.odd);
    return copy;
  }

  async list(): Promise<TreeFile[]> {
    const plain = [...this.files].map(([path, bytes]) => ({
      path,
      oid: computeBlobOid(bytes),
      mode: "100644",
      size: bytes.length,
    }));
    return [...plain, ...this.odd];
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    this.reads.push(path);
    return this.files.get(path);
  }

  text(path: string): string | undefined {
    const bytes = this.files.get(path);
    return bytes && decoder.decode(bytes);
  }

  /** The tree with what was written in it. */
  async with({ files, deletedPaths: deleted }: WrittenBook): Promise<Repository> {
    const next = this.copy();
    for (const path of deleted) next.files.delete(path);
    for (const [path, file] of files) next.set(path, await readWrittenFile(file));
    return next;
  }

  contents(): Record<string, string> {
    return Object.fromEntries([...this.files].sort().map(([path, bytes]) => [path, decoder.decode(bytes)]));
  }
}

let ids = 0;
const newId = (kind: string) => `${kind.slice(0, 3)}_${String(++ids).padStart(6, "0")}`;

/** A space without a storage: revisions one after another. */
export class Space {
  readonly objects = new Map<string, Uint8Array | string>();
  readonly #texts = new Map<string, string>();
  readonly source: NodeSource = createMemorySource(this.#texts);
  readonly roots: MapRoot[] = [null];
  /** What the last change brought. */
  brought: ReadonlyMap<string, unknown> = new Map();
  textReads = 0;

  get root(): MapRoot {
    return this.roots.at(-1)!;
  }

  get view(): RevisionView {
    return createStoredView(this.source, this.root);
  }

  get tools() {
    return {
      now: `2026-03-01T09:00:${String(this.roots.length % 60).padStart(2, "0")}.000Z`,
      newId,
      readText: this.text,
    };
  }

  readonly text = async (hash: string): Promise<string> => {
    this.textReads++;
    const found = this.objects.get(hash);
    if (found === undefined) throw new Error(`Nothing was kept under ${hash}.`);
    return typeof found === "string" ? found : decoder.decode(found);
  };

  readonly bytes = async (hash: string): Promise<Uint8Array> => {
    const found = this.objects.get(hash);
    if (found === undefined) throw new Error(`Nothing was kept under ${hash}.`);
    return typeof found === "string" ? utf8.encode(found) : found;
  };

  draft(): Draft {
    return createDraft(this.source, this.root);
  }

  async save(draft: Draft): Promise<void> {
    const { root, objects } = await draft.finish();
    this.brought = objects;
    for (const [hash, kept] of objects) {
      this.objects.set(hash, kept);
      if (typeof kept === "string") this.#texts.set(hash, kept);
    }
    this.roots.push(root);
  }

  /** Lays the book of a repository onto the space; with `known`, reading only what is not known. */
  async import(
    repository: FileTree,
    options: ReadBookOptions & { readonly all?: boolean } = {},
  ): Promise<ApplyBookResult> {
    const known = options.all ? undefined : await loadKnownFiles(this.view);
    const book = await readBook(repository, { ...options, known });
    const draft = this.draft();
    const laid = await applyBook(draft, book, this.tools);
    await this.save(draft);
    return laid;
  }

  write(options: WriteBookOptions = {}): Promise<WrittenBook> {
    return writeBook(this.view, this, options);
  }

  /** Writes the space over a repository, and remembers that it did. */
  async export(repository: Repository, options: Omit<WriteBookOptions, "previousTree"> = {}): Promise<Repository> {
    const written = await this.write({ ...options, previousTree: repository });
    const draft = this.draft();
    await recordWrittenBook(draft, written, this.tools);
    await this.save(draft);
    return repository.with(written);
  }

  async apply(...changes: BatchChange[]): Promise<string[]> {
    const draft = this.draft();
    const tools = { ...this.tools, findRevision: async () => undefined };
    const { outcomes } = await applyChanges(draft, changes, tools);
    await this.save(draft);
    return outcomes.flatMap((outcome) => ("page" in outcome ? [outcome.page] : []));
  }

  async page(path: string): Promise<WithId<PageEntry> | undefined> {
    return (await this.view.listPages()).find(({ git }) => git?.path === path);
  }

  /** The ids of pages by the paths of their files. */
  async ids(): Promise<Record<string, string>> {
    const pages = await this.view.listPages();
    return Object.fromEntries(pages.flatMap(({ id, git }) => (git ? [[git.path, id]] : [])).sort());
  }

  /** The tree of pages, one line each: what it is, its title and its slug. */
  async outline(parent: string | null = null, indentation = ""): Promise<string[]> {
    const children = await this.view.getPages((await this.view.listChildIds(parent)).map(({ id }) => id));
    const lines: string[] = [];
    for (const page of children) {
      const { id, type, title, slug } = page!;
      lines.push(`${indentation}${type === "document" ? "" : `${type}: `}${title} (${slug})`);
      lines.push(...(await this.outline(id, `${indentation}  `)));
    }
    return lines;
  }

  async entries(): Promise<Map<string, unknown>> {
    return new Map((await listEntries(this.source, this.root)).map(({ key, value }) => [key, value]));
  }
}
