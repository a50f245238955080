// The spaces of an organization that a user may read, as they are now. Spaces in the trash are not among them.

import type { Role } from "../../../operation/common-schemas";
import type { Reader } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import { getOrCompute } from "../../../utils/stamped-cache";
import { findOrganizationPartition } from "../../people/organizations/records";
import { type Looking, pathsSeen, seenBy } from "../tree/known-tree";
import { nodes, type Path, type SpaceRecord, type Standing } from "../tree/records";
import { roleIn } from "../tree/rules";

/** The spaces that a user may read. There may be thousands: where they are is not looked up before one is entered. */
export async function readableSpaces(context: Looking, user: string): Promise<SpaceRecord[]> {
  const { tx, ports, organization } = context;
  const { spaces, inUse } = await seenBy(context, user);
  // Their records are the same for all users, until something is written.
  const records = await getOrCompute(
    ports.cache,
    `${findOrganizationPartition(organization.id)} spaces`,
    String(tx.version),
    () => recordsOf(tx, inUse),
    ({ size }) => 1000 * size,
  );
  return spaces.flatMap(({ record }) => records.get(record.id) ?? []);
}

async function recordsOf(
  tx: Reader,
  rows: readonly PositionedRecord<Standing>[],
): Promise<ReadonlyMap<string, SpaceRecord>> {
  const found = await nodes.getMany(
    tx,
    rows.map(({ record }) => [record.id]),
  );
  return new Map(found.flatMap((node) => (node?.type === "space" ? [[node.id, node] as const] : [])));
}

/** Where a space is, and the role of a user on it; undefined when they may not read it. */
export async function entrance(
  context: Looking,
  user: string,
  space: SpaceRecord,
): Promise<{ readonly path: Path; readonly role: Role } | undefined> {
  const { viewer } = await seenBy(context, user);
  const [path] = await pathsSeen(context.tx, viewer, [space]);
  const role = path && roleIn(viewer, path);
  return path && role ? { path, role } : undefined;
}
