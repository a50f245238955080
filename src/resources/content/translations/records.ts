// Translations: the source, the language, the state, and the translated pages. Results are stored page by page, so an
// interrupted run continues, and a page is translated only once for each text.

import type { Document } from "../../../content/document";
import type { MapRoot } from "../../../content/prolly-tree";
import type { Runner } from "../../../jobs/leased-queue";
import { getProgressKey } from "../../../jobs/progress";
import { iterateRows } from "../../../operation/pagination";
import type { Objects } from "../../../storage/objects";
import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import { detachTranslation, nodes } from "../../library/tree/records";
import { createContentReporter } from "../revisions/records";

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
  /** The source space. */
  readonly source: string;
  readonly sourceLanguage?: string;
  readonly language: string;
  readonly instructions?: Document;
  /** The space with the result. */
  readonly result: string;
  readonly revision: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: "pending" | "running" | "completed" | "failed";
  readonly error?: string;
  /** The number of requested runs, and how many of these the last finished run included. */
  readonly asked: number;
  readonly answered: number;
  readonly stats: TranslationStats;
  /** The inputs of the last finished run: the content and the settings. A new run is needed only for other inputs. */
  readonly last?: { readonly from: MapRoot; readonly how: string };
  /** The result of the last successful run. */
  readonly made?: { readonly root: MapRoot };
  /** The first pages and reusable contents that it left untranslated. */
  readonly left?: {
    readonly count: number;
    readonly pages: readonly { readonly page: string; readonly count: number }[];
  };
}

export const translations = defineRecordSet("translation", {
  key: (it: TranslationRecord) => [it.id],
  indexes: {
    all: (it) => [it.createdAt],
    ofSource: (it) => [it.source],
    ofResult: (it) => [it.result],
  },
  /** A space has one translation for each language. */
  unique: { pair: (it) => [it.source, it.language] },
  totals: { ofSource: (it) => [it.source] },
});

/** An unfinished run, and its progress. */
export interface TranslationRun {
  readonly translation: string;
  readonly startedAt: number;
  readonly pages: number;
  readonly words: number;
  /** The number of requests when it began. */
  readonly asked: number;
  /** The number of failures since the last progress. */
  readonly failures: number;
  /** The worker, and the end of its lease. */
  readonly runner?: Runner;
}

/** The lease of a run after the last sign of its worker. */
export const RUN_LEASE_MS = 5 * 60_000;

export const translationRuns = defineRecordSet("translation-run", { key: (it: TranslationRun) => [it.translation] });

/** The translated words of a page or a reusable content. The text is referenced by its hash. */
export interface SheetWords {
  readonly title: string;
  readonly description?: string;
  readonly body?: string;
}

/** The stored result of a page or a reusable content. */
export interface TranslatedSheet {
  readonly translation: string;
  readonly of: string;
  /** The hash of the settings: languages and instructions. */
  readonly how: string;
  readonly from: SheetWords;
  readonly to: SheetWords;
  /** Sentences that were left untranslated. */
  readonly kept: number;
  /** The number of requests when it was made. */
  readonly asked: number;
}

export const translatedSheets = defineRecordSet("translated-sheet", {
  key: (it: TranslatedSheet) => [it.translation, it.of],
  indexes: { ofTranslation: (it) => [it.translation] },
});

/** Ends a translation. Its result becomes an ordinary space that its creator manages. */
export async function endTranslation(tx: Transaction, { id, result }: TranslationRecord): Promise<void> {
  await translations.delete(tx, id);
  await translationRuns.delete(tx, id);
  tx.delete(getProgressKey("translation", id));
  const space = await nodes.get(tx, result);
  if (space?.type !== "space") return;
  await nodes.put(tx, detachTranslation(space));
}

/** Reports the objects that translations refer to: their results, and the source texts. */
export async function reportTranslationObjects(
  view: Reader,
  objects: Objects,
  tell: (hash: string) => void,
): Promise<void> {
  const tellContent = createContentReporter(objects, tell);
  for await (const { record } of iterateRows((slice) => translations.list(view, "all", slice)))
    if (record.made) await tellContent([record.made.root]);
  for await (const { record } of iterateRows((slice) => translatedSheets.list(view, "ofTranslation", slice))) {
    for (const body of [record.from.body, record.to.body]) if (body !== undefined) tell(body);
  }
}
