// Writes the pages, reusable contents and files of a revision. Those whose Git id is known, and which need nothing added, are
// written as they are stored, or not at all if they are there already.

import { type RunSteps, yieldOnce } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { parsePageSource } from "../page-source";
import { keys, type LanguagesEntry, type PageEntry, type ReusableEntry } from "../revision/entries";
import type { RevisionView, WithId } from "../revision/view";
import { computeBlobOid } from "./hashes";
import { addFrontMatterFields, type BookPathIndex, getUnstatedFields, rewriteCover, rewriteLinks } from "./page-text";
import type { PreviousTree, WrittenItem } from "./previous-tree";
import type { RevisionContents } from "./revision-contents";
import { deriveTitle } from "./titles";
import type { BookPlaces } from "./write-table-of-contents";

/** The stored texts and files, by their hash. */
export interface StoredContents {
  readonly text: (hash: string) => Promise<string>;
  readonly bytes: (hash: string) => Promise<Uint8Array>;
}

interface StoredText extends Pick<WrittenItem, "kind" | "id" | "path" | "hash"> {
  readonly readStored: () => Promise<string>;
}

/** The length of the written texts that stay in memory. Further ones are written again when they are needed. */
const MAX_LENGTH_IN_MEMORY = 8 * 1024 * 1024;

/** Writes everything in a revision. Returns the path and the Git id of each part. */
export async function writeBookFiles(
  view: RevisionView,
  stored: StoredContents,
  previous: PreviousTree,
  contents: RevisionContents,
  places: BookPlaces,
  runSteps: RunSteps,
): Promise<WrittenItem[]> {
  const languages = (await view.get(keys.languages)) as LanguagesEntry | undefined;
  const writer = new FileWriter(view, stored, previous, contents, places, languages);
  const items: WrittenItem[] = [];
  const add = async (item: Promise<WrittenItem>) => {
    items.push(await item);
    await runSteps(yieldOnce());
  };
  for (const page of contents.pages)
    if (page.type === "document" && places.paths.has(page.id)) await add(writer.writePage(page));
  for (const reusable of contents.reusables) await add(writer.writeReusable(reusable));
  for (const file of contents.files) await add(writer.writeFile(file));
  return items;
}

class FileWriter {
  readonly #pathIndex: BookPathIndex;
  #lengthInMemory = 0;

  constructor(
    readonly view: RevisionView,
    readonly stored: StoredContents,
    readonly previous: PreviousTree,
    readonly contents: RevisionContents,
    readonly places: BookPlaces,
    languages: LanguagesEntry | undefined,
  ) {
    const { paths } = places;
    const ids = new Map([...paths].map(([id, path]) => [path, id]));
    this.#pathIndex = { getPath: (id) => paths.get(id), findId: (path) => ids.get(path), languages };
  }

  async writePage(page: WithId<PageEntry>): Promise<WrittenItem> {
    const { isDraft, hasMovedParts, hasSummary, paths } = this.places;
    const { id, body } = page;
    const path = paths.get(id)!;
    const hash = body ?? "";
    if (isDraft(page)) return { kind: "page", id, path, oid: computeBlobOid(""), hash };

    // A title that the text does not state may be that of the table of contents, or of the name of the file.
    const isTitleDerived = page.git !== undefined && (hasSummary || page.title === deriveTitle(path));
    const needsTitle = !page.stated?.includes("title") && !isTitleDerived;
    const unstatedFields = getUnstatedFields(page);
    const oid = this.contents.findOid(id, body);
    const readStored = async () => (body === undefined ? "" : this.stored.text(body));
    const item: StoredText = { kind: "page", id, path, hash, readStored };
    if (oid !== undefined && !hasMovedParts && !needsTitle && Object.keys(unstatedFields).length === 0)
      return this.#writeStoredText(item, oid);

    return this.#writeText(item, async (text) => {
      const fullText = addFrontMatterFields(text, unstatedFields, needsTitle ? page.title : undefined);
      const linkedText = rewriteLinks(fullText, path, await this.view.getLinks(id), this.#pathIndex);
      return rewriteCover(linkedText, path, page, this.#pathIndex);
    });
  }

  async writeReusable({ id, title, body, git }: WithId<ReusableEntry>): Promise<WrittenItem> {
    const path = this.places.paths.get(id)!;
    const oid = this.contents.findOid(id, body);
    const item: StoredText = { kind: "reusable", id, path, hash: body, readStored: () => this.stored.text(body) };
    if (oid !== undefined && git && !this.places.hasMovedParts) return this.#writeStoredText(item, oid);

    return this.#writeText(item, async (text) => {
      const hasTitle = (parsePageSource(text).title ?? (git && deriveTitle(path))) === title;
      const fullText = hasTitle ? text : addFrontMatterFields(text, { title }, undefined);
      return rewriteLinks(fullText, path, await this.view.getLinks(id), this.#pathIndex);
    });
  }

  async writeFile({ id, object }: RevisionContents["files"][number]): Promise<WrittenItem> {
    const path = this.places.paths.get(id)!;
    const knownOid = this.contents.findOid(id, object);
    if (knownOid !== undefined && this.previous.getOid(path) === knownOid)
      return { kind: "file", id, path, oid: knownOid, hash: object };
    const readBytes = () => this.stored.bytes(object);
    const oid = knownOid ?? computeBlobOid(await readBytes());
    this.previous.put(this.previous.getFullPath(path), { oid, readBytes });
    return { kind: "file", id, path, oid, hash: object };
  }

  #writeStoredText({ kind, id, path, hash, readStored }: StoredText, oid: string): WrittenItem {
    const readBytes = async () => new TextEncoder().encode(await readStored());
    this.previous.put(this.previous.getFullPath(path), { oid, readBytes });
    return { kind, id, path, oid, hash };
  }

  /** Writes a text that `render` makes of the stored one. */
  async #writeText(
    { kind, id, path, hash, readStored }: StoredText,
    render: (stored: string) => Promise<string>,
  ): Promise<WrittenItem> {
    const storedText = await readStored();
    const text = await render(storedText);
    this.#lengthInMemory += text.length;
    const fitsInMemory = this.#lengthInMemory <= MAX_LENGTH_IN_MEMORY;
    const readText = async () => (fitsInMemory ? text : render(await readStored()));
    const readBytes = async () => new TextEncoder().encode(await readText());
    const oid = computeBlobOid(text);
    this.previous.put(this.previous.getFullPath(path), fitsInMemory ? { oid, text } : { oid, readBytes });
    return { kind, id, path, oid, hash, ...omitUndefined({ readText: text === storedText ? undefined : readText }) };
  }
}
