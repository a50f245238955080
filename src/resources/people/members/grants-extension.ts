// Grants of users and teams on spaces, collections and sites. The library module stores them and implements this extension
// point.

import type { Role } from "../../../operation/common-schemas";
import type { Reader, Transaction } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";

export type GranteeKind = "user" | "team";

/** A role that a user gets on a space. */
export interface NewSpaceGrant {
  readonly space: string;
  readonly user: string;
  readonly role: Role;
  readonly createdAt: string;
}

/** The facts about grants that this module needs. */
export interface GrantsExtension {
  /** Returns the number of spaces with a grant for each of these users or teams, in the given order. */
  readonly countSpaces: (tx: Reader, kind: GranteeKind, ids: readonly string[]) => Promise<number[]>;
  /** Returns true if a user can see at least one of the things on which they have a grant. */
  readonly hasVisibleGrant: (tx: Reader, user: string) => Promise<boolean>;
  /** Returns true if the organization has a space of this id that is not in the trash. */
  readonly hasSpace: (tx: Reader, space: string) => Promise<boolean>;
  /** Grants a user a role on a space, unless their grant there is already as high. */
  readonly grantOnSpace: (tx: Transaction, grant: NewSpaceGrant) => Promise<void>;
  /** Removes grants of a former user or team, as many as one transaction holds. Returns true if there may be more. */
  readonly dropGrants: (tx: Transaction, kind: GranteeKind, id: string) => Promise<boolean>;
}

export const grantsOfMembers = defineExtensionPoint<GrantsExtension>("what users and teams were given");
