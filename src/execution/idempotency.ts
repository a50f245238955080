// Idempotency-Key: the answer to a POST is kept for a day in the commit that made it true, so a repeated request gets the
// first answer and changes nothing. Answers may hold what is shown only once, so they are encrypted at rest.

import { createError } from "../errors";
import { encodeKey } from "../storage/key";
import { eachEntry } from "../storage/room";
import { hashFingerprint } from "../storage/secrets";
import type { Key } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import type { Kernel, OperationResult, RawInput, RegisteredOperation } from "./kernel";

/** How long an answer is kept. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Long answers are kept in parts that each fit a value. */
const PART = 48 * 1024;

/** The longest key that is taken. */
export const MAX_KEY_LENGTH = 255;

export interface KeyedRequest {
  readonly key: string;
  /** What the caller was recognized by. The answer is for these credentials alone, not for another token of the same
   * user. */
  readonly credentials: string;
  readonly named: RegisteredOperation;
  readonly raw: RawInput;
}

type Kept = { readonly request: string; readonly until: number; readonly parts: number };

const headKey = ({ key: text, credentials }: KeyedRequest) =>
  encodeKey("idempotent", hashFingerprint(credentials), hashFingerprint(text));
const partKey = (head: Key, part: number) => head + encodeKey(part);
const expiryKey = (until: number, head: Key) => encodeKey("idempotent-until", until, head);

/** The earlier answer; undefined when there is none. The same key with another request is refused. */
export async function recall(
  kernel: Kernel,
  tx: Reader,
  request: KeyedRequest,
  now: Date,
): Promise<Pick<OperationResult, "status" | "value"> | undefined> {
  const head = headKey(request);
  const kept = (await tx.get(head)) as Kept | undefined;
  if (!kept || kept.until <= now.getTime()) return undefined;
  if (kept.request !== digestOf(request)) throw createError("idempotency_key_reused");
  const parts = await tx.getMany(Array.from({ length: kept.parts }, (_, i) => partKey(head, i)));
  const text = await kernel.secrets.decrypt(parts.join(""), kept.request).catch(() => {
    throw createError("idempotent_answer_lost");
  });
  return JSON.parse(text);
}

/** Keeps the answer, in the transaction that it belongs to. */
export async function remember(
  kernel: Kernel,
  tx: Transaction,
  request: KeyedRequest,
  { status, value }: OperationResult,
  now: Date,
): Promise<void> {
  const head = headKey(request);
  const text = await kernel.secrets.encrypt(JSON.stringify({ status, value }), digestOf(request));
  const parts = Math.ceil(text.length / PART);
  const until = now.getTime() + KEPT_MS;
  tx.put(head, { request: digestOf(request), until, parts });
  for (let i = 0; i < parts; i++) tx.put(partKey(head, i), text.slice(i * PART, (i + 1) * PART));
  tx.put(expiryKey(until, head), { head, parts });
}

/** Drops the answers whose day is over. */
export async function forgetAnswers(store: Store, partition: string): Promise<number> {
  const now = store.now().getTime();
  return store.write(partition, async (tx) => {
    const under = encodeKey("idempotent-until");
    let forgotten = 0;
    await eachEntry(tx, { under, before: under + encodeKey(now + 1) }, async (entry) => {
      const { head, parts } = entry.value as { head: Key; parts: number };
      forgotten++;
      const kept = (await tx.get(head)) as Kept | undefined;
      if (kept && kept.until <= now) {
        tx.delete(head);
        for (let i = 0; i < parts; i++) tx.delete(partKey(head, i));
      }
      tx.delete(entry.key);
    });
    return forgotten;
  });
}

function digestOf({ named, raw }: KeyedRequest): string {
  return hashFingerprint(JSON.stringify([named.name, raw.params, raw.query, raw.body ?? null]));
}
