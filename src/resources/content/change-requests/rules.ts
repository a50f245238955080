// Change requests as targets, and the allowed changes of status. Rights follow those of the space.

import { createError } from "../../../errors";
import type { Target, TargetContext } from "../../../operation/target";
import { space } from "../../library/spaces/rules";
import { revisions } from "../revisions/records";
import { type InShownContent, isContentCacheable, loadShownState } from "../revisions/rules";
import { type ChangeRequestRecord, changeRequests, type Status } from "./records";

/** A change request, with what decides the caller's rights on it. */
export interface InChangeRequest extends InShownContent {
  readonly changeRequest: ChangeRequestRecord;
}

const { findPartition: partition, rights } = space;

/** A change request by its id, or by its number in the space. */
export const changeRequest: Target<InChangeRequest, keyof typeof rights> = {
  findPartition: partition,
  async load(scope) {
    const found = await space.load(scope);
    if (!found || !rights.view(found)) throw createError("space_not_found");
    const changeRequest = await find(scope, found.space.id);
    const revision = changeRequest && (await revisions.get(scope.tx, found.space.id, changeRequest.revision));
    return revision && loadShownState(scope, { ...found, changeRequest, revision });
  },
  notFoundReason: "change_request_not_found",
  rights,
  isCacheable: isContentCacheable,
};

async function find({ tx, params }: TargetContext, space: string): Promise<ChangeRequestRecord | undefined> {
  const name = params.changeRequestId!;
  if (/^[1-9]\d{0,9}$/.test(name)) return changeRequests.find(tx, "number", space, Number(name));
  return changeRequests.get(tx, space, name);
}

/** The changes of status that people may make. A merged change request stays merged. */
const next: { readonly [from in Status]: readonly Status[] } = {
  draft: ["draft", "open", "archived"],
  open: ["open", "draft", "archived"],
  archived: ["archived", "open", "draft"],
  merged: ["merged"],
};

/** Refuses a change of status that is not in the table. */
export function checkTransition(from: Status, to: Status): void {
  if (!next[from].includes(to)) throw createError(from === "merged" ? "already_merged" : "merged_by_merging");
}

/** An archived or merged change request cannot be changed. */
export function checkUnderWay({ status }: ChangeRequestRecord): void {
  if (status === "merged") throw createError("already_merged");
  if (status === "archived") throw createError("change_request_archived");
}
