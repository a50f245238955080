// Change requests: proposed changes of a space's content, on their own line of revisions.

import { defineRecordSet } from "../../../storage/records";

export type Status = "draft" | "open" | "archived" | "merged";

export interface ChangeRequestRecord {
  readonly id: string;
  readonly space: string;
  /** Counts up in its space. */
  readonly number: number;
  readonly status: Status;
  readonly subject: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Its current revision. */
  readonly revision: string;
  /** The revision of the space that it was created from. */
  readonly revisionInitial: string;
  /** The revision of the space that it was last updated with. */
  readonly revisionMergedAncestor?: string;
  /** The revision of the space that the merge made. */
  readonly revisionMerged?: string;
  /** Who wrote in it. The first one created it. */
  readonly contributors: readonly string[];
  /** The number of open conflicts from updates. The revision has the conflicts themselves. */
  readonly conflicts: number;
}

/** The most contributors that a change request remembers. */
export const MAX_CONTRIBUTORS = 200;

export const changeRequests = defineRecordSet("change-request", {
  key: (it: ChangeRequestRecord) => [it.space, it.id],
  indexes: {
    byStatus: (it) => [it.space, it.status, it.number],
    all: (it) => [it.space, it.number],
  },
  unique: { number: (it) => [it.space, it.number] },
  totals: {
    ofSpace: (it) => [it.space],
    byStatus: (it) => [it.space, it.status],
  },
  /** What says which spaces have how many, and since when: writing in one does not touch it. */
  guards: { counted: { part: (it) => [it.status, it.number, it.createdAt] } },
});

/** A change request with a user added to its contributors. */
export function contributedBy(it: ChangeRequestRecord, user: string): ChangeRequestRecord {
  if (it.contributors.includes(user) || it.contributors.length >= MAX_CONTRIBUTORS) return it;
  return { ...it, contributors: [...it.contributors, user] };
}

/** The revision of the space that a change request is based on. */
export function baseOf({ revisionInitial, revisionMergedAncestor }: ChangeRequestRecord): string {
  return revisionMergedAncestor ?? revisionInitial;
}

export interface ReviewRecord {
  readonly id: string;
  readonly space: string;
  readonly changeRequest: string;
  readonly reviewer: string;
  readonly status: "approved" | "changes-requested";
  readonly createdAt: string;
  /** The revision that was looked at. */
  readonly revision: string;
  /** The comment that was written with it. */
  readonly comment?: string;
}

export const reviews = defineRecordSet("review", {
  key: (it: ReviewRecord) => [it.space, it.changeRequest, it.id],
  indexes: { ofChangeRequest: (it) => [it.space, it.changeRequest, it.createdAt] },
  totals: { ofChangeRequest: (it) => [it.space, it.changeRequest] },
});

export interface RequestedReviewerRecord {
  readonly space: string;
  readonly changeRequest: string;
  readonly user: string;
  readonly createdAt: string;
}

export const requestedReviewers = defineRecordSet("requested-reviewer", {
  key: (it: RequestedReviewerRecord) => [it.space, it.changeRequest, it.user],
  indexes: { ofChangeRequest: (it) => [it.space, it.changeRequest, it.createdAt] },
  totals: { ofChangeRequest: (it) => [it.space, it.changeRequest] },
});
