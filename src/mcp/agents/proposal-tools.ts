// The tools for a change request from its opening to its merge, except for the edits of its pages.

import * as v from "valibot";
import type { Conflict } from "../../generated/resources";
import { omitUndefined } from "../../utils/objects";
import { ADDITIVE, DESTRUCTIVE, defineAgentTool } from "./agent-tool";
import { retryOnConflict } from "./call-api";
import { formatChangeRequest, summarizeChangeRequest } from "./change-tools";
import { ChangeRequestId, SpaceId, textInput } from "./input-schemas";
import { createExcerpt, formatCount } from "./text";

const MAX_LISTED_CONFLICTS = 20;

export const openChangeRequestTool = defineAgentTool("open_change_request", {
  title: "Open a change request",
  description: [
    "Begins a proposal: a copy of the space as it is now, in which you edit pages.",
    "Nothing that readers see changes until a person merges it.",
    "Use one change request for one purpose, and give it a subject that says the purpose.",
    "Returns its id and number, which the tools for editing take as `changeRequest`.",
    "It begins as a draft: use `request_review` when it is ready.",
  ].join(" "),
  input: v.strictObject({
    space: SpaceId,
    subject: textInput("What the proposal is for, as a person would say it: `Explain the proxy settings`.", 100),
  }),
  annotations: ADDITIVE,
  async call({ space, subject }, callApi) {
    const { value } = await callApi("createChangeRequest", { params: { spaceId: space }, body: { subject } });
    const next = `Next: \`read_page\` with \`changeRequest: ${value.number}\`, then \`edit_page\`.`;
    return { text: `Opened. ${formatChangeRequest(value)}\n${next}`, structured: summarizeChangeRequest(value) };
  },
});

export const updateChangeRequestTool = defineAgentTool("update_change_request", {
  title: "Bring a change request up to date",
  description: [
    "Brings into a change request what has changed in its space since it was opened.",
    "Use it when a change request is called outdated, before you ask for review or merge.",
    "If both sides changed the same thing, that is a conflict: the answer lists each one.",
    "Settle it by editing the page to what it should say, with `read_page` and `edit_page`.",
  ].join(" "),
  input: v.strictObject({ space: SpaceId, changeRequest: ChangeRequestId }),
  annotations: ADDITIVE,
  async call({ space, changeRequest }, callApi) {
    const params = { spaceId: space, changeRequestId: changeRequest };
    const { revision, result, conflicts = [] } = (await callApi("updateFromSpace", { params })).value;
    const text =
      result === "update"
        ? "The change request is up to date."
        : `The change request is up to date, with ${formatCount(conflicts.length, "conflict")} to settle by editing:\n${formatConflicts(conflicts)}`;
    return { text: `${text}\nRead pages again before you edit them.`, structured: { revision, result, conflicts } };
  },
});

function formatConflicts(conflicts: readonly Conflict[]): string {
  const formatSide = (value: unknown) =>
    createExcerpt(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), 200);
  const lines = conflicts.slice(0, MAX_LISTED_CONFLICTS).map((conflict) => {
    const { kind, page, file, reusableContent, variable, member, ours, theirs } = conflict;
    const place = page ?? file ?? reusableContent ?? variable ?? "somewhere";
    const sides = `here “${formatSide(ours)}”, in the space “${formatSide(theirs)}”`;
    return `- ${kind} in \`${place}\`${member ? ` (${member})` : ""}: ${sides}`;
  });
  return lines.join("\n");
}

export const commentTool = defineAgentTool("comment", {
  title: "Comment",
  description: [
    "Writes a comment on a change request, or answers one.",
    "Use it to explain to reviewers why you changed something, to ask a question, or to say that what they asked",
    "for is done. People read it: be short and exact.",
    "With `resolve: true` an answer also marks the comment as settled.",
  ].join(" "),
  input: v.strictObject({
    space: SpaceId,
    changeRequest: ChangeRequestId,
    markdown: textInput("The text of the comment, in Markdown.", 10_000),
    page: v.optional(textInput("The id of the page that it is about. Not together with `replyTo`.")),
    replyTo: v.optional(textInput("The id of the comment that it answers, from `read_change_request`.")),
    resolve: v.optional(v.pipe(v.boolean("Expected true or false"), v.description("Only together with `replyTo`."))),
  }),
  annotations: ADDITIVE,
  async call({ space, changeRequest, markdown, page, replyTo, resolve }, callApi) {
    if (replyTo === undefined ? resolve !== undefined : page !== undefined)
      return { text: "Pass `resolve` only together with `replyTo`, and `page` only without it.", isError: true };

    const params = { spaceId: space, changeRequestId: changeRequest };
    const text = { body: { markdown } };
    const { value } =
      replyTo === undefined
        ? await callApi("postCommentOnChangeRequest", { params, body: { ...text, ...omitUndefined({ page }) } })
        : await callApi("replyToChangeRequestComment", {
            params: { ...params, commentId: replyTo },
            body: { ...text, ...omitUndefined({ resolved: resolve }) },
          });
    return { text: `Written: \`${value.id}\`.`, structured: { id: value.id } };
  },
});

export const requestReviewTool = defineAgentTool("request_review", {
  title: "Ask for review",
  description: [
    "Says that a change request is ready: it is no longer a draft, and the people that you name are asked to review",
    "it. Use it when all edits are done.",
    "Get ids of people from `find_people`; without `reviewers` anybody who may review can do so.",
    "A reviewer who may not review here is refused with their place in the list: leave that one out.",
  ].join(" "),
  input: v.strictObject({
    space: SpaceId,
    changeRequest: ChangeRequestId,
    reviewers: v.optional(
      v.pipe(
        v.array(textInput("The id of a person, such as `usr_…`.")),
        v.minLength(1, "At least 1"),
        v.maxLength(50, "At most 50"),
        v.description("Who is asked. Default: nobody in particular."),
      ),
    ),
  }),
  annotations: ADDITIVE,
  async call({ space, changeRequest: changeRequestId, reviewers }, callApi) {
    const params = { spaceId: space, changeRequestId };
    if (reviewers) await callApi("requestReviewers", { params, body: { users: reviewers } });
    let changeRequest = (await callApi("getChangeRequest", { params })).value;
    if (changeRequest.status === "draft")
      changeRequest = (await callApi("updateChangeRequest", { params, body: { status: "open" } })).value;

    const outcome = reviewers
      ? `${formatCount(reviewers.length, "person is", "people are")} asked to review it.`
      : "It is open for review.";
    return {
      text: `${formatChangeRequest(changeRequest)}\n${outcome}`,
      structured: summarizeChangeRequest(changeRequest),
    };
  },
});

export const mergeChangeRequestTool = defineAgentTool("merge_change_request", {
  title: "Merge a change request",
  description: [
    "Makes what a change request holds visible to all readers.",
    "Use it only when the person you work for has told you to merge this very change request.",
    "Pass the `revision` that `read_change_request` gave: if the change request has been edited since, nothing is",
    "merged. With conflicts nothing is merged either: use `update_change_request` and settle them.",
  ].join(" "),
  input: v.strictObject({
    space: SpaceId,
    changeRequest: ChangeRequestId,
    revision: textInput("The `revision` that `read_change_request` gave: what is merged is what you read."),
  }),
  annotations: DESTRUCTIVE,
  async call({ space, changeRequest: changeRequestId, revision }, callApi) {
    const params = { spaceId: space, changeRequestId };
    return retryOnConflict(async () => {
      const { value: changeRequest, etag } = await callApi("getChangeRequest", { params });
      if (changeRequest.revision !== revision) {
        const text = [
          "Nothing was merged: the change request has changed since you read it.",
          `It is at revision \`${changeRequest.revision}\` now.`,
          "Read it again with `read_change_request`, and look at what is new before you merge.",
        ].join(" ");
        return { text, structured: { refused: "stale", revision: changeRequest.revision }, isError: true };
      }

      const { value } = await callApi("mergeChangeRequest", { params }, etag);
      if (value.result === "merge")
        return {
          text: `Merged. ${formatChangeRequest({ ...changeRequest, status: "merged" })}`,
          structured: { result: "merge", revision: value.revision },
        };
      const conflicts = value.conflicts ?? [];
      const text = [
        `Nothing was merged: there ${conflicts.length === 1 ? "is" : "are"} ${formatCount(conflicts.length, "conflict")} with what the space says now.`,
        `Use \`update_change_request\`, settle them with \`edit_page\`, and try again.\n${formatConflicts(conflicts)}`,
      ].join(" ");
      return { text, structured: { result: "conflicts", conflicts }, isError: true };
    });
  },
});
