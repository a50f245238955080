// Comments on change requests.

import { defineOperation } from "../../../operation/operation";
import { createDiscussionOperations } from "./discussions";
import { changeRequestComment, changeRequestDiscussion, changeRequestReply } from "./rules";

const operations = createDiscussionOperations("a change request", {
  discussion: changeRequestDiscussion,
  comment: changeRequestComment,
  reply: changeRequestReply,
});
const prefix = "/spaces/:spaceId/change-requests/:changeRequestId";

export const listChangeRequestComments = defineOperation(`GET ${prefix}/comments`, operations.listComments);

export const postCommentOnChangeRequest = defineOperation(`POST ${prefix}/comments`, operations.postComment);

export const getChangeRequestComment = defineOperation(`GET ${prefix}/comments/:commentId`, operations.getComment);

export const updateChangeRequestComment = defineOperation(
  `PUT ${prefix}/comments/:commentId`,
  operations.updateComment,
);

export const deleteChangeRequestComment = defineOperation(
  `DELETE ${prefix}/comments/:commentId`,
  operations.deleteComment,
);

export const listChangeRequestCommentReplies = defineOperation(
  `GET ${prefix}/comments/:commentId/replies`,
  operations.listReplies,
);

export const replyToChangeRequestComment = defineOperation(
  `POST ${prefix}/comments/:commentId/replies`,
  operations.postReply,
);

export const getChangeRequestCommentReply = defineOperation(
  `GET ${prefix}/comments/:commentId/replies/:commentReplyId`,
  operations.getReply,
);

export const updateChangeRequestCommentReply = defineOperation(
  `PUT ${prefix}/comments/:commentId/replies/:commentReplyId`,
  operations.updateReply,
);

export const deleteChangeRequestCommentReply = defineOperation(
  `DELETE ${prefix}/comments/:commentId/replies/:commentReplyId`,
  operations.deleteReply,
);

export const listChangeRequestCommenters = defineOperation(`GET ${prefix}/commenters`, operations.listCommenters);
