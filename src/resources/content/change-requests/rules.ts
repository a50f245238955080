// Change requests as targets, and the allowed changes of their status. The rights are those of the space.

import { createError } from "../../../errors";
import type { Target } from "../../../operation/target";
import { space } from "../../library/spaces/rules";
import { revisions } from "../revisions/records";
import { loadShownState, type ShownContentContext } from "../revisions/rules";
import { type ChangeRequestRecord, type ChangeRequestStatus, changeRequests } from "./records";

/** A change request with its content, and the space that decides the caller's rights. */
export interface ChangeRequestContext extends ShownContentContext {
  readonly changeRequest: ChangeRequestRecord;
}

const { findPartition, rights } = space;

/** A change request by its id, or by its number in the space. */
export const changeRequest: Target<ChangeRequestContext, keyof typeof rights> = {
  findPartition,
  async load(scope) {
    const { tx, params } = scope;
    const inSpace = await space.load(scope);
    if (!inSpace || !rights.view(inSpace)) throw createError("space_not_found");
    const { id: spaceId } = inSpace.space;
    const idOrNumber = params.changeRequestId!;
    const changeRequest = /^[1-9]\d{0,9}$/.test(idOrNumber)
      ? await changeRequests.find(tx, "number", spaceId, Number(idOrNumber))
      : await changeRequests.get(tx, spaceId, idOrNumber);
    const revision = changeRequest && (await revisions.get(tx, spaceId, changeRequest.revision));
    return revision && loadShownState(scope, { ...inSpace, changeRequest, revision });
  },
  notFoundReason: "change_request_not_found",
  rights,
  // Content that integrations compute may change unnoticed.
  isCacheable: async (shown) => !(await shown.dependsOnIntegrations()),
};

/** The statuses that users may set, by the present status. A merged change request stays merged. */
export const nextStatuses: { readonly [from in ChangeRequestStatus]: readonly ChangeRequestStatus[] } = {
  draft: ["draft", "open", "archived"],
  open: ["open", "draft", "archived"],
  archived: ["archived", "open", "draft"],
  merged: ["merged"],
};

/** Throws if a change request is archived or merged, because it cannot be changed then. */
export function checkIsEditable({ status }: ChangeRequestRecord): void {
  if (status === "merged") throw createError("already_merged");
  if (status === "archived") throw createError("change_request_archived");
}
