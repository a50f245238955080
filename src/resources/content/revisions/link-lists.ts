// Lists of links: the links of a content by their targets, and the backlinks of a page or a file.

import type * as v from "valibot";
import { keys, type LinkEntry, linkTargets } from "../../../content/revision/entries";
import { checkLinkTargets, type LinkHealth } from "../../../content/revision/link-health";
import { resolveStoredLink } from "../../../content/revision/links";
import type { RevisionView } from "../../../content/revision/view";
import { createError } from "../../../errors";
import { type PageOfItems, type PageRequest, paginateList, paginateRows } from "../../../operation/pagination";
import { splitIntoChunks } from "../../../utils/chunks";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { groupBy } from "../../../utils/group-by";
import { dependsOnIntegrations, getShownContent, type RevisionRoot } from "./computed-content";
import { getComputedVersion, type RevisionRecord } from "./records";
import {
  type ContentReferences,
  createContentReferences,
  type ReferenceContext,
  resolveLocation,
  resolveOutsideTarget,
  resolveTarget,
} from "./references";
import type { ContentLink, LinkLocation, LinkStats } from "./schema";

type ListedLink = v.InferInput<typeof ContentLink>;
type LinkStatus = ListedLink["status"];
type ListedLocation = v.InferInput<typeof LinkLocation>;

/** The context of lists of links. */
export interface LinkListContext extends ReferenceContext {
  readonly pageRequest: PageRequest;
  /** For a change request: the revision with which it is compared. */
  readonly before?: RevisionRecord | undefined;
}

/** The most positions that are listed for one target. */
const MAX_POSITIONS_PER_TARGET = 200;
/** The most positions in one page of a list. A page ends early if its targets have more. */
const MAX_POSITIONS_PER_PAGE = 5_000;
/** The number of targets whose positions are read at once. */
const TARGETS_PER_READ = 20;
/** The number of targets whose health is checked at once. */
const TARGETS_PER_CHECK = 100;

/** The position of a link: its source, and its number there. */
interface LinkPosition {
  readonly source: string;
  readonly n: number;
}

/** A list that is being created, and the references that it shows. */
interface LinkListing {
  readonly context: LinkListContext;
  readonly view: RevisionView;
  readonly references: ContentReferences;
}

function createListing(context: LinkListContext): LinkListing {
  const { view } = getShownContent(context, context.revision);
  return { context, view, references: createContentReferences(context, view) };
}

/** Lists the links of the whole content, with one item for each target. */
export async function listLinks(context: LinkListContext): Promise<PageOfItems<ListedLink>> {
  const { pageRequest } = context;
  const listing = createListing(context);
  const { view } = listing;
  const rows = await view.list({ under: keys.linkCounts, after: pageRequest.after, limit: pageRequest.limit + 1 });

  // The page ends before the target whose positions no longer fit. It has at least one item.
  let positionCount = 0;
  const overflowIndex = rows.findIndex(({ value }) => {
    positionCount += Math.min(value as number, MAX_POSITIONS_PER_TARGET);
    return positionCount > MAX_POSITIONS_PER_PAGE;
  });
  const limit = overflowIndex < 0 ? pageRequest.limit : Math.min(pageRequest.limit, Math.max(overflowIndex, 1));

  const page = await paginateList(
    { ...pageRequest, limit },
    async () => rows.map(({ key }) => ({ record: key.slice(keys.linkCounts.length), position: key })),
    await view.count({ under: keys.linkCounts }),
    async (targets) => {
      const positionsByTarget: LinkPosition[][] = [];
      for (const some of splitIntoChunks(targets, TARGETS_PER_READ)) {
        const ranges = some.map((target) => ({ under: keys.incomingLinks(target), limit: MAX_POSITIONS_PER_TARGET }));
        for (const entries of await view.listMany(ranges))
          positionsByTarget.push(entries.map(({ key }) => parsePosition(key)));
        await yieldToEventLoop();
      }
      return describeTargets(listing, positionsByTarget);
    },
  );
  const total = await view.count({ under: keys.links });
  return { ...page, extraFields: { stats: await countLinks(context, total, findBrokenLinks) } };
}

/** Lists the links of one page, in the order in which their targets first appear. */
export async function listPageLinks(
  context: LinkListContext & { readonly params: { readonly pageId: string } },
): Promise<PageOfItems<ListedLink>> {
  const { pageId } = context.params;
  const listing = createListing(context);
  const { view } = listing;
  if (!(await view.getPage(pageId))) throw createError("page_not_found");
  const links = await view.getLinks(pageId);
  const linkPositions = links.map((link, n) => ({ to: link.to, source: pageId, n }));
  const rows = [...groupBy(linkPositions, ({ to }) => to).values()].map((positions) => ({
    record: positions,
    position: keys.link(pageId, positions[0]!.n),
  }));
  const page = await paginateRows(context.pageRequest, rows, (records) =>
    describeTargets(
      listing,
      records.map((positions) => positions.slice(0, MAX_POSITIONS_PER_TARGET)),
    ),
  );

  const stats = await countLinks(context, links.length, async (context, revision) => {
    const { view } = getShownContent(context, revision);
    const counts = new Map<string, number>();
    for (const { to } of await view.getLinks(pageId)) counts.set(to, (counts.get(to) ?? 0) + 1);
    const statuses = await findStatuses(context, view, [...counts.keys()]);
    return createBrokenLinks([...counts].filter((_, i) => statuses[i] === "broken"));
  });
  return { ...page, extraFields: { stats } };
}

/** Lists the links to a page. */
export async function listPageBacklinks(
  context: LinkListContext & { readonly params: { readonly pageId: string } },
): Promise<PageOfItems<ListedLocation>> {
  const { pageId } = context.params;
  const listing = createListing(context);
  const path = await listing.view.getPagePath(pageId);
  if (path === undefined) throw createError("page_not_found");
  const target = linkTargets.page(pageId);
  // Includes links with an anchor, and links by path that were written before the page came to that path.
  return listBacklinks(listing, [`i/${target}/`, `i/${target}:`, `i/${linkTargets.missing(path)}/`]);
}

/** Lists the links to a file. */
export async function listFileBacklinks(
  context: LinkListContext & { readonly params: { readonly fileId: string } },
): Promise<PageOfItems<ListedLocation>> {
  const { fileId } = context.params;
  const listing = createListing(context);
  if (!(await listing.view.getFile(fileId))) throw createError("file_not_found");
  return listBacklinks(listing, [keys.incomingLinks(linkTargets.file(fileId))]);
}

async function listBacklinks(
  { context, view, references }: LinkListing,
  prefixes: readonly string[],
): Promise<PageOfItems<ListedLocation>> {
  const counts = await Promise.all(prefixes.map((under) => view.count({ under })));
  return paginateList(
    context.pageRequest,
    async ({ after, limit }) => {
      const rows = [];
      for (const under of prefixes.toSorted()) {
        if (after !== undefined && after > `${under}~`) continue;
        const start = after?.startsWith(under) ? after : undefined;
        rows.push(...(await view.list({ under, after: start, limit: limit - rows.length })));
        if (rows.length >= limit) break;
      }
      return rows.map(({ key }) => ({ record: parsePosition(key), position: key }));
    },
    counts.reduce((sum, count) => sum + count, 0),
    async (positions) => {
      const locations = await mapWithPauses(positions, async ({ source, n }) => {
        const link = (await view.get(keys.link(source, n))) as LinkEntry | undefined;
        return resolveLocation(references, view, source, link?.block ?? "");
      });
      return locations.filter((location) => location !== undefined);
    },
  );
}

/** Maps items one after the other, with pauses: a list has up to a thousand, each with up to 200 positions. */
async function mapWithPauses<Item, Result>(
  items: readonly Item[],
  mapItem: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [i, item] of items.entries()) {
    results.push(await mapItem(item, i));
    await yieldToEventLoop();
  }
  return results;
}

/** Returns the position of a link from its key in the index of its target. */
function parsePosition(key: string): LinkPosition {
  const [source, n] = key.split("/").slice(-2) as [string, string];
  return { source, n: Number(n) };
}

/** Returns the items of targets, each by the positions of the links to it. */
async function describeTargets(
  listing: LinkListing,
  positionsByTarget: readonly (readonly LinkPosition[])[],
): Promise<ListedLink[]> {
  const { context, view, references } = listing;
  const firstKeys = positionsByTarget.map(([first]) => keys.link(first!.source, first!.n));
  const firstLinks = (await view.getMany(firstKeys)) as LinkEntry[];
  const resolvedLinks = await mapWithPauses(firstLinks, (link) => resolveStoredLink(view, link));
  const targets = resolvedLinks.map(({ to }) => to);
  const statuses = await findStatuses(context, view, targets);

  return mapWithPauses(firstLinks, async (link, i) => {
    const positions = positionsByTarget[i]!;
    const target = await resolveTarget(context, view, resolvedLinks[i]!.ref, references, positions[0]!.source);
    const otherKeys = positions.slice(1).map(({ source, n }) => keys.link(source, n));
    const links = [link, ...((await view.getMany(otherKeys)) as LinkEntry[])];
    const locations = [];
    for (const [j, { block }] of links.entries())
      locations.push(await resolveLocation(references, view, positions[j]!.source, block));
    const isDependency = links.some(({ as }) => as === "include" || as === "openapi");
    const { ref, path } = link;
    let scope: ListedLink["scope"] = "same-space";
    if (path === undefined) {
      const targetSpace = target && "space" in target ? target.space : undefined;
      const isOutside = "space" in ref || ref.kind === "collection" || ref.kind === "user" || ref.kind === "openapi";
      if (ref.kind === "url") scope = "external";
      else if (targetSpace ? targetSpace.id !== context.space.id : isOutside) scope = "other-space";
    }
    return {
      status: statuses[i]!,
      relation: isDependency ? "dependsOn" : "reference",
      scope,
      targetReference: target ?? { kind: "url", url: link.href },
      locationReferences: locations.filter((location) => location !== undefined),
    };
  });
}

/** Returns the statuses of targets, in the order given. Targets outside the space are resolved as the caller sees them. */
async function findStatuses(
  context: LinkListContext,
  view: RevisionView,
  targets: readonly string[],
): Promise<LinkStatus[]> {
  return mapWithPauses(await checkHealth(view, targets), async (health) => {
    if (typeof health === "string") return health;
    const { outside } = health;
    if (outside.kind === "url") return outside.url.startsWith(context.urls.app("/")) ? "in-app" : "ok";
    return (await resolveOutsideTarget(context, outside)) ? "ok" : "broken";
  });
}

/** Checks targets as far as the content itself can tell, with pauses. */
async function checkHealth(view: RevisionView, targets: readonly string[]): Promise<LinkHealth[]> {
  const results: LinkHealth[] = [];
  for (const some of splitIntoChunks(targets, TARGETS_PER_CHECK)) {
    results.push(...(await checkLinkTargets(view, some)));
    await yieldToEventLoop();
  }
  return results;
}

type TargetCounts = readonly (readonly [target: string, links: number])[];

/** The broken targets with the number of links to each, and to all of them. */
interface BrokenLinks {
  readonly byTarget: ReadonlyMap<string, number>;
  readonly links: number;
}

function createBrokenLinks(counts: TargetCounts): BrokenLinks {
  return { byTarget: new Map(counts), links: counts.reduce((sum, [, links]) => sum + links, 0) };
}

/** Returns the number of links, of broken links, and of broken links that the change request added. */
async function countLinks(
  context: LinkListContext,
  total: number,
  findBroken: (context: LinkListContext, revision: RevisionRoot) => Promise<BrokenLinks>,
): Promise<v.InferOutput<typeof LinkStats>> {
  const { byTarget, links } = await findBroken(context, context.revision);
  let added = 0;
  if (context.before) {
    const before = await findBroken(context, context.before);
    for (const [target, count] of byTarget) added += Math.max(0, count - (before.byTarget.get(target) ?? 0));
  }
  return { total, broken: { total: links, changeRequest: added } };
}

async function findBrokenLinks(context: LinkListContext, revision: RevisionRoot): Promise<BrokenLinks> {
  const { view } = getShownContent(context, revision);
  const { cache } = context.objects;
  // A link may lead to content that an integration computes, which may be different the next time, or to other computed content,
  // which not everyone may see completely.
  const cacheKey = (await dependsOnIntegrations(context, revision))
    ? undefined
    : `links ${revision.root} ${await getComputedVersion(context.tx)} ${context.me?.role ?? null}`;
  let health = cacheKey === undefined ? undefined : cache.get<ContentHealth>(cacheKey);
  if (!health) {
    const rows = await view.list({ under: keys.linkCounts });
    const targets = rows.map(({ key }) => key.slice(keys.linkCounts.length));
    const results = await checkHealth(view, targets);
    const brokenTargets: [string, number][] = [];
    const outsideTargets: [string, number][] = [];
    for (const [i, { value }] of rows.entries()) {
      const result = results[i]!;
      if (result === "broken") brokenTargets.push([targets[i]!, value as number]);
      else if (typeof result === "object" && result.outside.kind !== "url")
        outsideTargets.push([targets[i]!, value as number]);
    }
    health = { broken: createBrokenLinks(brokenTargets), outside: outsideTargets };
    const bytes = 200 + (health.broken.byTarget.size + health.outside.length) * 200;
    if (cacheKey !== undefined) cache.set(cacheKey, health, { bytes });
  }
  const { broken, outside } = health;
  const statuses = await findStatuses(
    context,
    view,
    outside.map(([target]) => target),
  );
  const brokenOutside = outside.filter((_, i) => statuses[i] === "broken");
  // Most content has no broken links to the outside, and may have many inside.
  return brokenOutside.length === 0 ? broken : createBrokenLinks([...broken.byTarget, ...brokenOutside]);
}

/** The health of the targets of a content, as far as the content itself can tell. */
interface ContentHealth {
  readonly broken: BrokenLinks;
  /** Targets outside the space that are not URLs. */
  readonly outside: TargetCounts;
}
