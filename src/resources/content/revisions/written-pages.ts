// The tree of pages of a content as JSON. It is kept in runs of pages: when a later state of the same space is asked for, only
// the runs with pages that differ are written anew.

import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry } from "../../../content/revision/entries";
import {
  buildPageRunsInSteps,
  estimateMemoryBytes,
  getJsonChunks,
  type PageDifference,
  type PageRuns,
  type PageRunsContext,
  updatePageRuns,
} from "../../../content/revision/page-runs";
import { buildPageTree } from "../../../content/revision/page-tree";
import type { RevisionView, WithId } from "../../../content/revision/view";
import type { JobContext } from "../../../jobs/jobs";
import type { Objects } from "../../../storage/objects";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { everyPage, nodesOf, type RevisionRecord } from "./records";
import { makerOf } from "./views";
import { type Naming, nameOfPages, type Pieces } from "./written";

/** What writing pages needs. */
interface Keeping {
  readonly jobContext: Pick<JobContext, "contents">;
  readonly objects: Objects;
}

/** A tree of pages as some see it, and how it is written. */
export interface Tree {
  /** A name for it: everything that it depends on. */
  readonly name: string;
  /** The same without the state of the content. Undefined: it is always written as a whole. */
  readonly nameOfLast: string | undefined;
  readonly root: RevisionRecord["root"];
  readonly view: RevisionView;
  /** All pages, and what is shown of each. Undefined: it is not kept. */
  readonly whole: () => Promise<{ readonly pages: readonly Page[]; readonly make: Make } | undefined>;
  readonly makeOf: PageRunsContext["createDescriber"];
  /** Whether what is shown of a page, or whether it is shown, depends on other pages, or theirs on it. */
  readonly mixes: (page: PageEntry) => boolean;
  /** Whether a change of a page may then show elsewhere. */
  readonly showsElsewhere: (change: PageDifference) => boolean;
  /** What is shown depends on what is under this key, too. */
  readonly alsoUnder?: string;
}

type Page = WithId<PageEntry>;
type Make = (page: Page, path: string) => object;

/** The tree of one state of a content. */
interface Kept {
  readonly root: RevisionRecord["root"];
  readonly runs: PageRuns;
  readonly pieces: Pieces;
  /** Whether one of its pages mixes. */
  readonly isMixed: boolean;
}

/** The JSON of the pages of a content as the caller sees them, which the view has. */
export async function writtenPages(context: Keeping & Naming, view: RevisionView): Promise<Pieces> {
  const pieces = await keptTree(context, {
    name: nameOfPages(context),
    // What visitors see depends on more than the pages.
    nameOfLast: context.visited ? undefined : nameOfPages(context, "last"),
    root: context.revision.root,
    view,
    async whole() {
      const pages = await everyPage(view);
      const ids = new Set(pages.map(({ id }) => id));
      return { pages, make: await makerOf(context, pages, (id) => ids.has(id)) };
    },
    makeOf: (pages) => makerOf(context, pages, () => false),
    // A page names others that say the same: what it shows depends on which of them there are.
    mixes: ({ translations }) => translations !== undefined,
    showsElsewhere: ({ before, after }) => before === undefined || after === undefined,
  });
  return pieces!;
}

/** The JSON of a tree, written now as far as it is not there. */
export async function keptTree(
  { jobContext: { contents }, objects }: Keeping,
  tree: Tree,
): Promise<Pieces | undefined> {
  const { name, nameOfLast } = tree;
  const known = contents.get(name)?.value as Kept | undefined;
  if (known) return known.pieces;
  // A state of a space is mostly like the one that was asked for last.
  const last = nameOfLast === undefined ? undefined : (contents.get(nameOfLast)?.value as string | undefined);
  const earlier = last === undefined ? undefined : (contents.get(last)?.value as Kept | undefined);
  // What the last one was made of may be gone by now; then all of it is read.
  const renewed = earlier && (await since(objects, tree, earlier).catch(() => undefined));
  const kept = renewed ?? (await whole(tree));
  if (!kept) return undefined;
  // Both have most of their runs in common, which would count twice.
  if (renewed) contents.delete(last!);
  contents.set(name, { value: kept, bytes: estimateMemoryBytes(kept.runs) });
  if (nameOfLast !== undefined) contents.set(nameOfLast, { value: name, bytes: 2 * name.length });
  return kept.pieces;
}

async function whole(tree: Tree): Promise<Kept | undefined> {
  const all = await tree.whole();
  if (!all) return undefined;
  const runs = await runSteps(buildPageRunsInSteps(buildPageTree(all.pages), all.make));
  return keptOf(tree, runs, all.pages.some(tree.mixes));
}

function keptOf({ root }: Tree, runs: PageRuns, isMixed: boolean): Kept {
  return { root, runs, pieces: getJsonChunks(runs), isMixed };
}

/** The tree made from an earlier one; undefined when it is to be written as a whole. */
async function since(objects: Objects, tree: Tree, earlier: Kept): Promise<Kept | undefined> {
  const { root, view, makeOf, alsoUnder } = tree;
  const source = nodesOf(objects);
  if (alsoUnder !== undefined)
    for await (const _ of diffMaps(source, earlier.root, root, { under: alsoUnder })) return undefined;
  const changes: PageDifference[] = [];
  for await (const { key, before, after } of diffMaps(source, earlier.root, root, { under: keys.pages })) {
    const change = { id: key.slice(keys.pages.length), before, after } as unknown as PageDifference;
    if (changes.push(change) > MOST_CHANGES || isWide(tree, change, earlier)) return undefined;
  }
  const runs = await updatePageRuns(earlier.runs, changes, { view, createDescriber: makeOf });
  return runs && keptOf(tree, runs, earlier.isMixed);
}

/** The most pages that differ. */
const MOST_CHANGES = 100;

/** Whether a change of one page may change what is shown of others, or show others. */
function isWide({ mixes, showsElsewhere }: Tree, change: PageDifference, { isMixed }: Kept): boolean {
  return (
    (isMixed && showsElsewhere(change)) ||
    [change.before, change.after].some((it) => it !== undefined && (it.type === "computed" || mixes(it)))
  );
}
