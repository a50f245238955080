// Who may fetch what a signed URL leads to. Nobody sends a token with one, so it is made for the person who asked for it, and
// opens for as long as that person may read the space: the right is looked up anew each time.

import { type Actor, nobody, type Scope } from "../../../operation/operation";
import { atLeast } from "../../../roles";
import type { InSpace } from "../../library/spaces/rules";
import { isTrashed, type SpaceRecord } from "../../library/tree/records";
import { enterTree } from "../../library/tree/rules";
import { apps, isInstallation } from "../../people/members/apps";

/** A space, as whoever asked for the URL may read it. */
export interface AsReader extends InSpace {
  readonly reader: Actor;
}

/** The space that a URL was signed for; undefined when the person whom it was made for may not read it any more. */
export async function enterAsReader(
  scope: Scope,
  { space, user }: { readonly space: string; readonly user: string },
): Promise<AsReader | undefined> {
  const reader: Actor = { ...nobody, user: { id: user, displayName: "", email: "" } };
  const found = await enterTree({ ...scope, actor: reader }, space, "space");
  if (!found || isTrashed(found.path) || !atLeast(found.role, "read")) return undefined;
  if (isInstallation(user) && !(await apps.filling.mayReadContent(scope, user))) return undefined;
  return { ...found, space: found.path[0] as SpaceRecord, isDeleted: false, reader };
}
