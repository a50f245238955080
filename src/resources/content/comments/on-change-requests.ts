// Comments on change requests.

import { defineOperation } from "../../../operation/operation";
import { discussionOf } from "./discussions";
import { changeRequestComment, changeRequestDiscussion, changeRequestReply } from "./rules";

const discussion = discussionOf("a change request", {
  whole: changeRequestDiscussion,
  comment: changeRequestComment,
  reply: changeRequestReply,
});
const prefix = "/spaces/:spaceId/change-requests/:changeRequestId";

export const listChangeRequestComments = defineOperation(`GET ${prefix}/comments`, discussion.listComments);

export const postCommentOnChangeRequest = defineOperation(`POST ${prefix}/comments`, discussion.postComment);

export const getChangeRequestComment = defineOperation(`GET ${prefix}/comments/:commentId`, discussion.getComment);

export const updateChangeRequestComment = defineOperation(
  `PUT ${prefix}/comments/:commentId`,
  discussion.updateComment,
);

export const deleteChangeRequestComment = defineOperation(
  `DELETE ${prefix}/comments/:commentId`,
  discussion.deleteComment,
);

export const listChangeRequestCommentReplies = defineOperation(
  `GET ${prefix}/comments/:commentId/replies`,
  discussion.listReplies,
);

export const replyToChangeRequestComment = defineOperation(
  `POST ${prefix}/comments/:commentId/replies`,
  discussion.postReply,
);

export const getChangeRequestCommentReply = defineOperation(
  `GET ${prefix}/comments/:commentId/replies/:commentReplyId`,
  discussion.getReply,
);

export const updateChangeRequestCommentReply = defineOperation(
  `PUT ${prefix}/comments/:commentId/replies/:commentReplyId`,
  discussion.updateReply,
);

export const deleteChangeRequestCommentReply = defineOperation(
  `DELETE ${prefix}/comments/:commentId/replies/:commentReplyId`,
  discussion.deleteReply,
);

export const listChangeRequestCommenters = defineOperation(`GET ${prefix}/commenters`, discussion.listCommenters);
