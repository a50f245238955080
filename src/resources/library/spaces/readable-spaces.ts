// The spaces of an organization that a user may read. Spaces in the trash are not among them.

import { everyRow } from "../../../operation/list-parts";
import { atLeast } from "../../../roles";
import type { Role } from "../../../shapes";
import type { Reader } from "../../../store/transaction";
import { isTrashed, nodes, type Path, pathsOf, type SpaceRecord } from "../tree/records";
import { roleIn, viewerOf } from "../tree/rules";

/** A space that a user may read, where it is, and the user's role on it. */
export interface ReadableSpace {
  readonly space: SpaceRecord;
  readonly path: Path;
  readonly role: Role;
}

/** The spaces that a user may read: all of them, or one. */
export async function readableSpaces(tx: Reader, user: string, only?: string | undefined): Promise<ReadableSpace[]> {
  const viewer = await viewerOf(tx, user);
  const found = [];
  if (only === undefined)
    for await (const { record } of everyRow((slice) => nodes.list(tx, "spaces", slice))) found.push(record);
  else found.push(await nodes.get(tx, only));
  const paths = await pathsOf(
    tx,
    found.flatMap((node) => (node?.type === "space" ? [node] : [])),
  );
  return paths.flatMap((path) => {
    const role = roleIn(viewer, path);
    return role !== null && atLeast(role, "read") && !isTrashed(path)
      ? [{ space: path[0] as SpaceRecord, path, role }]
      : [];
  });
}
