// Lays a book onto a revision, so that the revision is what the book says. Pages keep their ids if their file is where
// it was, or was renamed. What is the same is not touched, so the cost follows what changed.

import { runStepsAtOnce } from "../markdown/steps";
import { isDeepEqual } from "../page-source/yaml";
import type { Draft } from "../revision/draft";
import { keys, linkTargets } from "../revision/entries";
import { resolveLinksAgain } from "../revision/texts";
import type { Book, Skipped } from "./book";
import { firstPathOf } from "./language-paths";
import { layFiles, layReusables } from "./lay-files";
import { layPages } from "./lay-pages";
import { layRedirects } from "./lay-redirects";
import { type BookTools, type Counts, type Laying, putStandings, writeWaiting } from "./laying";
import { isVariable } from "./read";
import { holdingsOf, sourcesOfMissing } from "./standings";

export type { BookTools, Counts } from "./laying";

/** What laying a book did. */
export interface Laid {
  readonly pages: Counts;
  readonly files: Counts;
  readonly reusableContents: Counts;
  /** What of the book could not be taken, beyond what the book itself says. */
  readonly skipped: readonly Skipped[];
  /** The names that Git has for all texts and files that the revision has of the book. */
  readonly oids: ReadonlySet<string>;
}

/** Makes a draft what a book says. */
export async function layBook(draft: Draft, book: Book, tools: BookTools): Promise<Laid> {
  const before = await holdingsOf(draft, tools.runSteps ?? runStepsAtOnce);
  const isOther = await laySetting(draft, keys.mdBook, book.mdBook);
  await laySetting(draft, keys.languages, book.languages);
  const laying: Laying = {
    draft,
    book,
    tools,
    before,
    standing: new Map(),
    waiting: new Map(),
    gone: new Set(),
    isReadAgain: isOther,
    skipped: [],
  };
  const files = await layFiles(laying);
  const reusableContents = await layReusables(laying);
  const pages = await layPages(laying);
  await putStandings(laying);
  await layVariables(laying);
  await writeWaiting(laying);
  await layRedirects(laying);
  await followLinks(laying);
  files.deleted += await dropUnnamed(laying);
  const oids = new Set<string>();
  for (const { oid } of laying.standing.values()) if (oid !== undefined) oids.add(oid);
  return { pages, files, reusableContents, skipped: laying.skipped, oids };
}

/** Puts what holds for all texts of a book; true when it did not before, or does no more, so that they are indexed again. */
async function laySetting(draft: Draft, key: string, value: object | undefined): Promise<boolean> {
  const before = await draft.get(key);
  if (isDeepEqual(before, value)) return false;
  if (value === undefined) draft.delete(key);
  else draft.put(key, value);
  return (before === undefined) !== (value === undefined);
}

async function layVariables({ draft, book }: Laying): Promise<void> {
  const before = await draft.getVariables();
  for (const name of Object.keys(before)) if (!Object.hasOwn(book.variables, name)) draft.delete(keys.variable(name));
  for (const [name, value] of Object.entries(book.variables))
    if (isVariable(name, value) && (!Object.hasOwn(before, name) || before[name] !== value))
      draft.put(keys.variable(name), { name, value });
}

/** Links to removed things are resolved again. So are links that led nowhere, because there may be something now. */
async function followLinks({ draft, book, tools, before, standing, gone }: Laying): Promise<void> {
  const come = [...standing.keys()].filter((path) => !before.standings.has(keys.filePath(path)));
  const { lost, sources } = await linksTo(draft, new Set([...gone, ...firstOf(book, come, standing)]));
  if (come.length > 0) for (const source of await sourcesOfMissing(draft)) sources.add(source);
  const isMeant = ({ to }: { readonly to: string }) => lost.has(to) || to.startsWith("n:");
  for (const source of sources) await resolveLinksAgain(draft, source, isMeant, tools.runSteps);
}

/** Pages of the first language that say the same as others: links that led to them may mean those. */
function firstOf({ languages }: Book, paths: readonly string[], standing: Laying["standing"]): string[] {
  if (!languages) return [];
  return paths.flatMap((path) => standing.get(firstPathOf(languages, path) ?? "")?.page ?? []);
}

/** With more things than this, all links are searched for links to them. */
const FEW = 20;

/** The targets of links that lead to some things, and where such links stand. */
async function linksTo(
  draft: Draft,
  ids: ReadonlySet<string>,
): Promise<{ readonly lost: Set<string>; readonly sources: Set<string> }> {
  const [lost, sources] = [new Set<string>(), new Set<string>()];
  const kinds = [linkTargets.page, linkTargets.file, linkTargets.reusable];
  const parts = ids.size > FEW ? [""] : [...ids].flatMap((id) => kinds.map((kind) => kind(id)));
  for (const part of parts) {
    for (const { key } of await draft.list({ under: `${keys.allIncomingLinks}${part}` })) {
      const [, target = "", source = ""] = key.split("/");
      if (!ids.has(target.split(":")[1] ?? "")) continue;
      lost.add(target);
      sources.add(source);
    }
  }
  return { lost, sources };
}

/** A text that was not read may have been the last to name a file. Then the file no longer belongs to the book. */
async function dropUnnamed({ draft, book, standing, before }: Laying): Promise<number> {
  if (!book.unread) return 0;
  const pages = await draft.listPages();
  const shown = new Set(pages.flatMap(({ cover, target }) => [cover?.ref, cover?.refDark, target].map(fileIn)));
  let dropped = 0;
  for (const [path, { file }] of standing) {
    if (file === undefined || /(?:^|\/)\.gitbook\/assets\//.test(path) || shown.has(file)) continue;
    if (!before.standings.has(keys.filePath(path))) continue;
    if ((await draft.get(keys.linkCount(linkTargets.file(file)))) !== undefined) continue;
    if ((await draft.getFile(file))?.isNested) continue;
    draft.delete(keys.file(file));
    draft.delete(keys.anchors(file));
    draft.delete(keys.filePath(path));
    standing.delete(path);
    dropped++;
  }
  return dropped;
}

function fileIn(ref: { readonly kind: string; readonly file?: string } | undefined): string | undefined {
  return ref?.kind === "file" ? ref.file : undefined;
}
