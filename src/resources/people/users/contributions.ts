// The extension point for what a user wrote in an organization. The content module stores it.

import type { Reader } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";

/** A comment, reply or review of a user, by its ids. */
export interface UserContribution {
  readonly object: "comment" | "comment-reply" | "review";
  readonly id: string;
  readonly space: string;
  readonly changeRequest?: string;
  readonly comment?: string;
  readonly createdAt: string;
}

export const listContributions =
  defineExtensionPoint<(tx: Reader, user: string) => AsyncIterable<UserContribution>>("what a user wrote");
