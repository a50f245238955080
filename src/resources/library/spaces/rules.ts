// Who may do what with a space, in use and in the trash.

import type * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import type { OutgoingEvent } from "../../../jobs/outbox";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { isInstallationMember } from "../../people/members/records";
import { isTrashed, type SpaceRecord, showing, type Visibility } from "../tree/records";
import { enterTree, type InTree } from "../tree/rules";
import { purgedAt } from "./records";
import type { SpaceChanges } from "./schema";
import { type Visited, visits } from "./visited";

export interface InSpace extends InTree {
  readonly space: SpaceRecord;
  readonly isDeleted: boolean;
  /** The space as a visitor sees it; undefined for users, who read what is stored. */
  readonly visited?: Visited | undefined;
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

const canSee = ({ role }: InSpace) => isRoleAtLeast(role, "read");
const canCreate = ({ role }: InSpace) => isRoleAtLeast(role, "create");
const canEdit = ({ role }: InSpace) => isRoleAtLeast(role, "edit");
/** The rights of an installation on its spaces, within its scopes; and of people, those who set spaces up. */
const canSetUp = (it: InSpace) => canCreate(it) || (isInstallationMember(it.me) && canEdit(it));

async function enterSpace(scope: TargetContext): Promise<InSpace | undefined> {
  const found = await enterTree(scope, scope.params.spaceId!, "space");
  if (!found) return undefined;
  const it = { ...found, space: found.path[0] as SpaceRecord, isDeleted: isTrashed(found.path) };
  if (!scope.actor.visit) return it;
  // A visitor reads by way of the site, and is never a member.
  const visited = await visits.implementation.sees(scope, found);
  if (!visited) return { ...it, me: undefined, role: null };
  const path = showing(found.path, visited.revision);
  return { ...it, path, space: path[0] as SpaceRecord, me: undefined, role: "read", visited };
}

const rights = {
  view: canSee,
  access: canSee,
  admin: canCreate,
  describe: canSetUp,
  viewInviteLinks: canCreate,
  edit: canEdit,
  triggerGitSync: canSetUp,
  comment: ({ role }: InSpace) => isRoleAtLeast(role, "comment"),
  merge: ({ role }: InSpace) => isRoleAtLeast(role, "review"),
  review: ({ role }: InSpace) => isRoleAtLeast(role, "review"),
  installIntegration: canCreate,
};

/** A space in use. A space in the trash is absent, except for the operations that use `deletableSpace`. */
export const space: Target<InSpace, SpaceRight> = {
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

/** A space in use or in the trash. In the trash it is visible to those who may restore it. */
export const deletableSpace: Target<InSpace, SpaceRight> = {
  ...space,
  load: enterSpace,
  hidesContents: ({ isDeleted }) => isDeleted,
  rights: { ...rights, view: (it) => (it.isDeleted ? canCreate(it) : canSee(it)) },
};

/** A space to be sent to another organization, also while it is being sent. */
export const movingSpace: Target<InSpace, SpaceRight> = {
  ...space,
  load: (scope) => space.load({ ...scope, isWriting: false }),
};

/** Only a space in a collection can have the visibility of its collection. */
export function checkVisibility(visibility: Visibility, parent: string | null): void {
  if (visibility === "in-collection" && parent === null)
    throw createValidationError("body.visibility", "Only a space in a collection can be in-collection");
}

/** The visibility of a space after a move. Outside a collection `in-collection` has no meaning. */
export function visibilityIn(parent: string | null, visibility: Visibility): Visibility {
  return parent === null && visibility === "in-collection" ? "private" : visibility;
}

/** An installation may change how a space is called and marked. Who sees it, and how it is edited, is for people to decide. */
export function checkDescription(it: InSpace, changes: v.InferOutput<typeof SpaceChanges>): void {
  const { title: _, emoji: __, icon: ___, language: ____, ...more } = changes;
  if (!canCreate(it) && Object.values(more).some((value) => value !== undefined)) throw createError("forbidden");
}

/** Restoring is possible for seven days. */
export function checkRestorable({ space, isDeleted }: InSpace, now: Date): void {
  if (!isDeleted || space.deletedAt === null) throw createError("not_deleted");
  if (purgedAt(space.deletedAt) <= now) throw createError("restore_too_late");
}

/** The event of a space whose visibility has changed. */
export function visibilityEvents(before: SpaceRecord, after: SpaceRecord): OutgoingEvent[] {
  if (before.visibility === after.visibility) return [];
  const { visibility: previousVisibility } = before;
  return [{ type: "space_visibility_updated", spaceId: after.id, previousVisibility, visibility: after.visibility }];
}
