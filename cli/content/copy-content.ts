// Copies the content of a space to the end of another space, which may be on another server. Everything goes into a change
// request that is merged at the end, so readers see all of it or nothing, even if the command is killed.

import type { OperationInput, Resources } from "octavo";
import { omitUndefined } from "../../src/utils/objects";
import type { ApiConnection } from "../connection/connection";
import { CommandError } from "../framework/command";
import type { Terminal } from "../framework/terminal";
import type { OmittedItem } from "./omitted-items";
import { flattenPageTree } from "./page-tree";
import type { SpaceSnapshot } from "./space-snapshot";

interface CopyResult {
  readonly pages: number;
  readonly files: number;
  readonly leftOut: readonly OmittedItem[];
}

/** The largest file that fits into a request as text. */
const MAX_FILE_BYTES = 7 * 1024 * 1024;

/** The id of a page, file or other item in a text or a reference. */
const ANY_ID = /\b[a-z]{3}_[0-9a-z]{20,60}\b/g;

/** The sources that a page may be computed from. */
const KNOWN_SOURCE = /^(?:builtin:openapi|integration:[^:\s]+:[^:\s]+)$/;

type PageInsertion = Extract<SpaceChange, { operation: "insert_page" }>;

export async function copyContent(
  content: SpaceSnapshot,
  to: ApiConnection,
  spaceId: string,
  subject: string,
  terminal: Terminal,
): Promise<CopyResult> {
  const { id: changeRequestId } = await to.ask("createChangeRequest", { params: { spaceId }, body: { subject } });
  const params = { spaceId, changeRequestId };
  try {
    const copied = await new ContentCopy(content, to, params, terminal).run();
    const { result } = await to.ask("mergeChangeRequest", { params });
    if (result === "conflicts") throw new CommandError("The space changed during the import and conflicts with it.");
    return copied;
  } catch (error) {
    // A half-filled change request would puzzle its readers. Archiving it is a courtesy that may fail as well.
    await to.call("updateChangeRequest", { params, body: { status: "archived" } }).catch(() => undefined);
    throw error;
  }
}

class ContentCopy {
  readonly #ids: IdMap = new Map();
  readonly #leftOut: OmittedItem[] = [];
  readonly #deferred: SpaceChange[] = [];
  #pages = 0;
  #files = 0;

  constructor(
    readonly content: SpaceSnapshot,
    readonly to: ApiConnection,
    readonly params: { readonly spaceId: string; readonly changeRequestId: string },
    readonly terminal: Terminal,
  ) {}

  async run(): Promise<CopyResult> {
    const { content, to, params } = this;
    const total = content.files.length + content.reusableContents.length + flattenPageTree(content.pages).length;
    const progress = this.terminal.progress("pages and files", total);
    let sent = 0;
    const prepare = (change: SpaceChange) => this.#prepare(change);
    const queue = new ChangeQueue(to, params, this.#ids, prepare, (changes) => {
      sent = Math.min(sent + changes, total);
      progress.at(sent);
    });
    const existing = await to.ask("getChangeRequestContent", { params, query: { computed: "false" } });
    const missing = Object.entries(content.variables).filter(([name]) => !Object.hasOwn(existing.variables, name));
    for (let i = 0; i < missing.length; i += 100)
      await queue.add({ operation: "set_variables", variables: Object.fromEntries(missing.slice(i, i + 100)) });
    await this.#insertFiles(queue);
    for (const { id, title } of content.reusableContents) {
      const document = { markdown: await content.readReusableContent(id) };
      await queue.add({ operation: "insert_reusable_content", title, ref: id, document });
    }
    await queue.flush();
    await this.#insertPages(queue, content.pages, undefined, existing.pages.length);
    await queue.flush();
    // Texts that refer to a page that was created after them are written again, now that all ids are known.
    for (const change of this.#deferred) await queue.add(change);
    await queue.flush();
    progress.end();
    return { pages: this.#pages, files: this.#files, leftOut: this.#leftOut };
  }

  async #insertFiles(queue: ChangeQueue): Promise<void> {
    for (const file of this.content.files) {
      const { id, name, size, contentType } = file;
      if (size > MAX_FILE_BYTES) {
        this.#leftOut.push({ resource: name, reason: `It exceeds ${MAX_FILE_BYTES} bytes.` });
        continue;
      }
      const base64 = Buffer.from(await this.content.readFile(file)).toString("base64");
      await queue.add({ operation: "insert_files", files: [{ name, contentType, ref: id, base64 }] });
      this.#files++;
    }
    await queue.flush();
  }

  /** Inserts pages, parents before their children. `siblings` is the number of pages that exist there already. */
  async #insertPages(
    queue: ChangeQueue,
    pages: readonly Resources.PageInTree[],
    parent: string | undefined,
    siblings: number,
  ): Promise<void> {
    let position = siblings;
    for (const page of pages) {
      if (page.type === "computed" && !KNOWN_SOURCE.test(page.computed?.type ?? "")) {
        this.#leftOut.push({ resource: page.path, reason: "Its source is not available here." });
        continue;
      }
      // The new id of the parent, or its `ref` in the same batch.
      const into = parent === undefined ? {} : { into: parent };
      await this.#insertPage(queue, page, into, position++);
      this.#pages++;
      await this.#insertPages(queue, page.pages, page.id, 0);
    }
  }

  async #insertPage(
    queue: ChangeQueue,
    page: Resources.PageInTree,
    into: { into?: string },
    position: number,
  ): Promise<void> {
    const { id, type, title, slug, emoji, icon, hidden, condition, target, href } = page;
    const common = { title, slug, ref: id, ...omitUndefined({ emoji, icon, hidden, condition }) };
    if (type === "group") return queue.add({ operation: "insert_group", ...common });
    if (type === "link") {
      const change = {
        operation: "insert_link",
        ...common,
        ...into,
        target: target ?? { kind: "url", url: href! },
      } as SpaceChange;
      // A link cannot be changed later, so a link to a page that does not exist yet is inserted at its position in the end.
      if (this.#hasUnknownIds(JSON.stringify(target ?? "")))
        this.#deferred.push({ ...change, at: position } as SpaceChange);
      else await queue.add(change);
      return;
    }
    const { description, noIndex, noRobotsIndex, layout, cover, variables } = page;
    const fields = omitUndefined({ description, noIndex, noRobotsIndex, layout, cover, variables });
    const insert = { operation: "insert_page", ...common, ...into, ...fields } as const;
    if (type === "computed") return queue.add({ ...insert, type, computed: page.computed! } as PageInsertion);
    const document = { markdown: await this.content.readPage(id) };
    await queue.add({ ...insert, document } as PageInsertion);
  }

  #pageIds: Set<string> | undefined;

  /** Returns true if a text refers to a copied page that has no new id yet. */
  #hasUnknownIds(text: string): boolean {
    this.#pageIds ??= new Set(flattenPageTree(this.content.pages).map(({ id }) => id));
    return (text.match(ANY_ID) ?? []).some((id) => this.#pageIds?.has(id) && !this.#ids.has(id));
  }

  /** Replaces the ids in a change before it is sent. A text with ids that are not known yet is written once more in the end. */
  #prepare(change: SpaceChange): SpaceChange {
    const { operation } = change;
    if ((operation === "insert_page" || operation === "insert_reusable_content") && "document" in change) {
      const { ref, document } = change;
      const isIncomplete = "markdown" in document && this.#hasUnknownIds(document.markdown!);
      if (isIncomplete && operation === "insert_page")
        this.#deferred.push({ operation: "update_page", page: ref!, document });
      if (isIncomplete && operation === "insert_reusable_content")
        this.#deferred.push({ operation: "update_reusable_content", reusableContent: ref!, document });
    }
    // The `ref` of the change keeps the old id.
    const ref = "ref" in change ? change.ref : undefined;
    const text = JSON.stringify(change).replaceAll(ANY_ID, (id) => this.#ids.get(id) ?? id);
    return { ...JSON.parse(text), ...omitUndefined({ ref }) };
  }
}

type SpaceChange = OperationInput<"changeContent">["body"]["changes"][number];

const MAX_CHANGES = 50;
/** The largest batch in bytes, below the default limit of a server. */
const MAX_BYTES = 7 * 1024 * 1024;

/** New ids by the old ids that they replace. */
type IdMap = Map<string, string>;

/** Sends changes in batches that a server accepts, and collects the ids of the items that they created. */
class ChangeQueue {
  #waiting: SpaceChange[] = [];
  #bytes = 0;

  constructor(
    readonly to: ApiConnection,
    readonly params: { readonly spaceId: string; readonly changeRequestId: string },
    /** Receives the new id of every `ref`. */
    readonly ids: IdMap,
    /** Completes a change just before it is sent, when the batches before it are done. */
    readonly prepare: (change: SpaceChange) => SpaceChange,
    /** Receives the number of changes of each batch. */
    readonly onSent: (changes: number) => void,
  ) {}

  /** Adds a change. Its `ref` is the old id of the item that it creates. */
  async add(change: SpaceChange): Promise<void> {
    const size = JSON.stringify(change).length;
    if (this.#waiting.length === MAX_CHANGES || (this.#waiting.length > 0 && this.#bytes + size > MAX_BYTES))
      await this.flush();
    this.#waiting.push(change);
    this.#bytes += size;
  }

  /** Sends the waiting changes. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const changes = this.#waiting.map(this.prepare);
    [this.#waiting, this.#bytes] = [[], 0];
    const { params } = this;
    const input = { params, query: { compat: "false" }, body: { changes } } as const;
    const response = await this.to.ask("changeChangeRequestContent", input);
    if (!("changes" in response)) throw new TypeError("The answer lists no changes.");
    for (const { ref, id } of response.insertedFiles ?? []) if (ref !== undefined) this.ids.set(ref, id);
    for (const result of response.changes) {
      if (result.object === "created_page" && result.ref !== undefined) this.ids.set(result.ref, result.page.id);
      if (result.object === "created_reusable_content" && result.ref !== undefined)
        this.ids.set(result.ref, result.reusableContent);
    }
    this.onSent(changes.length);
  }
}
