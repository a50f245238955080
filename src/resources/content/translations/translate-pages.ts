// Translates the pages of a run. A few pages are translated at a time, and each is saved in its own commit. When all are
// done, the result gets a new revision.

import { keys, type PageEntry, type ReusableEntry } from "../../../content/revision/entries";
import { extractGlossary } from "../../../content/translation/glossary";
import type { PageTexts } from "../../../content/translation/page-texts";
import { translatePage } from "../../../content/translation/translate-page";
import { hasLease, renewRunner } from "../../../jobs/leased-queue";
import { addStagedObjects, type Objects, openObjects, stageObjects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { findActiveSpace, type SpaceRecord } from "../../library/tree/records";
import { openRevision, type RevisionRecord, revisions } from "../revisions/records";
import { readTerms } from "./glossary-records";
import {
  RUN_LEASE_MS,
  type SheetWords,
  type TranslatedSheet,
  type TranslationRecord,
  translatedSheets,
  translationRuns,
  translations,
} from "./records";
import { formatInstructions, hashSettings, RunEndedError, reportRunProgress, type TranslationWorkerRun } from "./run";

const PAGES_AT_ONCE = 4;
const BATCH_SIZE = 100;
const MAX_TEXT_LENGTH = 1024 * 1024;

export interface RunState {
  readonly view: Reader;
  readonly objects: Objects;
  readonly translation: TranslationRecord;
  readonly source: SpaceRecord;
  readonly result: SpaceRecord;
  readonly revision: RevisionRecord;
}

/** Reads the current state. Throws `RunEndedError`. */
export async function readRunState({
  jobContext,
  place,
  translation: id,
  runnerId,
}: TranslationWorkerRun): Promise<RunState> {
  const view = await jobContext.store.read(place.partition);
  const translation = await translations.get(view, id);
  const run = await translationRuns.get(view, id);
  if (!translation || !hasLease({ runnerId }, run)) throw new RunEndedError();
  const source = await findActiveSpace(view, translation.source);
  const result = await findActiveSpace(view, translation.result);
  const revision = source && (await revisions.get(view, source.id, source.revision));
  if (!source || !result || !revision) throw new RunEndedError();
  return {
    view,
    objects: openObjects(jobContext.store, jobContext.objects, view),
    translation,
    source,
    result,
    revision,
  };
}

export interface SourcePart {
  readonly id: string;
  readonly isPage: boolean;
  readonly entry: PageEntry | ReusableEntry;
}

/** Iterates the parts of the source that have words, a batch at a time. */
export async function* iterateSourceParts({ objects, revision }: RunState): AsyncGenerator<SourcePart[]> {
  const view = openRevision(objects, revision);
  for (const [under, isPage] of [
    [keys.pages, true],
    [keys.reusables, false],
  ] as const) {
    for (let after: string | undefined; ; ) {
      const rows = await view.list({ under, after, limit: BATCH_SIZE });
      yield rows.map(({ key, value }) => ({
        id: key.slice(under.length),
        isPage,
        entry: value as SourcePart["entry"],
      }));
      if (rows.length < BATCH_SIZE) break;
      after = rows.at(-1)!.key;
      await yieldToEventLoop();
    }
  }
}

/** Checks whether a stored result fits the text and the settings. Parts without translation are retried on request. */
export function isUpToDatePart(
  { asked }: TranslationRecord,
  settingsHash: string,
  { entry }: SourcePart,
  sheet: TranslatedSheet | undefined,
): boolean {
  if (sheet?.how !== settingsHash) return false;
  const [current, translated] = [entry as PageEntry, sheet.from];
  const isSame =
    current.title === translated.title &&
    current.description === translated.description &&
    current.body === translated.body;
  return isSame && (sheet.kept === 0 || sheet.asked === asked);
}

/** A part that is not translated yet, and its stored result for another text or another run. */
interface UntranslatedPart {
  readonly part: SourcePart;
  readonly before: TranslatedSheet | undefined;
}

/** Translates a batch of the remaining parts. Returns true if there were some. */
export async function translateSomeParts(run: TranslationWorkerRun): Promise<boolean> {
  const state = await readRunState(run);
  const { view, translation, objects, revision } = state;
  const settingsHash = await hashSettings(view, translation);

  let untranslated: UntranslatedPart[] = [];
  let done = 0;
  for await (const parts of iterateSourceParts(state)) {
    const ids = parts.map(({ id }) => [translation.id, id] as const);
    const sheets = await translatedSheets.getMany(view, ids);
    parts.forEach((part, i) => {
      if (isUpToDatePart(translation, settingsHash, part, sheets[i])) done++;
      else untranslated.push({ part, before: sheets[i] });
    });
    if (untranslated.length >= BATCH_SIZE) break;
  }
  untranslated = untranslated.slice(0, BATCH_SIZE);

  const source = openRevision(objects, revision);
  const total = (await source.count({ under: keys.pages })) + (await source.count({ under: keys.reusables }));
  const progress: BatchProgress = { lastSave: Promise.resolve(), done, total };
  const next = untranslated.values();
  let failed: { readonly error: unknown } | undefined;
  const work = async () => {
    for (const part of next) {
      if (failed) return;
      await translatePart(run, state, settingsHash, part, progress).catch((error: unknown) => {
        failed ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, work));
  if (failed) throw failed.error;
  return untranslated.length > 0;
}

/** The commits of a batch, one after the other, and the number of parts that are done with the last of them. */
interface BatchProgress {
  lastSave: Promise<void>;
  done: number;
  readonly total: number;
}

async function translatePart(
  run: TranslationWorkerRun,
  { view, translation, objects }: RunState,
  settingsHash: string,
  { part, before }: UntranslatedPart,
  batch: BatchProgress,
): Promise<void> {
  const page = part.entry as PageEntry;
  const from: SheetWords = {
    title: page.title,
    ...omitUndefined({ description: page.description, body: page.body }),
  };
  const [sheet, earlier] = await Promise.all([
    loadSheetTexts(objects, from),
    before?.how === settingsHash
      ? Promise.all([loadSheetTexts(objects, before.from), loadSheetTexts(objects, before.to)])
      : undefined,
  ]);
  const instructions = await formatInstructions(translation);
  // The instructions of the translation win over the glossary of the organization.
  const ownTerms = instructions === undefined ? [] : extractGlossary(instructions);
  const glossary = [...(await readTerms(view, translation)), ...ownTerms];
  // With a translator that answers at once and a storage in memory, nothing else would run.
  await yieldToEventLoop();
  const translated = await translatePage(run.jobContext.ports.translator!, sheet, {
    from: translation.sourceLanguage,
    to: translation.language,
    instructions,
    ...omitUndefined({ glossary: glossary.length === 0 ? undefined : glossary }),
    earlier: earlier && { source: earlier[0], translated: earlier[1] },
  });
  const isTooLong = (translated.texts.text?.length ?? 0) > MAX_TEXT_LENGTH;
  const { title, description, text } = isTooLong ? sheet : translated.texts;
  // An unpaired surrogate has no UTF-8 bytes and would be lost.
  const clean = text?.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  const body = clean === undefined ? undefined : sha256Hex(clean);
  const record: TranslatedSheet = {
    translation: translation.id,
    of: part.id,
    how: settingsHash,
    from,
    to: { title, ...omitUndefined({ description, body }) },
    kept: translated.untranslatedCount + (isTooLong ? 1 : 0),
    asked: translation.asked,
  };
  const texts = new Map(clean === undefined ? [] : [[body!, clean] as const]);
  const save = async () => {
    const { jobContext, place } = run;
    const staged = await stageObjects(jobContext.store, place.partition, texts);
    await jobContext.store.write(place.partition, async (tx) => {
      const stored = await translationRuns.get(tx, record.translation);
      if (!hasLease(run, stored)) throw new RunEndedError();
      await addStagedObjects(tx, staged);
      await translatedSheets.put(tx, record);
      const progress = { done: batch.done + 1, total: batch.total, step: "translating" };
      reportRunProgress(jobContext, tx, record.translation, progress);
      await translationRuns.put(tx, {
        ...stored,
        pages: stored.pages + (part.isPage ? 1 : 0),
        words: stored.words + translated.wordCount,
        failures: 0,
        runner: renewRunner(run, RUN_LEASE_MS),
      });
    });
    batch.done++;
  };
  // One after the other, because all of them change the record of the run.
  batch.lastSave = batch.lastSave.catch(() => {}).then(save);
  await batch.lastSave;
}

async function loadSheetTexts(objects: Objects, { title, description, body }: SheetWords): Promise<PageTexts> {
  return { title, description, text: body === undefined ? undefined : await objects.text(body) };
}
