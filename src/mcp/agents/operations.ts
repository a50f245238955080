// Which operations of the API each tool may use. A tool can do nothing else: what it does is decided by the rights of these
// operations, and by the scopes that they need.

import type { OperationName } from "../../operations";

/** The operations by tool. A tool is listed to callers whose scopes include the first one. */
export const operationsOf = {
  list_spaces: ["listSpaces", "listOrganizations"],
  search: ["searchSpace", "searchOrganization", "listOrganizations"],
  list_pages: ["listPages", "listChangeRequestPages"],
  read_page: ["getPage", "getPageByPath", "getChangeRequestPage", "getChangeRequestPageByPath"],
  find_by_url: ["getContentByUrl"],
  list_recent_changes: ["listRevisions", "listRevisionChanges"],
  list_change_requests: ["listChangeRequests"],
  read_change_request: [
    ...(["getChangeRequest", "listChangesOfChangeRequest", "listReviews", "listRequestedReviewers"] as const),
    ...(["listChangeRequestComments", "listChangeRequestCommentReplies"] as const),
  ],
  open_change_request: ["createChangeRequest"],
  edit_page: ["changeChangeRequestContent", "getChangeRequest", "getChangeRequestPage"],
  create_page: ["changeChangeRequestContent"],
  move_page: ["changeChangeRequestContent"],
  delete_page: ["changeChangeRequestContent", "getChangeRequest", "getChangeRequestPage"],
  update_change_request: ["updateFromSpace"],
  comment: ["postCommentOnChangeRequest", "replyToChangeRequestComment"],
  find_people: ["listMembers", "getSpace"],
  request_review: ["requestReviewers", "getChangeRequest", "updateChangeRequest"],
  merge_change_request: ["mergeChangeRequest", "getChangeRequest", "listOrganizations", "listSpaces"],
} as const satisfies Readonly<Record<string, readonly [OperationName, ...OperationName[]]>>;

export type AgentToolName = keyof typeof operationsOf;

/** The operations of a tool. */
export type OperationsOf<Name extends AgentToolName> = (typeof operationsOf)[Name][number];

/** Every operation that some tool uses. */
export function operationsOfAll(): readonly OperationName[] {
  return [...new Set(Object.values(operationsOf).flat())];
}
