// Change requests: proposed changes of a space's content, on a branch of their own.

import { defineRecordSet } from "../../../storage/records";

export type ChangeRequestStatus = "draft" | "open" | "archived" | "merged";

export interface ChangeRequestRecord {
  readonly id: string;
  readonly space: string;
  /** Counts up within the space. */
  readonly number: number;
  readonly status: ChangeRequestStatus;
  readonly subject: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revision: string;
  /** The revision of the space from which it was created. */
  readonly revisionInitial: string;
  /** The revision of the space with which it was last updated. */
  readonly revisionMergedAncestor?: string;
  /** The revision of the space that the merge created. */
  readonly revisionMerged?: string;
  /** The users who wrote in it. The first one created it. */
  readonly contributors: readonly string[];
  /** The edits of each contributor who has made any, by their user id. */
  readonly edits?: { readonly [user: string]: { readonly count: number; readonly lastAt: string } };
  /** The number of open conflicts from updates. The revision references the conflicts themselves. */
  readonly conflicts: number;
}

/** The most contributors that a change request stores. */
export const MAX_CONTRIBUTORS = 200;

export const changeRequests = defineRecordSet("change-request", {
  key: (record: ChangeRequestRecord) => [record.space, record.id],
  indexes: {
    byStatus: (record) => [record.space, record.status, record.number],
    all: (record) => [record.space, record.number],
  },
  unique: { number: (record) => [record.space, record.number] },
  totals: {
    ofSpace: (record) => [record.space],
    byStatus: (record) => [record.space, record.status],
  },
  /** Changes with the number of change requests of a space, their statuses and creation times. Writing in one does not touch it. */
  guards: { counted: { part: (record) => [record.status, record.number, record.createdAt] } },
});

export function addContributor(changeRequest: ChangeRequestRecord, user: string): ChangeRequestRecord {
  const { contributors } = changeRequest;
  if (contributors.includes(user) || contributors.length >= MAX_CONTRIBUTORS) return changeRequest;
  return { ...changeRequest, contributors: [...contributors, user] };
}

/** Returns a change request with one more edit of a user, who becomes a contributor. */
export function countEdit(changeRequest: ChangeRequestRecord, user: string, now: Date): ChangeRequestRecord {
  const changed = addContributor(changeRequest, user);
  if (!changed.contributors.includes(user)) return changed;
  const count = (changed.edits?.[user]?.count ?? 0) + 1;
  return { ...changed, edits: { ...changed.edits, [user]: { count, lastAt: now.toISOString() } } };
}

export function getBaseRevisionId({ revisionInitial, revisionMergedAncestor }: ChangeRequestRecord): string {
  return revisionMergedAncestor ?? revisionInitial;
}

export interface ReviewRecord {
  readonly id: string;
  readonly space: string;
  readonly changeRequest: string;
  readonly reviewer: string;
  readonly status: "approved" | "changes-requested";
  readonly createdAt: string;
  readonly revision: string;
  /** The comment that was written with the review. */
  readonly comment?: string;
}

export const reviews = defineRecordSet("review", {
  key: (record: ReviewRecord) => [record.space, record.changeRequest, record.id],
  indexes: { ofChangeRequest: (record) => [record.space, record.changeRequest, record.createdAt] },
  totals: { ofChangeRequest: (record) => [record.space, record.changeRequest] },
});

export interface RequestedReviewerRecord {
  readonly space: string;
  readonly changeRequest: string;
  readonly user: string;
  readonly createdAt: string;
}

export const requestedReviewers = defineRecordSet("requested-reviewer", {
  key: (record: RequestedReviewerRecord) => [record.space, record.changeRequest, record.user],
  indexes: { ofChangeRequest: (record) => [record.space, record.changeRequest, record.createdAt] },
  totals: { ofChangeRequest: (record) => [record.space, record.changeRequest] },
});
