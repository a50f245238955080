// Pages that are computed, by what they are computed from. Whoever reads content reads it through here, and comes upon them
// as far as they may see what they come from.

import {
  type Computed,
  type Definition,
  definitionOf,
  type Expansion,
  expansionOf,
} from "../../content/revision/computed";
import type { PageEntry } from "../../content/revision/entries";
import { withComputed } from "../../content/revision/overlay";
import type { Identified, View } from "../../content/revision/view";
import type { Objects } from "../../store/objects";
import type { Reader } from "../../store/transaction";
import { computeOpenApi } from "../openapi-specs/views";
import { type InOrganization, organization } from "../organizations/rules";
import { type RevisionRecord, viewIn } from "./records";

/** What a computed page may be computed from, by its type. */
const sources: Readonly<Record<string, Source>> = { "builtin:openapi": computeOpenApi };

/** Finds what a computed page names; undefined when there is no such thing. */
export type Source = (from: Reading, definition: Definition) => Promise<Computed | undefined>;

interface Reading {
  readonly tx: Reader;
  readonly objects: Objects;
}

/** What reading content with computed pages takes. */
export interface ReadingComputed extends Reading, InOrganization {
  readonly query?: { readonly computed?: boolean | undefined };
}

/** Content as it is shown: a view, and the texts that its entries name. */
export interface Shown {
  readonly view: View;
  readonly objects: Objects;
}

/** A revision as the caller sees it, with what is computed unless that was declined. */
export function shownIn(context: ReadingComputed, revision: Pick<RevisionRecord, "root">): Shown {
  const { objects, query } = context;
  const stored = viewIn(objects, revision);
  if (query?.computed === false) return { view: stored, objects };
  const { view, textOf } = withComputed(
    stored,
    async (page) => (await expand(context, page))?.expansion,
    () => computedPagesIn(objects, revision),
  );
  const text = async (hash: string) => textOf(hash) ?? objects.text(hash);
  return {
    view,
    objects: { ...objects, text, texts: (hashes) => Promise.all(hashes.map((hash) => text(hash))) },
  };
}

/** What comes of a computed page, as far as the caller may see it. */
export async function expand(
  context: Reading & InOrganization,
  page: Identified<PageEntry>,
): Promise<{ readonly name: string; readonly expansion: Expansion } | undefined> {
  const computed = await computedFrom(context, page);
  if (!computed || !(computed.isPublic || organization.rights.viewOpenAPISpecs(context))) return undefined;
  return expansionFrom(context.objects, page, computed);
}

/** What a computed page is computed from now, whoever asks. */
export async function computedFrom(from: Reading, page: PageEntry): Promise<Computed | undefined> {
  const definition = page.computed === undefined ? undefined : definitionOf(page.computed);
  if (!definition || !Object.hasOwn(sources, definition.type)) return undefined;
  return sources[definition.type]!(from, definition);
}

/** The pages of a computed page, worked out once for each state of what they come from. */
export async function expansionFrom(
  { cache }: Objects,
  page: Identified<PageEntry>,
  { name, updatedAt, pages }: Computed,
): Promise<{ readonly name: string; readonly expansion: Expansion }> {
  const known = `expansion ${page.id} ${page.createdAt} ${name}`;
  const found = cache.get(known)?.value as Expansion | undefined;
  if (found) return { name, expansion: found };
  const expansion = expansionOf(page, await pages(), name, updatedAt);
  cache.set(known, { value: expansion, bytes: 1000 + expansion.ids.length * 1500 });
  return { name, expansion };
}

/** The computed pages of a revision, looked for once. */
export async function computedPagesIn(
  objects: Objects,
  { root }: Pick<RevisionRecord, "root">,
): Promise<readonly Identified<PageEntry>[]> {
  const name = `computed pages ${root}`;
  const known = objects.cache.get(name)?.value as readonly Identified<PageEntry>[] | undefined;
  if (known) return known;
  const all = await viewIn(objects, { root }).allPages();
  const found = all.filter(({ type }) => type === "computed");
  objects.cache.set(name, { value: found, bytes: 100 + found.length * 1000 });
  return found;
}
