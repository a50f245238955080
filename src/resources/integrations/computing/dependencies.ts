// The dependencies of a computed page in their current state: specifications of the organization, and the space of the
// page. Things that the installation may not see count as absent. Other spaces cannot be dependencies, because readers
// of this space, and the author of the page, may have no right to see them.

import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { findSpecByName } from "../../content/openapi-specs/records";
import { createDocumentId } from "../../content/revisions/document-ids";
import { openRevision, revisions } from "../../content/revisions/records";
import { nodes } from "../../library/tree/records";
import type { IntegrationScope } from "../definitions/schema";

/** A dependency with its state; null: it does not exist or is not accessible. */
export interface Dependency {
  readonly ref: unknown;
  readonly value: object | null;
}

/** The dependencies of a page, and whether all of them are public. */
export interface Dependencies {
  readonly byName: Readonly<Record<string, Dependency>>;
  readonly arePublic: boolean;
}

const MAX_DEPENDENCIES = 20;

interface Looking {
  readonly tx: Reader;
  readonly objects: Objects;
  /** The scopes of the installation that is called. */
  readonly held: readonly IntegrationScope[];
  readonly spaceId: string;
}

type Found = { readonly value: object; readonly isPublic: boolean } | undefined;

/** Resolves the dependencies of a page. */
export async function resolveDependencies(
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
  const spec = await findSpecByName(tx, named);
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
  const page = await openRevision(objects, revision).getPage(id);
  if (!page) return undefined;
  const text = page.body === undefined ? {} : { documentId: createDocumentId({ id, body: page.body }) };
  return { value: { object: "page", id, ...text }, isPublic: true };
}
