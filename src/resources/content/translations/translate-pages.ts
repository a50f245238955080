// The work of a run: a few pages are translated at a time, and each is saved in its own commit. When all are done, the
// result gets a new revision.

import { keys, type PageEntry, type ReusableEntry } from "../../../content/revision/entries";
import { glossaryIn } from "../../../content/translation/glossary";
import type { Sheet } from "../../../content/translation/sheets";
import { translateSheet } from "../../../content/translation/translate";
import { everyRow } from "../../../operation/list-parts";
import { sha256Hex } from "../../../sha256";
import { nameAll, type Objects, objectsIn, stageAll } from "../../../store/objects";
import type { Reader } from "../../../store/transaction";
import { takeBreak } from "../../../turns/pause";
import { isHeld, renewed } from "../../../work/leased-queue";
import type { Progress } from "../../../work/progress";
import { type SpaceRecord, spaceIn } from "../../library/tree/records";
import { type RevisionRecord, revisions, viewIn } from "../revisions/records";
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
  /** The stored results of pages and reusable contents. */
  readonly sheets: ReadonlyMap<string, TranslatedSheet>;
}

/** Reads the current state. Throws `Over`. */
export async function look({ work, at, translation: id, runner }: Run): Promise<Moment> {
  const view = await work.store.read(at.partition);
  const translation = await translations.get(view, id);
  const run = await translationRuns.get(view, id);
  if (!translation || !isHeld({ runner }, run)) throw new Over();
  const source = await spaceIn(view, translation.source);
  const result = await spaceIn(view, translation.result);
  const revision = source && (await revisions.get(view, source.id, source.revision));
  if (!source || !result || !revision) throw new Over();
  const sheets = new Map<string, TranslatedSheet>();
  for await (const { record } of everyRow((slice) =>
    translatedSheets.list(view, "ofTranslation", { under: [id], ...slice }),
  ))
    sheets.set(record.of, record);
  return { view, objects: objectsIn(work.store, work.objects, view), translation, source, result, revision, sheets };
}

/** A page or a reusable content of the source. */
export interface Thing {
  readonly id: string;
  readonly isPage: boolean;
  readonly entry: PageEntry | ReusableEntry;
}

/** All parts of the source that have words. */
export async function thingsIn({ objects, revision }: Moment): Promise<Thing[]> {
  const view = viewIn(objects, revision);
  const pages = await view.list({ under: keys.pages });
  const reusables = await view.list({ under: keys.reusables });
  return [
    ...pages.map(({ key, value }) => ({ id: key.slice(keys.pages.length), isPage: true, entry: value as PageEntry })),
    ...reusables.map(({ key, value }) => ({
      id: key.slice(keys.reusables.length),
      isPage: false,
      entry: value as ReusableEntry,
    })),
  ];
}

function wordsOf({ entry }: Thing): KeptSheet {
  const { title, description, body } = entry as PageEntry;
  return {
    title,
    ...(description === undefined ? {} : { description }),
    ...(body === undefined ? {} : { body }),
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
export async function waitingAmong({ translation, sheets }: Moment, things: readonly Thing[]): Promise<Thing[]> {
  const how = await howOf(translation);
  return things.filter((it) => !isDone(translation, how, it, sheets.get(it.id)));
}

/** Translates some of the remaining parts. True: there were some. */
export async function translateSome(run: Run): Promise<boolean> {
  const moment = await look(run);
  const how = await howOf(moment.translation);
  const things = await thingsIn(moment);
  const all = await waitingAmong(moment, things);
  const waiting = all.slice(0, PIECE);
  const saving: Saving = { last: Promise.resolve(), done: things.length - all.length, total: things.length };
  const next = waiting.values();
  let failed: { readonly error: unknown } | undefined;
  const work = async () => {
    for (const thing of next) {
      if (failed) return;
      await translateOne(run, moment, how, thing, saving).catch((error: unknown) => {
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

async function translateOne(run: Run, moment: Moment, how: string, thing: Thing, saving: Saving): Promise<void> {
  const { translation, objects, sheets } = moment;
  const from = wordsOf(thing);
  const before = sheets.get(thing.id);
  const [sheet, earlier] = await Promise.all([
    sheetOf(objects, from),
    before?.how === how ? Promise.all([sheetOf(objects, before.from), sheetOf(objects, before.to)]) : undefined,
  ]);
  const instructions = await instructionsOf(translation);
  const glossary = instructions === undefined ? [] : glossaryIn(instructions);
  // A translator that answers at once, and a storage in memory, let nobody else run.
  await takeBreak();
  const made = await translateSheet(run.work.parts.translator!, sheet, {
    from: translation.sourceLanguage,
    to: translation.language,
    instructions,
    ...(glossary.length === 0 ? {} : { glossary }),
    earlier: earlier && { sheet: earlier[0], translated: earlier[1] },
  });
  const isTooLong = (made.sheet.text?.length ?? 0) > MAX_TEXT_LENGTH;
  const { title, description, text } = isTooLong ? sheet : made.sheet;
  // An unpaired surrogate has no UTF-8 bytes and would be lost.
  const clean = text?.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  const body = clean === undefined ? undefined : sha256Hex(clean);
  const record: TranslatedSheet = {
    translation: translation.id,
    of: thing.id,
    how,
    from,
    to: { title, ...(description === undefined ? {} : { description }), ...(body === undefined ? {} : { body }) },
    kept: made.kept + (isTooLong ? 1 : 0),
    asked: translation.asked,
  };
  const kept = new Map(clean === undefined ? [] : [[body!, clean] as const]);
  const save = async () => {
    const progress = { done: saving.done + 1, total: saving.total, step: "translating" };
    await saveSheet(run, record, kept, { pages: thing.isPage ? 1 : 0, words: made.words, progress });
    saving.done++;
  };
  // One after the other, because all of them change the record of the run.
  saving.last = saving.last.catch(() => {}).then(save);
  await saving.last;
}

async function sheetOf(objects: Objects, { title, description, body }: KeptSheet): Promise<Sheet> {
  return { title, description, text: body === undefined ? undefined : await objects.text(body) };
}

/** Saves the result of a page, and the progress of the run. */
async function saveSheet(
  lease: Run,
  record: TranslatedSheet,
  objects: ReadonlyMap<string, string>,
  more: { readonly pages: number; readonly words: number; readonly progress: Progress },
): Promise<void> {
  const { work, at } = lease;
  const staged = await stageAll(work.store, at.partition, objects);
  await work.store.write(at.partition, async (tx) => {
    const run = await translationRuns.get(tx, record.translation);
    if (!isHeld(lease, run)) throw new Over();
    await nameAll(tx, staged);
    await translatedSheets.put(tx, record);
    reportRun(work, tx, record.translation, more.progress);
    await translationRuns.put(tx, {
      ...run,
      pages: run.pages + more.pages,
      words: run.words + more.words,
      failures: 0,
      runner: renewed(lease, CLAIM_MS),
    });
  });
}
