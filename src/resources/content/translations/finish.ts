// Ends a run: makes the source's content with translated words. Edits that people made in the result are kept, unless
// the translation of the same part changed as well; then the translation wins.

import { mergeRevisions } from "../../../content/merge";
import { createMemorySource } from "../../../content/prolly-tree";
import { createDraft, type Draft } from "../../../content/revision/draft";
import { keys, type PageEntry, type ReusableEntry } from "../../../content/revision/entries";
import { parseStatedFields } from "../../../content/revision/fields";
import { replaceLinkTargets } from "../../../content/revision/link-targets";
import { resolveStoredLink } from "../../../content/revision/links";
import { indexPendingTexts } from "../../../content/revision/texts";
import type { RevisionView } from "../../../content/revision/view";
import { restoreAnchorsInSteps } from "../../../content/translation/restore-anchors";
import { hasLease } from "../../../jobs/leased-queue";
import { endProgress } from "../../../jobs/progress";
import { createWriteContext } from "../../../jobs/write-context";
import { OutdatedError } from "../../../operation/outdated-error";
import { formatOrganizationId, generateId } from "../../../storage/ids";
import { addStagedObjects, stageObjects } from "../../../storage/objects";
import type { Transaction } from "../../../storage/transaction";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { findChangeableSpace, type SpaceRecord } from "../../library/tree/records";
import { activateRevision } from "../revisions/activate-revision";
import {
  createNextRevision,
  createNodeSource,
  openRevision,
  type RevisionRecord,
  revisions,
} from "../revisions/records";
import { type TranslationRecord, translatedSheets, translationRuns, translations } from "./records";
import { ended, howOf, Over, type Run } from "./run";
import { look, type Moment, sheetsIn, type Thing, thingsIn, waitingAmong } from "./translate-pages";

/** The state that a run ends with, and the stored results of all pages and reusable contents. */
type Whole = Moment & { readonly sheets: Awaited<ReturnType<typeof sheetsIn>> };

/**
 * Saves the result, and ends the run. False: the source has changed, and there is more to translate. Throws `OutdatedError`
 * when the result has changed meanwhile.
 */
export async function finish(run: Run): Promise<boolean> {
  const { jobContext, place: at } = run;
  const seen = await look(run);
  const moment: Whole = { ...seen, sheets: await sheetsIn(seen) };
  const things: Thing[] = [];
  for await (const some of thingsIn(moment)) for (const thing of some) things.push(thing);
  if ((await waitingAmong(moment, things, moment.sheets)).length > 0) return false;
  await forgetGone(run, moment, things);
  const made = await translationOf(run, moment, things);
  const current = await revisions.get(moment.view, moment.result.id, moment.result.revision);
  if (!current) throw new Over();
  const merged = await withChangesOfPeople(run, moment, current, made);
  const staged = await stageObjects(
    jobContext.store,
    at.partition,
    new Map([...made.objects, ...merged.objects]),
    yieldToEventLoop,
  );
  await jobContext.store.write(at.partition, async (tx) => {
    const [translation, result] = await stillThere(run, tx, moment);
    await addStagedObjects(tx, staged);
    const revision = await saveRevision(run, tx, translation, result, merged.root);
    await settle(run, tx, moment, translation, revision, made.root);
  });
  return true;
}

/** The source with translated words. */
async function translationOf({ jobContext }: Run, { objects, revision, sheets }: Whole, things: readonly Thing[]) {
  const draft = createDraft(createNodeSource(objects), revision.root, runSteps);
  const source = openRevision(objects, revision);
  const texts = new Map<
    string,
    { readonly index: number; readonly text: string; readonly kind: "page" | "reusable" }
  >();
  for (const { id, isPage, entry } of things) {
    const to = sheets.get(id)?.to;
    if (!to) continue;
    const translated = to.body === undefined || to.body === entry.body ? undefined : await objects.text(to.body);
    const hrefs = await otherAnchors(source, id);
    const text =
      translated === undefined && hrefs.size === 0
        ? undefined
        : await runSteps(withSameAnchors(await objects.text(entry.body!), translated, hrefs));
    if (isPage) putPage(draft, id, entry as PageEntry, to, text);
    else draft.put(keys.reusable(id), { ...(entry as ReusableEntry), title: to.title });
    if (text !== undefined) texts.set(id, { index: 0, text, kind: isPage ? "page" : "reusable" });
  }
  const tools = {
    now: jobContext.store.now().toISOString(),
    readText: objects.text,
    newId: () => "",
    findRevision: async () => undefined,
    runSteps,
  };
  await indexPendingTexts({
    draft,
    tools,
    index: 0,
    refs: new Map(),
    pendingTexts: texts,
    outcomes: [],
    insertedFiles: [],
  });
  return draft.finish();
}

/** The links of a text that name a heading by another anchor than it has, which its translation will not give it; each with
 * the address that names it by its own. */
async function otherAnchors(view: RevisionView, source: string): Promise<Map<string, string>> {
  const hrefs = new Map<string, string>();
  for (const link of await view.getLinks(source)) {
    const { ref } = await resolveStoredLink(view, link);
    const [path = ""] = link.href.split("#", 1);
    if (link.ref.kind !== "anchor" || !link.to.startsWith("p:")) continue;
    if (ref.kind === "page") hrefs.set(link.href, path === "" ? `/pages/${ref.page}` : path);
    else if (ref.kind === "anchor" && ref.anchor !== link.ref.anchor)
      hrefs.set(link.href, `${path}#${encodeURI(ref.anchor)}`);
  }
  return hrefs;
}

/** A translation, or an untranslated text, whose headings have the anchors of the source, and whose links name those. */
function* withSameAnchors(
  source: string,
  translated: string | undefined,
  hrefs: ReadonlyMap<string, string>,
): Generator<void, string> {
  const text = translated === undefined ? source : yield* restoreAnchorsInSteps(source, translated);
  return hrefs.size === 0 ? text : replaceLinkTargets(text, (href) => hrefs.get(href));
}

/** A page with translated words. Its position, slug and times are those of the source. */
function putPage(
  draft: Draft,
  id: string,
  entry: PageEntry,
  to: { readonly title: string; readonly description?: string },
  text: string | undefined,
): void {
  const stated = text === undefined ? {} : { stated: parseStatedFields(text).names };
  const description = to.description === undefined ? {} : { description: to.description };
  // What is translated is in one language, whatever languages the book has.
  const { translations: _, ...own } = entry;
  draft.put(keys.page(id), { ...own, ...description, title: to.title, ...stated });
}

type Made = Awaited<ReturnType<typeof translationOf>>;

async function withChangesOfPeople(
  { jobContext }: Run,
  { objects, translation }: Moment,
  current: RevisionRecord,
  made: Made,
): Promise<Pick<Made, "root" | "objects">> {
  const base = translation.made?.root ?? null;
  if (current.root === base) return { root: made.root, objects: new Map() };
  const texts = new Map([...made.objects].filter((it): it is [string, string] => typeof it[1] === "string"));
  const tools = {
    now: jobContext.store.now().toISOString(),
    readText: async (hash: string) => texts.get(hash) ?? objects.text(hash),
  };
  const roots = { base, ours: made.root, theirs: current.root };
  const { draft } = await mergeRevisions(createMemorySource(texts, createNodeSource(objects)), roots, tools);
  return draft.finish();
}

/** Deletes the stored translations of pages that the source no longer has. */
async function forgetGone(run: Run, { sheets, translation }: Whole, things: readonly Thing[]): Promise<void> {
  const present = new Set(things.map(({ id }) => id));
  const gone = [...sheets.keys()].filter((id) => !present.has(id));
  for (let at = 0; at < gone.length; at += 100) {
    await run.jobContext.store.write(run.place.partition, async (tx) => {
      for (const id of gone.slice(at, at + 100)) await translatedSheets.delete(tx, translation.id, id);
    });
  }
}

/**
 * The translation and its result, if nothing that was read has changed; and the source, whose objects the new content
 * shares.
 */
async function stillThere(
  { runnerId }: Run,
  tx: Transaction,
  moment: Moment,
): Promise<readonly [TranslationRecord, SpaceRecord]> {
  const translation = await translations.get(tx, moment.translation.id);
  const run = await translationRuns.get(tx, moment.translation.id);
  if (!translation || !hasLease({ runnerId }, run)) throw new Over();
  const result = await findChangeableSpace(tx, translation.result);
  if (!result || !(await revisions.get(tx, moment.source.id, moment.revision.id))) throw new Over();
  if (result.revision !== moment.result.revision) throw new OutdatedError();
  return [translation, result];
}

/** Makes the result of a run the active revision of the target space, unless it already is. */
async function saveRevision(
  { jobContext, place: at }: Run,
  tx: Transaction,
  { createdBy }: TranslationRecord,
  result: SpaceRecord,
  root: RevisionRecord["root"],
): Promise<string> {
  const active = await revisions.get(tx, result.id, result.revision);
  if (!active) throw new OutdatedError();
  if (active.root === root) return active.id;
  const context = createWriteContext(jobContext, at, tx);
  const { now } = context;
  const id = generateId("revision", at.code, jobContext.store.random);
  const next = createNextRevision(id, active, { root, user: createdBy, now }, { type: "computed" });
  // A translation has no translations of its own, so only the search needs the new revision.
  await activateRevision(context, formatOrganizationId(at.code), result, next);
  return id;
}

/** The most pages with untranslated parts that are listed. */
const MAX_LISTED = 100;

/** Ends the run. If another was requested meanwhile, it follows at once. */
async function settle(
  { jobContext }: Run,
  tx: Transaction,
  { translation: seen, sheets, revision: source }: Whole,
  translation: TranslationRecord,
  revision: string,
  root: RevisionRecord["root"],
): Promise<void> {
  const run = (await translationRuns.get(tx, translation.id))!;
  const now = jobContext.store.now();
  const left = [...sheets.values()].filter(({ kept }) => kept > 0);
  const { error: _, ...rest } = translation;
  await translationRuns.delete(tx, translation.id);
  await endProgress(tx, "translation", translation.id, {
    status: "completed",
    at: now.getTime(),
    ...(revision === translation.revision ? {} : { revision, space: translation.result }),
  });
  await translations.put(tx, {
    ...rest,
    status: translation.asked === seen.asked ? "completed" : "pending",
    answered: seen.asked,
    revision,
    last: { from: source.root, how: await howOf(seen) },
    made: { root },
    left: {
      count: left.reduce((sum, { kept }) => sum + kept, 0),
      pages: left.slice(0, MAX_LISTED).map(({ of, kept }) => ({ page: of, count: kept })),
    },
    stats: ended(translation.stats, run, now),
    updatedAt: now.toISOString(),
  });
}
