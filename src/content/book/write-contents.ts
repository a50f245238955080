// Where the pages of a revision stand among the files that are written, and the table of contents that says so. It is written
// only if it says something else than before.

import { addNumberToPath } from "../free-number";
import { type RunSteps, yieldOnce } from "../markdown/steps";
import { parsePageSource } from "../page-source";
import type { PageEntry } from "../revision/entries";
import { buildPageTree, type PageTree } from "../revision/page-tree";
import type { WithId } from "../revision/view";
import type { Chapter } from "./book";
import { chaptersOfFolders } from "./folders";
import { withoutLanguage } from "./languages";
import { hashOfText } from "./lay-files";
import { blobOid } from "./oid";
import { unstated } from "./page-text";
import { joined, lastNameOf } from "./paths";
import { pathsOf } from "./places";
import { pagesIn, without } from "./read";
import type { Holdings } from "./standings";
import { chaptersIn } from "./write-chapters";
import type { Previous } from "./write-previous";
import { sameChapters, writtenSummary } from "./write-summary";

type Page = WithId<PageEntry>;

/** Where everything stands. */
export interface WrittenContents {
  /** Of documents, files and reusable contents, by id. */
  readonly paths: ReadonlyMap<string, string>;
  /** Whether something cannot stand where it did, so that links to it have to be written again. */
  readonly isMoved: boolean;
  /** Whether a page has a place in the table of contents, and no file. */
  readonly isDraft: (page: Page) => boolean;
  /** Whether there is a table of contents, which tells titles that texts do not state. */
  readonly hasSummary: boolean;
}

const EMPTY = hashOfText("");

/** Finds out where pages stand, and writes the table of contents. */
export async function writeContents(
  previous: Previous,
  holdings: Holdings,
  inTurns: RunSteps,
): Promise<WrittenContents> {
  const things = placesOf(previous, holdings);
  const others = new Set(things.values());
  const pages = holdings.pages.map((page) => (isOutside(previous, page.git?.path) ? homeless(page) : page));
  await inTurns(yieldOnce());
  const tree = buildPageTree(pages);
  await inTurns(yieldOnce());
  const { languages } = previous.contents;
  const paths = await inTurns(
    pathsOf(
      tree,
      (path) => others.has(path) || previous.isTaken(path),
      ({ slug, title }) => languages.find((it) => it.slug === slug || it.title === title)?.folder,
    ),
  );
  await inTurns(yieldOnce());
  const isMoved =
    pages.some((page, i) => page !== holdings.pages[i]) ||
    [...holdings.files, ...holdings.reusables].some(({ id, path }) => things.get(id) !== path);
  const isDraft = (page: Page) =>
    previous.pages.get(paths.get(page.id) ?? "")?.draft === true &&
    page.body === EMPTY &&
    Object.keys(unstated(page)).length === 0;
  const contents = { paths: new Map([...things, ...paths]), isDraft, isMoved };
  const { summary } = previous.contents;
  const lost = await unreadable(previous, new Set(paths.values()), inTurns);
  await inTurns(yieldOnce());
  const all = await chaptersOf(tree, contents, previous, holdings, inTurns);
  const chapters = await writeLanguages(previous, all, lost, inTurns);
  const groups = new Set<Chapter>(languages.map(({ group }) => group));
  const before = previous.contents.chapters.filter((it) => !groups.has(it));
  const isInferred = summary === undefined && before.length > 0;
  if (isInferred && sameChapters(await inferred(previous, chapters, lost, inTurns), chapters, false))
    return { ...contents, hasSummary: false };
  if (summary === undefined || !sameChapters(without(before, lost), chapters, true)) {
    const text = await inTurns(writtenSummary(chapters, previous.layout, previous.contents));
    previous.put(previous.whole(previous.layout.summary), { oid: blobOid(text), text });
  }
  return { ...contents, hasSummary: true };
}

/** Writes the tables of contents of the languages beside the first one; gives the chapters that are left. */
async function writeLanguages(
  previous: Previous,
  chapters: readonly Chapter[],
  lost: ReadonlySet<string>,
  inTurns: RunSteps,
): Promise<readonly Chapter[]> {
  const { layout, contents } = previous;
  let left = chapters;
  for (const language of contents.languages) {
    const { inside, rest } = withoutLanguage(left, language);
    if (!sameChapters(without(language.group.chapters, lost), inside, true)) {
      const summary = joined(language.folder, layout.summary);
      const text = await inTurns(writtenSummary(inside, { ...layout, summary }, { ...contents, ...language }));
      previous.put(previous.whole(summary), { oid: blobOid(text), text });
    }
    left = rest;
  }
  return left;
}

/** Where files and reusable contents stand; one that stood outside of the repository, as seen from here, comes inside. */
function placesOf(previous: Previous, { files, reusables }: Holdings): Map<string, string> {
  const things = [
    ...files.map(({ id, path }) => ({ id, path, folder: ".gitbook/assets" })),
    ...reusables.map(({ id, path }) => ({ id, path, folder: ".gitbook/includes" })),
  ];
  const used = new Set(things.map(({ path }) => path));
  return new Map(
    things.map(({ id, path, folder }) => {
      if (!isOutside(previous, path)) return [id, path];
      const inside = freeOf(`${folder}/${lastNameOf(path)}`, used);
      used.add(inside);
      return [id, inside];
    }),
  );
}

function isOutside(previous: Previous, path: string | undefined): boolean {
  return path?.startsWith("..") === true && previous.whole(path).startsWith("..");
}

function homeless({ git: _, ...page }: Page): Page {
  return page;
}

function freeOf(path: string, used: ReadonlySet<string>): string {
  for (let n = 0; ; n++) if (!used.has(addNumberToPath(path, n))) return addNumberToPath(path, n);
}

/** The chapters of the revision, with the titles that the table of contents will have. */
async function chaptersOf(
  tree: PageTree,
  { paths, isDraft }: Pick<WrittenContents, "paths" | "isDraft">,
  previous: Previous,
  holdings: Holdings,
  inTurns: RunSteps,
): Promise<Chapter[]> {
  const titles = new Map<string, string>();
  for (const page of holdings.pages) {
    if (page.type !== "document") continue;
    titles.set(page.id, await titleFor(page, paths.get(page.id) ?? "", previous, holdings));
    await inTurns(yieldOnce());
  }
  return inTurns(
    chaptersIn(tree, {
      pathOf: (id) => paths.get(id),
      titleOf: ({ id }) => titles.get(id)!,
      isDraft,
      slugOf: (title) => previous.slugOf(title),
    }),
  );
}

/** A page's own title, unless the table of contents already had another one. */
async function titleFor(page: Page, path: string, previous: Previous, { oidOf }: Holdings): Promise<string> {
  const listed = previous.pages.get(path)?.title;
  if (listed === undefined || listed === page.title || !page.stated?.includes("title")) return page.title;
  const oid = previous.oidAt(path);
  if (oid !== undefined && oidOf(page.id, page.body) === oid) return listed;
  const earlier = await previous.files.text(previous.whole(path));
  const title = "text" in earlier ? parsePageSource(earlier.text).title : undefined;
  return title === undefined || title === listed ? page.title : listed;
}

/** Pages of the previous table of contents that an import could not read. They are not missing in the revision. */
async function unreadable(previous: Previous, present: ReadonlySet<string>, inTurns: RunSteps): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const [path, { draft }] of previous.pages) {
    if (draft || present.has(path)) continue;
    if (!(await previous.isReadable(path))) lost.add(path);
    await inTurns(yieldOnce());
  }
  return lost;
}

/** The chapters that would be inferred from the folders of what is written. */
async function inferred(
  previous: Previous,
  chapters: readonly Chapter[],
  lost: ReadonlySet<string>,
  inTurns: RunSteps,
): Promise<Chapter[]> {
  const present = new Set<string>();
  for (const { path, draft } of pagesIn(chapters)) if (!draft) present.add(previous.whole(path));
  const plain = new Map(previous.files.plain);
  for (const path of previous.pages.keys()) if (!lost.has(path)) plain.delete(previous.whole(path));
  for (const path of present) plain.set(path, { path });
  return without(await inTurns(chaptersOfFolders({ plain }, previous.layout)), lost);
}
