// Copies what a space holds to the end of another space, which may be on another server. Everything goes into a change request
// first, and one merge shows it. So readers see all of it or nothing, also when the command is killed on the way.

import type { Resources } from "octavo";
import { omitUndefined } from "../../src/utils/objects";
import type { Connection } from "../connection/connection";
import { CommandFailed } from "../framework/errors";
import type { Terminal } from "../framework/terminal";
import { type Batches, batchesTo, type Change, type Ids } from "./change-batches";
import type { Snapshot } from "./space-snapshot";

/** Something that was not taken, and why. */
export interface LeftOut {
  readonly resource: string;
  readonly reason: string;
}

export interface Copied {
  readonly pages: number;
  readonly files: number;
  readonly leftOut: readonly LeftOut[];
}

/** The largest file that fits into a request as text. */
const MAX_FILE_BYTES = 7 * 1024 * 1024;

/** An id of something in a text or a reference. */
const ANY_ID = /\b[a-z]{3}_[0-9a-z]{20,60}\b/g;

/** What a page may be computed from. */
const KNOWN_SOURCE = /^(?:builtin:openapi|integration:[^:\s]+:[^:\s]+)$/;

type PageChange = Extract<Change, { operation: "insert_page" }>;

export async function copyContent(
  content: Snapshot,
  to: Connection,
  spaceId: string,
  subject: string,
  terminal: Terminal,
): Promise<Copied> {
  const { id: changeRequestId } = await to.ask("createChangeRequest", { params: { spaceId }, body: { subject } });
  const params = { spaceId, changeRequestId };
  try {
    const copied = await new Copying(content, to, params, terminal).run();
    const { result } = await to.ask("mergeChangeRequest", { params });
    if (result === "conflicts")
      throw new CommandFailed("The space was changed meanwhile in a way that contradicts the copy.");
    return copied;
  } catch (error) {
    // Whoever looks at the change requests should not wonder about half of one. This is a courtesy, and may fail as well.
    await to.call("updateChangeRequest", { params, body: { status: "archived" } }).catch(() => undefined);
    throw error;
  }
}

class Copying {
  readonly #ids: Ids = new Map();
  readonly #leftOut: LeftOut[] = [];
  readonly #late: Change[] = [];
  #pages = 0;
  #files = 0;

  constructor(
    readonly content: Snapshot,
    readonly to: Connection,
    readonly params: { readonly spaceId: string; readonly changeRequestId: string },
    readonly terminal: Terminal,
  ) {}

  async run(): Promise<Copied> {
    const { content, to, params } = this;
    const total = content.files.length + content.reusableContents.length + counted(content.pages);
    const progress = this.terminal.progress("pages and files", total);
    let sent = 0;
    const settle = (change: Change) => this.#settled(change);
    const batches = batchesTo(to, params, this.#ids, settle, (changes) => {
      sent = Math.min(sent + changes, total);
      progress.at(sent);
    });
    const there = await to.ask("getChangeRequestContent", { params, query: { computed: "false" } });
    await this.#setVariables(batches, there.variables);
    await this.#insertFiles(batches);
    await this.#insertReusables(batches);
    await this.#insertPages(batches, content.pages, undefined, there.pages.length);
    await batches.flush();
    // What names a page that came later is written again, now that all ids are known.
    for (const change of this.#late) await batches.add(change);
    await batches.flush();
    progress.end();
    return { pages: this.#pages, files: this.#files, leftOut: this.#leftOut };
  }

  async #setVariables(batches: Batches, known: Resources.Revision["variables"]): Promise<void> {
    const missing = Object.entries(this.content.variables).filter(([name]) => !Object.hasOwn(known, name));
    for (let i = 0; i < missing.length; i += 100)
      await batches.add({ operation: "set_variables", variables: Object.fromEntries(missing.slice(i, i + 100)) });
  }

  async #insertFiles(batches: Batches): Promise<void> {
    for (const file of this.content.files) {
      const { id, name, size, contentType } = file;
      if (size > MAX_FILE_BYTES) {
        this.#leftOut.push({ resource: name, reason: `It is larger than ${MAX_FILE_BYTES} bytes.` });
        continue;
      }
      const base64 = Buffer.from(await this.content.bytesOf(file)).toString("base64");
      await batches.add({ operation: "insert_files", files: [{ name, contentType, ref: id, base64 }] });
      this.#files++;
    }
    await batches.flush();
  }

  async #insertReusables(batches: Batches): Promise<void> {
    const { content } = this;
    for (const { id, title } of content.reusableContents) {
      const document = { markdown: await content.textOfReusable(id) };
      await batches.add({ operation: "insert_reusable_content", title, ref: id, document });
    }
    await batches.flush();
  }

  /** Parents come before their children. `before` is how many siblings stand there already. */
  async #insertPages(
    batches: Batches,
    pages: readonly Resources.PageInTree[],
    parent: string | undefined,
    before: number,
  ): Promise<void> {
    let at = before;
    for (const page of pages) {
      if (page.type === "computed" && !KNOWN_SOURCE.test(page.computed?.type ?? "")) {
        this.#leftOut.push({ resource: page.path, reason: "It is computed from something that is not known here." });
        continue;
      }
      // Its new id, or a `ref` of the same batch.
      const into = parent === undefined ? {} : { into: parent };
      await this.#insertPage(batches, page, into, at++);
      this.#pages++;
      await this.#insertPages(batches, page.pages, page.id, 0);
    }
  }

  async #insertPage(batches: Batches, page: Resources.PageInTree, into: { into?: string }, at: number): Promise<void> {
    const { id, type, title, slug, emoji, icon, hidden, condition, target, href } = page;
    const common = { title, slug, ref: id, ...defined({ emoji, icon, hidden, condition }) };
    if (type === "group") return batches.add({ operation: "insert_group", ...common });
    if (type === "link") {
      const change = {
        operation: "insert_link",
        ...common,
        ...into,
        target: target ?? { kind: "url", url: href! },
      } as Change;
      // A link cannot be changed later, so one to a page that is not there yet waits, and takes its place then.
      if (this.#namesLater(JSON.stringify(target ?? ""))) this.#late.push({ ...change, at } as Change);
      else await batches.add(change);
      return;
    }
    const { description, noIndex, noRobotsIndex, layout, cover, variables } = page;
    const fields = defined({ description, noIndex, noRobotsIndex, layout, cover, variables });
    const insert = { operation: "insert_page", ...common, ...into, ...fields } as const;
    if (type === "computed") return batches.add({ ...insert, type, computed: page.computed! } as PageChange);
    const document = { markdown: await this.content.textOfPage(id) };
    await batches.add({ ...insert, document } as PageChange);
  }

  /** Whether a text names something of the copied content that has no new id yet. */
  #namesLater(text: string): boolean {
    return (text.match(ANY_ID) ?? []).some((id) => this.#isCopied(id) && !this.#ids.has(id));
  }

  #known: Set<string> | undefined;

  #isCopied(id: string): boolean {
    this.#known ??= new Set(idsOf(this.content.pages));
    return this.#known.has(id);
  }

  /** The change as it is sent. A text that names what is not there yet is written once more in the end. */
  #settled(change: Change): Change {
    const { operation } = change;
    if ((operation === "insert_page" || operation === "insert_reusable_content") && "document" in change) {
      const { ref, document } = change;
      const isLate = "markdown" in document && this.#namesLater(document.markdown!);
      if (isLate && operation === "insert_page") this.#late.push({ operation: "update_page", page: ref!, document });
      if (isLate && operation === "insert_reusable_content")
        this.#late.push({ operation: "update_reusable_content", reusableContent: ref!, document });
    }
    return this.#withIds(change);
  }

  /** The change with new ids in all its texts and references; its own `ref` stays. */
  #withIds<T extends Change>(change: T): T {
    const ref = "ref" in change ? change.ref : undefined;
    const text = JSON.stringify(change).replaceAll(ANY_ID, (id) => this.#ids.get(id) ?? id);
    return { ...JSON.parse(text), ...omitUndefined({ ref }) };
  }
}

function counted(pages: readonly Resources.PageInTree[]): number {
  return pages.reduce((sum, page) => sum + 1 + counted(page.pages), 0);
}

function idsOf(pages: readonly Resources.PageInTree[]): string[] {
  return pages.flatMap((page) => [page.id, ...idsOf(page.pages)]);
}

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
