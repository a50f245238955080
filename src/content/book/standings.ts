// What stands at which path of files in a revision, and which of its texts and files Git is known to have under which name.

import { type RunSteps, runStepsAtOnce, yieldOnce } from "../markdown/steps";
import {
  type FileEntry,
  keys,
  type LanguagesEntry,
  type PageEntry,
  type ReusableEntry,
  type Standing,
} from "../revision/entries";
import { type Identified, inLists, type Row, type View } from "../revision/view";
import { filesMeantIn } from "./language-paths";
import { splitHref } from "./paths";
import type { Known } from "./read";

/** Everything of a revision that has a place among files. */
export interface Holdings {
  readonly pages: readonly Identified<PageEntry>[];
  readonly files: readonly Identified<FileEntry>[];
  readonly reusables: readonly Identified<ReusableEntry>[];
  /** By key of the revision. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** The name that Git has for something as it is stored now, if that is known. */
  oidOf(id: string, hash: string | undefined): string | undefined;
}

/** Reads everything of a revision but its texts and the bytes of its files. */
export async function holdingsOf(view: View, inTurns: RunSteps): Promise<Holdings> {
  const [pages, files, reusables] = [
    await listed<PageEntry>(view, keys.pages, inTurns),
    await listed<FileEntry>(view, keys.files, inTurns),
    await listed<ReusableEntry>(view, keys.reusables, inTurns),
  ];
  const standings = new Map<string, Standing>();
  const named = new Map<string, Standing>();
  for await (const rows of rowsUnder(view, keys.filePaths, inTurns))
    for (const { key, value } of rows) {
      const standing = value as Standing;
      standings.set(key, standing);
      named.set((standing.page ?? standing.file ?? standing.reusable)!, standing);
    }
  const oidOf = (id: string, hash: string | undefined) => {
    const standing = named.get(id);
    return hash !== undefined && standing?.hash === hash ? standing.oid : undefined;
  };
  return { pages, files, reusables, standings, oidOf };
}

async function listed<Entry>(view: View, under: string, inTurns: RunSteps): Promise<Identified<Entry>[]> {
  const entries: Identified<Entry>[] = [];
  for await (const rows of rowsUnder(view, under, inTurns))
    for (const { key, value } of rows) entries.push({ ...(value as Entry), id: key.slice(under.length) });
  return entries;
}

/** The rows of a range in their order, part by part, with turns for others. */
export async function* rowsUnder(view: View, under: string, inTurns: RunSteps): AsyncGenerator<readonly Row[], void> {
  for await (const { entries } of inLists(view, under)) {
    yield entries;
    await inTurns(yieldOnce());
  }
}

/** What a revision has already of the book that it came from, for `readBook`. */
export async function knownIn(view: View, inTurns: RunSteps = runStepsAtOnce): Promise<Known> {
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
  view: View,
  sources: readonly Identified<Pick<PageEntry, "git">>[],
): Promise<ReadonlySet<string>> {
  const broken = await sourcesOfMissing(view);
  const missing = new Set<string>();
  const languages = (await view.get(keys.languages)) as LanguagesEntry | undefined;
  for (const { id, git } of sources) {
    if (!git || !broken.has(id)) continue;
    for (const { to, href } of await view.linksOf(id))
      if (to.startsWith("n:"))
        for (const path of filesMeantIn(languages, git.path, splitHref(href).path)) missing.add(path);
  }
  return missing;
}

/** The pages and reusable contents that have links which lead nowhere. */
export async function sourcesOfMissing(view: View): Promise<Set<string>> {
  const rows = await view.list({ under: `${keys.incomingAll}n:` });
  return new Set(rows.map(({ key }) => key.split("/")[2]!));
}
