// The JSON of a tree of pages, cut into runs of pages that follow each other. After a change of some pages only their runs are
// written anew, and all others are taken as they are. The tree is a list here: its pages in reading order, each with its depth,
// which says how many brackets close between two of them. The beginning of a tree is kept as it is sent, and what is behind it
// in less memory.

import type { Steps } from "../markdown/steps";
import { PackedJson, packJson } from "../packed-json";
import { keys, type PageEntry } from "./entries";
import type { PageTree } from "./page-tree";
import { buildPagePath, type RevisionView, type WithId } from "./view";

type RunPage = WithId<PageEntry>;

/** A tree of pages as JSON. Nothing of it is ever changed: a later tree shares its runs. */
export type PageRuns = readonly Run[];

/** Pages that follow each other. There may be a hundred thousand in a tree, so no page is an object of its own. */
interface Run {
  /** The ids of its pages in their order, each between two line ends. */
  readonly ids: string;
  /** Three numbers for each page: how many pages it is below, and where its own members begin and end in the JSON. */
  readonly places: Uint32Array;
  /** The depth of the page before the first one; -1 where there is none. */
  readonly after: number;
  /** The depth of its last page. */
  readonly end: number;
  readonly json: Uint8Array | PackedJson;
}

/** A page, and its own members as JSON up to the bracket that opens the list of pages below it. */
interface Told {
  readonly id: string;
  readonly depth: number;
  readonly json: Uint8Array;
}

/** A page that is not the same in two states of a content. */
export interface PageDifference {
  readonly id: string;
  readonly before?: PageEntry | undefined;
  readonly after?: PageEntry | undefined;
}

/** What is shown of a page at a path: an object with at least one member. */
type Make = (page: RunPage, path: string) => object;

/** About how long a run is. */
const RUN = 64 * 1024;
/** The most pages that are written into runs that are there. */
const MOST_WRITTEN = 200;
/** How much of a tree is kept as it is sent: that takes the least time. */
const PLAIN = 1024 * 1024;
/** What a run takes in memory beside what it holds. */
const EMPTY_RUN = 500;

const utf8 = new TextEncoder();

/** The JSON as it is sent. */
export function getJsonChunks(runs: PageRuns): (Uint8Array | PackedJson)[] {
  const last = runs.at(-1);
  const closed = last ? "]}".repeat(last.end + 1) : "[";
  return [...runs.map(({ json }) => json), utf8.encode(`${closed}]`)];
}

/** About how much memory runs take. */
export function estimateMemoryBytes(runs: PageRuns): number {
  const weights = runs.map(
    ({ ids, places, json }) =>
      EMPTY_RUN + ids.length + places.byteLength + (json instanceof PackedJson ? json.packedLength : json.length),
  );
  return weights.reduce((sum, weight) => sum + weight, 0);
}

/** The runs of a whole tree. */
export function* buildPageRunsInSteps(tree: PageTree, make: Make): Steps<PageRuns> {
  const { runs, add } = runsInOrder();
  let told: Told[] = [];
  let length = 0;
  const end = () => {
    if (told.length > 0) add(told);
    told = [];
    length = 0;
  };
  function* walk(parent: string | null, path: string, depth: number): Steps<void> {
    for (const page of tree.get(parent) ?? []) {
      const at = path === "" ? page.slug : `${path}/${page.slug}`;
      const it = toldOf(page, at, depth, make);
      told.push(it);
      length += it.json.length;
      if (length >= RUN) end();
      yield;
      yield* walk(page.id, at, depth + 1);
    }
  }
  yield* walk(null, "", 0);
  end();
  return runs;
}

function toldOf(page: RunPage, path: string, depth: number, make: Make): Told {
  const json = utf8.encode(`${JSON.stringify(make(page, path)).slice(0, -1)},"pages":[`);
  return { id: page.id, depth, json };
}

/** Runs that are made one after the other. */
function runsInOrder() {
  const runs: Run[] = [];
  let length = 0;
  const after = () => runs.at(-1)?.end ?? -1;
  const take = (run: Run) => {
    runs.push(run);
    length += run.json.length;
  };
  const add = (told: readonly Told[]) => take(runOf(told, after(), length >= PLAIN));
  return { runs, after, take, add };
}

function runOf(told: readonly Told[], after: number, isPacked: boolean): Run {
  let length = 0;
  let before = after;
  for (const { depth, json } of told) {
    length += between(before, depth).length + json.length;
    before = depth;
  }
  const bytes = new Uint8Array(length);
  const places = new Uint32Array(3 * told.length);
  let [at, n] = [0, 0];
  before = after;
  for (const { depth, json } of told) {
    const signs = between(before, depth);
    for (let i = 0; i < signs.length; i++) bytes[at++] = signs.charCodeAt(i);
    bytes.set(json, at);
    places.set([depth, at, at + json.length], 3 * n++);
    at += json.length;
    before = depth;
  }
  const ids = ["", ...told.map(({ id }) => id), ""].join("\n");
  return { ids, places, after, end: before, json: isPacked ? packJson(bytes) : bytes };
}

/** What stands between two pages that follow each other. */
function between(before: number, depth: number): string {
  if (before < 0) return "[";
  return depth > before ? "" : `${"]}".repeat(before - depth + 1)},`;
}

/** What pages a tree shows is asked of a view; `createDescriber` gives what is shown of some of its pages. */
export interface PageRunsContext {
  readonly view: RevisionView;
  readonly createDescriber: (pages: readonly RunPage[]) => Promise<Make>;
}

/**
 * The runs of a tree after some of its pages changed; undefined when so much is different that writing all of it takes less. The
 * view has the state after the changes.
 */
export async function updatePageRuns(
  runs: PageRuns,
  changes: readonly PageDifference[],
  { view, createDescriber: makeOf }: PageRunsContext,
): Promise<PageRuns | undefined> {
  const draft = draftOf(runs);
  const moved = new Map(changes.filter(isMovedOrRenamed).map((it) => [it.id, it]));
  // What stood below a page that is placed anew is placed with it, or was moved or deleted itself.
  for (const id of moved.keys()) draft.takeOut(id);

  const ways: RunPage[][] = [];
  for (const { id, after } of changes) if (after) ways.push(await view.getAncestry(id));
  const isBelowMoved = ([, ...above]: readonly RunPage[]) => above.some(({ id }) => moved.has(id));
  const inPlace = ways.filter((way) => !moved.has(way[0]!.id) && !isBelowMoved(way));
  const makeInPlace = await makeOf(inPlace.map(([page]) => page!));
  for (const way of inPlace)
    if (!draft.replace(toldOf(way[0]!, buildPagePath(way), way.length - 1, makeInPlace))) return undefined;

  const placed = ways.filter((way) => moved.has(way[0]!.id) && !isBelowMoved(way));
  // In the order of their places: the one before is there then.
  placed.sort(([a], [b]) => (a!.order < b!.order ? -1 : 1));
  let room = MOST_WRITTEN - inPlace.length;
  for (const way of placed) {
    const below = await branchOf(view, way, room);
    room -= below.length;
    if (room < 0) return undefined;
    const make = await makeOf(below.map(([page]) => page!));
    const told = below.map((it) => toldOf(it[0]!, buildPagePath(it), it.length - 1, make));
    const { parent, order } = way[0]!;
    if (!draft.putIn(told, parent, await idBefore(view, parent, order))) return undefined;
  }
  return draft.runs();
}

/** Whether a page stands elsewhere, or at another path, as all do below it. */
export function isMovedOrRenamed({ before, after }: PageDifference): boolean {
  return before?.parent !== after?.parent || before?.order !== after?.order || before?.slug !== after?.slug;
}

/** A page and all below it in reading order, each with its way to the top. It ends soon after `most` of them. */
async function branchOf(view: RevisionView, way: RunPage[], most: number): Promise<RunPage[][]> {
  const found = [way];
  const below = await view.getPages((await view.listChildIds(way[0]!.id)).map(({ id }) => id));
  for (const page of below) {
    if (found.length > most) break;
    if (page) found.push(...(await branchOf(view, [page, ...way], most - found.length)));
  }
  return found;
}

async function idBefore(view: RevisionView, parent: string | null, order: string): Promise<string | undefined> {
  const part = { under: keys.children(parent), before: keys.child(parent, order), reverse: true, limit: 1 };
  return (await view.list(part))[0]?.value as string | undefined;
}

/** The pages of a run. */
function toldIn({ ids, places, json }: Run): Told[] {
  const bytes = json instanceof PackedJson ? json.unpack() : json;
  return ids
    .slice(1, -1)
    .split("\n")
    .map((id, n) => {
      const [depth, from, to] = places.subarray(3 * n, 3 * n + 3) as unknown as [number, number, number];
      return { id, depth, json: bytes.subarray(from, to) };
    });
}

/** A page in a draft: the number of a run, and of a page in it. */
interface At {
  readonly run: number;
  readonly n: number;
}

/** Runs that are being changed. */
function draftOf(known: PageRuns) {
  /** A run that was opened is a list of its pages. */
  const parts: (Run | Told[])[] = [...known];

  function open(run: number): Told[] {
    const part = parts[run]!;
    if (Array.isArray(part)) return part;
    const told = toldIn(part);
    parts[run] = told;
    return told;
  }

  function find(id: string): At | undefined {
    const line = `\n${id}\n`;
    const run = parts.findIndex((part) =>
      Array.isArray(part) ? part.some((it) => it.id === id) : part.ids.includes(line),
    );
    return run < 0 ? undefined : { run, n: open(run).findIndex((it) => it.id === id) };
  }

  function takeOut(id: string): void {
    const at = find(id);
    if (!at) return;
    const { depth } = open(at.run)[at.n]!;
    for (let { run, n } = at, isFirst = true; run < parts.length; run++, n = 0) {
      const told = open(run);
      const first = isFirst ? n + 1 : n;
      const end = told.findIndex((it, i) => i >= first && it.depth <= depth);
      told.splice(n, (end < 0 ? told.length : end) - n);
      isFirst = false;
      if (end >= 0) return;
    }
  }

  /** The place behind a page and all below it. */
  function behind({ run, n }: At): At {
    const { depth } = open(run)[n]!;
    for (let [at, first] = [run, n + 1]; at < parts.length; at++, first = 0) {
      const part = parts[at]!;
      const depths = Array.isArray(part) ? part.map((it) => it.depth) : part.places.filter((_, i) => i % 3 === 0);
      const end = depths.findIndex((it, i) => i >= first && it <= depth);
      if (end >= 0) return { run: at, n: end };
    }
    return { run: parts.length, n: 0 };
  }

  /** Puts pages below a parent, behind one with all below it, or as the first. False when either is not there. */
  function putIn(told: readonly Told[], parent: string | null, before: string | undefined): boolean {
    const named = before ?? parent;
    const at = named === null ? { run: 0, n: -1 } : find(named);
    if (!at) return false;
    const { run, n } = before === undefined ? { run: at.run, n: at.n + 1 } : behind(at);
    if (run === parts.length) parts.push([...told]);
    else open(run).splice(n, 0, ...told);
    return true;
  }

  /** False when the page is not there. */
  function replace(told: Told): boolean {
    const at = find(told.id);
    if (at) open(at.run)[at.n] = told;
    return at !== undefined;
  }

  function runs(): PageRuns {
    const { runs, after, take, add } = runsInOrder();
    parts.forEach((part, i) => {
      if (!Array.isArray(part) && part.after === after()) take(part);
      else for (const told of cut(open(i))) add(told);
    });
    return runs;
  }

  return { takeOut, putIn, replace, runs };
}

/** Pages in runs of which none is much too long, and none is empty. */
function cut(told: readonly Told[]): (readonly Told[])[] {
  const length = told.reduce((sum, { json }) => sum + json.length, 0);
  if (told.length === 0) return [];
  if (length <= 2 * RUN || told.length === 1) return [told];
  const half = told.length >> 1;
  return [...cut(told.slice(0, half)), ...cut(told.slice(half))];
}
