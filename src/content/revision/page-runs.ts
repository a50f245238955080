// The JSON of a tree of pages, cut into runs, so that a change of some pages does not write the JSON of all others again.
//
// A space may have a hundred thousand pages, whose tree takes 60 MB of JSON, and most changes are about a few of them. To
// replace the JSON of a page without writing what is around it, the tree is flattened: its pages form a list in reading order
// (a page, then everything below it), each with its depth. A page contributes its own members up to the bracket that opens the
// list of pages below it. The depths of two pages that follow each other say which brackets close between them:
//
//   depth 0   [{"title":"A","pages":[
//   depth 1   {"title":"B","pages":[          one deeper: A stays open
//   depth 0   ]}]},{"title":"C","pages":[     closes B and A
//   the end   ]}]
//
// A run holds the JSON of pages that follow each other in this list. These are the invariants:
//
//  1. The JSON of all runs in their order, and the brackets that close after the last page, is the JSON of the tree.
//  2. A run begins with the brackets between the page before it and its first page. So a run fits wherever the page before it
//     has the depth `depthBefore`, whatever that page is.
//  3. A run never changes. After a change of pages, only the runs with these pages are written anew, and the new tree shares
//     all others with the tree before.
//  4. The runs in the first megabyte are stored as they are sent, because this takes the least time and most trees are not
//     larger. The runs after it are packed, because memory counts more there.

import type { Steps } from "../../utils/concurrency/steps";
import { PackedJson, packJson } from "../packed-json";
import { keys, type PageEntry } from "./entries";
import { listPagesInOrder, type PageTree } from "./page-tree";
import { buildPagePath, type RevisionView, type WithId } from "./view";

type RunPage = WithId<PageEntry>;

/** A tree of pages as JSON. */
export type PageRuns = readonly PageRun[];

/** Pages that follow each other. There may be very many in a tree, so no page is an object of its own. */
interface PageRun {
  /** The ids of the pages in their order, each between two line ends. */
  readonly ids: string;
  /** Three numbers for each page: its depth, and the start and the end of its own members in the JSON. */
  readonly positions: Uint32Array;
  /** The depth of the page before the first one, or -1 at the beginning of the tree. */
  readonly depthBefore: number;
  /** The depth of the last page. */
  readonly lastDepth: number;
  readonly json: Uint8Array | PackedJson;
}

/** A page with its own members as JSON, up to the bracket that opens the list of pages below it. */
interface SerializedPage {
  readonly id: string;
  readonly depth: number;
  readonly json: Uint8Array;
}

/** A page that differs between two states of a content. */
export interface PageDifference {
  readonly id: string;
  readonly before?: PageEntry | undefined;
  readonly after?: PageEntry | undefined;
}

/** Returns the members to show of a page at a path: an object with at least one member. */
type DescribePage = (page: RunPage, path: string) => object;

/** The length at which a run ends. */
const RUN_BYTES = 64 * 1024;
/** The most pages that are written into existing runs. */
const MAX_REWRITTEN_PAGES = 200;
/** The part at the beginning of a tree that is not packed. */
const UNPACKED_BYTES = 1024 * 1024;
/** The memory that a run takes in addition to its content. */
const RUN_OVERHEAD_BYTES = 500;

const utf8 = new TextEncoder();

/** Returns the JSON of the tree, in chunks to send one after the other. */
export function getJsonChunks(runs: PageRuns): (Uint8Array | PackedJson)[] {
  const lastRun = runs.at(-1);
  const openBrackets = lastRun ? "]}".repeat(lastRun.lastDepth + 1) : "[";
  return [...runs.map(({ json }) => json), utf8.encode(`${openBrackets}]`)];
}

/** Returns about how much memory runs take. */
export function estimateMemoryBytes(runs: PageRuns): number {
  let bytes = 0;
  for (const { ids, positions, json } of runs) {
    const jsonBytes = json instanceof PackedJson ? json.packedLength : json.length;
    bytes += RUN_OVERHEAD_BYTES + ids.length + positions.byteLength + jsonBytes;
  }
  return bytes;
}

export function* buildPageRunsInSteps(tree: PageTree, describe: DescribePage): Steps<PageRuns> {
  const writer = new RunWriter();
  let pages: SerializedPage[] = [];
  let pageBytes = 0;
  for (const { page, path, depth } of listPagesInOrder(tree)) {
    const serialized = serializePage(page, path, depth, describe);
    pages.push(serialized);
    pageBytes += serialized.json.length;
    if (pageBytes >= RUN_BYTES) {
      writer.writeRun(pages);
      pages = [];
      pageBytes = 0;
    }
    yield;
  }
  if (pages.length > 0) writer.writeRun(pages);
  return writer.runs;
}

function serializePage(page: RunPage, path: string, depth: number, describe: DescribePage): SerializedPage {
  const json = utf8.encode(`${JSON.stringify(describe(page, path)).slice(0, -1)},"pages":[`);
  return { id: page.id, depth, json };
}

/** The sources that an update reads from. */
export interface PageRunsContext {
  /** The content after the changes. */
  readonly view: RevisionView;
  readonly createDescriber: (pages: readonly RunPage[]) => Promise<DescribePage>;
}

/** Returns the runs after pages changed; undefined if so much differs that building all takes less time. */
export async function updatePageRuns(
  runs: PageRuns,
  changes: readonly PageDifference[],
  { view, createDescriber }: PageRunsContext,
): Promise<PageRuns | undefined> {
  const editor = new PageRunsEditor(runs);
  const serialize = (ancestry: readonly RunPage[], describe: DescribePage) =>
    serializePage(ancestry[0]!, buildPagePath(ancestry), ancestry.length - 1, describe);

  // Everything below a moved page is inserted with it again, unless it was moved or deleted itself.
  const movedIds = new Set(changes.filter(isMovedOrRenamed).map(({ id }) => id));
  for (const id of movedIds) editor.removeBranch(id);

  const ancestries: RunPage[][] = [];
  for (const { id, after } of changes) {
    if (!after) continue;
    const ancestry = await view.getAncestry(id);
    const isBelowMoved = ancestry.slice(1).some((page) => movedIds.has(page.id));
    if (!isBelowMoved) ancestries.push(ancestry);
  }

  const edited = ancestries.filter(([page]) => !movedIds.has(page!.id));
  const describeEdited = await createDescriber(edited.map(([page]) => page!));
  for (const ancestry of edited) if (!editor.replacePage(serialize(ancestry, describeEdited))) return undefined;

  // In the order of their positions, so that the sibling before a page is there already.
  const moved = ancestries.filter(([page]) => movedIds.has(page!.id));
  moved.sort(([a], [b]) => (a!.order < b!.order ? -1 : 1));
  let remainingPages = MAX_REWRITTEN_PAGES - edited.length;
  for (const ancestry of moved) {
    const branch = await listBranch(view, ancestry, remainingPages);
    remainingPages -= branch.length;
    if (remainingPages < 0) return undefined;
    const describe = await createDescriber(branch.map(([page]) => page!));
    const pages = branch.map((pageAncestry) => serialize(pageAncestry, describe));
    const { parent, order } = ancestry[0]!;
    const siblingsBefore = { under: keys.children(parent), before: keys.child(parent, order), reverse: true, limit: 1 };
    const [sibling] = await view.list(siblingsBefore);
    if (!editor.insertBranch(pages, parent, sibling?.value as string | undefined)) return undefined;
  }
  return editor.buildRuns();
}

/** Checks whether a page has another position or another path, as everything below it then has. */
export function isMovedOrRenamed({ before, after }: PageDifference): boolean {
  return before?.parent !== after?.parent || before?.order !== after?.order || before?.slug !== after?.slug;
}

/** Returns a page and everything below it in reading order with ancestry. Stops soon after `maxPages` pages. */
async function listBranch(view: RevisionView, ancestry: RunPage[], maxPages: number): Promise<RunPage[][]> {
  const branch = [ancestry];
  const childIds = await view.listChildIds(ancestry[0]!.id);
  for (const child of await view.getPages(childIds.map(({ id }) => id))) {
    if (branch.length > maxPages) break;
    if (child) branch.push(...(await listBranch(view, [child, ...ancestry], maxPages - branch.length)));
  }
  return branch;
}

/** Writes the runs of a tree one after the other. */
class RunWriter {
  readonly runs: PageRun[] = [];
  #bytes = 0;

  /** The depth of the last page, or -1 if there is none. */
  get lastDepth(): number {
    return this.runs.at(-1)?.lastDepth ?? -1;
  }

  /** Adds a run that was written before. Its `depthBefore` must be `lastDepth`. */
  addRun(run: PageRun): void {
    this.runs.push(run);
    this.#bytes += run.json.length;
  }

  writeRun(pages: readonly SerializedPage[]): void {
    const depthBefore = this.lastDepth;
    let previousDepth = depthBefore;
    const separators = pages.map(({ depth }) => {
      const closedPages = previousDepth - depth + 1;
      const separator = previousDepth < 0 ? "[" : closedPages > 0 ? `${"]}".repeat(closedPages)},` : "";
      previousDepth = depth;
      return separator;
    });
    const bytes = new Uint8Array(pages.reduce((sum, { json }, i) => sum + separators[i]!.length + json.length, 0));
    const positions = new Uint32Array(3 * pages.length);
    let end = 0;
    for (const [i, { depth, json }] of pages.entries()) {
      const separator = separators[i]!;
      for (let j = 0; j < separator.length; j++) bytes[end++] = separator.charCodeAt(j);
      bytes.set(json, end);
      positions.set([depth, end, end + json.length], 3 * i);
      end += json.length;
    }
    const ids = ["", ...pages.map(({ id }) => id), ""].join("\n");
    const json = this.#bytes >= UNPACKED_BYTES ? packJson(bytes) : bytes;
    this.addRun({ ids, positions, depthBefore, lastDepth: previousDepth, json });
  }
}

/** The position of a page in an editor: the index of a part, and of the page in it. */
interface PagePlace {
  readonly part: number;
  readonly index: number;
}

/** Edits runs. The runs are parts of the tree, and a part that is edited is opened: it becomes the list of its pages. */
class PageRunsEditor {
  readonly #parts: (PageRun | SerializedPage[])[];

  constructor(runs: PageRuns) {
    this.#parts = [...runs];
  }

  /** Replaces the JSON of a page. Returns false if the page is not there. */
  replacePage(page: SerializedPage): boolean {
    const place = this.#findPage(page.id);
    if (place) this.#openPart(place.part)[place.index] = page;
    return place !== undefined;
  }

  /** Removes a page and everything below it, if the page is there. */
  removeBranch(id: string): void {
    const start = this.#findPage(id);
    if (!start) return;
    const end = this.#findBranchEnd(start);
    for (let part = start.part; part < this.#parts.length && part <= end.part; part++) {
      if (part === end.part && end.index === 0) return;
      const pages = this.#openPart(part);
      const first = part === start.part ? start.index : 0;
      const last = part === end.part ? end.index : pages.length;
      pages.splice(first, last - first);
    }
  }

  /**
   * Inserts pages below a parent, after a sibling with everything below it. Without a sibling, they become the first ones.
   * Returns false if the parent or the sibling is not there.
   */
  insertBranch(pages: readonly SerializedPage[], parent: string | null, sibling: string | undefined): boolean {
    let place: PagePlace = { part: 0, index: 0 };
    const neighbor = sibling ?? parent;
    if (neighbor !== null) {
      const found = this.#findPage(neighbor);
      if (!found) return false;
      place = sibling === undefined ? { part: found.part, index: found.index + 1 } : this.#findBranchEnd(found);
    }
    if (place.part === this.#parts.length) this.#parts.push([...pages]);
    else this.#openPart(place.part).splice(place.index, 0, ...pages);
    return true;
  }

  /** Returns the runs of the edited tree. */
  buildRuns(): PageRuns {
    const writer = new RunWriter();
    for (const [i, part] of this.#parts.entries()) {
      if (!Array.isArray(part) && part.depthBefore === writer.lastDepth) writer.addRun(part);
      else for (const pages of splitIntoRuns(this.#openPart(i))) writer.writeRun(pages);
    }
    return writer.runs;
  }

  #findPage(id: string): PagePlace | undefined {
    const line = `\n${id}\n`;
    const part = this.#parts.findIndex((part) =>
      Array.isArray(part) ? part.some((page) => page.id === id) : part.ids.includes(line),
    );
    return part < 0 ? undefined : { part, index: this.#openPart(part).findIndex((page) => page.id === id) };
  }

  /** Returns the place after a page and everything below it. */
  #findBranchEnd({ part, index }: PagePlace): PagePlace {
    const { depth } = this.#openPart(part)[index]!;
    for (let [i, first] = [part, index + 1]; i < this.#parts.length; i++, first = 0) {
      const pages = this.#parts[i]!;
      const depths = Array.isArray(pages)
        ? pages.map((page) => page.depth)
        : pages.positions.filter((_, j) => j % 3 === 0);
      const end = depths.findIndex((pageDepth, j) => j >= first && pageDepth <= depth);
      if (end >= 0) return { part: i, index: end };
    }
    return { part: this.#parts.length, index: 0 };
  }

  #openPart(index: number): SerializedPage[] {
    const part = this.#parts[index]!;
    if (Array.isArray(part)) return part;
    const bytes = part.json instanceof PackedJson ? part.json.unpack() : part.json;
    const ids = part.ids.slice(1, -1).split("\n");
    const pages = ids.map((id, i): SerializedPage => {
      const [depth, start, end] = part.positions.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
      return { id, depth, json: bytes.subarray(start, end) };
    });
    this.#parts[index] = pages;
    return pages;
  }
}

/** Splits pages into runs, none of which is much too long or empty. */
function splitIntoRuns(pages: readonly SerializedPage[]): (readonly SerializedPage[])[] {
  const bytes = pages.reduce((sum, { json }) => sum + json.length, 0);
  if (pages.length === 0) return [];
  if (bytes <= 2 * RUN_BYTES || pages.length === 1) return [pages];
  const half = pages.length >> 1;
  return [...splitIntoRuns(pages.slice(0, half)), ...splitIntoRuns(pages.slice(half))];
}
