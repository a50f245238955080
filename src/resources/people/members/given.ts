// What users and teams were given on spaces and collections is kept by the wing of the library, which fills this hook.

import { hook } from "../../../hook";
import type { Reader, Transaction } from "../../../store/transaction";

export type GranteeKind = "user" | "team";

/** What must be known of what was given. */
export interface Given {
  /** The number of spaces that something was given on to each of these, in their order. */
  readonly spaces: (tx: Reader, kind: GranteeKind, ids: readonly string[]) => Promise<number[]>;
  /** Whether a user sees one of the things that were given to them. */
  readonly isSeen: (tx: Reader, user: string) => Promise<boolean>;
  /** Takes away what somebody who is gone was given, as much as one transaction may; true: there may be more. */
  readonly drop: (tx: Transaction, kind: GranteeKind, id: string) => Promise<boolean>;
}

export const given = hook<Given>("what users and teams were given");
