// The spaces of an organization that a user may read, as they are now. Spaces in the trash are not among them.

import { allRows } from "../../../operation/list-parts";
import { remembered } from "../../../parts/memory";
import type { Role } from "../../../shapes";
import type { Reader } from "../../../store/transaction";
import { partitionOf } from "../../people/organizations/records";
import { type Looking, seenBy } from "../tree/known-tree";
import { isTrashed, nodes, type Path, pathsOf, type SpaceRecord } from "../tree/records";
import { roleIn } from "../tree/rules";

/** A space that a user may read, where it is, and the user's role on it. */
export interface ReadableSpace {
  readonly space: SpaceRecord;
  readonly path: Path;
  readonly role: Role;
}

/** The spaces that a user may read. */
export async function readableSpaces(context: Looking, user: string): Promise<ReadableSpace[]> {
  const { tx, parts, organization } = context;
  const { viewer, spaces } = await seenBy(context, user);
  // Their records are the same for all users, until something is written.
  const paths = await remembered(
    parts.memory,
    `${partitionOf(organization.id)} spaces`,
    String(tx.version),
    () => allPaths(tx),
    ({ size }) => 1500 * size,
  );
  return spaces.flatMap(({ record }) => {
    const path = paths.get(record.id);
    const role = path && !isTrashed(path) ? roleIn(viewer, path) : null;
    return path && role !== null ? [{ space: path[0] as SpaceRecord, path, role }] : [];
  });
}

async function allPaths(tx: Reader): Promise<ReadonlyMap<string, Path>> {
  const rows = await allRows((slice) => nodes.list(tx, "spaces", slice));
  const paths = await pathsOf(
    tx,
    rows.map(({ record }) => record),
  );
  return new Map(paths.map((path) => [path[0].id, path]));
}
