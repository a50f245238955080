// Resolves the dependencies of a computed page to their current state: specifications of the organization, and the space of the
// page. Those that the installation may not see count as absent. Other spaces cannot be dependencies, because readers
// of this space, and the author of the page, may have no right to see them.

import type { TargetContext } from "../../../operation/target";
import { findSpecByName } from "../../content/openapi-specs/records";
import { openRevision, revisions } from "../../content/revisions/records";
import { createDocumentId } from "../../content/revisions/views";
import { nodes } from "../../library/tree/records";
import type { IntegrationScope } from "../definitions/schema";

/** A dependency with its state; null if it does not exist or is not accessible. */
export interface Dependency {
  readonly ref: unknown;
  readonly value: object | null;
}

const MAX_DEPENDENCIES = 20;

interface DependencyContext extends Pick<TargetContext, "tx" | "objects"> {
  readonly scopes: readonly IntegrationScope[];
  readonly spaceId: string;
}

export async function resolveDependencies(context: DependencyContext, given: Readonly<Record<string, unknown>>) {
  const names = Object.keys(given).slice(0, MAX_DEPENDENCIES);
  const refs = names.map((name) => (given[name] as { readonly ref?: unknown } | null)?.ref ?? null);
  const found = await Promise.all(
    refs.map((ref) => findDependency(context, (ref ?? {}) as Readonly<Record<string, unknown>>)),
  );
  return {
    byName: Object.fromEntries(names.map((name, i) => [name, { ref: refs[i], value: found[i]?.value ?? null }])),
    arePublic: found.every((it) => it?.isPublic !== false),
  };
}

async function findDependency(
  { tx, objects, scopes, spaceId }: DependencyContext,
  ref: Readonly<Record<string, unknown>>,
): Promise<{ readonly value: object; readonly isPublic: boolean } | undefined> {
  if (ref.kind === "openapi") {
    if (typeof ref.spec !== "string" || ref.spec.length > 100) return undefined;
    const spec = await findSpecByName(tx, ref.spec);
    const isPublic = spec?.visibility === "public";
    if (!spec || !(isPublic || scopes.includes("openapi:read"))) return undefined;
    const { id, slug, lastVersion } = spec;
    return { value: { object: "openapi-spec", id, slug, version: lastVersion ?? null }, isPublic };
  }

  if ((ref.space ?? spaceId) !== spaceId || !scopes.includes("space:content:read")) return undefined;
  if (ref.kind !== "space" && ref.kind !== "page") return undefined;
  const node = await nodes.get(tx, spaceId);
  if (node?.type !== "space") return undefined;
  if (ref.kind === "space") return { value: { object: "space", id: spaceId, revision: node.revision }, isPublic: true };

  const { page: id } = ref;
  const revision = await revisions.get(tx, spaceId, node.revision);
  if (!revision || typeof id !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) return undefined;
  const page = await openRevision(objects, revision).getPage(id);
  if (!page) return undefined;
  const text = page.body === undefined ? {} : { documentId: createDocumentId({ id, body: page.body }) };
  return { value: { object: "page", id, ...text }, isPublic: true };
}
