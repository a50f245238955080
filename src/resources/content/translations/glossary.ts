// The glossary of an organization. A translation uses it in its next run, and translates its pages again if its terms have changed.

import * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import {
  Id,
  listSchema,
  namedObject,
  recordSchema,
  Timestamp,
  TranslationLanguage,
  textSchema,
  UrlString,
} from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateList, paginateRows } from "../../../operation/pagination";
import type { Urls } from "../../../ports/urls";
import { encodeKey } from "../../../storage/key";
import { defineOrganizationTarget, type OrganizationContext, organization } from "../../people/organizations/rules";
import { type GlossaryEntryRecord, glossaryEntries, MAX_GLOSSARY_ENTRIES, readGlossary } from "./glossary-records";

const languages = TranslationLanguage.pipe[0].options;
const LanguageCode = v.pipe(
  v.string(),
  v.regex(new RegExp(`^(?:${languages.join("|")})$`), "Expected a language code"),
);
/** The limit of entries in a request, which is one commit. */
const MAX_AT_ONCE = 100;

const GlossaryEntry = namedObject("GlossaryEntry", {
  object: v.literal("glossary-entry"),
  id: Id,
  translations: v.record(v.string(), v.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  urls: v.object({ location: UrlString }),
});

const Term = v.pipe(textSchema(1, 200), v.regex(/\S/u, "Expected a term"));

const GlossaryChanges = v.strictObject({
  entries: v.pipe(
    listSchema(
      v.strictObject({
        id: v.optional(v.pipe(Id, v.description("The ID of an existing entry. If omitted, an entry is added."))),
        translations: v.pipe(
          v.nullable(recordSchema(LanguageCode, Term, languages.length)),
          v.description("The term in each language, which replaces all earlier ones. If null, the entry is deleted."),
        ),
      }),
      MAX_AT_ONCE,
      `Expected at most ${MAX_AT_ONCE} entries`,
    ),
    v.minLength(1, "Expected an entry"),
  ),
});

const glossaryEntry = defineOrganizationTarget(
  "glossary_entry_not_found",
  async ({ tx, params }) => {
    const entry = await glossaryEntries.get(tx, params.glossaryEntryId!);
    return entry && { entry };
  },
  { view: organization.rights.listTeams },
);

export const listGlossaryEntries = defineOperation("GET /orgs/:organizationId/translations-glossary", {
  summary: "List glossary entries",
  target: organization,
  right: "listTeams",
  query: { orderBy: v.optional(TranslationLanguage) },
  list: GlossaryEntry,
  async handle(context) {
    const { tx, pageRequest, query } = context;
    const present = (records: readonly GlossaryEntryRecord[]) => records.map((it) => presentGlossaryEntry(context, it));
    const { orderBy } = query;
    if (orderBy === undefined) {
      const count = await glossaryEntries.total(tx, "all");
      return paginateList(pageRequest, (slice) => glossaryEntries.list(tx, "byAge", slice), count, present);
    }
    const rows = (await readGlossary(tx)).map((record) => {
      const term = record.translations[orderBy];
      const position = encodeKey(term === undefined ? 1 : 0, term?.toLowerCase() ?? "", record.id);
      return { record, position };
    });
    rows.sort((a, b) => (a.position < b.position ? -1 : 1));
    return paginateRows(pageRequest, rows, present);
  },
});

export const updateGlossary = defineOperation("PUT /orgs/:organizationId/translations-glossary", {
  summary: "Update the glossary",
  target: organization,
  right: "createContent",
  body: GlossaryChanges,
  async handle({ tx, body, now, newId }) {
    const existing = new Map((await readGlossary(tx)).map((entry) => [entry.id, entry]));
    const findEqual = (translations: string) =>
      [...existing.values()].some((entry) => formatTranslations(entry.translations) === translations);
    for (const [i, { id, translations }] of body.entries.entries()) {
      const before = id === undefined ? undefined : existing.get(id);
      if (id !== undefined && !before)
        throw createValidationError(`body.entries.${i}.id`, "Glossary entry not found in this organization");
      if (translations === null) {
        if (!before) throw createValidationError(`body.entries.${i}.id`, "Expected the ID of the entry to delete");
        await glossaryEntries.delete(tx, before.id);
        existing.delete(before.id);
        continue;
      }
      if (Object.keys(translations).length === 0)
        throw createValidationError(`body.entries.${i}.translations`, "Expected a term in at least one language");
      // The same request sent again adds nothing.
      if (!before && findEqual(formatTranslations(translations))) continue;
      if (!before && existing.size >= MAX_GLOSSARY_ENTRIES) throw createError("too_many_glossary_entries");
      const at = now.toISOString();
      const entry: GlossaryEntryRecord = {
        id: before?.id ?? newId("glossaryEntry"),
        translations,
        createdAt: before?.createdAt ?? at,
        updatedAt: at,
      };
      await glossaryEntries.put(tx, entry);
      existing.set(entry.id, entry);
    }
  },
});

export const getGlossaryEntry = defineOperation("GET /orgs/:organizationId/translations-glossary/:glossaryEntryId", {
  summary: "Get a glossary entry",
  target: glossaryEntry,
  right: "view",
  returns: GlossaryEntry,
  handle: async (context) => presentGlossaryEntry(context, context.entry),
});

/** Returns a text that is equal for equal translations, in whichever order they were sent. */
function formatTranslations(translations: GlossaryEntryRecord["translations"]): string {
  return JSON.stringify(Object.entries(translations).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function presentGlossaryEntry(
  { organization, urls }: Pick<OrganizationContext, "organization"> & { readonly urls: Urls },
  { id, translations, createdAt, updatedAt }: GlossaryEntryRecord,
): v.InferInput<typeof GlossaryEntry> {
  const location = urls.api(`/orgs/${organization.id}/translations-glossary/${id}`);
  return { object: "glossary-entry", id, translations, createdAt, updatedAt, urls: { location } };
}
