// The work of a run: a few pages are translated at a time, and each is saved in its own commit. When all are done, the
// result gets a new revision.

import { keys, type PageEntry, type ReusableEntry } from "../../../content/revision/entries";
import { extractGlossary } from "../../../content/translation/glossary";
import type { PageTexts } from "../../../content/translation/page-texts";
import { translatePage } from "../../../content/translation/translate-page";
import { hasLease, renewRunner } from "../../../jobs/leased-queue";
import type { Progress } from "../../../jobs/progress";
import { iterateRows } from "../../../operation/pagination";
import { addStagedObjects, type Objects, openObjects, stageObjects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { findActiveSpace, type SpaceRecord } from "../../library/tree/records";
import { openRevision, type RevisionRecord, revisions } from "../revisions/records";
import {
  CLAIM_MS,
  type KeptSheet,
  type TranslatedSheet,
  type TranslationRecord,
  translatedSheets,
  translationRuns,
  translations,
} from "./records";
import { howOf, instructionsOf, Over, type Run, reportRun } from "./run";

/** Pages that are translated at once. */
const PAGES_AT_ONCE = 4;
/** Pages in one piece of a run. */
const PIECE = 100;
/** The longest text of a page, as everywhere. */
const MAX_TEXT_LENGTH = 1024 * 1024;

/** The state that a run works on. */
export interface Moment {
  readonly view: Reader;
  readonly objects: Objects;
  readonly translation: TranslationRecord;
  readonly source: SpaceRecord;
  readonly result: SpaceRecord;
  readonly revision: RevisionRecord;
}

/** Reads the current state. Throws `Over`. */
export async function look({ jobContext, place: at, translation: id, runnerId }: Run): Promise<Moment> {
  const view = await jobContext.store.read(at.partition);
  const translation = await translations.get(view, id);
  const run = await translationRuns.get(view, id);
  if (!translation || !hasLease({ runnerId }, run)) throw new Over();
  const source = await findActiveSpace(view, translation.source);
  const result = await findActiveSpace(view, translation.result);
  const revision = source && (await revisions.get(view, source.id, source.revision));
  if (!source || !result || !revision) throw new Over();
  return {
    view,
    objects: openObjects(jobContext.store, jobContext.objects, view),
    translation,
    source,
    result,
    revision,
  };
}

/** The stored results of all pages and reusable contents. */
export async function sheetsIn({ view, translation }: Moment): Promise<ReadonlyMap<string, TranslatedSheet>> {
  const sheets = new Map<string, TranslatedSheet>();
  for await (const { record } of iterateRows((slice) =>
    translatedSheets.list(view, "ofTranslation", { under: [translation.id], ...slice }),
  )) {
    sheets.set(record.of, record);
    await yieldToEventLoop();
  }
  return sheets;
}

/** A page or a reusable content of the source. */
export interface Thing {
  readonly id: string;
  readonly isPage: boolean;
  readonly entry: PageEntry | ReusableEntry;
}

/** The parts of the source that have words, some at a time. */
export async function* thingsIn({ objects, revision }: Moment): AsyncGenerator<Thing[]> {
  const view = openRevision(objects, revision);
  for (const [under, isPage] of [
    [keys.pages, true],
    [keys.reusables, false],
  ] as const) {
    for (let after: string | undefined; ; ) {
      const rows = await view.list({ under, after, limit: PIECE });
      yield rows.map(({ key, value }) => ({ id: key.slice(under.length), isPage, entry: value as Thing["entry"] }));
      if (rows.length < PIECE) break;
      after = rows.at(-1)!.key;
      await yieldToEventLoop();
    }
  }
}

/** How many there are. */
async function countOf({ objects, revision }: Moment): Promise<number> {
  const view = openRevision(objects, revision);
  return (await view.count({ under: keys.pages })) + (await view.count({ under: keys.reusables }));
}

function wordsOf({ entry }: Thing): KeptSheet {
  const { title, description, body } = entry as PageEntry;
  return {
    title,
    ...omitUndefined({ description, body }),
  };
}

/**
 * Whether the stored result is up to date with the text and the settings. Untranslated parts are tried again when
 * another run is requested.
 */
function isDone({ asked }: TranslationRecord, how: string, thing: Thing, made: TranslatedSheet | undefined): boolean {
  if (made?.how !== how) return false;
  const [now, then] = [wordsOf(thing), made.from];
  const isSame = now.title === then.title && now.description === then.description && now.body === then.body;
  return isSame && (made.kept === 0 || made.asked === asked);
}

/** What is not translated yet. */
export async function waitingAmong(
  { translation }: Moment,
  things: readonly Thing[],
  sheets: ReadonlyMap<string, TranslatedSheet>,
): Promise<Thing[]> {
  const how = await howOf(translation);
  return things.filter((it) => !isDone(translation, how, it, sheets.get(it.id)));
}

/** Something that is not translated yet, and its stored result from another text or another time. */
interface Waiting {
  readonly thing: Thing;
  readonly before: TranslatedSheet | undefined;
}

/** The first parts that are not translated yet, about as many as are one piece; and how many of those before them are. */
async function firstWaiting(moment: Moment, how: string) {
  const { view, translation } = moment;
  const waiting: Waiting[] = [];
  let done = 0;
  for await (const things of thingsIn(moment)) {
    const ids = things.map(({ id }) => [translation.id, id] as const);
    const sheets = await translatedSheets.getMany(view, ids);
    things.forEach((thing, i) => {
      if (isDone(translation, how, thing, sheets[i])) done++;
      else waiting.push({ thing, before: sheets[i] });
    });
    if (waiting.length >= PIECE) break;
  }
  return { waiting: waiting.slice(0, PIECE), done };
}

/** Translates some of the remaining parts. True: there were some. */
export async function translateSome(run: Run): Promise<boolean> {
  const moment = await look(run);
  const how = await howOf(moment.translation);
  const { waiting, done } = await firstWaiting(moment, how);
  const saving: Saving = { last: Promise.resolve(), done, total: await countOf(moment) };
  const next = waiting.values();
  let failed: { readonly error: unknown } | undefined;
  const work = async () => {
    for (const one of next) {
      if (failed) return;
      await translateOne(run, moment, how, one, saving).catch((error: unknown) => {
        failed ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, work));
  if (failed) throw failed.error;
  return waiting.length > 0;
}

/** The commits of a piece, one after the other, and how much of the whole is done with the last of them. */
interface Saving {
  last: Promise<void>;
  done: number;
  readonly total: number;
}

async function translateOne(
  run: Run,
  { translation, objects }: Moment,
  how: string,
  { thing, before }: Waiting,
  saving: Saving,
): Promise<void> {
  const from = wordsOf(thing);
  const [sheet, earlier] = await Promise.all([
    sheetOf(objects, from),
    before?.how === how ? Promise.all([sheetOf(objects, before.from), sheetOf(objects, before.to)]) : undefined,
  ]);
  const instructions = await instructionsOf(translation);
  const glossary = instructions === undefined ? [] : extractGlossary(instructions);
  // A translator that answers at once, and a storage in memory, let nobody else run.
  await yieldToEventLoop();
  const made = await translatePage(run.jobContext.ports.translator!, sheet, {
    from: translation.sourceLanguage,
    to: translation.language,
    instructions,
    ...omitUndefined({ glossary: glossary.length === 0 ? undefined : glossary }),
    earlier: earlier && { source: earlier[0], translated: earlier[1] },
  });
  const isTooLong = (made.texts.text?.length ?? 0) > MAX_TEXT_LENGTH;
  const { title, description, text } = isTooLong ? sheet : made.texts;
  // An unpaired surrogate has no UTF-8 bytes and would be lost.
  const clean = text?.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  const body = clean === undefined ? undefined : sha256Hex(clean);
  const record: TranslatedSheet = {
    translation: translation.id,
    of: thing.id,
    how,
    from,
    to: { title, ...omitUndefined({ description, body }) },
    kept: made.untranslatedCount + (isTooLong ? 1 : 0),
    asked: translation.asked,
  };
  const kept = new Map(clean === undefined ? [] : [[body!, clean] as const]);
  const save = async () => {
    const progress = { done: saving.done + 1, total: saving.total, step: "translating" };
    await saveSheet(run, record, kept, { pages: thing.isPage ? 1 : 0, words: made.wordCount, progress });
    saving.done++;
  };
  // One after the other, because all of them change the record of the run.
  saving.last = saving.last.catch(() => {}).then(save);
  await saving.last;
}

async function sheetOf(objects: Objects, { title, description, body }: KeptSheet): Promise<PageTexts> {
  return { title, description, text: body === undefined ? undefined : await objects.text(body) };
}

/** Saves the result of a page, and the progress of the run. */
async function saveSheet(
  lease: Run,
  record: TranslatedSheet,
  objects: ReadonlyMap<string, string>,
  more: { readonly pages: number; readonly words: number; readonly progress: Progress },
): Promise<void> {
  const { jobContext, place: at } = lease;
  const staged = await stageObjects(jobContext.store, at.partition, objects);
  await jobContext.store.write(at.partition, async (tx) => {
    const run = await translationRuns.get(tx, record.translation);
    if (!hasLease(lease, run)) throw new Over();
    await addStagedObjects(tx, staged);
    await translatedSheets.put(tx, record);
    reportRun(jobContext, tx, record.translation, more.progress);
    await translationRuns.put(tx, {
      ...run,
      pages: run.pages + more.pages,
      words: run.words + more.words,
      failures: 0,
      runner: renewRunner(lease, CLAIM_MS),
    });
  });
}
