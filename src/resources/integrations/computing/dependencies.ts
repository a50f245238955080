// What a computed page says that it depends on, as it is now: specifications of the organization, and the space that the page
// stands in. What an installation may not see is to it as if it were not there. Other spaces are no dependencies: not all who
// read this one may see them, and whoever wrote the page need not have, either.

import type { Objects } from "../../../store/objects";
import type { Reader } from "../../../store/transaction";
import { specNamed } from "../../content/openapi-specs/records";
import { revisions, viewIn } from "../../content/revisions/records";
import { nodes } from "../../library/tree/records";
import type { IntegrationScope } from "../definitions/schema";

/** A dependency with its state; null: there is no such thing, or it is out of reach. */
export interface Dependency {
  readonly ref: unknown;
  readonly value: object | null;
}

/** The dependencies of a page, and whether everybody may see what comes of them. */
export interface Dependencies {
  readonly byName: Readonly<Record<string, Dependency>>;
  readonly arePublic: boolean;
}

const MAX_DEPENDENCIES = 20;

interface Looking {
  readonly tx: Reader;
  readonly objects: Objects;
  /** What the installation may do that is asked. */
  readonly held: readonly IntegrationScope[];
  readonly spaceId: string;
}

type Found = { readonly value: object; readonly isPublic: boolean } | undefined;

/** Looks up what a page depends on. */
export async function dependenciesNow(
  looking: Looking,
  given: Readonly<Record<string, unknown>>,
): Promise<Dependencies> {
  const names = Object.keys(given).slice(0, MAX_DEPENDENCIES);
  const refs = names.map((name) => (given[name] as { readonly ref?: unknown } | null)?.ref ?? null);
  const found = await Promise.all(refs.map((ref) => find(looking, (ref ?? {}) as Readonly<Record<string, unknown>>)));
  return {
    byName: Object.fromEntries(names.map((name, i) => [name, { ref: refs[i], value: found[i]?.value ?? null }])),
    arePublic: found.every((it) => it?.isPublic !== false),
  };
}

async function find(looking: Looking, ref: Readonly<Record<string, unknown>>): Promise<Found> {
  if (ref.kind === "openapi") return findSpecification(looking, ref.spec);
  const isHere = (ref.space ?? looking.spaceId) === looking.spaceId;
  if (!isHere || !looking.held.includes("space:content:read")) return undefined;
  if (ref.kind === "space") return findSpace(looking);
  return ref.kind === "page" ? findPage(looking, ref.page) : undefined;
}

async function findSpecification({ tx, held }: Looking, named: unknown): Promise<Found> {
  if (typeof named !== "string" || named.length > 100) return undefined;
  const spec = await specNamed(tx, named);
  const isPublic = spec?.visibility === "public";
  if (!spec || !(isPublic || held.includes("openapi:read"))) return undefined;
  return {
    value: { object: "openapi-spec", id: spec.id, slug: spec.slug, version: spec.lastVersion ?? null },
    isPublic,
  };
}

async function findSpace({ tx, spaceId }: Looking): Promise<Found> {
  const node = await nodes.get(tx, spaceId);
  if (node?.type !== "space") return undefined;
  return { value: { object: "space", id: spaceId, revision: node.revision }, isPublic: true };
}

async function findPage({ tx, objects, spaceId }: Looking, id: unknown): Promise<Found> {
  const node = await nodes.get(tx, spaceId);
  const revision = node?.type === "space" ? await revisions.get(tx, spaceId, node.revision) : undefined;
  if (!revision || typeof id !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) return undefined;
  const page = await viewIn(objects, revision).page(id);
  return page && { value: { object: "page", id, documentId: page.body ?? null }, isPublic: true };
}
