// The spaces of an organization that a caller may read, with their current content.

import { failure } from "../../../errors";
import { everyRow } from "../../../operation/pages";
import { atLeast } from "../../../roles";
import type { Reader } from "../../../store/transaction";
import { isTrashed, nodes, type SpaceRecord, walkPaths } from "../../library/tree/records";
import { roleIn, viewerOf } from "../../library/tree/rules";
import type { InOrganization } from "../../people/organizations/rules";
import { revisions } from "../revisions/records";
import type { InContent } from "../revisions/rules";

type Looking = InOrganization & {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
};

/** Every space that the caller may read and that is not in the trash. */
export async function* spacesSeen<Context extends Looking>(context: Context): AsyncGenerator<Context & InContent> {
  const { tx, actor } = context;
  const viewer = await viewerOf(tx, actor.user.id);
  for await (const { record: path } of everyRow(walkPaths(tx, (slice) => nodes.list(tx, "spaces", slice)))) {
    const role = roleIn(viewer, path);
    if (isTrashed(path) || !atLeast(role, "read")) continue;
    const space = path[0] as SpaceRecord;
    const revision = await revisions.get(tx, space.id, space.revision);
    if (!revision) throw failure("storage_damaged");
    yield { ...context, path, role, space, revision, isDeleted: false };
  }
}
