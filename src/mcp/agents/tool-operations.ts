// The operations of the API that each tool may use. A tool can do nothing else, so the rights and the scopes of these operations
// decide who may use it.

import type { OperationName } from "../../operations";

/** A caller sees a tool in the list if the scopes of the caller include its first operation. */
export const operationsByTool = {
  list_spaces: ["listSpaces", "listOrganizations", "getOrganization"],
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

export type AgentToolName = keyof typeof operationsByTool;

export type ToolOperation<Name extends AgentToolName> = (typeof operationsByTool)[Name][number];
