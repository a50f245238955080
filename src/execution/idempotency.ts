// Idempotency-Key: the result of a POST is stored for a day, in the commit that made it true. A request that is sent again gets the
// first result and changes nothing. Results may hold values that are shown only once, so they are encrypted in the storage.

import { createError } from "../errors";
import { encodeKey } from "../storage/key";
import type { Key } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import { forEachEntry } from "../storage/transaction-budget";
import { sha256Hex } from "../utils/sha256";
import type { Kernel, OperationResult, RawInput, RegisteredOperation } from "./kernel";

/** The longest Idempotency-Key, in characters. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

const LIFETIME_MS = 24 * 60 * 60 * 1000;
/** A long result is stored in parts that each fit into one value. */
const MAX_PART_LENGTH = 48 * 1024;

export interface IdempotentRequest {
  readonly key: string;
  /** Identifies the token or session. The result is for these credentials alone, not for another token of the same user. */
  readonly credentials: string;
  readonly operation: RegisteredOperation;
  readonly input: RawInput;
}

/** The record of a result. The encrypted text is in its parts. */
type StoredResult = { readonly request: string; readonly until: number; readonly parts: number };

/** Returns the stored result of an earlier request; undefined if there is none. The same key with another request is refused. */
export async function findStoredResult(
  kernel: Kernel,
  tx: Reader,
  request: IdempotentRequest,
  now: Date,
): Promise<Pick<OperationResult, "status" | "value"> | undefined> {
  const { recordKey, requestHash } = identifyRequest(request);
  const stored = (await tx.get(recordKey)) as StoredResult | undefined;
  if (!stored || stored.until <= now.getTime()) return undefined;
  if (stored.request !== requestHash) throw createError("idempotency_key_reused");

  const parts = await tx.getMany(Array.from({ length: stored.parts }, (_, i) => recordKey + encodeKey(i)));
  const text = await kernel.secrets.decrypt(parts.join(""), stored.request).catch(() => {
    throw createError("idempotent_answer_lost");
  });
  return JSON.parse(text);
}

export async function storeResult(
  kernel: Kernel,
  tx: Transaction,
  request: IdempotentRequest,
  { status, value }: OperationResult,
  now: Date,
): Promise<void> {
  const { recordKey, requestHash } = identifyRequest(request);
  const text = await kernel.secrets.encrypt(JSON.stringify({ status, value }), requestHash);
  const parts = Math.ceil(text.length / MAX_PART_LENGTH);
  const until = now.getTime() + LIFETIME_MS;

  tx.put(recordKey, { request: requestHash, until, parts });
  for (let i = 0; i < parts; i++)
    tx.put(recordKey + encodeKey(i), text.slice(i * MAX_PART_LENGTH, (i + 1) * MAX_PART_LENGTH));
  tx.put(encodeKey("idempotent-until", until, recordKey), { head: recordKey, parts });
}

/** Deletes the results of a partition that are older than a day. Returns how many entries were due. */
export async function deleteExpiredResults(store: Store, partition: string): Promise<number> {
  const now = store.now().getTime();
  return store.write(partition, async (tx) => {
    const under = encodeKey("idempotent-until");
    let count = 0;
    await forEachEntry(tx, { under, before: under + encodeKey(now + 1) }, async (entry) => {
      const { head: recordKey, parts } = entry.value as { head: Key; parts: number };
      count++;
      // The key may have been used again since, with a later end.
      const stored = (await tx.get(recordKey)) as StoredResult | undefined;
      if (stored && stored.until <= now) {
        tx.delete(recordKey);
        for (let i = 0; i < parts; i++) tx.delete(recordKey + encodeKey(i));
      }
      tx.delete(entry.key);
    });
    return count;
  });
}

/** Returns the key of a request's result, and the hash that tells the request from others with the same Idempotency-Key. */
function identifyRequest({ key, credentials, operation, input }: IdempotentRequest) {
  const { params, query, body = null } = input;
  return {
    recordKey: encodeKey("idempotent", sha256Hex(credentials), sha256Hex(key)),
    requestHash: sha256Hex(JSON.stringify([operation.name, params, query, body])),
  };
}
