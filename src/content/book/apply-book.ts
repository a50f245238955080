// Applies a book to a revision, so that the revision equals the book. Pages keep their ids if their file is where it was, or
// was renamed. What is the same is not touched, so the cost follows what changed.

import { runStepsAtOnce, yieldToOthers } from "../../utils/concurrency/steps";
import { isDeepEqual } from "../page-source/yaml";
import type { Draft } from "../revision/draft";
import { keys, linkTargets } from "../revision/entries";
import { resolveLinksAgain } from "../revision/texts";
import { type ApplyContext, type BookTools, type ChangeCounts, writePendingTexts } from "./apply-context";
import { applyFiles, applyReusables } from "./apply-files";
import { applyPages } from "./apply-pages";
import { applyRedirects } from "./apply-redirects";
import type { Book, SkippedItem } from "./book";
import { findLanguagePath } from "./language-paths";
import { listBrokenLinkSources, loadRevisionContents } from "./revision-contents";
import { isValidVariable } from "./yaml-values";

export interface ApplyBookResult {
  readonly pages: ChangeCounts;
  readonly files: ChangeCounts;
  readonly reusableContents: ChangeCounts;
  /** Parts of the book that could not be taken, in addition to those that the book itself lists. */
  readonly skipped: readonly SkippedItem[];
  /** The Git ids of all texts and files that the revision has of the book. */
  readonly oids: ReadonlySet<string>;
}

/** With more removed things than this, all links are searched for links to them. */
const MAX_SEARCHED_TARGETS = 20;

/** Changes a draft so that it equals a book. */
export async function applyBook(draft: Draft, book: Book, tools: BookTools): Promise<ApplyBookResult> {
  const before = await loadRevisionContents(draft, tools.runSteps ?? runStepsAtOnce);
  const wasMdBook = (await draft.get(keys.mdBook)) !== undefined;
  // The settings that hold for all texts of the book.
  const settings = { [keys.mdBook]: book.mdBook, [keys.languages]: book.languages };
  for (const [key, value] of Object.entries(settings)) {
    if (isDeepEqual(await draft.get(key), value)) continue;
    if (value === undefined) draft.delete(key);
    else draft.put(key, value);
  }
  const context: ApplyContext = {
    draft,
    book,
    tools,
    before,
    pathEntries: new Map(),
    pendingTexts: new Map(),
    removedIds: new Set(),
    shouldReindex: wasMdBook !== (book.mdBook !== undefined),
    skipped: [],
  };
  const files = await applyFiles(context);
  const reusableContents = await applyReusables(context);
  const pages = await applyPages(context);

  // Update what the revision says of paths. Entries that stay the same are not written.
  const formerKeys = new Set(before.pathEntries.keys());
  for (const [path, entry] of context.pathEntries) {
    const key = keys.filePath(path);
    formerKeys.delete(key);
    const existing = before.pathEntries.get(key);
    const isSame =
      existing !== undefined &&
      (["page", "file", "reusable", "oid", "hash"] as const).every((name) => existing[name] === entry[name]);
    if (!isSame) draft.put(key, entry);
    await draft.flushIfFull();
    await yieldToOthers(tools);
  }
  for (const key of formerKeys) draft.delete(key);

  const variables = await draft.getVariables();
  for (const name of Object.keys(variables))
    if (!Object.hasOwn(book.variables, name)) draft.delete(keys.variable(name));
  for (const [name, value] of Object.entries(book.variables))
    if (isValidVariable(name, value) && (!Object.hasOwn(variables, name) || variables[name] !== value))
      draft.put(keys.variable(name), { name, value });

  await writePendingTexts(context);
  await applyRedirects(context);
  await updateAffectedLinks(context);

  // Remove files that nothing names any more. If a text was not read, its files are those that it named before; another text may
  // have been the last one to name them.
  if (book.unreadOids) {
    const usedFileIds = new Set<string>();
    for (const { cover, target } of await draft.listPages())
      for (const ref of [cover?.ref, cover?.refDark, target]) if (ref?.kind === "file") usedFileIds.add(ref.file);
    for (const [path, { file }] of context.pathEntries) {
      if (file === undefined || /(?:^|\/)\.gitbook\/assets\//.test(path) || usedFileIds.has(file)) continue;
      if (!before.pathEntries.has(keys.filePath(path))) continue;
      if ((await draft.get(keys.linkCount(linkTargets.file(file)))) !== undefined) continue;
      if ((await draft.getFile(file))?.isNested) continue;
      draft.delete(keys.file(file));
      draft.delete(keys.anchors(file));
      draft.delete(keys.filePath(path));
      context.pathEntries.delete(path);
      files.deleted++;
    }
  }

  const oids = new Set<string>();
  for (const { oid } of context.pathEntries.values()) if (oid !== undefined) oids.add(oid);
  return { pages, files, reusableContents, skipped: context.skipped, oids };
}

/** Resolves links to removed things again, and links that led nowhere if there are new files that they may mean. */
async function updateAffectedLinks({
  draft,
  book,
  tools,
  before,
  pathEntries,
  removedIds,
}: ApplyContext): Promise<void> {
  const newPaths = [...pathEntries.keys()].filter((path) => !before.pathEntries.has(keys.filePath(path)));
  const lostIds = new Set(removedIds);
  // A link that led to a page of the first language may mean its translation, which is new.
  const { languages } = book;
  if (languages)
    for (const path of newPaths) {
      const place = findLanguagePath(languages, path);
      const page = place && place.folder !== languages.root ? pathEntries.get(place.inside)?.page : undefined;
      if (page !== undefined) lostIds.add(page);
    }

  const lostTargets = new Set<string>();
  const sources = new Set<string>();
  const targetPrefixes =
    lostIds.size > MAX_SEARCHED_TARGETS
      ? [""]
      : [...lostIds].flatMap((id) => [linkTargets.page(id), linkTargets.file(id), linkTargets.reusable(id)]);
  for (const targetPrefix of targetPrefixes) {
    for (const { key } of await draft.list({ under: `${keys.allIncomingLinks}${targetPrefix}` })) {
      const [, target = "", source = ""] = key.split("/");
      if (!lostIds.has(target.split(":")[1] ?? "")) continue;
      lostTargets.add(target);
      sources.add(source);
    }
  }
  if (newPaths.length > 0) for (const source of await listBrokenLinkSources(draft)) sources.add(source);

  const isAffected = ({ to }: { readonly to: string }) => lostTargets.has(to) || to.startsWith("n:");
  for (const source of sources) await resolveLinksAgain(draft, source, isAffected, tools.runSteps);
}
