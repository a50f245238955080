// The audit log of a partition: an organization's, or that of the directory. An event is a row of its own, written in the
// commit of its cause: a put of a fresh key and an addition, so that two writes never wait for each other because of the
// log. Later the rows are sealed into a chain (`seal.ts`). Until then each row has a MAC, and their number is known.

import { CODE_LENGTH, DIRECTORY, encodeIdText, kinds } from "../storage/ids";
import { decodeKey, encodeKey } from "../storage/key";
import { type Secrets, toBase64url } from "../storage/secrets";
import type { Entry, Key } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Transaction } from "../storage/transaction";
import { type Happening, lineOf, type Row, readableRow, rowOf } from "./event";

/** Rows that are not sealed: the key has their time and chance, the value is a MAC and then the row, as one text. */
export const waiting = encodeKey("audit");
/** How many events the log ever had. */
export const total = encodeKey("audit-total");

/** A row is sealed when it is so old. Slow commits with an earlier time are there by then. */
export const SETTLED_MS = 60 * 1000;

/** The characters of an event's id that are chance. */
const CHANCE = 16;
/** The bytes of a MAC that are stored, and the characters that they take. */
export const MAC_BYTES = 15;
const MAC_LENGTH = 20;

/** An event that an earlier one in another partition led to: it has the same time and chance. */
export interface Origin {
  readonly time: number;
  readonly chance: string;
}

/** Writes events. */
export interface AuditLog {
  /** Puts an event into a transaction on this partition, and gives its origin for others that follow from it. */
  readonly note: (tx: Transaction, partition: string, happening: Happening) => Origin;
  /** The same for an event that came from another partition. Nothing happens when it is there already. */
  readonly repeat: (tx: Transaction, partition: string, row: Row, origin: Origin) => Promise<void>;
}

export function createAuditLog(store: Pick<Store, "now" | "random">, secrets: Pick<Secrets, "digest">): AuditLog {
  function put(tx: Transaction, partition: string, row: Row, { time, chance }: Origin): void {
    const id = eventId(partition, chance);
    tx.put(rowKey(time, chance), macOf(secrets, lineOf(id, time, row)) + row);
    tx.add(total, 1);
  }
  return {
    note(tx, partition, happening) {
      const origin = { time: store.now().getTime(), chance: encodeIdText(store.random(CHANCE)) };
      tx.born(origin.chance);
      put(tx, partition, rowOf(happening), origin);
      return origin;
    },
    async repeat(tx, partition, row, origin) {
      if ((await tx.get(rowKey(origin.time, origin.chance))) === undefined) put(tx, partition, row, origin);
    },
  };
}

/** Whether a partition has a log: the directory and organizations do. What only counts visits does not. */
export function hasLog(partition: string): boolean {
  return partition === DIRECTORY || partition.startsWith("org-");
}

function rowKey(time: number, chance: string): Key {
  return waiting + encodeKey(time, chance);
}

/** The id of an event in the log of a partition. */
export function eventId(partition: string, chance: string): string {
  const code = partition === DIRECTORY ? "" : partition.slice(-CODE_LENGTH);
  return `${kinds.auditEvent}_${code}${chance}`;
}

export function macOf(secrets: Pick<Secrets, "digest">, text: string): string {
  return toBase64url(secrets.digest("audit", text).slice(0, MAC_BYTES));
}

/** A row that is not sealed, with what tells whether it is as it was written. */
export interface Waiting {
  readonly id: string;
  readonly time: number;
  readonly line: string;
  readonly mac: string;
  readonly key: Key;
}

/** A row that is not sealed, from its entry. */
export function waitingOf(partition: string, { key, value }: Pick<Entry, "key" | "value">): Waiting {
  const [, time, chance] = decodeKey(key) as [string, number, string];
  const text = typeof value === "string" ? value : "";
  const id = eventId(partition, chance);
  const line = lineOf(id, time, readableRow(text.slice(MAC_LENGTH)));
  return { id, time, line, mac: text.slice(0, MAC_LENGTH), key };
}
