// The spaces of an organization that a user may read, without those in the trash.

import type { Role } from "../../../operation/common-schemas";
import { findOrganizationPartition } from "../../people/organizations/records";
import { type NodePath, nodes, type SpaceRecord } from "../tree/records";
import { getNodeRole } from "../tree/rules";
import { getVisibleNodes, readVisiblePaths, type TreeReadContext } from "../tree/visible-nodes";

/** Lists the spaces that a user may read. There may be thousands, so their paths are only read one by one, when needed. */
export async function listReadableSpaces(context: TreeReadContext, user: string): Promise<SpaceRecord[]> {
  const { tx, ports, organization } = context;
  const { spaces, activeSpaces } = await getVisibleNodes(context, user);
  // Their records are the same for all users, until something is written.
  const records = await ports.cache.getOrCompute(
    `${findOrganizationPartition(organization.id)} spaces`,
    [tx.version],
    async () => {
      const ids = activeSpaces.map(({ record }) => record.id);
      const found = await nodes.getMany(tx, ids);
      return new Map(found.flatMap((node) => (node?.type === "space" ? [[node.id, node] as const] : [])));
    },
    ({ size }) => 1000 * size,
  );
  return spaces.flatMap(({ record }) => records.get(record.id) ?? []);
}

/** Reads the path of a space and the role of a user on it. Returns undefined if they may not read it. */
export async function findReadablePath(
  context: TreeReadContext,
  user: string,
  space: SpaceRecord,
): Promise<{ readonly path: NodePath; readonly role: Role } | undefined> {
  const { viewer } = await getVisibleNodes(context, user);
  const [path] = await readVisiblePaths(context.tx, viewer, [space]);
  const role = path && getNodeRole(viewer, path);
  return path && role ? { path, role } : undefined;
}
