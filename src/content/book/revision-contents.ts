// The parts of a revision that are files of a book, their paths, and the ids that Git is known to have for them.

import { type RunSteps, runStepsAtOnce, yieldOnce } from "../../utils/concurrency/steps";
import {
  type FileEntry,
  keys,
  type LanguagesEntry,
  type PageEntry,
  type PathEntry,
  type ReusableEntry,
} from "../revision/entries";
import { iterateByLists, type RawEntry, type RevisionView, type WithId } from "../revision/view";
import { listCandidatePathsByLanguage } from "./language-paths";
import { splitHref } from "./paths";
import type { KnownFiles } from "./read-book";

/** Everything of a revision that is a file of a book. */
export interface RevisionContents {
  readonly pages: readonly WithId<PageEntry>[];
  readonly files: readonly WithId<FileEntry>[];
  readonly reusables: readonly WithId<ReusableEntry>[];
  readonly pathEntries: ReadonlyMap<string, PathEntry>;
  /** Returns the Git id of a part if its content is the one with this hash, as far as it is known. */
  findOid(id: string, hash: string | undefined): string | undefined;
}

/** Loads everything of a revision but its texts and the bytes of its files. */
export async function loadRevisionContents(view: RevisionView, runSteps: RunSteps): Promise<RevisionContents> {
  const pages = await loadEntries<PageEntry>(view, keys.pages, runSteps);
  const files = await loadEntries<FileEntry>(view, keys.files, runSteps);
  const reusables = await loadEntries<ReusableEntry>(view, keys.reusables, runSteps);
  const pathEntries = new Map<string, PathEntry>();
  const entriesById = new Map<string, PathEntry>();
  for await (const rows of iterateEntryBatches(view, keys.filePaths, runSteps))
    for (const { key, value } of rows) {
      const entry = value as PathEntry;
      pathEntries.set(key, entry);
      entriesById.set((entry.page ?? entry.file ?? entry.reusable)!, entry);
    }
  const findOid = (id: string, hash: string | undefined) => {
    const entry = entriesById.get(id);
    return hash !== undefined && entry?.hash === hash ? entry.oid : undefined;
  };
  return { pages, files, reusables, pathEntries, findOid };
}

async function loadEntries<Entry>(view: RevisionView, prefix: string, runSteps: RunSteps): Promise<WithId<Entry>[]> {
  const entries: WithId<Entry>[] = [];
  for await (const rows of iterateEntryBatches(view, prefix, runSteps))
    for (const { key, value } of rows) entries.push({ ...(value as Entry), id: key.slice(prefix.length) });
  return entries;
}

/** Yields the rows under a prefix in their order, batch by batch, and yields to the event loop in between. */
export async function* iterateEntryBatches(
  view: RevisionView,
  prefix: string,
  runSteps: RunSteps,
): AsyncGenerator<readonly RawEntry[], void> {
  for await (const { entries } of iterateByLists(view, prefix)) {
    yield entries;
    await runSteps(yieldOnce());
  }
}

/** Loads the Git ids of everything that a revision has of the book it came from, for `readBook`. */
export async function loadKnownFiles(view: RevisionView, runSteps: RunSteps = runStepsAtOnce): Promise<KnownFiles> {
  const { pages, files, reusables, findOid } = await loadRevisionContents(view, runSteps);
  const texts = [...pages, ...reusables];
  const textOids = new Map<string, string>();
  for (const { id, git, body } of texts) {
    const oid = findOid(id, body);
    if (git && oid !== undefined) textOids.set(git.path, oid);
  }
  const fileOids = new Map<string, string>();
  for (const { id, git, object } of files) {
    const oid = findOid(id, object);
    if (git && oid !== undefined) fileOids.set(git.path, oid);
  }
  const isMdBook = (await view.get(keys.mdBook)) !== undefined;

  const missingPaths = new Set<string>();
  const brokenSources = await listBrokenLinkSources(view);
  const languages = (await view.get(keys.languages)) as LanguagesEntry | undefined;
  for (const { id, git } of texts) {
    if (!git || !brokenSources.has(id)) continue;
    for (const { to, href } of await view.getLinks(id)) {
      if (!to.startsWith("n:")) continue;
      for (const path of listCandidatePathsByLanguage(languages, git.path, splitHref(href).path))
        missingPaths.add(path);
    }
  }
  return { textOids, fileOids, missingPaths, isMdBook };
}

/** Returns the ids of the pages and reusable contents that have links which lead nowhere. */
export async function listBrokenLinkSources(view: RevisionView): Promise<Set<string>> {
  const rows = await view.list({ under: `${keys.allIncomingLinks}n:` });
  return new Set(rows.map(({ key }) => key.split("/")[2]!));
}
