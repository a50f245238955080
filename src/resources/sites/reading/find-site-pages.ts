// Search over a whole site, as one visitor sees it, in four steps: the spaces that the visitor sees, the candidates among their
// pages, the text that the visitor reads where it differs between visitors, and one ranking of the pages of all spaces. Pages that
// the visitor does not see take no part in it, so hidden text has no influence on the result. Excerpts are made afterwards, of the
// text that the visitor reads of the pages that are shown.

import type * as v from "valibot";
import { isAdaptive } from "../../../content/evaluate/conditions";
import { loadMarkdownReader, loadSearch } from "../../../content/lazy";
import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry, type VariableValue } from "../../../content/revision/entries";
import { buildPagePath, type RevisionView, type WithId } from "../../../content/revision/view";
import type { SearchIndex, SearchSection, SectionHit } from "../../../content/search";
import { createValidationError } from "../../../errors";
import type { Objects } from "../../../storage/objects";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { groupBy } from "../../../utils/group-by";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import type { RevisionRoot } from "../../content/revisions/computed-content";
import { createNodeSource, listAllPages, openRevision } from "../../content/revisions/records";
import { mayExpandIncludes } from "../../content/revisions/texts";
import { getAppUrl } from "../../content/revisions/views";
import { findCachedSections, isUnrestricted, readSections } from "../../content/search/indexes";
import {
  type CandidatePage,
  cacheSearchResponse,
  countShownSections,
  openVisibleParts,
  presentFoundPage,
  rankTogether,
  type VisiblePart,
  type VisibleParts,
} from "../../content/search/ranking";
import { storedIndexes } from "../../content/search/records";
import { getPageUrls } from "../addresses/site-urls";
import { listVisibleSpaces, type VisibleSpace } from "../audience/visible-items";
import { sites } from "../records";
import { getSiteSpaces, isDefaultItem, readStructure, type Structure } from "../structure/structure";
import type { PublishedSiteContext } from "./page-views";
import type { SiteSearchSpace } from "./published-schema";
import {
  asNonMember,
  createPageVisibilityCheck,
  createVisiblePages,
  evaluatePageText,
  getVisibilityFields,
  getVisitorContent,
  type VisibilityFields,
} from "./visible-pages";

/** The site-spaces that a query names: all of them, the defaults or none, and further ones by the ids in `field`. */
export interface SiteSearchScope {
  readonly base: "all" | "defaults" | "none";
  readonly ids?: readonly string[];
  readonly field?: string;
  /** The site-space that takes the place of the default beside it. */
  readonly current?: string | undefined;
}

/** Searches a site for its `max` best pages, and returns a part of the spaces with these pages. The space with the best page is first. */
export async function searchSitePages(
  context: PublishedSiteContext,
  query: string,
  scope: SiteSearchScope,
  max: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) {
  const { tx, site, visitor, jobContext } = context;
  const structure = await readStructure(tx, site, jobContext.ports);
  const spaces = await listSearchedSpaces(context, structure, scope);
  const { claims, shareKey = null, preview = null } = visitor;
  const siteSpaceIds = spaces.map(({ siteSpace }) => siteSpace.id);
  const question = [site.id, query, offset, limit, claims, shareKey, preview, siteSpaceIds];
  return cacheSearchResponse(context, question, async () => {
    const { hits, isLasting } = await findHits(context, structure, spaces, query, max);
    // Groups keep the order of their first page, which is the best one.
    const groups = [...groupBy(hits, ({ space }) => space.id).values()];
    const items: v.InferInput<typeof SiteSearchSpace>[] = [];
    let position = 0;
    for (const group of groups.slice(offset, offset + limit)) {
      const { space, siteSpace } = group[0]!;
      const pages = [];
      for (const { page, path, readSections, findSections } of group) {
        const most = countShownSections(position++);
        const sections = most === 0 ? [] : (await findSections(await readSections())).slice(0, most);
        const { published } = getPageUrls(context, structure, siteSpace, path);
        const app = getAppUrl({ ...context, space }, path);
        const createUrls = (fragment: string) => ({
          app: app + fragment,
          ...omitUndefined({ published: published === undefined ? undefined : published + fragment }),
        });
        pages.push(presentFoundPage(page, path, sections, createUrls));
      }
      items.push({ id: space.id, title: space.title, siteSpace: siteSpace.id, pages });
    }
    return { items, count: groups.length, isLasting };
  });
}

/** Finds the pages in some spaces of a site that match best, as the visitor reads them. */
export async function findPagesOnSite(
  context: PublishedSiteContext,
  structure: Structure,
  query: string,
  spaces: readonly VisibleSpace[],
  max: number,
): Promise<readonly SitePageHit[]> {
  return (await findHits(context, structure, spaces, query, max)).hits;
}

/** Returns the site-spaces that a query is about, as far as the visitor sees them. */
export async function listSearchedSpaces(
  { tx, actor, site, organization, me, visitor, jobContext }: PublishedSiteContext,
  structure: Structure,
  { base, ids = [], field, current }: SiteSearchScope,
): Promise<VisibleSpace[]> {
  const viewing = { tx, actor, site, organization, me, visitor };
  const visible = await listVisibleSpaces(viewing, structure, jobContext.ports.cache);
  // An id that the visitor does not see is refused like an id that does not exist.
  const visibleIds = new Set(visible.map(({ siteSpace }) => siteSpace.id));
  for (const [i, id] of ids.entries())
    if (!visibleIds.has(id))
      throw createValidationError(
        field === "body.siteSpaceId" ? field : `${field}.${i}`,
        "Site-space not found on this site",
      );
  const currentSpace = visible.find(({ siteSpace }) => siteSpace.id === current)?.siteSpace;
  if (current !== undefined && !currentSpace)
    throw createValidationError("body.scope.currentSiteSpace", "Site-space not found on this site");
  const selected = new Set(currentSpace ? [...ids, currentSpace.id] : ids);
  return visible.filter(({ siteSpace }) => {
    if (base === "all" || selected.has(siteSpace.id)) return true;
    return base === "defaults" && isDefaultItem(structure, siteSpace) && siteSpace.parent !== currentSpace?.parent;
  });
}

/** A page that matches, with what the visitor reads of it. */
interface SitePageHit extends VisibleSpace {
  readonly page: WithId<PageEntry>;
  readonly path: string;
  readonly readSections: () => Promise<readonly SearchSection[]>;
  /** Finds the sections of the page that match. */
  readonly findSections: (sections: readonly SearchSection[]) => Promise<readonly SectionHit[]>;
}

/** Opens a page as the visitor sees it. Returns undefined if they may not find it. */
type PageOpener = (page: CandidatePage) => Promise<Pick<SitePageHit, "page" | "path" | "readSections"> | undefined>;

/** Finds the best pages of some spaces. `isLasting` is true if they stay the same until something is written. */
async function findHits(
  context: PublishedSiteContext,
  structure: Structure,
  searched: readonly VisibleSpace[],
  query: string,
  max: number,
): Promise<{ readonly hits: readonly SitePageHit[]; readonly isLasting: boolean }> {
  const { site, visitor } = context;
  const candidates = await openVisibleParts(
    asNonMember(context),
    searched.map(({ space }) => space),
    {
      owner: {
        name: site.id,
        countSpaces: async () => getSiteSpaces(structure).length,
        isThere: async (tx) => (await sites.get(tx, site.id)) !== undefined,
      },
      previewed: visitor.preview?.space,
    },
    (content) => listUnsearchablePages(context, content),
  );

  // The content of each space is opened once.
  const openContent = async (revision: RevisionRoot) => {
    const content = getVisitorContent(context, revision);
    return { ...content, pages: await createVisiblePages(content.view, visitor.claims) };
  };
  const opened = new Map<string, ReturnType<typeof openContent>>();
  const openPage: PageOpener = async ({ id, space, root }) => {
    const opening = opened.get(space) ?? openContent({ space, root });
    opened.set(space, opening);
    const { pages, view, availableObjects } = await opening;
    const ancestry = await pages.getAncestry(id);
    if (!ancestry || isExcludedFromSearch(ancestry)) return undefined;
    const page = ancestry[0]!;
    const readSections = () => readPageSections(availableObjects, view, page, visitor.claims);
    return { page, path: buildPagePath(ancestry), readSections };
  };

  const varyingParts = await indexVaryingPages(context, candidates, query, openPage);
  const findings = await rankTogether<SiteIndexPart>([...candidates.parts, ...varyingParts], query, () => max);
  const ranked = findings
    .flatMap(({ part, hits, findSectionsInSteps }) =>
      hits.map(({ id, score }) => ({ found: part.getPage(id), score, part, findSectionsInSteps })),
    )
    .sort((a, b) => b.score - a.score || (a.found.id < b.found.id ? -1 : 1));

  const spaces = new Map(searched.map((one) => [one.space.id, one]));
  const hits: SitePageHit[] = [];
  for (const { found, part, findSectionsInSteps } of ranked) {
    if (hits.length === max) break;
    const page = await openPage(found);
    if (!page) continue;
    const known = part.getSections?.(found.id);
    hits.push({
      ...spaces.get(found.space)!,
      ...page,
      readSections: known ? async () => known : page.readSections,
      findSections: (sections) => runSteps(findSectionsInSteps(sections)),
    });
  }
  return { hits, isLasting: candidates.unstableSpaces.size === 0 };
}

/** A part of an index, with the text that the visitor reads of its pages if it was read for the index. */
interface SiteIndexPart extends VisiblePart {
  readonly getSections?: (id: string) => readonly SearchSection[] | undefined;
}

/** The cached index of the pages of one revision of a space, as visitors with certain claims read them. */
interface VisitorIndex {
  readonly index: SearchIndex;
  /** The text by page, as far as pages were read; undefined for a page that is not found. */
  readonly sections: Map<string, readonly SearchSection[] | undefined>;
  readonly bytes: number;
}

/** Maximum number of pages with visitor-specific text that a search reads. */
const MAX_VARYING_PAGES = 100;

/**
 * Indexes the pages with visitor-specific text that may match, as this visitor reads them. Only pages that do match are
 * counted in the ranking: the others were suggested by text that the visitor does not see.
 */
async function indexVaryingPages(
  { visitor, jobContext }: PublishedSiteContext,
  { suggesters, unstableSpaces }: VisibleParts,
  query: string,
  openPage: PageOpener,
): Promise<readonly SiteIndexPart[]> {
  const suggestions: CandidatePage[] = [];
  for (const suggest of suggesters) suggestions.push(...(await suggest(query, MAX_VARYING_PAGES)));
  const { entries, mutex } = jobContext.ports.search.indexCache;
  const { createSearchIndex } = await loadSearch();
  const visitorHash = sha256Hex(JSON.stringify([visitor.claims, visitor.preview ?? null]));

  const parts: SiteIndexPart[] = [];
  for (const [space, suggested] of groupBy(suggestions, (page) => page.space)) {
    const { root } = suggested[0]!;
    const name = `read ${space} ${visitorHash}`;
    const suggestedIds = new Set(suggested.map(({ id }) => id));
    const isCacheable = !unstableSpaces.has(space);

    // An index serves one query at a time.
    const { entry, matchingIds } = await mutex(name, async () => {
      const cached = isCacheable ? entries.get<VisitorIndex>(name, [root]) : undefined;
      const last: VisitorIndex = cached ?? { index: createSearchIndex(), sections: new Map(), bytes: 0 };
      // If the update fails halfway, the index matches no revision: drop it before starting.
      entries.delete(name);
      let { bytes } = last;
      for (const suggestion of suggested) {
        const { id } = suggestion;
        if (last.sections.has(id)) continue;
        const opened = await openPage(suggestion);
        const sections = await opened?.readSections();
        if (opened && sections) {
          const { title, description = "" } = opened.page;
          await runSteps(last.index.putInSteps({ id, title, description, sections }));
        }
        last.sections.set(id, sections);
        bytes += 2 * (sections ?? []).reduce((sum, { text }) => sum + text.length, 0);
      }
      const entry: VisitorIndex = { ...last, bytes: Math.max(bytes, last.index.bytes) };
      if (isCacheable) entries.set(name, entry, { versions: [root], bytes: entry.bytes });
      const matching = last.index.findCandidates(query, suggested.length, (id) => suggestedIds.has(id));
      return { entry, matchingIds: new Set(matching.map(({ id }) => id)) };
    });

    if (matchingIds.size === 0) continue;
    parts.push({
      use: (run) => mutex(name, async () => run(entry.index, (id) => matchingIds.has(id))),
      getPage: (id) => ({ id, space, root }),
      getSections: (id) => entry.sections.get(id),
    });
  }
  return parts;
}

/** Returns the sections of a page as a visitor reads them, for search and excerpts. */
async function readPageSections(
  objects: Objects,
  view: RevisionView,
  page: WithId<PageEntry>,
  claims: PublishedSiteContext["visitor"]["claims"],
): Promise<readonly SearchSection[]> {
  if (page.body === undefined) return [];
  const cached = findCachedSections(objects, page.body);
  if (cached) {
    const { variesBy = [] } = cached;
    // Includes are expanded only in an mdBook. Elsewhere their syntax is text that is the same for everyone.
    const isInBook = variesBy.includes("book") && (await view.get(keys.mdBook)) !== undefined;
    if (!variesBy.includes("reader") && !isInBook) return cached.sections;
  }
  const source = await objects.text(page.body);
  if (!isAdaptive(source) && !(await mayExpandIncludes(view, source))) return readSections(objects, page.body);
  const { text, root } = (await evaluatePageText(objects, view, page, claims))!;
  const { readSectionsInSteps: sectionsInSteps } = await loadMarkdownReader();
  return runSteps(sectionsInSteps(text, root));
}

// The pages that a visitor cannot find by search: those that are not visible, those excluded from search, and hidden pages with
// everything below them. The fields that decide it are collected once per space, cached beside the search indexes, and updated by
// the pages that differ. If the stored snapshot of an index tells that everyone finds all pages, the cache starts from that.

/** The fields of a page that decide whether a search finds it. */
interface SearchabilityFields extends VisibilityFields, Pick<PageEntry, "hidden" | "noIndex"> {}

/** The cached fields of all pages of a space at one revision. */
interface SearchabilityOfPages {
  readonly root: RevisionRoot["root"];
  /** Undefined if every visitor finds every page. */
  readonly pages: ReadonlyMap<string, SearchabilityFields> | undefined;
  readonly variables: Readonly<Record<string, VariableValue>>;
}

const NO_PAGES: ReadonlySet<string> = new Set();
/** Approximate memory of a page in these caches. */
const BYTES_PER_PAGE = 200;
/** If more pages differ than this, reading all of them is faster: differing pages are read one by one. */
const MAX_DIFFERENT_PAGES = 1000;

/**
 * Returns the stored pages of a space that the visitor does not find. Computed pages are found where the
 * pages are that they come from.
 */
async function listUnsearchablePages(
  { tx, objects, jobContext, visitor: { claims } }: PublishedSiteContext,
  { space, root }: RevisionRoot,
): Promise<ReadonlySet<string>> {
  const { entries } = jobContext.ports.search.indexCache;
  const name = `searchable ${space}`;
  let last = entries.get<SearchabilityOfPages>(name);
  if (!last) {
    // The stored snapshot of an index tells whether everyone finds all pages that it was built from.
    const snapshot = await storedIndexes.get(tx.unchecked, space);
    if (snapshot?.kept === 0) last = { root: snapshot.root, pages: undefined, variables: {} };
  }
  let current = last?.root === root ? last : undefined;
  if (!current) {
    // The objects of the other revision may have been deleted by now. Then all pages are read.
    const updated = last && (await updatePages(objects, root, last).catch(() => undefined));
    let pages = updated?.pages;
    if (!updated) {
      const all = await listAllPages(openRevision(objects, { root }));
      if (!all.every(isUnrestricted)) pages = new Map(all.map((page) => [page.id, getSearchabilityFields(page)]));
    }
    const variables = pages ? await openRevision(objects, { root }).getVariables() : {};
    current = { root, pages, variables };
  }
  const { pages, variables } = current;
  entries.set(name, current, { bytes: BYTES_PER_PAGE * (1 + (pages?.size ?? 0)) });
  if (!pages) return NO_PAGES;

  const hiddenName = `hidden ${space} ${sha256Hex(JSON.stringify(claims))}`;
  const known = entries.get<ReadonlySet<string>>(hiddenName, [root]);
  if (known) return known;
  const hidden = new Set<string>();
  const isVisible = createPageVisibilityCheck(pages, variables, claims);
  for (const id of pages.keys()) {
    // A visible page is in no cycle.
    const ancestry: SearchabilityFields[] = [];
    if (isVisible(id)) for (let page = pages.get(id); page; page = pages.get(page.parent ?? "")) ancestry.push(page);
    if (!isVisible(id) || isExcludedFromSearch(ancestry)) hidden.add(id);
    await yieldToEventLoop();
  }
  entries.set(hiddenName, hidden, { versions: [root], bytes: BYTES_PER_PAGE * (1 + hidden.size) });
  return hidden;
}

/** Returns whether the first page of `ancestry` is excluded from search: by itself, or because it or a parent is hidden. */
function isExcludedFromSearch(ancestry: readonly Pick<PageEntry, "hidden" | "noIndex">[]): boolean {
  return ancestry[0]?.noIndex === true || ancestry.some(({ hidden }) => hidden === true);
}

/**
 * Applies the pages that differ. Returns undefined if all pages have to be read, because very many differ, or because some
 * visitors no longer find every page.
 */
async function updatePages(
  objects: Objects,
  root: RevisionRoot["root"],
  last: SearchabilityOfPages,
): Promise<Pick<SearchabilityOfPages, "pages"> | undefined> {
  const pages = last.pages && new Map(last.pages);
  let different = 0;
  for await (const { key, after } of diffMaps(createNodeSource(objects), last.root, root, { under: keys.pages })) {
    if (++different > MAX_DIFFERENT_PAGES) return undefined;
    const page = after as PageEntry | undefined;
    if (!pages && page && !isUnrestricted(page)) return undefined;
    if (page) pages?.set(key.slice(keys.pages.length), getSearchabilityFields(page));
    else pages?.delete(key.slice(keys.pages.length));
  }
  return { pages };
}

function getSearchabilityFields(page: PageEntry): SearchabilityFields {
  const { hidden, noIndex } = page;
  return {
    ...getVisibilityFields(page),
    ...omitUndefined({ hidden: hidden ? hidden : undefined, noIndex: noIndex ? noIndex : undefined }),
  };
}
