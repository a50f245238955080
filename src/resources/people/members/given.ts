// Grants of users and teams on spaces, collections and sites. The wing of the library keeps them and fills this hook.

import type { Reader, Transaction } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";

export type GranteeKind = "user" | "team";

/** What this wing needs to know about grants. */
export interface Given {
  /** For each of these users or teams, the number of spaces with a grant, in the given order. */
  readonly spaces: (tx: Reader, kind: GranteeKind, ids: readonly string[]) => Promise<number[]>;
  /** Whether a user can see at least one of the things that they have a grant on. */
  readonly isSeen: (tx: Reader, user: string) => Promise<boolean>;
  /** Removes grants of a user or team that is gone, as many as fit into one transaction. True: there may be more. */
  readonly drop: (tx: Transaction, kind: GranteeKind, id: string) => Promise<boolean>;
}

export const given = defineExtensionPoint<Given>("what users and teams were given");
