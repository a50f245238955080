// The tree of pages of a content as JSON. It is kept in runs of pages: when a later state of the same space is asked for, only
// the runs with pages that differ are written anew.

import { diff } from "../../../content/map";
import { keys, type PageEntry } from "../../../content/revision/entries";
import {
  type PageChange,
  type PageRuns,
  piecesOf,
  renewedRuns,
  runsOf,
  weightOf,
} from "../../../content/revision/page-runs";
import { pageTree } from "../../../content/revision/page-tree";
import type { View } from "../../../content/revision/view";
import type { Objects } from "../../../store/objects";
import { inTurns } from "../../../turns/pause";
import type { Work } from "../../../work/jobs";
import { everyPage, nodesOf, type RevisionRecord } from "./records";
import { makerOf } from "./views";
import { type Naming, nameOfPages, type Pieces } from "./written";

/** What writing pages needs. */
type Writing = Naming & { readonly work: Pick<Work, "contents">; readonly objects: Objects };

/** The tree of one state of a content. */
interface Kept {
  readonly root: RevisionRecord["root"];
  readonly runs: PageRuns;
  readonly pieces: Pieces;
  /** Whether a page names others that say the same: then what it shows depends on which of them there are. */
  readonly namesOthers: boolean;
}

/** The JSON of the pages of a content as the caller sees them, which the view has. */
export async function writtenPages(context: Writing, view: View): Promise<Pieces> {
  const { contents } = context.work;
  const name = nameOfPages(context);
  const known = contents.get(name)?.value as Kept | undefined;
  if (known) return known.pieces;
  // A state of a space is mostly like the one that was asked for last. What visitors see depends on more than the pages.
  const nameOfLast = nameOfPages(context, "last");
  const last = context.visited ? undefined : (contents.get(nameOfLast)?.value as string | undefined);
  const earlier = last === undefined ? undefined : (contents.get(last)?.value as Kept | undefined);
  // What the last one was made of may be gone by now; then all of it is read.
  const renewed = earlier && (await since(context, view, earlier).catch(() => undefined));
  const kept = renewed ?? (await whole(context, view));
  // Both have most of their runs in common, which would count twice.
  if (renewed) contents.delete(last!);
  contents.set(name, { value: kept, bytes: weightOf(kept.runs) });
  if (!context.visited) contents.set(nameOfLast, { value: name, bytes: 2 * name.length });
  return kept.pieces;
}

async function whole(context: Writing, view: View): Promise<Kept> {
  const pages = await everyPage(view);
  const ids = new Set(pages.map(({ id }) => id));
  const make = await makerOf(context, pages, (id) => ids.has(id));
  const runs = await inTurns(runsOf(pageTree(pages), make));
  return keptOf(context, runs, pages.some(namesOthers));
}

function keptOf({ revision }: Writing, runs: PageRuns, namesOthers: boolean): Kept {
  return { root: revision.root, runs, pieces: piecesOf(runs), namesOthers };
}

function namesOthers({ translations }: PageEntry): boolean {
  return translations !== undefined;
}

/** The tree made from an earlier one; undefined when it is to be written as a whole. */
async function since(context: Writing, view: View, earlier: Kept): Promise<Kept | undefined> {
  const changes: PageChange[] = [];
  const source = nodesOf(context.objects);
  for await (const { key, before, after } of diff(source, earlier.root, context.revision.root, { under: keys.pages })) {
    const change = { id: key.slice(keys.pages.length), before, after } as unknown as PageChange;
    if (changes.push(change) > MOST_CHANGES || isWide(change, earlier)) return undefined;
  }
  const makeOf = (pages: readonly PageEntry[]) => makerOf(context, pages, () => false);
  const runs = await renewedRuns(earlier.runs, changes, { view, makeOf });
  return runs && keptOf(context, runs, earlier.namesOthers);
}

/** The most pages that differ. */
const MOST_CHANGES = 100;

/** Whether a change of one page may change what is shown of others, or show others: of what is computed, and of pages in several
 * languages. */
function isWide({ before, after }: PageChange, earlier: Kept): boolean {
  const isOther = before === undefined || after === undefined;
  return (
    (isOther && earlier.namesOthers) ||
    [before, after].some((it) => it !== undefined && (it.type === "computed" || namesOthers(it)))
  );
}
