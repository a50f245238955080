// Computed pages and files. Everything that reads content reads it through here, and sees the computed pages whose
// sources the caller may see.

import { loadComputedPages } from "../../../content/lazy";
import { diffMaps, type MapRoot } from "../../../content/prolly-tree";
import type { ComputedContent, ComputedDefinition, Expansion } from "../../../content/revision/computed";
import { createComputedOverlay, type ExpandedPage } from "../../../content/revision/computed-overlay";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { Objects } from "../../../storage/objects";
import { runSteps } from "../../../utils/concurrency/event-loop";
import type { InSpace } from "../../library/spaces/rules";
import { isApp } from "../../people/members/records";
import type { InOrganization } from "../../people/organizations/rules";
import { computeOpenApi } from "../openapi-specs/views";
import { type FromSource, integrationSources, type Source, type Sources } from "./computed-sources";
import { everyPage, nodesOf, type RevisionRecord, viewIn } from "./records";
import { type Shown, visitorViews } from "./visitor-views";

export type { Shown } from "./visitor-views";

/** What reading content with computed pages needs. */
export interface ReadingComputed extends Sources, InOrganization, Pick<InSpace, "visited"> {
  readonly query?: { readonly computed?: boolean | undefined };
}

/** The fields of a revision that decide what is shown. */
export type ShownRevision = Pick<RevisionRecord, "space" | "root">;

/** A revision as the caller sees it, with computed pages unless they are declined. */
export function shownIn(context: ReadingComputed, revision: ShownRevision): Shown {
  const { visited } = context;
  if (!visited) return shownTo(context, revision);
  const sees = visitorViews.implementation.seesIn(viewIn(context.objects, revision), visited);
  const { query: _, ...asVisitor } = context;
  // Nothing is computed for a page that the visitor does not see.
  return visitorViews.implementation.shownTo(
    shownTo(asVisitor, revision, ({ id }) => sees(id)),
    visited,
  );
}

function shownTo(
  context: ReadingComputed,
  revision: ShownRevision,
  sees: (page: WithId<PageEntry>) => Promise<boolean> = async () => true,
): Shown {
  const { objects, query } = context;
  const stored = viewIn(objects, revision);
  if (query?.computed === false) return { view: stored, objects, atHand: objects };
  const {
    view,
    readText: textOf,
    isLazyText: isLate,
  } = createComputedOverlay(
    stored,
    async (page) => ((await sees(page)) ? expand(context, revision.space, page) : undefined),
    (of) => (of === "files" ? byIntegrations(context, revision) : computedPagesIn(objects, revision)),
  );
  const text = async (hash: string) => textOf(hash) ?? objects.text(hash);
  return {
    view,
    objects: readingWith(objects, text),
    atHand: readingWith(objects, async (hash) => (isLate(hash) ? "" : text(hash))),
  };
}

function readingWith(objects: Objects, text: Objects["text"]): Objects {
  return { ...objects, text, texts: (hashes) => Promise.all(hashes.map((hash) => text(hash))) };
}

/** The result of a computed page, as far as the caller may see it. */
async function expand(
  context: ReadingComputed,
  space: string,
  page: WithId<PageEntry>,
): Promise<ExpandedPage | undefined> {
  const computed = await computedFrom(context, space, page);
  if (!computed?.isSeenBy(context)) return undefined;
  const { expansion } = await expansionFrom(context.objects, page, computed);
  return { expansion, readText: computed.readText };
}

/** The current source of a computed page, whether or not the caller may see its result. */
export async function computedFrom(
  from: Sources & Pick<InOrganization, "me">,
  space: string,
  page: PageEntry,
): Promise<FromSource | undefined> {
  const definition =
    page.computed === undefined ? undefined : (await loadComputedPages()).parseDefinition(page.computed);
  // A script that is asked for content may read some itself, and would wait for its own answer.
  if (!definition || (integrationSources.implementation.isNamedBy(definition) && isApp(from.me))) return undefined;
  return sourceOf(definition)?.(from, definition, space);
}

/** The sources of computed pages, by type. */
function sourceOf(definition: ComputedDefinition): Source | undefined {
  if (definition.type === "builtin:openapi") return computeOpenApi;
  const { isNamedBy, compute } = integrationSources.implementation;
  return isNamedBy(definition) ? compute : undefined;
}

/** Whether a revision shows answers of integrations, whose changes no version here includes. */
export async function isOpenEnded(from: Pick<Sources, "tx" | "objects">, revision: ShownRevision): Promise<boolean> {
  return (await byIntegrations(from, revision)).length > 0;
}

/** Pages that integrations may compute. They are looked for only where there are any. */
async function byIntegrations({ tx, objects }: Pick<Sources, "tx" | "objects">, revision: ShownRevision) {
  if (!(await integrationSources.implementation.areThere(tx))) return [];
  const found = await computedPagesIn(objects, revision);
  return found.filter(({ computed }) => computed?.includes("integration:"));
}

/** The result of a computed page, computed once for each state of its source. */
export async function expansionFrom(
  { cache }: Objects,
  page: WithId<PageEntry>,
  computed: ComputedContent,
): Promise<{ readonly name: string; readonly expansion: Expansion }> {
  const { name } = computed;
  const known = `expansion ${page.id} ${page.createdAt} ${name}`;
  const found = cache.get(known)?.value as Expansion | undefined;
  if (found) return { name, expansion: found };
  const { expandComputedPageInSteps } = await loadComputedPages();
  const expansion = await runSteps(expandComputedPageInSteps(page, computed, await computed.pages()));
  cache.set(known, { value: expansion, bytes: 1000 + expansion.entries.size * 500 });
  return { name, expansion };
}

/** The computed pages of a revision, found once. `stored`: those of another state of the space, if they are known. */
export async function computedPagesIn(
  objects: Objects,
  { space, root }: ShownRevision,
  stored: () => Promise<Stated | undefined> = async () => undefined,
): Promise<readonly WithId<PageEntry>[]> {
  const { cache } = objects;
  const name = `computed pages ${root}`;
  const known = cache.get(name)?.value as Stated | undefined;
  if (known) return known.pages;
  // A state of a space is mostly like the one that was asked for last: only what differs is read. What the last one was made
  // of may be gone by now; then all of it is read.
  const lastOfSpace = `computed pages of ${space}`;
  const last = (cache.get(lastOfSpace)?.value as Stated | undefined) ?? (await stored().catch(() => undefined));
  const since = last && (await statedSince(objects, last, root).catch(() => undefined));
  const found: Stated = { root, pages: since ?? (await statedIn(objects, root)) };
  const entry = { value: found, bytes: 200 + found.pages.length * 1000 };
  cache.set(name, entry);
  cache.set(lastOfSpace, entry);
  return found.pages;
}

/** The computed pages that are stated at one state of the content, in the order of their ids. */
export interface Stated {
  readonly root: MapRoot;
  readonly pages: readonly WithId<PageEntry>[];
}

async function statedIn(objects: Objects, root: MapRoot): Promise<Stated["pages"]> {
  return everyPage(viewIn(objects, { root }), ({ type }) => type === "computed");
}

/** From so many pages that differ on, reading all of them takes less: they are read one after the other. */
const MOST_DIFFERENT = 1000;

async function statedSince(objects: Objects, last: Stated, root: MapRoot): Promise<Stated["pages"] | undefined> {
  const found = new Map(last.pages.map((page) => [page.id, page]));
  let different = 0;
  for await (const { key, after } of diffMaps(nodesOf(objects), last.root, root, { under: keys.pages })) {
    if (++different > MOST_DIFFERENT) return undefined;
    const id = key.slice(keys.pages.length);
    const page = after as PageEntry | undefined;
    if (page?.type === "computed") found.set(id, { ...page, id });
    else found.delete(id);
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
