// The audit log of a partition: an organization or the directory. Each event is a row that is written in the commit of its cause, as a
// put of a new key and an addition, so the log never makes two writes conflict. Rows are later sealed into a chain (`seal.ts`). Until
// then each row has a MAC, and the number of rows is stored.

import { CODE_LENGTH, DIRECTORY, encodeIdText, idPrefixes } from "../storage/ids";
import { decodeKey, encodeKey } from "../storage/key";
import { type Secrets, toBase64url } from "../storage/secrets";
import type { Entry, Key } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Transaction } from "../storage/transaction";
import { type AuditEntry, type AuditRow, formatAuditLine, formatAuditRow } from "./event";

/** The prefix of rows that are not sealed. The key has their time and random text; the value is a MAC and then the row, as one text. */
export const UNSEALED_PREFIX = encodeKey("audit");
/** The key of the number of events that the log has ever had. */
export const TOTAL_KEY = encodeKey("audit-total");

/** A row is sealed when it is this old. Slow commits with an earlier time have arrived by then. */
export const SETTLED_MS = 60 * 1000;

/** The random characters of an event's id. */
const RANDOM_LENGTH = 16;
export const MAC_BYTES = 15;
/** The characters of a stored MAC. */
const MAC_LENGTH = 20;

/** The origin of an event that follows from one in another partition: it has the same time and random text. */
export interface EventOrigin {
  readonly time: number;
  readonly chance: string;
}

/** Writes events. */
export interface AuditLog {
  /** Puts an event into a transaction on this partition. Returns its origin, for events in other partitions that follow from it. */
  readonly record: (tx: Transaction, partition: string, entry: AuditEntry) => EventOrigin;
  /** Puts an event that follows from one in another partition into a transaction, unless it is there already. */
  readonly recordRepeated: (tx: Transaction, partition: string, row: AuditRow, origin: EventOrigin) => Promise<void>;
}

export function createAuditLog(store: Pick<Store, "now" | "random">, secrets: Pick<Secrets, "digest">): AuditLog {
  function putRow(tx: Transaction, partition: string, row: AuditRow, { time, chance }: EventOrigin): void {
    const id = formatAuditEventId(partition, chance);
    tx.put(UNSEALED_PREFIX + encodeKey(time, chance), computeMac(secrets, formatAuditLine(id, time, row)) + row);
    tx.add(TOTAL_KEY, 1);
  }

  return {
    record(tx, partition, entry) {
      const origin = { time: store.now().getTime(), chance: encodeIdText(store.random(RANDOM_LENGTH)) };
      tx.markNew(origin.chance);
      putRow(tx, partition, formatAuditRow(entry), origin);
      return origin;
    },
    async recordRepeated(tx, partition, row, origin) {
      if ((await tx.get(UNSEALED_PREFIX + encodeKey(origin.time, origin.chance))) === undefined)
        putRow(tx, partition, row, origin);
    },
  };
}

/** Returns true if a partition has a log: the directory and organizations do. The partitions that only count visits do not. */
export function hasAuditLog(partition: string): boolean {
  return partition === DIRECTORY || partition.startsWith("org-");
}

export function formatAuditEventId(partition: string, chance: string): string {
  const code = partition === DIRECTORY ? "" : partition.slice(-CODE_LENGTH);
  return `${idPrefixes.auditEvent}_${code}${chance}`;
}

export function computeMac(secrets: Pick<Secrets, "digest">, text: string): string {
  return toBase64url(secrets.digest("audit", text).slice(0, MAC_BYTES));
}

/** A row that is not sealed, with the MAC that shows if it is as it was written. */
export interface UnsealedRow {
  readonly id: string;
  readonly time: number;
  readonly line: string;
  readonly mac: string;
  readonly key: Key;
}

export function parseUnsealedRow(partition: string, { key, value }: Pick<Entry, "key" | "value">): UnsealedRow {
  const [, time, chance] = decodeKey(key) as [string, number, string];
  const text = typeof value === "string" ? value : "";
  const id = formatAuditEventId(partition, chance);
  // If something else than a row is stored, the event is a placeholder.
  const storedRow = text.slice(MAC_LENGTH);
  const isReadable = /^[^|]+\|[^|]+\|[^|]*\|\d+(?:\|[^|]*){0,7}$/.test(storedRow);
  const line = formatAuditLine(id, time, isReadable ? storedRow : "unreadable|system:||0");
  return { id, time, line, mac: text.slice(0, MAC_LENGTH), key };
}
