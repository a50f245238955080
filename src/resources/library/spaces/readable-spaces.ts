// The spaces of an organization that a user may read, without those in the trash.

import { findOrganizationPartition } from "../../people/organizations/records";
import { nodes, type SpaceRecord } from "../tree/records";
import { getVisibleNodes, type TreeReadContext } from "../tree/visible-nodes";

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
