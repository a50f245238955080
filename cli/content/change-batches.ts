// Sends changes to a change request in batches that a server accepts, and collects the ids of the items that they created.

import type { OperationInput } from "octavo";
import type { ApiConnection } from "../connection/connection";

export type SpaceChange = OperationInput<"changeContent">["body"]["changes"][number];

const MAX_CHANGES = 50;
/** The largest batch in bytes, below the default limit of a server. */
const MAX_BYTES = 7 * 1024 * 1024;

/** New ids by the old ids that they replace. */
export type IdMap = Map<string, string>;

/** Sends changes to a change request in batches. */
export class ChangeQueue {
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
