// The spaces of an organization that a caller may read, with their current content.

import { failure } from "../../../errors";
import type { Reader } from "../../../store/transaction";
import { readableSpaces } from "../../library/spaces/readable-spaces";
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
  for (const { space, path, role } of await readableSpaces(tx, actor.user.id)) {
    const revision = await revisions.get(tx, space.id, space.revision);
    if (!revision) throw failure("storage_damaged");
    yield { ...context, path, role, space, revision, isDeleted: false };
  }
}
