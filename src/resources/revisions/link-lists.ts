// Lists of links: by what they lead to, and backwards from a page or a file to where it is linked from.

import type * as v from "valibot";
import { keys, type LinkEntry, targets } from "../../content/revision/entries";
import { type Health, healthOf } from "../../content/revision/health";
import { resolveAgain } from "../../content/revision/links";
import type { View } from "../../content/revision/view";
import { failure } from "../../errors";
import { pageOf } from "../../kernel/pages";
import type { Listing, Page } from "../../operation";
import { viewIn } from "./records";
import { type FullReference, type Looking, locationReference, targetReference } from "./references";
import type { ContentLink, LinkStats } from "./schema";

type Listed = v.InferInput<typeof ContentLink>;

/** What a list of links has at hand. */
export interface Linking extends Looking {
  readonly page: Page;
}

/** The most places that are named for one target. */
const MAX_PLACES = 200;

/** A link with where it stands. */
interface Place {
  readonly source: string;
  readonly n: number;
}

/** The links of the whole content, one item a target. */
export async function listLinks(context: Linking): Promise<Listing<Listed>> {
  const view = viewIn(context.objects, context.revision);
  const found = await pageOf(
    context.page,
    async ({ after, limit }) => {
      const rows = await view.list({ under: keys.targets, after, limit });
      return rows.map(({ key }) => ({ record: key.slice(keys.targets.length), position: key }));
    },
    await view.count({ under: keys.targets }),
    async (all) => {
      const items: Listed[] = [];
      for (const target of all) items.push(await itemOf(context, view, await placesOf(view, target)));
      return items;
    },
  );
  return { ...found, stats: await statsOf(context, view) };
}

/** The links of one page, in the order in which their targets first appear. */
export async function listPageLinks(
  context: Linking & { readonly params: { readonly pageId: string } },
): Promise<Listing<Listed>> {
  const { pageId } = context.params;
  const view = viewIn(context.objects, context.revision);
  if (!(await view.page(pageId))) throw failure("page_not_found");
  const byTarget = new Map<string, Place[]>();
  for (const [n, link] of (await view.linksOf(pageId)).entries()) {
    const places = byTarget.get(link.to);
    if (places) places.push({ source: pageId, n });
    else byTarget.set(link.to, [{ source: pageId, n }]);
  }
  const rows = [...byTarget].map(([, places]) => ({ record: places, position: keys.link(pageId, places[0]!.n) }));
  const found = await pageOf(
    context.page,
    async ({ after, limit }) => rows.filter(({ position }) => after === undefined || position > after).slice(0, limit),
    rows.length,
    (all) => Promise.all(all.map((places) => itemOf(context, view, places))),
  );
  const health = await healths(context, view, [...byTarget.keys()]);
  const sizes = [...byTarget.values()].map(({ length }) => length);
  return { ...found, stats: sumUp(sizes, health) };
}

/** Where a page is linked from. */
export async function listPageBacklinks(
  context: Linking & { readonly params: { readonly pageId: string } },
): Promise<Listing<FullReference>> {
  const { pageId } = context.params;
  const view = viewIn(context.objects, context.revision);
  const path = await view.pathOf(pageId);
  if (path === undefined) throw failure("page_not_found");
  const page = targets.page(pageId);
  // With an anchor behind it, and by the path that it stands at: links that were written before it came there.
  return backlinks(context, view, [`i/${page}/`, `i/${page}:`, `i/${targets.missing(path)}/`]);
}

/** Where a file is linked from. */
export async function listFileBacklinks(
  context: Linking & { readonly params: { readonly fileId: string } },
): Promise<Listing<FullReference>> {
  const view = viewIn(context.objects, context.revision);
  if (!(await view.file(context.params.fileId))) throw failure("file_not_found");
  return backlinks(context, view, [keys.incomingOf(targets.file(context.params.fileId))]);
}

async function backlinks(context: Linking, view: View, prefixes: readonly string[]): Promise<Listing<FullReference>> {
  const counts = await Promise.all(prefixes.map((under) => view.count({ under })));
  return pageOf(
    context.page,
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
    async (places) => {
      const found = [];
      for (const place of places) found.push(await placeReference(context, view, place));
      return found.filter((it) => it !== undefined);
    },
  );
}

/** The source and the number of a link, out of the key that it has among those to its target. */
function placeIn(key: string): Place {
  const [source, n] = key.split("/").slice(-2) as [string, string];
  return { source, n: Number(n) };
}

async function placesOf(view: View, target: string): Promise<Place[]> {
  const rows = await view.list({ under: keys.incomingOf(target), limit: MAX_PLACES });
  return rows.map(({ key }) => placeIn(key));
}

async function placeReference(context: Linking, view: View, place: Place): Promise<FullReference | undefined> {
  const link = (await view.get(keys.link(place.source, place.n))) as LinkEntry | undefined;
  return locationReference(context, view, place.source, link?.block ?? "");
}

async function itemOf(context: Linking, view: View, places: readonly Place[]): Promise<Listed> {
  const { source, n } = places[0]!;
  const link = (await view.get(keys.link(source, n))) as LinkEntry;
  const { to, ref } = await resolveAgain(view, link);
  const target = await targetReference(context, view, ref, source);
  const [health] = await healths(context, view, [to]);
  const locations = [];
  for (const place of places) locations.push(await placeReference(context, view, place));
  return {
    status: health!,
    relation: relationOf(link, target, context.space.id),
    targetReference: target ?? { kind: "url", url: link.href },
    locationReferences: locations.filter((it) => it !== undefined),
  };
}

function relationOf({ ref, path }: LinkEntry, target: FullReference | undefined, space: string): Listed["relation"] {
  if (path !== undefined) return "same-space";
  if (ref.kind === "url") return "external";
  if (target && "space" in target) return target.space.id === space ? "same-space" : "other-space";
  return "space" in ref || ref.kind === "collection" || ref.kind === "user" || ref.kind === "openapi"
    ? "other-space"
    : "same-space";
}

/** The status of targets, with what is outside of the space looked up as the caller sees it. */
async function healths(context: Linking, view: View, all: readonly string[]): Promise<Listed["status"][]> {
  const found = await healthOf(view, all);
  return Promise.all(found.map((health) => statusOf(context, view, health)));
}

async function statusOf(context: Linking, view: View, health: Health): Promise<Listed["status"]> {
  if (typeof health === "string") return health;
  const { outside } = health;
  if (outside.kind === "url") return outside.url.startsWith(context.urls.app("/")) ? "in-app" : "ok";
  return (await targetReference(context, view, outside)) ? "ok" : "broken";
}

/** How many links there are and how many lead nowhere. What is inside of the content is worked out once a revision. */
async function statsOf(context: Linking, view: View): Promise<v.InferOutput<typeof LinkStats>> {
  const { cache } = context.objects;
  const name = `links ${context.revision.root}`;
  const known = cache.get(name)?.value as InsideStats | undefined;
  const inside = known ?? (await insideStats(view));
  if (!known) cache.set(name, { value: inside, bytes: 200 + inside.outside.length * 200 });
  const outside = await healths(
    context,
    view,
    inside.outside.map(([target]) => target),
  );
  const beyond = sumUp(
    inside.outside.map(([, size]) => size),
    outside,
  );
  const broken = inside.broken + beyond.broken.total;
  return { total: await view.count({ under: keys.links }), broken: { total: broken, changeRequest: 0 } };
}

interface InsideStats {
  readonly broken: number;
  /** Targets outside of the space that are no URLs, with the number of links to each. */
  readonly outside: readonly (readonly [target: string, size: number])[];
}

async function insideStats(view: View): Promise<InsideStats> {
  const rows = await view.list({ under: keys.targets });
  const all = rows.map(({ key }) => key.slice(keys.targets.length));
  const health = await healthOf(view, all);
  let broken = 0;
  const outside: (readonly [string, number])[] = [];
  for (const [i, it] of health.entries()) {
    if (it === "broken") broken += rows[i]!.value as number;
    else if (it !== "ok" && it.outside.kind !== "url") outside.push([all[i]!, rows[i]!.value as number]);
  }
  return { broken, outside };
}

function sumUp(sizes: readonly number[], statuses: readonly Listed["status"][]): v.InferOutput<typeof LinkStats> {
  const sum = (passes: (i: number) => boolean) => sizes.reduce((all, size, i) => (passes(i) ? all + size : all), 0);
  return { total: sum(() => true), broken: { total: sum((i) => statuses[i] === "broken"), changeRequest: 0 } };
}
