// Which pages of a space a visitor may find by search: the visible ones, except those that are excluded from search and
// hidden pages with everything below them. The deciding fields are collected once for a state of the content and kept
// in memory.

import type { Claims } from "../../../content/claims";
import type { PageEntry, Variable } from "../../../content/revision/entries";
import { type Identified, MAX_PAGE_DEPTH } from "../../../content/revision/view";
import type { Objects } from "../../../store/objects";
import { type RevisionRecord, viewIn } from "../../content/revisions/records";
import { type Deciding, decidingOf, seenAmong } from "./sight";

/** What decides about the pages of a space; undefined: every page may be found. */
interface Gathered {
  readonly pages: ReadonlyMap<string, Deciding>;
  readonly keptOut: ReadonlySet<string>;
  readonly variables: Readonly<Record<string, Variable>>;
}

/** Whether a visitor with these claims may find a page. For a computed page the pages above it decide. */
export async function searchableFor(
  objects: Objects,
  revision: Pick<RevisionRecord, "root">,
  claims: Claims,
): Promise<(page: string) => boolean> {
  const gathered = await gatheredFrom(objects, revision);
  if (!gathered) return () => true;
  const isSeen = seenAmong(gathered.pages, gathered.variables, claims);
  return (id) => !gathered.pages.has(id) || (isSeen(id) && !gathered.keptOut.has(id));
}

/** The approximate memory of a page. */
const BYTES_A_PAGE = 200;

async function gatheredFrom(objects: Objects, { root }: Pick<RevisionRecord, "root">): Promise<Gathered | undefined> {
  const name = `searchable ${root}`;
  const known = objects.cache.get(name) as { readonly value: { readonly gathered: Gathered | undefined } } | undefined;
  if (known) return known.value.gathered;
  const view = viewIn(objects, { root });
  const pages = await view.allPages();
  const byId = new Map(pages.map((page) => [page.id, page]));
  const keptOut = new Set(pages.filter((page) => isKeptOut(wayIn(byId, page))).map(({ id }) => id));
  const isPlain = keptOut.size === 0 && pages.every(({ condition }) => condition === undefined);
  const gathered = isPlain
    ? undefined
    : { keptOut, pages: new Map(pages.map((it) => [it.id, decidingOf(it)])), variables: await view.variables() };
  objects.cache.set(name, { value: { gathered }, bytes: BYTES_A_PAGE * (isPlain ? 1 : pages.length) });
  return gathered;
}

/** Whether the first page of `way` is excluded from search: by itself, or because it or a page above it is hidden. */
export function isKeptOut(way: readonly PageEntry[]): boolean {
  return way[0]?.noIndex === true || way.some(({ hidden }) => hidden === true);
}

function wayIn(pages: ReadonlyMap<string, Identified<PageEntry>>, page: Identified<PageEntry>): PageEntry[] {
  const way = [page];
  while (way.length <= MAX_PAGE_DEPTH) {
    const above = pages.get(way.at(-1)!.parent ?? "");
    if (!above) break;
    way.push(above);
  }
  return way;
}
