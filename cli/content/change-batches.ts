// Changes on their way to a change request: collected into batches that a server takes, and what each of them made.

import type { OperationInput } from "octavo";
import type { Connection } from "../connection/connection";

export type Change = OperationInput<"changeContent">["body"]["changes"][number];

/** The most changes of a batch. */
const MAX_CHANGES = 50;
/** The most bytes of a batch: below what a server takes unless it is told otherwise. */
const MAX_BYTES = 7 * 1024 * 1024;

/** New ids by what they replace. */
export type Ids = Map<string, string>;

export interface Batches {
  /** Adds a change. A `ref` is the old id of what it makes. */
  readonly add: (change: Change) => Promise<void>;
  /** Sends what is left. */
  readonly flush: () => Promise<void>;
}

/** Sends batches to a change request. `ids` learns the new id of every `ref`. A change is settled just before it is sent, when
 * the batches before it are done. `onSent` hears how many changes were sent. */
export function batchesTo(
  { ask }: Connection,
  params: { readonly spaceId: string; readonly changeRequestId: string },
  ids: Ids,
  settle: (change: Change) => Change,
  onSent: (changes: number) => void,
): Batches {
  let waiting: Change[] = [];
  let bytes = 0;
  const flush = async () => {
    if (waiting.length === 0) return;
    const changes = waiting.map(settle);
    [waiting, bytes] = [[], 0];
    const answer = await ask("changeChangeRequestContent", { params, query: { compat: "false" }, body: { changes } });
    if (!("changes" in answer)) throw new TypeError("The answer lists no changes.");
    for (const { ref, id } of answer.insertedFiles ?? []) if (ref !== undefined) ids.set(ref, id);
    for (const made of answer.changes) {
      if (made.object === "created_page" && made.ref !== undefined) ids.set(made.ref, made.page.id);
      if (made.object === "created_reusable_content" && made.ref !== undefined) ids.set(made.ref, made.reusableContent);
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
