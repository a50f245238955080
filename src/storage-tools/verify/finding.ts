// What a check of a storage finds.

import type { Key } from "../../storage/storage";
import type { Transaction } from "../../storage/transaction";

export type Damage =
  /** Something stored cannot be read, or has not the form that it must have. */
  | "unreadable"
  /** This version does not know what it is. */
  | "unknown"
  /** A record lies under a key that is not its own. */
  | "misplaced"
  /** An index or a unique name does not agree with its records, or a row of another partition. */
  | "index"
  /** A total does not agree with a recount. */
  | "total"
  /** A name that is unique everywhere is held, and the directory does not lead to its holder; or it is used and not held. */
  | "claim"
  /** Something names an object that is not there. */
  | "missing"
  /** The bytes of an object are not those that it is named after. */
  | "changed"
  /** A sealed field cannot be opened. */
  | "sealed"
  /** The audit log was changed. */
  | "audit";

export interface Finding {
  readonly damage: Damage;
  readonly partition: string;
  /** A sentence. */
  readonly says: string;
  /** Whether it follows from what is whole, so that it can be put right. */
  readonly isDerived: boolean;
  /** Whether it was put right just now. */
  readonly isRepaired: boolean;
}

/** How something derived is put right, if it is still wrong: in one transaction of its partition, or in several of several. True:
 * it is right now. */
export type Repair = ((tx: Transaction) => Promise<boolean>) | { readonly bySteps: () => Promise<boolean> };

/** Takes a finding in. */
export type ReportFinding = (damage: Damage, says: string, repair?: Repair) => Promise<void>;

/** A key as people can read it. */
export function formatKey(key: Key): string {
  return JSON.stringify(key.replaceAll(/[\x00-\x03]+/g, " ").trim()).slice(0, 200);
}
