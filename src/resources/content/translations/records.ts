// Translations: which space is translated into which language, how far that is, and what was made of each page. What was
// made is kept page by page, so that a run that ends in the middle goes on there, and a page is translated once for what it
// says.

import type { Document } from "../../../content/document";
import { type Root, reach } from "../../../content/map";
import { objectIn } from "../../../content/revision/entries";
import { everyRow } from "../../../operation/pages";
import type { Objects } from "../../../store/objects";
import { records } from "../../../store/records";
import type { Reader, Transaction } from "../../../store/transaction";
import type { Runner } from "../../../work/leased-queue";
import { nodes, unfollowing } from "../../library/tree/records";
import { nodesOf } from "../revisions/records";

export interface TranslationStats {
  readonly runs: number;
  readonly totalWords: number;
  readonly totalPages: number;
  readonly totalDuration: number;
  readonly latestRunDuration: number;
  readonly latestPages: number;
  readonly latestWords: number;
}

export interface TranslationRecord {
  readonly id: string;
  /** The space that is translated. */
  readonly source: string;
  readonly sourceLanguage?: string;
  readonly language: string;
  readonly instructions?: Document;
  /** The space that has the translation. */
  readonly result: string;
  readonly revision: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: "pending" | "running" | "completed" | "failed";
  readonly error?: string;
  /** How often somebody has asked for a run, and how often they had when the last one that came to an end began. */
  readonly asked: number;
  readonly answered: number;
  readonly stats: TranslationStats;
  /** What the last run that came to an end was about: which content, and how it was wanted. The next one needs another. */
  readonly last?: { readonly from: Root; readonly how: string };
  /** What the last run that was completed made. */
  readonly made?: { readonly root: Root };
  /** What it left untranslated: pages and reusable contents, the first of them. */
  readonly left?: {
    readonly count: number;
    readonly pages: readonly { readonly page: string; readonly count: number }[];
  };
}

export const translations = records("translation", {
  key: (it: TranslationRecord) => [it.id],
  indexes: {
    all: (it) => [it.createdAt],
    ofSource: (it) => [it.source],
    ofResult: (it) => [it.result],
  },
  /** A space is translated into a language once. */
  unique: { pair: (it) => [it.source, it.language] },
  totals: { ofSource: (it) => [it.source] },
});

/** A run that is not over, and what it has done so far. */
export interface TranslationRun {
  readonly translation: string;
  readonly startedAt: number;
  readonly pages: number;
  readonly words: number;
  /** What was asked for when it began. */
  readonly asked: number;
  /** How often it failed since it last got anywhere. */
  readonly failures: number;
  /** Whoever works on it, and until when they are left alone. */
  readonly runner?: Runner;
}

export const translationRuns = records("translation-run", { key: (it: TranslationRun) => [it.translation] });

/** Words of a page or a reusable content; the text by its hash. */
export interface KeptSheet {
  readonly title: string;
  readonly description?: string;
  readonly body?: string;
}

/** What was made of a page or a reusable content. */
export interface TranslatedSheet {
  readonly translation: string;
  readonly of: string;
  /** The hash of what was to be minded: languages and instructions. */
  readonly how: string;
  readonly from: KeptSheet;
  readonly to: KeptSheet;
  /** Sentences that kept their source. */
  readonly kept: number;
  /** What had been asked for when it was made. */
  readonly asked: number;
}

export const translatedSheets = records("translated-sheet", {
  key: (it: TranslatedSheet) => [it.translation, it.of],
  indexes: { ofTranslation: (it) => [it.translation] },
});

/** Removes what a translation has made, as far as there is room; true when there is more. */
export function dropSheets(tx: Transaction, translation: string): Promise<boolean> {
  return translatedSheets.drain(tx, "ofTranslation", [translation]);
}

/** Ends a translation. Its result is a space like any other from then on: whoever made it has it, and those they let in. */
export async function endTranslation(tx: Transaction, { id, result }: TranslationRecord): Promise<void> {
  await translations.delete(tx, id);
  await translationRuns.delete(tx, id);
  const space = await nodes.get(tx, result);
  if (space?.type !== "space") return;
  await nodes.put(tx, unfollowing(space));
}

/** Ends the translations of a space that is gone from here, or the one that it was the result of; true when there is more. */
export async function dropTranslations(tx: Transaction, space: string): Promise<boolean> {
  const [row] = [
    ...(await translations.list(tx, "ofSource", { under: [space], limit: 1 })),
    ...(await translations.list(tx, "ofResult", { under: [space], limit: 1 })),
  ];
  if (!row) return false;
  if (await dropSheets(tx, row.record.id)) return true;
  await endTranslation(tx, row.record);
  return true;
}

/** The objects that translations lead to: what they made, and the texts that it was made of. */
export async function translationObjects(view: Reader, objects: Objects): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const inside = new Set<string>();
  for await (const { record } of everyRow((slice) => translations.list(view, "all", slice))) {
    if (record.made) {
      await reach(nodesOf(objects), record.made.root, found, (entry) => {
        const object = objectIn(entry);
        if (object !== undefined) inside.add(object);
      });
    }
  }
  for await (const { record } of everyRow((slice) => translatedSheets.list(view, "ofTranslation", slice))) {
    for (const body of [record.from.body, record.to.body]) if (body !== undefined) inside.add(body);
  }
  for (const object of inside) found.add(object);
  return found;
}
