// What stands at which path of files in a revision, and which of its texts and files Git is known to have under which name.

import { type RunSteps, runStepsAtOnce, yieldOnce } from "../markdown/steps";
import {
  type FileEntry,
  keys,
  type LanguagesEntry,
  type PageEntry,
  type PathEntry,
  type ReusableEntry,
} from "../revision/entries";
import { iterateByLists, type RawEntry, type RevisionView, type WithId } from "../revision/view";
import { filesMeantIn } from "./language-paths";
import { splitHref } from "./paths";
import type { Known } from "./read";

/** Everything of a revision that has a place among files. */
export interface Holdings {
  readonly pages: readonly WithId<PageEntry>[];
  readonly files: readonly WithId<FileEntry>[];
  readonly reusables: readonly WithId<ReusableEntry>[];
  /** By key of the revision. */
  readonly standings: ReadonlyMap<string, PathEntry>;
  /** The name that Git has for something as it is stored now, if that is known. */
  oidOf(id: string, hash: string | undefined): string | undefined;
}

/** Reads everything of a revision but its texts and the bytes of its files. */
export async function holdingsOf(view: RevisionView, inTurns: RunSteps): Promise<Holdings> {
  const [pages, files, reusables] = [
    await listed<PageEntry>(view, keys.pages, inTurns),
    await listed<FileEntry>(view, keys.files, inTurns),
    await listed<ReusableEntry>(view, keys.reusables, inTurns),
  ];
  const standings = new Map<string, PathEntry>();
  const named = new Map<string, PathEntry>();
  for await (const rows of rowsUnder(view, keys.filePaths, inTurns))
    for (const { key, value } of rows) {
      const standing = value as PathEntry;
      standings.set(key, standing);
      named.set((standing.page ?? standing.file ?? standing.reusable)!, standing);
    }
  const oidOf = (id: string, hash: string | undefined) => {
    const standing = named.get(id);
    return hash !== undefined && standing?.hash === hash ? standing.oid : undefined;
  };
  return { pages, files, reusables, standings, oidOf };
}

async function listed<Entry>(view: RevisionView, under: string, inTurns: RunSteps): Promise<WithId<Entry>[]> {
  const entries: WithId<Entry>[] = [];
  for await (const rows of rowsUnder(view, under, inTurns))
    for (const { key, value } of rows) entries.push({ ...(value as Entry), id: key.slice(under.length) });
  return entries;
}

/** The rows of a range in their order, part by part, with turns for others. */
export async function* rowsUnder(
  view: RevisionView,
  under: string,
  inTurns: RunSteps,
): AsyncGenerator<readonly RawEntry[], void> {
  for await (const { entries } of iterateByLists(view, under)) {
    yield entries;
    await inTurns(yieldOnce());
  }
}

/** What a revision has already of the book that it came from, for `readBook`. */
export async function knownIn(view: RevisionView, inTurns: RunSteps = runStepsAtOnce): Promise<Known> {
  const { pages, files, reusables, oidOf } = await holdingsOf(view, inTurns);
  const texts = new Map<string, string>();
  const known = new Map<string, string>();
  for (const { id, git, body } of [...pages, ...reusables]) {
    const oid = oidOf(id, body);
    if (git && oid !== undefined) texts.set(git.path, oid);
  }
  for (const { id, git, object } of files) {
    const oid = oidOf(id, object);
    if (git && oid !== undefined) known.set(git.path, oid);
  }
  const isMdBook = (await view.get(keys.mdBook)) !== undefined;
  return { texts, files: known, missing: await missingIn(view, [...pages, ...reusables]), isMdBook };
}

/** The paths of files that links name where nothing stands. */
async function missingIn(
  view: RevisionView,
  sources: readonly WithId<Pick<PageEntry, "git">>[],
): Promise<ReadonlySet<string>> {
  const broken = await sourcesOfMissing(view);
  const missing = new Set<string>();
  const languages = (await view.get(keys.languages)) as LanguagesEntry | undefined;
  for (const { id, git } of sources) {
    if (!git || !broken.has(id)) continue;
    for (const { to, href } of await view.getLinks(id))
      if (to.startsWith("n:"))
        for (const path of filesMeantIn(languages, git.path, splitHref(href).path)) missing.add(path);
  }
  return missing;
}

/** The pages and reusable contents that have links which lead nowhere. */
export async function sourcesOfMissing(view: RevisionView): Promise<Set<string>> {
  const rows = await view.list({ under: `${keys.allIncomingLinks}n:` });
  return new Set(rows.map(({ key }) => key.split("/")[2]!));
}
