// Questions about a space or an organization, answered by the host's model from what the caller may see.

import * as v from "valibot";
import { createError } from "../../../errors";
import type { JobContext } from "../../../jobs/jobs";
import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { maxJsonSize, recordSchema, textSchema } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import type { ModelQuestion, Passage } from "../../../ports/answer-model";
import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { loadLazily } from "../../../utils/lazy";
import { organization } from "../../people/organizations/rules";
import { content } from "../revisions/rules";

const noEffect = "Has no effect here.";

/** The fields of a question about any content. */
export const questionEntries = {
  question: v.pipe(textSchema(1, 2000), v.description("The question in natural language.")),
  language: v.optional(
    v.pipe(
      textSchema(2, 35),
      v.description("The language of the answer, such as `de`. By default, the model decides."),
    ),
  ),
  context: v.optional(
    v.pipe(recordSchema(textSchema(1, 64), v.unknown(), 20), maxJsonSize(4096), v.description(noEffect)),
  ),
};

const Question = v.strictObject({
  ...questionEntries,
  scope: v.optional(
    v.pipe(recordSchema(textSchema(1, 64), v.unknown(), 20), maxJsonSize(4096), v.description(noEffect)),
  ),
});

const loadStream = loadLazily(() => import("../../../ports/stream-answer"));
const loadFindPages = loadLazily(() => import("./find-pages"));
const loadRankSpaces = loadLazily(() => import("./rank-spaces"));

/** The most pages of which passages are read for a question. */
export const MAX_PASSAGES = 8;

/** The fields that all operations that ask a model have in common. */
export const askDefaults = {
  right: "view",
  body: Question,
  returns: BinarySchema,
  mediaTypes: ["text/event-stream"],
  callsModel: true,
  isReadOnly: true,
} as const;

/** Streams the answer of the host's model to a question. */
export async function askModel({ ports, onError }: JobContext, question: ModelQuestion): Promise<BinaryResponse> {
  const { answerModel } = ports;
  if (!answerModel) throw createError("no_model");
  const { streamAnswer } = await loadStream();
  return new BinaryResponse(await streamAnswer({ ...answerModel, onError }, question), {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    // Some proxies hold an answer back until it is complete.
    "x-accel-buffering": "no",
  });
}

/** Detaches the context of a question from its transaction, so that it can read after the transaction has ended. */
export function detachContext<Context extends { readonly tx: Reader; readonly objects: Objects }>(
  context: Context,
): Context {
  const tx = context.tx.unchecked;
  return { ...context, tx, objects: context.objects.at(tx) };
}

export const askSpace = defineOperation("POST /spaces/:spaceId/ask", {
  summary: "Ask a question about a space",
  ...askDefaults,
  target: content,
  async handle(context) {
    const { body, actor, jobContext, organization, space } = context;
    const reading = detachContext(context);
    return askModel(jobContext, {
      question: body.question,
      language: body.language,
      about: { organization: organization.id, space: space.id },
      user: actor.user.id,
      async findPassages(query) {
        const { presentRankedPages, rankPages, readPassages } = await loadFindPages();
        const ranked = await rankPages(reading, query, { offset: 0, limit: MAX_PASSAGES });
        return readPassages(reading, await presentRankedPages(reading, ranked));
      },
    });
  },
});

/** The most pages of one space, for a question about many. */
const PAGES_PER_SPACE = 3;

export const askOrganization = defineOperation("POST /orgs/:organizationId/ask", {
  summary: "Ask a question about an organization",
  ...askDefaults,
  target: organization,
  async handle(context) {
    const { body, actor, jobContext, organization } = context;
    const reading = detachContext(context);
    return askModel(jobContext, {
      question: body.question,
      language: body.language,
      about: { organization: organization.id },
      user: actor.user.id,
      async findPassages(query) {
        const { presentRankedPages, readPassages } = await loadFindPages();
        const { rankSpaces } = await loadRankSpaces();
        const passages: Passage[] = [];
        // Every space that is ranked has a page.
        const { spaces } = await rankSpaces(reading, query, PAGES_PER_SPACE);
        for (const { enter, found } of spaces.slice(0, MAX_PASSAGES)) {
          const inside = await enter();
          if (inside) passages.push(...(await readPassages(inside, await presentRankedPages(inside, found))));
        }
        return passages.slice(0, MAX_PASSAGES);
      },
    });
  },
});
