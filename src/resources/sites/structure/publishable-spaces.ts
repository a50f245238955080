// Which spaces a user may put on a site. Publishing shows a space to the world, so it takes the right to manage the
// space. `right-to-show.ts` has the rule for spaces that are already on a site.

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

/** At most this many sites of one space are looked for. */
const MAX_SITES = 10_000;

interface Asking {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
}

/** The space with the id that a body has at `at`. A space that the caller does not see counts as absent. */
export async function getPublishableSpace(context: Asking, id: string, at: string): Promise<SpaceRecord> {
  const { tx, actor } = context;
  const node = await nodes.get(tx, id);
  const path = node?.type === "space" ? await readNodePath(tx, node) : undefined;
  const viewer = path ? await loadViewerForPath(tx, actor.user.id, path) : NOBODY;
  return requirePublishableSpace(viewer, path, at);
}

/** The spaces of a list that a body has at `at`. */
export async function getPublishableSpaces(
  context: Asking,
  ids: readonly string[],
  at: string,
): Promise<SpaceRecord[]> {
  const { tx, actor } = context;
  const viewer = await loadViewer(tx, actor.user.id);
  const found = await nodes.getMany(
    tx,
    ids.map((id) => [id]),
  );
  const paths = await readCheckedNodePaths(
    tx,
    found.flatMap((node) => (node?.type === "space" ? [node] : [])),
  );
  const pathTo = new Map(paths.map((path) => [path[0].id, path]));
  return ids.map((id, i) => requirePublishableSpace(viewer, pathTo.get(id), `${at}.${i}`));
}

/** The sites of a space; none for callers who neither see the space nor edit sites. */
export async function listSitesWithSpace(
  context: Asking & { readonly me: OrganizationContext["me"] },
  space: string,
): Promise<ReadonlySet<string>> {
  const { tx, actor, me } = context;
  const node = await nodes.get(tx, space);
  const path = node && (await readNodePath(tx, node));
  const sees = path && !isTrashed(path) && getNodeRole(await loadViewer(tx, actor.user.id), path) !== null;
  if (!sees && !isRoleAtLeast(me?.role ?? null, "create")) return new Set();
  const rows = await siteItems.list(tx, "ofSpace", { under: [space], limit: MAX_SITES });
  return new Set(rows.map(({ record }) => record.site));
}

const NOBODY: Viewer = { organizationRole: undefined, grantedRoles: new Map() };

/** The space at the beginning of a path, if the viewer may publish it. */
function requirePublishableSpace(viewer: Viewer, path: NodePath | undefined, at: string): SpaceRecord {
  if (!path || isTrashed(path) || getNodeRole(viewer, path) === null)
    throw createValidationError(at, "The organization has no such space");
  if (!canPublishSpace(viewer, path)) throw createError("forbidden");
  return path[0] as SpaceRecord;
}
