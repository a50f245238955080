// Who may do what with a space, in use and in the trash.

import { failure, invalid } from "../../errors";
import type { Scope, Target } from "../../operation";
import { atLeast } from "../../roles";
import { codeOf, organizationPartition } from "../../store/ids";
import type { OutgoingEvent } from "../../work/events";
import { isTrashed, type SpaceRecord, type Visibility } from "../tree/records";
import { enterTree, type InTree } from "../tree/rules";
import { purgedAt } from "./records";

export interface InSpace extends InTree {
  readonly space: SpaceRecord;
  readonly isDeleted: boolean;
}

type SpaceRight = "access" | "admin" | "viewInviteLinks" | "edit" | "triggerGitSync" | "comment" | "merge" | "review";

const canSee = ({ role }: InSpace) => atLeast(role, "read");
const canCreate = ({ role }: InSpace) => atLeast(role, "create");

async function enterSpace(scope: Scope): Promise<InSpace | undefined> {
  const found = await enterTree(scope, scope.params.spaceId!, "space");
  return found && { ...found, space: found.path[0] as SpaceRecord, isDeleted: isTrashed(found.path) };
}

const rights = {
  view: canSee,
  access: canSee,
  admin: canCreate,
  viewInviteLinks: canCreate,
  edit: ({ role }: InSpace) => atLeast(role, "edit"),
  triggerGitSync: canCreate,
  comment: ({ role }: InSpace) => atLeast(role, "comment"),
  merge: ({ role }: InSpace) => atLeast(role, "review"),
  review: ({ role }: InSpace) => atLeast(role, "review"),
};

/** A space in use. One in the trash is absent, to everybody and everything but what `deletableSpace` names. */
export const space: Target<InSpace, SpaceRight> = {
  partition({ spaceId }) {
    const code = codeOf("space", spaceId!);
    return code && organizationPartition(code);
  },
  async load(scope) {
    const found = await enterSpace(scope);
    return found?.isDeleted ? undefined : found;
  },
  absent: "space_not_found",
  rights,
};

/** A space in use or in the trash: there it is seen by those who may restore it. */
export const deletableSpace: Target<InSpace, SpaceRight> = {
  ...space,
  load: enterSpace,
  rights: { ...rights, view: (it) => (it.isDeleted ? canCreate(it) : canSee(it)) },
};

/** Only a space in a collection can be as visible as its collection. */
export function checkVisibility(visibility: Visibility, parent: string | null): void {
  if (visibility === "in-collection" && parent === null)
    throw invalid("body.visibility", "Only a space in a collection can be in-collection");
}

/** What becomes of a visibility in another place: out of a collection, `in-collection` means nothing. */
export function visibilityIn(parent: string | null, visibility: Visibility): Visibility {
  return parent === null && visibility === "in-collection" ? "private" : visibility;
}

/** Restoring is possible for seven days. */
export function checkRestorable({ space, isDeleted }: InSpace, now: Date): void {
  if (!isDeleted || space.deletedAt === null) throw failure("not_deleted");
  if (purgedAt(space.deletedAt) <= now) throw failure("restore_too_late");
}

/** What is told of a space whose visibility has changed. */
export function visibilityEvents(before: SpaceRecord, after: SpaceRecord): OutgoingEvent[] {
  if (before.visibility === after.visibility) return [];
  const { visibility: previousVisibility } = before;
  return [{ type: "space_visibility_updated", spaceId: after.id, previousVisibility, visibility: after.visibility }];
}
