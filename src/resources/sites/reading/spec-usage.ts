// Finds out whether pages of a site use an OpenAPI specification. Visitors of the site read the specifications that its
// pages use, public or private, and no others of the organization.

import { loadComputedPages } from "../../../content/lazy";
import { keys, type LinkEntry } from "../../../content/revision/entries";
import type { TargetContext } from "../../../operation/target";
import type { Objects } from "../../../storage/objects";
import { getSpecName } from "../../content/openapi-specs/views";
import { listComputedPages } from "../../content/revisions/computed-content";
import { openRevision, type RevisionRecord, revisions } from "../../content/revisions/records";
import type { SpaceRecord } from "../../library/tree/records";
import { organizations } from "../../people/organizations/records";
import { resolveVisit } from "../audience/audience";
import { getVisibleItems } from "../audience/visible-items";
import { sites } from "../records";
import { getSiteSpaces, readStructure } from "../structure/structure";
import { createVisiblePages } from "./visible-pages";

/** Returns whether a page that the visitor sees refers to a specification, by its slug or its id. */
export async function isSpecUsedOnSite(
  scope: TargetContext,
  spec: { readonly id: string; readonly slug: string },
): Promise<boolean> {
  const { tx, actor, objects } = scope;
  const visit = actor.visit!;
  const site = await sites.get(tx, visit.site);
  const organization = await organizations.get(tx, visit.organization);
  const visitor = site && (await resolveVisit(scope, site, visit));
  if (!visitor || !organization) return false;
  const viewing = { tx, actor, organization, site, me: undefined, visitor };
  const visible = await getVisibleItems(viewing, await readStructure(tx, site));
  for (const siteSpace of getSiteSpaces(visible.structure)) {
    const space = visible.getSpaceAccess(siteSpace).path[0] as SpaceRecord;
    const revision = await revisions.get(tx.unchecked, space.id, space.revision);
    if (!revision) continue;
    const pagesBySpec = await findPagesBySpec(objects, revision);
    const visiblePages = await createVisiblePages(openRevision(objects, revision), visitor.claims);
    for (const page of [...(pagesBySpec.get(spec.slug) ?? []), ...(pagesBySpec.get(spec.id) ?? [])])
      if (await visiblePages.getAncestry(page)) return true;
  }
  return false;
}

/** Finds the pages of a revision by the specification that they refer to. The result is cached with the revision. */
async function findPagesBySpec(
  objects: Objects,
  revision: Pick<RevisionRecord, "space" | "root">,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const name = `named specifications ${revision.root}`;
  const known = objects.cache.get<ReadonlyMap<string, readonly string[]>>(name);
  if (known) return known;
  const pagesBySpec = new Map<string, string[]>();
  const add = (spec: string, page: string) => pagesBySpec.set(spec, [...(pagesBySpec.get(spec) ?? []), page]);
  for (const { key, value } of await openRevision(objects, revision).list({ under: keys.links })) {
    const { as, href } = value as LinkEntry;
    if (as === "openapi") add(href, key.split("/")[1]!);
  }
  const { parseDefinition } = await loadComputedPages();
  for (const { id, computed } of await listComputedPages(objects, revision)) {
    const spec = getSpecName(parseDefinition(computed ?? ""));
    if (spec !== undefined) add(spec, id);
  }
  objects.cache.set(name, pagesBySpec, { bytes: 100 + pagesBySpec.size * 200 });
  return pagesBySpec;
}
