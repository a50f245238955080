// Lists of links: by target, and the backlinks of a page or a file.

import type * as v from "valibot";
import { keys, type LinkEntry, linkTargets } from "../../../content/revision/entries";
import { checkLinkTargets, type LinkHealth } from "../../../content/revision/link-health";
import { resolveStoredLink } from "../../../content/revision/links";
import type { RevisionView } from "../../../content/revision/view";
import { createError } from "../../../errors";
import type { PageOfItems, PageRequest } from "../../../operation/pagination";
import { paginateList, paginateRows } from "../../../operation/pagination";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { isOpenEnded, type ShownRevision, shownIn } from "./computed-content";
import { computedState, type RevisionRecord } from "./records";
import {
  type ContentReferences,
  createContentReferences,
  type FullReference,
  type Looking,
  locationReference,
  outsideReference,
  targetReference,
} from "./references";
import type { ContentLink, LinkLocation, LinkStats } from "./schema";

type Listed = v.InferInput<typeof ContentLink>;
type Location = v.InferInput<typeof LinkLocation>;

/** What a list of links needs. */
export interface Linking extends Looking {
  readonly pageRequest: PageRequest;
  /** Of a change request: the revision that it is compared with. */
  readonly before?: RevisionRecord | undefined;
}

/** The most positions that are listed for one target. */
const MAX_PLACES = 200;
/** The most positions in one page of a list. A page ends early when its targets have more. */
const MAX_PLACES_OF_PAGE = 5_000;

/** The position of a link: its source and its number there. */
interface LinkPosition {
  readonly source: string;
  readonly n: number;
}

/** The links of the whole content, one item for each target. */
export async function listLinks(context: Linking): Promise<PageOfItems<Listed>> {
  const view = shownIn(context, context.revision).view;
  const listing = listingOf(context, view);
  const { after, limit } = context.pageRequest;
  const rows = await view.list({ under: keys.linkCounts, after, limit: limit + 1 });
  const found = await paginateList(
    fitPage(
      context.pageRequest,
      rows.map(({ value }) => value as number),
    ),
    async () => rows.map(({ key }) => ({ record: key.slice(keys.linkCounts.length), position: key })),
    await view.count({ under: keys.linkCounts }),
    async (all) => itemsOf(listing, await placesOf(view, all)),
  );
  const total = await view.count({ under: keys.links });
  return { ...found, extraFields: { stats: await statsOf(context, total, brokenIn) } };
}

/** The part of a list whose items, with so many positions each, fit into one page. There is at least one item. */
function fitPage(pageRequest: PageRequest, counts: readonly number[]): PageRequest {
  let places = 0;
  const overflow = counts.findIndex((count) => {
    places += Math.min(count, MAX_PLACES);
    return places > MAX_PLACES_OF_PAGE;
  });
  return overflow === -1 ? pageRequest : { ...pageRequest, limit: Math.min(pageRequest.limit, Math.max(overflow, 1)) };
}

/** A list that is being made, and what it has named. */
interface InList {
  readonly context: Linking;
  readonly view: RevisionView;
  readonly references: ContentReferences;
}

function listingOf(context: Linking, view: RevisionView): InList {
  return { context, view, references: createContentReferences(context, view) };
}

/** Makes items one after the other, with pauses: a list has a thousand, each at up to 200 positions. */
async function oneByOne<From, Item>(all: readonly From[], make: (from: From) => Promise<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for (const each of all) {
    items.push(await make(each));
    await yieldToEventLoop();
  }
  return items;
}

/** The links of one page, in the order in which their targets first appear. */
export async function listPageLinks(
  context: Linking & { readonly params: { readonly pageId: string } },
): Promise<PageOfItems<Listed>> {
  const { pageId } = context.params;
  const view = shownIn(context, context.revision).view;
  if (!(await view.getPage(pageId))) throw createError("page_not_found");
  const byTarget = new Map<string, LinkPosition[]>();
  for (const [n, link] of (await view.getLinks(pageId)).entries()) {
    const places = byTarget.get(link.to);
    if (places) places.push({ source: pageId, n });
    else byTarget.set(link.to, [{ source: pageId, n }]);
  }
  const rows = [...byTarget.values()].map((places) => ({ record: places, position: keys.link(pageId, places[0]!.n) }));
  const listing = listingOf(context, view);
  const found = await paginateRows(context.pageRequest, rows, (all) =>
    itemsOf(
      listing,
      all.map((places) => places.slice(0, MAX_PLACES)),
    ),
  );
  const total = rows.reduce((sum, { record }) => sum + record.length, 0);
  const stats = await statsOf(context, total, (at, revision) => brokenOn(at, revision, pageId));
  return { ...found, extraFields: { stats } };
}

/** The links to a page. */
export async function listPageBacklinks(
  context: Linking & { readonly params: { readonly pageId: string } },
): Promise<PageOfItems<Location>> {
  const { pageId } = context.params;
  const view = shownIn(context, context.revision).view;
  const path = await view.getPagePath(pageId);
  if (path === undefined) throw createError("page_not_found");
  const page = linkTargets.page(pageId);
  // Also links with an anchor, and links by path that were written before the page came to that path.
  return backlinks(context, view, [`i/${page}/`, `i/${page}:`, `i/${linkTargets.missing(path)}/`]);
}

/** The links to a file. */
export async function listFileBacklinks(
  context: Linking & { readonly params: { readonly fileId: string } },
): Promise<PageOfItems<Location>> {
  const view = shownIn(context, context.revision).view;
  if (!(await view.getFile(context.params.fileId))) throw createError("file_not_found");
  return backlinks(context, view, [keys.incomingLinks(linkTargets.file(context.params.fileId))]);
}

async function backlinks(
  context: Linking,
  view: RevisionView,
  prefixes: readonly string[],
): Promise<PageOfItems<Location>> {
  const counts = await Promise.all(prefixes.map((under) => view.count({ under })));
  const listing = listingOf(context, view);
  return paginateList(
    context.pageRequest,
    async ({ after, limit }) => {
      const rows = [];
      for (const under of prefixes.toSorted()) {
        if (after !== undefined && after > `${under}~`) continue;
        const from = after?.startsWith(under) ? after : undefined;
        rows.push(...(await view.list({ under, after: from, limit: limit - rows.length })));
        if (rows.length >= limit) break;
      }
      return rows.map(({ key }) => ({ record: placeIn(key), position: key }));
    },
    counts.reduce((sum, count) => sum + count, 0),
    async (places) =>
      (await oneByOne(places, (place) => placeReference(listing, place))).filter((it) => it !== undefined),
  );
}

/** The source and the number of a link, from its key in the index of its target. */
function placeIn(key: string): LinkPosition {
  const [source, n] = key.split("/").slice(-2) as [string, string];
  return { source, n: Number(n) };
}

/** Targets whose positions are read at once. */
const TOGETHER = 20;

/** Where links to each of some targets stand. */
async function placesOf(view: RevisionView, all: readonly string[]): Promise<LinkPosition[][]> {
  const found: LinkPosition[][] = [];
  for (let from = 0; from < all.length; from += TOGETHER) {
    const some = all.slice(from, from + TOGETHER);
    const parts = some.map((target) => ({ under: keys.incomingLinks(target), limit: MAX_PLACES }));
    for (const rows of await view.listMany(parts)) found.push(rows.map(({ key }) => placeIn(key)));
    await yieldToEventLoop();
  }
  return found;
}

async function placeReference({ view, references }: InList, place: LinkPosition): Promise<Location | undefined> {
  const link = (await view.get(keys.link(place.source, place.n))) as LinkEntry | undefined;
  return locationReference(references, view, place.source, link?.block ?? "");
}

/** The items of targets, each by the positions of the links to it. */
async function itemsOf(listing: InList, all: readonly (readonly LinkPosition[])[]): Promise<Listed[]> {
  const { context, view } = listing;
  const links = (await view.getMany(all.map(([first]) => keys.link(first!.source, first!.n)))) as LinkEntry[];
  const resolved = await oneByOne(links, (link) => resolveStoredLink(view, link));
  const statuses = await healths(
    context,
    view,
    resolved.map(({ to }) => to),
  );
  const found = links.map((link, i) => ({ link, ref: resolved[i]!.ref, status: statuses[i]!, places: all[i]! }));
  return oneByOne(found, (it) => itemOf(listing, it));
}

/** A target: the first link to it, what that means now, and where all of them stand. */
interface FoundTarget {
  readonly link: LinkEntry;
  readonly ref: LinkEntry["ref"];
  readonly status: Listed["status"];
  readonly places: readonly LinkPosition[];
}

async function itemOf(
  { context, view, references }: InList,
  { link, ref, status, places }: FoundTarget,
): Promise<Listed> {
  const target = await targetReference(context, view, ref, references, places[0]!.source);
  const others = await view.getMany(places.slice(1).map((place) => keys.link(place.source, place.n)));
  const locations = [];
  let isNeeded = false;
  for (const [i, { as, block }] of [link, ...(others as LinkEntry[])].entries()) {
    isNeeded ||= as === "include" || as === "openapi";
    locations.push(await locationReference(references, view, places[i]!.source, block));
  }
  return {
    status,
    relation: isNeeded ? "dependsOn" : "reference",
    scope: scopeOf(link, target, context.space.id),
    targetReference: target ?? { kind: "url", url: link.href },
    locationReferences: locations.filter((it) => it !== undefined),
  };
}

function scopeOf({ ref, path }: LinkEntry, target: FullReference | undefined, space: string): Listed["scope"] {
  if (path !== undefined) return "same-space";
  if (ref.kind === "url") return "external";
  if (target && "space" in target && target.space) return target.space.id === space ? "same-space" : "other-space";
  return "space" in ref || ref.kind === "collection" || ref.kind === "user" || ref.kind === "openapi"
    ? "other-space"
    : "same-space";
}

/** The status of targets. Those outside the space are resolved as the caller sees them. */
async function healths(context: Linking, view: RevisionView, all: readonly string[]): Promise<Listed["status"][]> {
  const found = await healthsInside(view, all);
  return oneByOne(found, (health) => statusOf(context, health));
}

/** Targets whose health is found out at once. */
const AT_ONCE = 100;

/** What the content itself can tell of targets, with pauses. */
async function healthsInside(view: RevisionView, all: readonly string[]): Promise<LinkHealth[]> {
  const found: LinkHealth[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    found.push(...(await checkLinkTargets(view, all.slice(from, from + AT_ONCE))));
    await yieldToEventLoop();
  }
  return found;
}

async function statusOf(context: Linking, health: LinkHealth): Promise<Listed["status"]> {
  if (typeof health === "string") return health;
  const { outside } = health;
  if (outside.kind === "url") return outside.url.startsWith(context.urls.app("/")) ? "in-app" : "ok";
  return (await outsideReference(context, outside)) ? "ok" : "broken";
}

/** The broken targets with the number of links to each, and to all of them. */
interface Broken {
  readonly byTarget: ReadonlyMap<string, number>;
  readonly links: number;
}
type FindBroken = (context: Linking, revision: ShownRevision) => Promise<Broken>;

type Counted = readonly (readonly [target: string, links: number])[];

function brokenOf(counted: Counted): Broken {
  return { byTarget: new Map(counted), links: counted.reduce((sum, [, links]) => sum + links, 0) };
}

/** The number of links, of broken links, and of those that the change request added. */
async function statsOf(context: Linking, total: number, find: FindBroken): Promise<v.InferOutput<typeof LinkStats>> {
  const { byTarget, links } = await find(context, context.revision);
  const before = context.before && (await find(context, context.before)).byTarget;
  const added = before
    ? [...byTarget].reduce((sum, [target, links]) => sum + Math.max(0, links - (before.get(target) ?? 0)), 0)
    : 0;
  return { total, broken: { total: links, changeRequest: added } };
}

async function brokenOn(context: Linking, revision: ShownRevision, page: string): Promise<Broken> {
  const view = shownIn(context, revision).view;
  const counts = new Map<string, number>();
  for (const { to } of await view.getLinks(page)) counts.set(to, (counts.get(to) ?? 0) + 1);
  const statuses = await healths(context, view, [...counts.keys()]);
  return brokenOf([...counts].filter((_, i) => statuses[i] === "broken"));
}

async function brokenIn(context: Linking, revision: ShownRevision): Promise<Broken> {
  const view = shownIn(context, revision).view;
  const { broken, outside } = await insideOf(context, view, revision);
  const statuses = await healths(
    context,
    view,
    outside.map(([target]) => target),
  );
  const more = outside.filter((_, i) => statuses[i] === "broken");
  // Most content has none of these, and many that are broken inside.
  return more.length === 0 ? broken : brokenOf([...broken.byTarget, ...more]);
}

/** Targets inside the content, so the result is computed once for each revision. */
interface Inside {
  readonly broken: Broken;
  /** Targets outside the space that are not URLs. */
  readonly outside: Counted;
}

async function insideOf(context: Linking, view: RevisionView, revision: ShownRevision): Promise<Inside> {
  // A link may lead to content that an integration computes, which may be different the next time.
  if (await isOpenEnded(context, revision)) return workOutInside(view);
  const { cache } = context.objects;
  // A link may lead to computed content, and not everybody sees all of it.
  const name = `links ${revision.root} ${await computedState(context.tx)} ${context.me?.role ?? null}`;
  const known = cache.get(name)?.value as Inside | undefined;
  if (known) return known;
  const inside = await workOutInside(view);
  cache.set(name, { value: inside, bytes: 200 + (inside.broken.byTarget.size + inside.outside.length) * 200 });
  return inside;
}

async function workOutInside(view: RevisionView): Promise<Inside> {
  const rows = await view.list({ under: keys.linkCounts });
  const all = rows.map(({ key }) => key.slice(keys.linkCounts.length));
  const health = await healthsInside(view, all);
  const counted = (passes: (it: LinkHealth) => boolean): Counted =>
    rows.flatMap(({ value }, i) => (passes(health[i]!) ? [[all[i]!, value as number] as const] : []));
  return {
    broken: brokenOf(counted((it) => it === "broken")),
    outside: counted((it) => typeof it === "object" && it.outside.kind !== "url"),
  };
}
