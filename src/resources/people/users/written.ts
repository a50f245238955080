// What a user wrote in an organization. The wing of the content keeps it and fills this hook.

import type { Reader } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";

/** Something that a user wrote, by its ids. */
export interface Written {
  readonly object: "comment" | "comment-reply" | "review";
  readonly id: string;
  readonly space: string;
  readonly changeRequest?: string;
  readonly comment?: string;
  readonly createdAt: string;
}

export const writtenBy =
  defineExtensionPoint<(view: Reader, user: string) => AsyncIterable<Written>>("what a user wrote");
