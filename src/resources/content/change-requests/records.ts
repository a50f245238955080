// Change requests: proposed changes of a space's content, in a line of revisions of their own.

import { records } from "../../../store/records";

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
  /** The revision that it is at. */
  readonly revision: string;
  /** The revision of the space that it started from. */
  readonly revisionInitial: string;
  /** The revision of the space that it was brought up to date with last. */
  readonly revisionMergedAncestor?: string;
  /** The revision of the space that it became. */
  readonly revisionMerged?: string;
  /** Who wrote in it; the first of them made it. */
  readonly contributors: readonly string[];
  /** How many conflicts came up when it was brought up to date and were not looked at since. Its revision has them. */
  readonly conflicts: number;
}

/** The most people that a change request remembers as its contributors. */
export const MAX_CONTRIBUTORS = 200;

export const changeRequests = records("change-request", {
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
});

/** A change request with somebody among its contributors. */
export function contributedBy(it: ChangeRequestRecord, user: string): ChangeRequestRecord {
  if (it.contributors.includes(user) || it.contributors.length >= MAX_CONTRIBUTORS) return it;
  return { ...it, contributors: [...it.contributors, user] };
}

/** The revision of the space that a change request stands on. */
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
}

export const reviews = records("review", {
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

export const requestedReviewers = records("requested-reviewer", {
  key: (it: RequestedReviewerRecord) => [it.space, it.changeRequest, it.user],
  indexes: { ofChangeRequest: (it) => [it.space, it.changeRequest, it.createdAt] },
  totals: { ofChangeRequest: (it) => [it.space, it.changeRequest] },
});
