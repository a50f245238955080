// Finds the spaces that a user may add to a site. Publishing shows a space to everybody, so it requires the right to manage the space.
// `right-to-show.ts` has the rule for spaces that are already on a site.

import { createError, createValidationError } from "../../../errors";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Reader } from "../../../storage/transaction";
import {
  isTrashed,
  type NodePath,
  nodes,
  readCheckedNodePaths,
  readNodePath,
  type SpaceRecord,
} from "../../library/tree/records";
import { canPublishSpace, getNodeRole, loadViewer, loadViewerForPath, type Viewer } from "../../library/tree/rules";
import type { OrganizationContext } from "../../people/organizations/rules";
import { siteItems } from "../records";

const MAX_SITES = 10_000;

interface SpaceLookupContext {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
}

/** Returns the space with an id from a field of a body. A space that the caller can't see is treated as absent. */
export async function getPublishableSpace(
  context: SpaceLookupContext,
  id: string,
  field: string,
): Promise<SpaceRecord> {
  const { tx, actor } = context;
  const node = await nodes.get(tx, id);
  const path = node?.type === "space" ? await readNodePath(tx, node) : undefined;
  const viewer = path ? await loadViewerForPath(tx, actor.user.id, path) : NOBODY;
  return requirePublishableSpace(viewer, path, field);
}

export async function getPublishableSpaces(
  context: SpaceLookupContext,
  ids: readonly string[],
  field: string,
): Promise<SpaceRecord[]> {
  const { tx, actor } = context;
  const viewer = await loadViewer(tx, actor.user.id);
  const records = await nodes.getMany(tx, ids);
  const paths = await readCheckedNodePaths(
    tx,
    records.flatMap((node) => (node?.type === "space" ? [node] : [])),
  );
  const pathsBySpace = new Map(paths.map((path) => [path[0].id, path]));
  return ids.map((id, i) => requirePublishableSpace(viewer, pathsBySpace.get(id), `${field}.${i}`));
}

/** Returns the ids of a space's sites, or none if the caller can neither see the space nor edit sites. */
export async function listSitesWithSpace(
  context: SpaceLookupContext & { readonly me: OrganizationContext["me"] },
  space: string,
): Promise<ReadonlySet<string>> {
  const { tx, actor, me } = context;
  const node = await nodes.get(tx, space);
  const path = node && (await readNodePath(tx, node));
  const canSee = path && !isTrashed(path) && getNodeRole(await loadViewer(tx, actor.user.id), path) !== null;
  if (!canSee && !isRoleAtLeast(me?.role ?? null, "create")) return new Set();
  const rows = await siteItems.list(tx, "ofSpace", { under: [space], limit: MAX_SITES });
  return new Set(rows.map(({ record }) => record.site));
}

const NOBODY: Viewer = { organizationRole: undefined, grantedRoles: new Map() };

/** Returns the space of a path. Refuses one that the viewer may not publish. */
function requirePublishableSpace(viewer: Viewer, path: NodePath | undefined, field: string): SpaceRecord {
  if (!path || isTrashed(path) || getNodeRole(viewer, path) === null)
    throw createValidationError(field, "Space not found in this organization");
  if (!canPublishSpace(viewer, path)) throw createError("forbidden");
  return path[0] as SpaceRecord;
}
