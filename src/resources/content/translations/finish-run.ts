// Finishes a run: composes the content of the source with the translated words. Edits that people made in the result are
// kept, unless the translation of the same part changed as well; then the translation wins.

import { mergeRevisions } from "../../../content/merge";
import { createMemorySource } from "../../../content/prolly-tree";
import { createDraft, type FinishedDraft } from "../../../content/revision/draft";
import { keys, type PageEntry, type ReusableEntry } from "../../../content/revision/entries";
import { parseStatedFields } from "../../../content/revision/fields";
import { replaceLinkTargets } from "../../../content/revision/link-targets";
import { resolveStoredLink } from "../../../content/revision/links";
import { indexPendingTexts } from "../../../content/revision/texts";
import { restoreAnchorsInSteps } from "../../../content/translation/restore-anchors";
import { hasLease } from "../../../jobs/leased-queue";
import { endProgress } from "../../../jobs/progress";
import { createWriteContext } from "../../../jobs/write-context";
import { OutdatedError } from "../../../operation/outdated-error";
import { iterateRows } from "../../../operation/pagination";
import { formatOrganizationId, generateId } from "../../../storage/ids";
import { addStagedObjects, stageObjects } from "../../../storage/objects";
import type { Transaction } from "../../../storage/transaction";
import { splitIntoChunks } from "../../../utils/chunks";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { findChangeableSpace } from "../../library/tree/records";
import { activateRevision } from "../revisions/activate-revision";
import {
  createNextRevision,
  createNodeSource,
  openRevision,
  type RevisionRecord,
  revisions,
} from "../revisions/records";
import {
  type TranslatedSheet,
  type TranslationRecord,
  translatedSheets,
  translationRuns,
  translations,
} from "./records";
import { addRunStats, hashSettings, RunEndedError, type TranslationWorkerRun } from "./run";
import { isUpToDatePart, iterateSourceParts, type RunState, readRunState, type SourcePart } from "./translate-pages";

/** The most pages with untranslated parts that are listed. */
const MAX_LISTED_PAGES = 100;
const SHEETS_PER_DELETE = 100;

/** The state that a run ends with, and the translations of all pages and reusable contents. */
type CompleteRunState = RunState & { readonly sheets: ReadonlyMap<string, TranslatedSheet> };

/**
 * Saves the result, and ends the run. Returns false if the source has changed and there is more to translate. Throws
 * `OutdatedError` if the result has changed meanwhile.
 */
export async function finishRun(run: TranslationWorkerRun): Promise<boolean> {
  const { jobContext, place } = run;
  const { store } = jobContext;
  const runState = await readRunState(run);
  const sheets = new Map<string, TranslatedSheet>();
  for await (const { record } of iterateRows((slice) =>
    translatedSheets.list(runState.view, "ofTranslation", { under: [runState.translation.id], ...slice }),
  )) {
    sheets.set(record.of, record);
    await yieldToEventLoop();
  }
  const state: CompleteRunState = { ...runState, sheets };
  const parts: SourcePart[] = [];
  for await (const some of iterateSourceParts(state)) for (const part of some) parts.push(part);
  const settingsHash = await hashSettings(state.view, state.translation);
  if (parts.some((part) => !isUpToDatePart(state.translation, settingsHash, part, state.sheets.get(part.id))))
    return false;

  // The translations of pages that the source no longer has are deleted.
  const partIds = new Set(parts.map(({ id }) => id));
  const removedIds = [...state.sheets.keys()].filter((id) => !partIds.has(id));
  for (const ids of splitIntoChunks(removedIds, SHEETS_PER_DELETE))
    await store.write(place.partition, async (tx) => {
      for (const id of ids) await translatedSheets.delete(tx, state.translation.id, id);
    });

  const composed = await composeTranslation(run, state, parts);
  const current = await revisions.get(state.view, state.result.id, state.result.revision);
  if (!current) throw new RunEndedError();

  // Merge the edits that people made in the result into the new translation.
  const base = state.translation.made?.root ?? null;
  let merged: Pick<FinishedDraft, "root" | "objects"> = { root: composed.root, objects: new Map() };
  if (current.root !== base) {
    const texts = new Map(
      [...composed.objects].filter((object): object is [string, string] => typeof object[1] === "string"),
    );
    const tools = {
      now: store.now().toISOString(),
      readText: async (hash: string) => texts.get(hash) ?? state.objects.text(hash),
    };
    const roots = { base, ours: composed.root, theirs: current.root };
    const source = createMemorySource(texts, createNodeSource(state.objects));
    merged = await (await mergeRevisions(source, roots, tools)).draft.finish();
  }
  const objects = new Map([...composed.objects, ...merged.objects]);
  const staged = await stageObjects(store, place.partition, objects, yieldToEventLoop);
  await store.write(place.partition, async (tx) => {
    // Nothing that was read may have changed, and the source, whose objects the new content shares, is still there.
    const translation = await translations.get(tx, state.translation.id);
    const stored = await translationRuns.get(tx, state.translation.id);
    if (!translation || !hasLease(run, stored)) throw new RunEndedError();
    const result = await findChangeableSpace(tx, translation.result);
    if (!result || !(await revisions.get(tx, state.source.id, state.revision.id))) throw new RunEndedError();
    if (result.revision !== state.result.revision) throw new OutdatedError();

    await addStagedObjects(tx, staged);
    // The result becomes the active revision of its space, unless it already is.
    const active = await revisions.get(tx, result.id, result.revision);
    if (!active) throw new OutdatedError();
    let revision = active.id;
    if (active.root !== merged.root) {
      const context = createWriteContext(jobContext, place, tx);
      const origin = { root: merged.root, user: translation.createdBy, now: context.now };
      revision = generateId("revision", place.code, jobContext.store.random);
      // A translation has no translations of its own, so only the search needs the new revision.
      const next = createNextRevision(revision, active, origin, { type: "computed" });
      await activateRevision(context, formatOrganizationId(place.code), result, next);
    }
    await endRun(run, tx, state, translation, revision, composed.root);
  });
  return true;
}

async function composeTranslation(
  { jobContext }: TranslationWorkerRun,
  { objects, revision, sheets }: CompleteRunState,
  parts: readonly SourcePart[],
) {
  const draft = createDraft(createNodeSource(objects), revision.root, runSteps);
  const source = openRevision(objects, revision);
  const texts = new Map<
    string,
    { readonly index: number; readonly text: string; readonly kind: "page" | "reusable" }
  >();
  for (const { id, isPage, entry } of parts) {
    const to = sheets.get(id)?.to;
    if (!to) continue;
    const translated = to.body === undefined || to.body === entry.body ? undefined : await objects.text(to.body);
    // A link may name a heading by another anchor than its own. The translation of the heading gets its own anchor only, so such
    // a link gets the URL that uses that.
    const hrefs = new Map<string, string>();
    for (const link of await source.getLinks(id)) {
      const { ref } = await resolveStoredLink(source, link);
      const [path = ""] = link.href.split("#", 1);
      if (link.ref.kind !== "anchor" || !link.to.startsWith("p:")) continue;
      if (ref.kind === "page") hrefs.set(link.href, path === "" ? `/pages/${ref.page}` : path);
      else if (ref.kind === "anchor" && ref.anchor !== link.ref.anchor)
        hrefs.set(link.href, `${path}#${encodeURI(ref.anchor)}`);
    }
    let text: string | undefined;
    if (translated !== undefined || hrefs.size > 0) {
      // The headings of a translation get the anchors of the source, and the links that use others are replaced.
      const sourceText = await objects.text(entry.body!);
      const restored =
        translated === undefined ? sourceText : await runSteps(restoreAnchorsInSteps(sourceText, translated));
      text = hrefs.size === 0 ? restored : replaceLinkTargets(restored, (href) => hrefs.get(href));
    }
    if (isPage) {
      // The position, slug and times are those of the source. A translation is in one language, whatever languages the
      // book has.
      const { translations: _, ...page } = entry as PageEntry;
      const stated = text === undefined ? undefined : parseStatedFields(text).names;
      const words = { ...omitUndefined({ description: to.description }), title: to.title };
      draft.put(keys.page(id), { ...page, ...words, ...omitUndefined({ stated }) });
    } else draft.put(keys.reusable(id), { ...(entry as ReusableEntry), title: to.title });
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

/** Ends the run. If another one was requested meanwhile, it follows at once. */
async function endRun(
  { jobContext }: TranslationWorkerRun,
  tx: Transaction,
  { view, translation: before, sheets, revision: source }: CompleteRunState,
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
    ...omitUndefined({
      revision: revision === translation.revision ? undefined : revision,
      space: revision === translation.revision ? undefined : translation.result,
    }),
  });
  await translations.put(tx, {
    ...rest,
    status: translation.asked === before.asked ? "completed" : "pending",
    answered: before.asked,
    revision,
    last: { from: source.root, how: await hashSettings(view, before) },
    made: { root },
    left: {
      count: left.reduce((sum, { kept }) => sum + kept, 0),
      pages: left.slice(0, MAX_LISTED_PAGES).map(({ of, kept }) => ({ page: of, count: kept })),
    },
    stats: addRunStats(translation.stats, run, now),
    updatedAt: now.toISOString(),
  });
}
