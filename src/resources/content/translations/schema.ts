// Translations on the wire.

import * as v from "valibot";
import {
  Id,
  namedObject,
  Progress,
  Timestamp,
  TranslationLanguage,
  UrlString,
} from "../../../operation/common-schemas";
import { DocumentSchema } from "../revisions/schema";

const createAmountSchema = (description: string) => v.pipe(v.number(), v.description(description));

export const Translation = namedObject("Translation", {
  object: v.literal("translation"),
  id: Id,
  status: v.pipe(
    v.picklist(["pending", "running", "completed", "failed"]),
    v.description("`running` with an `error` is retried automatically."),
  ),
  error: v.optional(v.pipe(v.string(), v.description("The reason for the failure or the retry, as a sentence."))),
  progress: v.optional(Progress),
  source: v.object({ space: Id, language: v.optional(TranslationLanguage) }),
  language: TranslationLanguage,
  instructions: v.optional(DocumentSchema),
  result: v.object({
    space: Id,
    revision: v.pipe(Id, v.description("The ID of the result revision that the last run produced.")),
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  stats: v.object({
    runs: createAmountSchema("The number of finished runs."),
    totalWords: createAmountSchema("The number of words that were sent to the translator."),
    totalPages: createAmountSchema("The number of translated pages. A page counts each time that it is translated."),
    totalDuration: createAmountSchema("The duration of all runs in milliseconds."),
    latestRunDuration: createAmountSchema("The duration of the latest run in milliseconds."),
    latestPages: v.number(),
    latestWords: v.number(),
  }),
  untranslated: v.optional(
    v.pipe(
      v.object({
        count: v.number(),
        pages: v.array(v.object({ page: Id, count: v.number() })),
      }),
      v.description(
        [
          "Sentences that weren't translated, because the translator's response would have changed more than the words.",
          "`pages` lists the first 100 pages and reusable contents. The next run retries them.",
        ].join(" "),
      ),
    ),
  ),
  permissions: v.object({ view: v.boolean(), edit: v.boolean() }),
  urls: v.object({ location: UrlString }),
});

/** A document in a request. Its fields are checked when it is read. */
const Instructions = v.pipe(
  v.looseObject({ object: v.literal("document", "Expected document") }, "Expected a document"),
  v.description(
    "Instructions for the translator. Tables with two columns are used as a glossary: a term and its translation.",
  ),
);

export const NewTranslation = v.strictObject({
  language: TranslationLanguage,
  source: v.strictObject(
    {
      space: Id,
      language: v.optional(TranslationLanguage),
    },
    "Expected the space that is to be translated",
  ),
  instructions: v.optional(Instructions),
});

export const TranslationChanges = v.strictObject({ instructions: Instructions });
