// Sends changes to a change request in batches that a server accepts, and collects the ids of the items that they created.

import type { OperationInput } from "octavo";
import type { ApiConnection } from "../connection/connection";

export type SpaceChange = OperationInput<"changeContent">["body"]["changes"][number];

const MAX_CHANGES = 50;
/** The largest batch in bytes, below the default limit of a server. */
const MAX_BYTES = 7 * 1024 * 1024;

/** New ids by the old ids that they replace. */
export type IdMap = Map<string, string>;

export interface ChangeQueue {
  /** Adds a change. Its `ref` is the old id of the item that it creates. */
  readonly add: (change: SpaceChange) => Promise<void>;
  /** Sends the waiting changes. */
  readonly flush: () => Promise<void>;
}

/**
 * Creates a queue that sends its changes to a change request in batches.
 *
 * @param ids Receives the new id of every `ref`.
 * @param prepare Completes a change just before it is sent, when the batches before it are done.
 * @param onSent Receives the number of changes of each batch.
 */
export function createChangeQueue(
  { ask }: ApiConnection,
  params: { readonly spaceId: string; readonly changeRequestId: string },
  ids: IdMap,
  prepare: (change: SpaceChange) => SpaceChange,
  onSent: (changes: number) => void,
): ChangeQueue {
  let waiting: SpaceChange[] = [];
  let bytes = 0;
  const flush = async () => {
    if (waiting.length === 0) return;
    const changes = waiting.map(prepare);
    [waiting, bytes] = [[], 0];
    const response = await ask("changeChangeRequestContent", { params, query: { compat: "false" }, body: { changes } });
    if (!("changes" in response)) throw new TypeError("The answer lists no changes.");
    for (const { ref, id } of response.insertedFiles ?? []) if (ref !== undefined) ids.set(ref, id);
    for (const result of response.changes) {
      if (result.object === "created_page" && result.ref !== undefined) ids.set(result.ref, result.page.id);
      if (result.object === "created_reusable_content" && result.ref !== undefined)
        ids.set(result.ref, result.reusableContent);
    }
    onSent(changes.length);
  };
  return {
    flush,
    async add(change) {
      const size = JSON.stringify(change).length;
      if (waiting.length === MAX_CHANGES || (waiting.length > 0 && bytes + size > MAX_BYTES)) await flush();
      waiting.push(change);
      bytes += size;
    },
  };
}
