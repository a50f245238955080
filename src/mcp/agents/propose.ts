// A change request from its beginning to its merge, around the edits.

import * as v from "valibot";
import type { Conflict } from "../../generated/resources";
import { omitUndefined } from "../../utils/objects";
import { excerpt } from "../parts";
import { facts, line } from "./changes";
import * as take from "./shapes";
import { ADDS, agentTool, CHANGES } from "./tool";
import { untilCurrent } from "./until-current";

export const openChangeRequest = agentTool("open_change_request", {
  title: "Open a change request",
  description:
    "Begins a proposal: a copy of the space as it is now, in which you edit pages. Nothing that readers see changes until a person merges it. Use one change request for one purpose, and give it a subject that says the purpose. Returns its id and number, which the tools for editing take as `changeRequest`. It begins as a draft: use `request_review` when it is ready.",
  input: v.strictObject({
    space: take.Space,
    subject: take.words("What the proposal is for, as a person would say it: `Explain the proxy settings`.", 100),
  }),
  annotations: ADDS,
  async call({ space, subject }, ask) {
    const { value } = await ask("createChangeRequest", { params: { spaceId: space }, body: { subject } });
    return {
      text: `Opened. ${line(value)}\nNext: \`read_page\` with \`changeRequest: ${value.number}\`, then \`edit_page\`.`,
      structured: facts(value),
    };
  },
});

/** Conflicts, one line each. */
function told(conflicts: readonly Conflict[]): string {
  const lines = conflicts.slice(0, 20).map(({ kind, page, file, reusableContent, variable, member, ours, theirs }) => {
    const where = page ?? file ?? reusableContent ?? variable ?? "somewhere";
    const side = (value: unknown) => excerpt(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), 200);
    return `- ${kind} in \`${where}\`${member ? ` (${member})` : ""}: here “${side(ours)}”, in the space “${side(theirs)}”`;
  });
  return lines.join("\n");
}

export const updateChangeRequest = agentTool("update_change_request", {
  title: "Bring a change request up to date",
  description:
    "Brings into a change request what has changed in its space since it was opened. Use it when a change request is called outdated, before you ask for review or merge. If both sides changed the same thing, that is a conflict: the answer lists each one. Settle it by editing the page to what it should say, with `read_page` and `edit_page`.",
  input: v.strictObject({ space: take.Space, changeRequest: take.ChangeRequest }),
  annotations: ADDS,
  async call({ space, changeRequest }, ask) {
    const params = { spaceId: space, changeRequestId: changeRequest };
    const { revision, result, conflicts = [] } = (await ask("updateFromSpace", { params })).value;
    const text =
      result === "update"
        ? "The change request is up to date."
        : `The change request is up to date, with ${conflicts.length} conflicts to settle by editing:\n${told(conflicts)}`;
    return { text: `${text}\nRead pages again before you edit them.`, structured: { revision, result, conflicts } };
  },
});

export const comment = agentTool("comment", {
  title: "Comment",
  description:
    "Writes a comment on a change request, or answers one. Use it to explain to reviewers why you changed something, to ask a question, or to say that what they asked for is done. People read it: be short and exact. With `resolve: true` an answer also marks the comment as settled.",
  input: v.strictObject({
    space: take.Space,
    changeRequest: take.ChangeRequest,
    markdown: take.words("The text of the comment, in Markdown.", 10_000),
    page: v.optional(take.words("The id of the page that it is about. Not together with `replyTo`.")),
    replyTo: v.optional(take.words("The id of the comment that it answers, from `read_change_request`.")),
    resolve: v.optional(v.pipe(v.boolean("Expected true or false"), v.description("Only together with `replyTo`."))),
  }),
  annotations: ADDS,
  async call({ space, changeRequest, markdown, page, replyTo, resolve }, ask) {
    const params = { spaceId: space, changeRequestId: changeRequest };
    const body = { body: { markdown } };
    if (replyTo === undefined ? resolve !== undefined : page !== undefined)
      return { text: "Pass `resolve` only together with `replyTo`, and `page` only without it.", isError: true };
    const { value } =
      replyTo === undefined
        ? await ask("postCommentOnChangeRequest", {
            params,
            body: { ...body, ...omitUndefined({ page }) },
          })
        : await ask("replyToChangeRequestComment", {
            params: { ...params, commentId: replyTo },
            body: { ...body, ...omitUndefined({ resolved: resolve }) },
          });
    return { text: `Written: \`${value.id}\`.`, structured: { id: value.id } };
  },
});

export const requestReview = agentTool("request_review", {
  title: "Ask for review",
  description:
    "Says that a change request is ready: it is no longer a draft, and the people that you name are asked to review it. Use it when all edits are done. Get ids of people from `find_people`; without `reviewers` anybody who may review can do so. A reviewer who may not review here is refused with their place in the list: leave that one out.",
  input: v.strictObject({
    space: take.Space,
    changeRequest: take.ChangeRequest,
    reviewers: v.optional(
      v.pipe(
        v.array(take.words("The id of a person, such as `usr_…`.")),
        v.minLength(1, "At least 1"),
        v.maxLength(50, "At most 50"),
        v.description("Who is asked. Default: nobody in particular."),
      ),
    ),
  }),
  annotations: ADDS,
  async call({ space, changeRequest, reviewers }, ask) {
    const params = { spaceId: space, changeRequestId: changeRequest };
    if (reviewers) await ask("requestReviewers", { params, body: { users: reviewers } });
    const found = (await ask("getChangeRequest", { params })).value;
    const opened =
      found.status === "draft" ? (await ask("updateChangeRequest", { params, body: { status: "open" } })).value : found;
    return {
      text: `${line(opened)}\n${reviewers ? `${reviewers.length} people are asked to review it.` : "It is open for review."}`,
      structured: facts(opened),
    };
  },
});

export const mergeChangeRequest = agentTool("merge_change_request", {
  title: "Merge a change request",
  description:
    "Makes what a change request holds visible to all readers. Use it only when the person you work for has told you to merge this very change request. Pass the `revision` that `read_change_request` gave: if the change request has been edited since, nothing is merged. With conflicts nothing is merged either: use `update_change_request` and settle them.",
  input: v.strictObject({
    space: take.Space,
    changeRequest: take.ChangeRequest,
    revision: take.words("The `revision` that `read_change_request` gave: what is merged is what you read."),
  }),
  annotations: CHANGES,
  async call({ space, changeRequest, revision }, ask) {
    const params = { spaceId: space, changeRequestId: changeRequest };
    return untilCurrent(async () => {
      const { value: found, etag } = await ask("getChangeRequest", { params });
      if (found.revision !== revision)
        return {
          text: `Nothing was merged: the change request has changed since you read it. It is at revision \`${found.revision}\` now. Read it again with \`read_change_request\`, and look at what is new before you merge.`,
          structured: { refused: "stale", revision: found.revision },
          isError: true,
        };
      const { value } = await ask("mergeChangeRequest", { params }, etag);
      if (value.result === "merge")
        return {
          text: `Merged. ${line({ ...found, status: "merged" })}`,
          structured: { result: "merge", revision: value.revision },
        };
      const conflicts = value.conflicts ?? [];
      return {
        text: `Nothing was merged: there are ${conflicts.length} conflicts with what the space says now. Use \`update_change_request\`, settle them with \`edit_page\`, and try again.\n${told(conflicts)}`,
        structured: { result: "conflicts", conflicts },
        isError: true,
      };
    });
  },
});
