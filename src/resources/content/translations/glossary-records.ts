// The stored glossary of an organization: terms with their translations, for the translators of all spaces.

import type { GlossaryEntry } from "../../../content/translation/translator";
import { readAllRows } from "../../../operation/pagination";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
import type { TranslationRecord } from "./records";

export type GlossaryEntryRecord = {
  readonly id: string;
  /** The term in each language. */
  readonly translations: { readonly [language: string]: string };
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const glossaryEntries = defineRecordSet("glossary-entry", {
  key: (entry: GlossaryEntryRecord) => [entry.id],
  indexes: { byAge: (entry) => [entry.createdAt] },
  totals: { all: () => [] },
  guards: { changed: () => [] },
});

/** The limit of glossary entries of an organization. */
export const MAX_GLOSSARY_ENTRIES = 500;

/** Returns all entries, the oldest first. In a transaction they need one check, whatever their number. */
export async function readGlossary(tx: Reader): Promise<GlossaryEntryRecord[]> {
  const guarded = await glossaryEntries.readGuarded(tx, "changed", [[]]);
  const rows = await readAllRows((slice) => glossaryEntries.list(guarded, "byAge", slice));
  return rows.map(({ record }) => record);
}

/** Returns the terms that a translation uses. If its source language isn't known, the terms of all other languages count. */
export async function readTerms(
  tx: Reader,
  { sourceLanguage, language }: Pick<TranslationRecord, "sourceLanguage" | "language">,
): Promise<GlossaryEntry[]> {
  const terms = new Map<string, string>();
  for (const { translations } of await readGlossary(tx)) {
    const translation = translations[language];
    if (translation === undefined) continue;
    for (const [from, term] of Object.entries(translations))
      if (from !== language && (sourceLanguage === undefined || from === sourceLanguage)) terms.set(term, translation);
  }
  return Array.from(terms, ([term, translation]) => ({ term, translation }));
}
