// Content with its computed pages and files. Everything that reads content reads it through here, and sees the computed pages whose
// sources the caller may see.

import { loadComputedPages } from "../../../content/lazy";
import { diffMaps, type MapRoot } from "../../../content/prolly-tree";
import type { ComputedContent, Expansion } from "../../../content/revision/computed";
import { createComputedOverlay, type ExpandedPage } from "../../../content/revision/computed-overlay";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { Objects } from "../../../storage/objects";
import { runSteps } from "../../../utils/concurrency/event-loop";
import type { SpaceContext } from "../../library/spaces/rules";
import { isInstallationMember } from "../../people/members/records";
import type { OrganizationContext } from "../../people/organizations/rules";
import { computeOpenApi } from "../openapi-specs/views";
import { type ComputedSourceContent, integrationSources, type SourceContext } from "./computed-sources";
import { createNodeSource, listAllPages, openRevision, type RevisionRecord } from "./records";
import { type ReadableContent, visitorViews } from "./visitor-views";

export type { ReadableContent } from "./visitor-views";

/** The context of reading content with computed pages. */
export interface ComputedReadContext extends SourceContext, OrganizationContext, Pick<SpaceContext, "visit"> {
  readonly query?: { readonly computed?: boolean | undefined };
}

/** The members of a revision that decide what is shown. */
export type RevisionRoot = Pick<RevisionRecord, "space" | "root">;

/** Returns a revision as the caller sees it, with computed pages unless the query declines them. */
export function getShownContent(context: ComputedReadContext, revision: RevisionRoot): ReadableContent {
  const { visit } = context;
  if (!visit) return addComputedContent(context, revision);
  const { createPageFilter, filterContent } = visitorViews.implementation;
  const isPageVisible = createPageFilter(openRevision(context.objects, revision), visit);
  const { query: _, ...visitorContext } = context;
  // Nothing is computed for a page that the visitor does not see.
  return filterContent(
    addComputedContent(visitorContext, revision, ({ id }) => isPageVisible(id)),
    visit,
  );
}

function addComputedContent(
  context: ComputedReadContext,
  revision: RevisionRoot,
  isVisible: (page: WithId<PageEntry>) => Promise<boolean> = async () => true,
): ReadableContent {
  const { objects, query } = context;
  const storedView = openRevision(objects, revision);
  if (query?.computed === false) return { view: storedView, objects, availableObjects: objects };

  const overlay = createComputedOverlay(
    storedView,
    async (page): Promise<ExpandedPage | undefined> => {
      if (!(await isVisible(page))) return undefined;
      // A computed page is expanded only if the caller may see its content.
      const computed = await loadComputedSource(context, revision.space, page);
      if (!computed?.isVisibleTo(context)) return undefined;
      const { expansion } = await loadExpansion(objects, page, computed);
      return { expansion, readText: computed.readText };
    },
    (kind) => (kind === "files" ? listIntegrationPages(context, revision) : listComputedPages(objects, revision)),
  );
  const readText = async (hash: string) => overlay.readText(hash) ?? objects.text(hash);
  const readAvailableText = async (hash: string) => (overlay.isLazyText(hash) ? "" : readText(hash));
  return {
    view: overlay.view,
    objects: { ...objects, text: readText, texts: (hashes) => Promise.all(hashes.map((hash) => readText(hash))) },
    availableObjects: {
      ...objects,
      text: readAvailableText,
      texts: (hashes) => Promise.all(hashes.map((hash) => readAvailableText(hash))),
    },
  };
}

/** Returns the current content of a computed page's source, regardless of who may see it. */
export async function loadComputedSource(
  from: SourceContext & Pick<OrganizationContext, "me">,
  space: string,
  page: PageEntry,
): Promise<ComputedSourceContent | undefined> {
  const definition =
    page.computed === undefined ? undefined : (await loadComputedPages()).parseDefinition(page.computed);
  if (!definition) return undefined;
  const { isIntegrationSource, compute } = integrationSources.implementation;
  if (!isIntegrationSource(definition))
    return definition.type === "builtin:openapi" ? computeOpenApi(from, definition) : undefined;
  // A script that is called for content may read some itself, and would wait for its own response.
  return isInstallationMember(from.me) ? undefined : compute(from, definition, space);
}

/** Checks whether a revision shows content of integrations, whose changes no version here includes. */
export async function dependsOnIntegrations(
  from: Pick<SourceContext, "tx" | "objects">,
  revision: RevisionRoot,
): Promise<boolean> {
  return (await listIntegrationPages(from, revision)).length > 0;
}

/** Returns the pages that integrations may compute. Pages are searched only if the organization has such integrations. */
async function listIntegrationPages({ tx, objects }: Pick<SourceContext, "tx" | "objects">, revision: RevisionRoot) {
  if (!(await integrationSources.implementation.hasSources(tx))) return [];
  const pages = await listComputedPages(objects, revision);
  return pages.filter(({ computed }) => computed?.includes("integration:"));
}

/** Returns the expansion of a computed page, which is computed once for each state of its source. */
export async function loadExpansion(
  { cache }: Objects,
  page: WithId<PageEntry>,
  computed: ComputedContent,
): Promise<{ readonly name: string; readonly expansion: Expansion }> {
  const { name } = computed;
  const key = `expansion ${page.id} ${page.createdAt} ${name}`;
  const cached = cache.get<Expansion>(key);
  if (cached) return { name, expansion: cached };
  const { expandComputedPageInSteps } = await loadComputedPages();
  const expansion = await runSteps(expandComputedPageInSteps(page, computed, await computed.pages()));
  cache.set(key, expansion, { bytes: 1000 + expansion.entries.size * 500 });
  return { name, expansion };
}

/** The computed pages of one state of the content, in the order of their ids. */
export interface ComputedPageList {
  readonly root: MapRoot;
  readonly pages: readonly WithId<PageEntry>[];
}

/** The number of pages that may differ from a known state. With more, reading all pages takes less time. */
const MAX_CHANGED_PAGES = 1000;

/** Returns the computed pages of a revision, which are searched once. `loadStored` returns those of another state of the space. */
export async function listComputedPages(
  objects: Objects,
  { space, root }: RevisionRoot,
  loadStored: () => Promise<ComputedPageList | undefined> = async () => undefined,
): Promise<readonly WithId<PageEntry>[]> {
  const { cache } = objects;
  const key = `computed pages ${root}`;
  const cached = cache.get<ComputedPageList>(key);
  if (cached) return cached.pages;

  // A state of a space mostly resembles the one that was requested last, so only the difference is read. The nodes of that state
  // may be deleted by now. Then all pages are read.
  const latestKey = `computed pages of ${space}`;
  const latest = cache.get<ComputedPageList>(latestKey) ?? (await loadStored().catch(() => undefined));
  const updated = latest && (await updateComputedPages(objects, latest, root).catch(() => undefined));
  const pages = updated ?? (await listAllPages(openRevision(objects, { root }), ({ type }) => type === "computed"));
  const list: ComputedPageList = { root, pages };
  for (const name of [key, latestKey]) cache.set(name, list, { bytes: 200 + pages.length * 1000 });
  return pages;
}

/** Returns the computed pages at `root`, based on those of another state, or undefined if too many pages differ. */
async function updateComputedPages(
  objects: Objects,
  list: ComputedPageList,
  root: MapRoot,
): Promise<ComputedPageList["pages"] | undefined> {
  const pages = new Map(list.pages.map((page) => [page.id, page]));
  let changedPages = 0;
  for await (const { key, after } of diffMaps(createNodeSource(objects), list.root, root, { under: keys.pages })) {
    if (++changedPages > MAX_CHANGED_PAGES) return undefined;
    const id = key.slice(keys.pages.length);
    const page = after as PageEntry | undefined;
    if (page?.type === "computed") pages.set(id, { ...page, id });
    else pages.delete(id);
  }
  return [...pages.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
