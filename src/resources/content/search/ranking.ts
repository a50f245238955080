// What all searches have in common: the parts of the indexes that their caller may search, one ranking over several parts, and
// how a matching page is shown.

import { loadSearch } from "../../../content/lazy";
import { keys } from "../../../content/revision/entries";
import type { RankingScope, SearchFindings, SearchIndex, SectionHit } from "../../../content/search";
import { sha256Hex } from "../../../utils/sha256";
import type { SpaceRecord } from "../../library/tree/records";
import { findOrganizationPartition } from "../../people/organizations/records";
import type { ComputedReadContext, RevisionRoot } from "../revisions/computed-content";
import { openRevision, revisions } from "../revisions/records";
import {
  type IndexContext,
  type IndexPart,
  listVaryingPages,
  NO_PAGES,
  querySpaceIndex,
  readComputedPages,
} from "./indexes";
import { openPool, type PoolOwner, pooledIds } from "./pools";

interface SearchResponse {
  /** True if it stays the same until something is written. Other responses are not cached. */
  readonly isLasting: boolean;
}

/** The memory of a response besides its text, as an estimate. */
const RESPONSE_OVERHEAD_BYTES = 1000;

/**
 * Returns the cached response to a question, or computes and caches it. People repeat a search when they go back, and many
 * visitors of a site search for the same. `question` holds everything that the response depends on, besides the records of the
 * partition: it is reused only while nothing has been written there.
 */
export async function cacheSearchResponse<Response extends SearchResponse>(
  { tx, jobContext }: Pick<IndexContext, "tx" | "jobContext">,
  question: readonly unknown[],
  compute: () => Promise<Response>,
): Promise<Response> {
  return jobContext.ports.cache.getOrCompute(
    `search ${sha256Hex(JSON.stringify(question))}`,
    [tx.version],
    compute,
    (response) => (response.isLasting ? RESPONSE_OVERHEAD_BYTES + 2 * JSON.stringify(response).length : undefined),
  );
}

export type RankingContext = ComputedReadContext & {
  readonly revision: RevisionRoot;
};

/** A part of an index, of which some pages are computed. */
interface SpacePart extends IndexPart {
  /** By the id of a computed page: the page of the space that it comes from. */
  readonly origins: ReadonlyMap<string, string>;
  readonly hasComputed: boolean;
}

/** Opens the index of a space, without computed pages whose source the caller may not see. */
export async function openSpacePart(context: RankingContext): Promise<SpacePart> {
  const { space, root } = context.revision;
  const { computed, hidden } = await readComputedPages(context, (source) => source.isVisibleTo(context));
  const indexContext = { ...context, partition: findOrganizationPartition(context.organization.id)! };
  const isIn = hidden.size === 0 ? undefined : (id: string) => !hidden.has(id);
  return {
    use: (run) => querySpaceIndex(indexContext, { space, root, computed }, (index) => run(index, isIn)),
    origins: computed.origins,
    hasComputed: computed !== NO_PAGES,
  };
}

export interface CandidatePage extends RevisionRoot {
  readonly id: string;
}

/** Pages of an index that a visitor may find. */
export interface VisiblePart extends IndexPart {
  readonly getPage: (id: string) => CandidatePage;
}

/** Everything among which a visitor searches. */
export interface VisibleParts {
  /** The pages that have the same text for every visitor. */
  readonly parts: readonly VisiblePart[];
  /** For the pages with visitor-specific text: these functions list those that may match, the likeliest first. */
  readonly suggesters: readonly ((query: string, limit: number) => Promise<readonly CandidatePage[]>)[];
  /** The spaces with pages whose text may change while the content of the space stays the same. */
  readonly unstableSpaces: ReadonlySet<string>;
}

/**
 * Opens the indexes of spaces for a visitor. Small spaces share the pool of `owner`, and others have indexes of their own, also
 * the `previewed` space: nobody else sees it in its state. With a search engine of the host there are only suggestions.
 * `listHiddenPages` lists the stored pages of a space that the visitor may not find.
 */
export async function openVisibleParts(
  context: ComputedReadContext,
  spaces: readonly SpaceRecord[],
  { owner, previewed }: { readonly owner: PoolOwner; readonly previewed: string | undefined },
  listHiddenPages: (content: RevisionRoot) => Promise<ReadonlySet<string>>,
): Promise<VisibleParts> {
  const { objects, jobContext, organization } = context;
  const tx = context.tx.unchecked;
  const { engine } = jobContext.ports.search;
  const parts: VisiblePart[] = [];
  const suggesters: VisibleParts["suggesters"][number][] = [];
  const unstableSpaces = new Set<string>();

  /** Adds an index in two parts. `isInBook` checks for pages of an mdBook, which may include files. */
  const addIndex = async (
    use: IndexPart["use"],
    getPage: VisiblePart["getPage"],
    isInBook: ((id: string) => boolean) | undefined,
  ) => {
    type Includes = RankingScope["includes"];
    const divide = <T>(run: (index: SearchIndex, isVisible: Includes, varying: ReadonlySet<string>) => T) =>
      use((index, isVisible) => run(index, isVisible, listVaryingPages(index, isInBook)));
    const useStable: IndexPart["use"] = (run) =>
      divide((index, isVisible, varying) =>
        run(index, varying.size === 0 ? isVisible : (id) => !varying.has(id) && (isVisible?.(id) ?? true)),
      );
    parts.push({ getPage, use: useStable });
    if (!(await divide((_, __, varying) => varying.size > 0))) return;
    suggesters.push((query, limit) =>
      divide((index, isVisible, varying) =>
        index
          .findCandidates(query, limit, (id) => varying.has(id) && (isVisible?.(id) ?? true))
          .map(({ id }) => getPage(id)),
      ),
    );
  };

  const partition = findOrganizationPartition(organization.id)!;
  const pool = engine
    ? undefined
    : await openPool(
        { tx, objects, jobContext, partition, ...owner },
        spaces.filter(({ id }) => id !== previewed),
      );
  if (pool) {
    const { entries, use } = pool;
    const hidden = new Map<string, ReadonlySet<string>>();
    const books = new Set<string>();
    for (const [space, { contentRoot: root, restrictedPageCount, isBook }] of entries) {
      const hiddenPages = restrictedPageCount === 0 ? undefined : await listHiddenPages({ space, root });
      if (hiddenPages && hiddenPages.size > 0) hidden.set(space, hiddenPages);
      if (isBook) books.add(space);
    }
    const isVisible = (id: string) => {
      const space = pooledIds.getSpace(id);
      return entries.has(space) && hidden.get(space)?.has(pooledIds.getPage(id)) !== true;
    };
    await addIndex(
      (run) => use((index, pages) => run(index, pages === index.size && hidden.size === 0 ? undefined : isVisible)),
      (id) => {
        const space = pooledIds.getSpace(id);
        return { id: pooledIds.getPage(id), space, root: entries.get(space)!.contentRoot };
      },
      books.size === 0 ? undefined : (id) => books.has(pooledIds.getSpace(id)),
    );
  }

  const others = spaces.filter(({ id }) => !pool?.entries.has(id)).map(({ id, revision }) => [id, revision]);
  for (const revision of await revisions.getMany(tx, others)) {
    if (!revision) continue;
    const { space, root } = revision;
    const hidden = await listHiddenPages(revision);
    if (engine) {
      suggesters.push(async (query, limit) => {
        const { hits } = await engine.search({ organization: organization.id, space }, query, { offset: 0, limit });
        return hits.filter(({ id }) => !hidden.has(id)).map(({ id }) => ({ id, space, root }));
      });
      unstableSpaces.add(space);
      continue;
    }
    const { use, origins, hasComputed } = await openSpacePart({ ...context, revision });
    const isBook = (await openRevision(objects, { root }).get(keys.mdBook)) !== undefined;
    // A computed page is found where the page is that it comes from.
    await addIndex(
      (run) =>
        use((index, isIn) =>
          run(index, hidden.size === 0 ? isIn : (id) => (isIn?.(id) ?? true) && !hidden.has(origins.get(id) ?? id)),
        ),
      (id) => ({ id, space, root }),
      isBook ? () => true : undefined,
    );
    if (hasComputed) unstableSpaces.add(space);
  }
  return { parts, suggesters, unstableSpaces };
}

interface PartFindings<Part extends IndexPart> extends SearchFindings {
  readonly part: Part;
}

/**
 * Ranks the pages of several parts together. The statistics of all parts are summed first, and each part ranks by the sum. So
 * the scores are those of one index with all pages, and pages that are not ranked have no influence on them. `getLimit` says how
 * many of the best pages of a part are returned, or all.
 */
export async function rankTogether<Part extends IndexPart>(
  parts: readonly Part[],
  query: string,
  getLimit: (part: Part) => number | "all",
): Promise<PartFindings<Part>[]> {
  const { sumStatistics } = await loadSearch();
  const counted = [];
  if (parts.length > 1)
    for (const { use } of parts) counted.push(await use((index, isIn) => index.collectStatistics(query, isIn)));
  const statistics = counted.length === 0 ? undefined : sumStatistics(counted);
  const found: PartFindings<Part>[] = [];
  for (const part of parts) {
    const findings = await part.use((index, isIn) => {
      const scope: RankingScope = { includes: isIn, statistics };
      const limit = getLimit(part);
      return limit === "all" ? index.searchAll(query, scope) : index.search(query, limit, 0, scope);
    });
    found.push({ part, ...findings });
  }
  return found;
}

/** Returns how many sections of a page are shown. A response is read from its beginning, so the first pages show more. */
export function countShownSections(place: number): number {
  return place < 3 ? 3 : place < 10 ? 1 : 0;
}

/** Presents a matching page with its matching sections. `createUrls` returns the URLs of a fragment of the page. */
export function presentFoundPage<Urls>(
  { id, title }: { readonly id: string; readonly title: string },
  path: string,
  hits: readonly SectionHit[],
  createUrls: (fragment: string) => Urls,
) {
  const sections = hits.map(({ anchor, title: heading, excerpt }) => ({
    id: anchor ?? id,
    title: heading ?? title,
    path: anchor === undefined ? path : `${path}#${anchor}`,
    body: excerpt,
    urls: createUrls(anchor === undefined ? "" : `#${encodeURIComponent(anchor)}`),
  }));
  return { id, title, path, sections, urls: createUrls("") };
}
