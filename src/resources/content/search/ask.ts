// Questions about a space or an organization, answered by the host's model from what the caller may see.

import * as v from "valibot";
import { createError } from "../../../errors";
import type { JobContext } from "../../../jobs/jobs";
import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { textSchema } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import type { ModelQuestion, Passage } from "../../../ports/answer-model";
import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { loadLazily } from "../../../utils/lazy";
import { organization } from "../../people/organizations/rules";
import { content } from "../revisions/rules";
import { foundPages } from "./find-pages";
import { MAX_PASSAGES, passagesIn, passagesOf } from "./passages";
import { loadSpaces } from "./spaces-late";

export const Question = v.strictObject({
  question: v.pipe(textSchema(1, 2000), v.description("What to ask, as a person says it.")),
  language: v.optional(
    v.pipe(textSchema(2, 35), v.description("The language of the answer, such as `de`. Default: the model decides.")),
  ),
});

const loadStream = loadLazily(() => import("../../../ports/stream-answer"));

/** What all operations that ask a model declare. */
export const asking = {
  description:
    "The answer is a stream of server-sent events: `answer` with a part of the `text`; then `sources` with the `pages` that it rests on, `followups` with `questions` if the model has any, and `done`. A model that fails ends the stream with `error`. Only what the caller may see is given to the model. Without a model the answer is 501.",
  right: "view",
  body: Question,
  returns: BinarySchema,
  mediaTypes: ["text/event-stream"],
  callsModel: true,
  isReadOnly: true,
} as const;

/** The answer of the host's model. */
export async function askModel(work: JobContext, asked: ModelQuestion): Promise<BinaryResponse> {
  const { answerModel: ask } = work.ports;
  if (!ask) throw createError("no_model");
  const { streamAnswer } = await loadStream();
  return new BinaryResponse(await streamAnswer({ ...ask, onError: work.onError }, asked), {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    // Some proxies hold an answer back until it is complete.
    "x-accel-buffering": "no",
  });
}

/** The context of a question, for reading after its transaction has ended. */
export function lasting<Context extends { readonly tx: Reader; readonly objects: Objects }>(context: Context): Context {
  const tx = context.tx.unchecked;
  return { ...context, tx, objects: context.objects.at(tx) };
}

export const askSpace = defineOperation("POST /spaces/:spaceId/ask", {
  summary: "Ask a question about a space",
  ...asking,
  target: content,
  async handle(context) {
    const { body, actor, jobContext, organization, space } = context;
    const reading = lasting(context);
    return askModel(jobContext, {
      ...body,
      language: body.language,
      about: { organization: organization.id, space: space.id },
      user: actor.user.id,
      findPassages: (query) => passagesIn(reading, query, MAX_PASSAGES),
    });
  },
});

/** The most pages of one space, where many are asked about. */
const PAGES_A_SPACE = 3;

export const askOrganization = defineOperation("POST /orgs/:organizationId/ask", {
  summary: "Ask a question about the spaces of an organization that you may see",
  ...asking,
  target: organization,
  async handle(context) {
    const { body, actor, jobContext, organization } = context;
    const reading = lasting(context);
    return askModel(jobContext, {
      ...body,
      language: body.language,
      about: { organization: organization.id },
      user: actor.user.id,
      async findPassages(query) {
        const { rankSpaces } = await loadSpaces();
        const passages: Passage[] = [];
        // Every space that is ranked has a page.
        const { spaces } = await rankSpaces(reading, query, PAGES_A_SPACE);
        for (const { enter, found } of spaces.slice(0, MAX_PASSAGES)) {
          const inside = await enter();
          if (inside) passages.push(...(await passagesOf(inside, await foundPages(inside, found))));
        }
        return passages.slice(0, MAX_PASSAGES);
      },
    });
  },
});
