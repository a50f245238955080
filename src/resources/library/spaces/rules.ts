import { createValidationError } from "../../../errors";
import type { OutgoingEvent } from "../../../jobs/outbox";
import type { Role } from "../../../operation/common-schemas";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { isInstallationMember } from "../../people/members/records";
import { isTrashed, replaceRevision, type SpaceRecord, type Visibility } from "../tree/records";
import { loadNode, type NodeContext } from "../tree/rules";
import { type SpaceVisit, visits } from "./space-visits";

export interface SpaceContext extends NodeContext {
  readonly space: SpaceRecord;
  readonly isDeleted: boolean;
  /** The visit by which the caller reads the space; undefined for users, who read the stored space. */
  readonly visit?: SpaceVisit | undefined;
}

type SpaceRight =
  | "access"
  | "admin"
  | "describe"
  | "viewInviteLinks"
  | "edit"
  | "triggerGitSync"
  | "comment"
  | "merge"
  | "review"
  | "installIntegration";

const hasRole =
  (required: Role) =>
  ({ role }: SpaceContext) =>
    isRoleAtLeast(role, required);
/** Installations, within their scopes, have some rights that only managers have among people. */
const canConfigure = (it: SpaceContext) =>
  isRoleAtLeast(it.role, "create") || (isInstallationMember(it.me) && isRoleAtLeast(it.role, "edit"));

async function enterSpace(scope: TargetContext): Promise<SpaceContext | undefined> {
  const found = await loadNode(scope, scope.params.spaceId!, "space");
  if (!found) return undefined;
  const it = { ...found, space: found.path[0] as SpaceRecord, isDeleted: isTrashed(found.path) };
  if (!scope.actor.visit) return it;
  // A visitor reads the space through a site, and is never a member.
  const visit = await visits.implementation.findVisit(scope, found);
  if (!visit) return { ...it, me: undefined, role: null };
  const path = replaceRevision(found.path, visit.revision);
  return { ...it, path, space: path[0] as SpaceRecord, me: undefined, role: "read", visit };
}

const rights = {
  view: hasRole("read"),
  access: hasRole("read"),
  admin: hasRole("create"),
  describe: canConfigure,
  viewInviteLinks: hasRole("create"),
  edit: hasRole("edit"),
  triggerGitSync: canConfigure,
  comment: hasRole("comment"),
  merge: hasRole("review"),
  review: hasRole("review"),
  installIntegration: hasRole("create"),
};

/** An active space. A space in the trash counts as absent, except for operations that use `deletableSpace`. */
export const space: Target<SpaceContext, SpaceRight> = {
  findPartition({ spaceId }) {
    const code = parsePartitionCode("space", spaceId!);
    return code && getPartitionByCode(code);
  },
  async load(scope) {
    const found = await enterSpace(scope);
    return found?.isDeleted ? undefined : found;
  },
  notFoundReason: "space_not_found",
  rights,
};

/** A space, active or in the trash. In the trash it is visible to those who may restore it. */
export const deletableSpace: Target<SpaceContext, SpaceRight> = {
  ...space,
  load: enterSpace,
  hidesContents: ({ isDeleted }) => isDeleted,
  rights: {
    ...rights,
    view: (it) => (it.isDeleted ? isRoleAtLeast(it.role, "create") : isRoleAtLeast(it.role, "read")),
  },
};

/** A space to be transferred to another organization. It is also found while a transfer has frozen it. */
export const movingSpace: Target<SpaceContext, SpaceRight> = {
  ...space,
  load: (scope) => space.load({ ...scope, isWriting: false }),
};

/** Checks that only a space in a collection gets the visibility of its collection. */
export function checkVisibility(visibility: Visibility, parent: string | null): void {
  if (visibility === "in-collection" && parent === null)
    throw createValidationError(
      "body.visibility",
      "Only a space in a collection can have the visibility `in-collection`",
    );
}

/** Returns the visibility of a space after a move. Outside a collection, `in-collection` becomes `private`. */
export function normalizeVisibility(parent: string | null, visibility: Visibility): Visibility {
  return parent === null && visibility === "in-collection" ? "private" : visibility;
}

/** Creates the event for a change of visibility. Returns an empty list if the visibility is the same. */
export function createVisibilityEvents(before: SpaceRecord, after: SpaceRecord): OutgoingEvent[] {
  if (before.visibility === after.visibility) return [];
  const { visibility: previousVisibility } = before;
  return [{ type: "space_visibility_updated", spaceId: after.id, previousVisibility, visibility: after.visibility }];
}
