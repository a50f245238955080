// The findings of a check of a storage.

import type { Key } from "../../storage/storage";
import type { Transaction } from "../../storage/transaction";

export type Damage =
  /** Something stored cannot be read, or does not have the form that it must have. */
  | "unreadable"
  /** This version does not know what it is. */
  | "unknown"
  /** A record is stored under a key of another record. */
  | "misplaced"
  /** An index or a unique name does not agree with its records, or a row of another partition. */
  | "index"
  /** A total does not agree with a recount. */
  | "total"
  /** A name that is unique everywhere is held, and the directory does not lead to its holder; or it is used and not held. */
  | "claim"
  /** Something refers to an object that does not exist. */
  | "missing"
  /** The bytes of an object are not those of its name. */
  | "changed"
  /** A sealed field cannot be opened. */
  | "sealed"
  /** The audit log was changed. */
  | "audit";

export interface StorageFinding {
  readonly damage: Damage;
  readonly partition: string;
  readonly says: string;
  /** True if it follows from undamaged data, so that it can be repaired. */
  readonly isDerived: boolean;
  /** True if it was repaired just now. */
  readonly isRepaired: boolean;
}

/**
 * Repairs derived data, if it is still wrong: in one transaction of its partition, or in several transactions of several partitions.
 * Returns true if it is right now.
 */
export type Repair = ((tx: Transaction) => Promise<boolean>) | { readonly bySteps: () => Promise<boolean> };

export type ReportFinding = (damage: Damage, says: string, repair?: Repair) => Promise<void>;

/** Returns a key in a form that people can read. */
export function formatKey(key: Key): string {
  return JSON.stringify(key.replaceAll(/[\x00-\x03]+/g, " ").trim()).slice(0, 200);
}
