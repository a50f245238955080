// The pages, reusable contents and files of a revision as files. Those whose name in Git is known, and which need nothing
// added, are written as they are stored, or not at all when they are there.

import { omitUndefined } from "../../utils/objects";
import { type RunSteps, yieldOnce } from "../markdown/steps";
import { parsePageSource } from "../page-source";
import { keys, type LanguagesEntry, type PageEntry, type ReusableEntry } from "../revision/entries";
import type { RevisionView, WithId } from "../revision/view";
import { titleOf } from "./lay-files";
import { blobOid } from "./oid";
import { type Stands, unstated, withFields, withFileCover, withFileLinks } from "./page-text";
import type { Holdings } from "./standings";
import type { WrittenContents } from "./write-contents";
import type { Previous } from "./write-previous";
import type { Stand } from "./written";

/** Where stored texts and files come from. */
export interface StoredContents {
  readonly text: (hash: string) => Promise<string>;
  readonly bytes: (hash: string) => Promise<Uint8Array>;
}

/** Writes everything that a revision holds; gives where it stands. */
export async function writeHoldings(
  view: RevisionView,
  stored: StoredContents,
  previous: Previous,
  holdings: Holdings,
  contents: WrittenContents,
  inTurns: RunSteps,
): Promise<Stand[]> {
  const languages = (await view.get(keys.languages)) as LanguagesEntry | undefined;
  const writer = new Writer(view, stored, previous, holdings, contents, languages);
  const stands: Stand[] = [];
  const add = async (stand: Promise<Stand>) => {
    stands.push(await stand);
    await inTurns(yieldOnce());
  };
  for (const page of holdings.pages)
    if (page.type === "document" && contents.paths.has(page.id)) await add(writer.page(page));
  for (const reusable of holdings.reusables) await add(writer.reusable(reusable));
  for (const file of holdings.files) await add(writer.file(file));
  return stands;
}

/** Characters of texts that are held as they were written. Further ones are written again when they are needed. */
const MOST_HELD = 8 * 1024 * 1024;

class Writer {
  readonly #stands: Stands;
  #held = 0;

  constructor(
    readonly view: RevisionView,
    readonly stored: StoredContents,
    readonly previous: Previous,
    readonly holdings: Holdings,
    readonly contents: WrittenContents,
    languages: LanguagesEntry | undefined,
  ) {
    const { paths } = contents;
    const ids = new Map([...paths].map(([id, path]) => [path, id]));
    this.#stands = { pathOf: (id) => paths.get(id), idAt: (path) => ids.get(path), languages };
  }

  async page(page: WithId<PageEntry>): Promise<Stand> {
    const { contents } = this;
    const path = contents.paths.get(page.id)!;
    const hash = page.body ?? "";
    const isTitled = page.stated?.includes("title") || contents.isDraft(page) || this.#tellsTitle(page, path);
    const fields = unstated(page);
    const oid = this.holdings.oidOf(page.id, page.body);
    const isAsStored = oid !== undefined && !contents.isMoved && isTitled && Object.keys(fields).length === 0;
    const text = async () => (page.body === undefined ? "" : this.stored.text(page.body));
    if (contents.isDraft(page)) return { kind: "page", id: page.id, path, oid: blobOid(""), hash };
    if (isAsStored) return this.#asStored("page", page.id, path, oid, hash, text);
    return this.#text("page", page.id, path, hash, text, async (before) => {
      const full = withFields(before, fields, isTitled ? undefined : page.title);
      const linked = withFileLinks(full, path, await this.view.getLinks(page.id), this.#stands);
      return withFileCover(linked, path, page, this.#stands);
    });
  }

  /** Whether a title that the text does not state is told by something else: the table of contents, or the file's name. */
  #tellsTitle(page: PageEntry, path: string): boolean {
    return page.git !== undefined && (this.contents.hasSummary || page.title === titleOf(path));
  }

  async reusable(reusable: WithId<ReusableEntry>): Promise<Stand> {
    const { id, title, body } = reusable;
    const path = this.contents.paths.get(id)!;
    const oid = this.holdings.oidOf(id, body);
    if (oid !== undefined && reusable.git && !this.contents.isMoved)
      return this.#asStored("reusable", id, path, oid, body, () => this.stored.text(body));
    const text = () => this.stored.text(body);
    return this.#text("reusable", id, path, body, text, async (before) => {
      const isTitled = (parsePageSource(before).title ?? (reusable.git && titleOf(path))) === title;
      const full = isTitled ? before : withFields(before, { title }, undefined);
      return withFileLinks(full, path, await this.view.getLinks(id), this.#stands);
    });
  }

  async file({ id, object }: Holdings["files"][number]): Promise<Stand> {
    const path = this.contents.paths.get(id)!;
    const known = this.holdings.oidOf(id, object);
    if (known !== undefined && this.previous.oidAt(path) === known)
      return { kind: "file", id, path, oid: known, hash: object };
    const later = () => this.stored.bytes(object);
    const oid = known ?? blobOid(await later());
    this.previous.put(this.previous.whole(path), { oid, later });
    return { kind: "file", id, path, oid, hash: object };
  }

  async #asStored(
    kind: Stand["kind"],
    id: string,
    path: string,
    oid: string,
    hash: string,
    text: () => Promise<string>,
  ): Promise<Stand> {
    this.previous.put(this.previous.whole(path), { oid, later: async () => new TextEncoder().encode(await text()) });
    return { kind, id, path, oid, hash };
  }

  /** A text that `write` makes of the stored one. */
  async #text(
    kind: Stand["kind"],
    id: string,
    path: string,
    hash: string,
    stored: () => Promise<string>,
    write: (before: string) => Promise<string>,
  ): Promise<Stand> {
    const before = await stored();
    const written = await write(before);
    this.#held += written.length;
    const isHeld = this.#held <= MOST_HELD;
    const text = async () => (isHeld ? written : write(await stored()));
    const oid = blobOid(written);
    const file = isHeld ? { text: written } : { later: async () => new TextEncoder().encode(await text()) };
    this.previous.put(this.previous.whole(path), { oid, ...file });
    return { kind, id, path, oid, hash, ...omitUndefined({ text: written === before ? undefined : text }) };
  }
}
