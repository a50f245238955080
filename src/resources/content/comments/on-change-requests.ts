// Comments on change requests.

import { operation } from "../../../operation/operation";
import { discussionOf } from "./discussions";
import { changeRequestComment, changeRequestDiscussion, changeRequestReply } from "./rules";

const discussion = discussionOf("a change request", {
  whole: changeRequestDiscussion,
  comment: changeRequestComment,
  reply: changeRequestReply,
});
const prefix = "/spaces/:spaceId/change-requests/:changeRequestId";

export const listChangeRequestComments = operation(`GET ${prefix}/comments`, discussion.listComments);

export const postCommentOnChangeRequest = operation(`POST ${prefix}/comments`, discussion.postComment);

export const getChangeRequestComment = operation(`GET ${prefix}/comments/:commentId`, discussion.getComment);

export const updateChangeRequestComment = operation(`PUT ${prefix}/comments/:commentId`, discussion.updateComment);

export const deleteChangeRequestComment = operation(`DELETE ${prefix}/comments/:commentId`, discussion.deleteComment);

export const listChangeRequestCommentReplies = operation(
  `GET ${prefix}/comments/:commentId/replies`,
  discussion.listReplies,
);

export const replyToChangeRequestComment = operation(
  `POST ${prefix}/comments/:commentId/replies`,
  discussion.postReply,
);

export const getChangeRequestCommentReply = operation(
  `GET ${prefix}/comments/:commentId/replies/:commentReplyId`,
  discussion.getReply,
);

export const updateChangeRequestCommentReply = operation(
  `PUT ${prefix}/comments/:commentId/replies/:commentReplyId`,
  discussion.updateReply,
);

export const deleteChangeRequestCommentReply = operation(
  `DELETE ${prefix}/comments/:commentId/replies/:commentReplyId`,
  discussion.deleteReply,
);

export const listChangeRequestCommenters = operation(`GET ${prefix}/commenters`, discussion.listCommenters);
