// The names of readers in signed URLs. A member's name includes the membership, so a URL that was created before the member was
// deactivated or left never works again.

import type { Actor } from "../../../operation/actor";
import { getMembershipId, type MemberRecord } from "../../people/members/records";

/** Returns the name of the caller who requests a signed URL. `me` is the caller's member record. */
export function getReaderName({
  actor,
  me,
}: {
  readonly actor: Pick<Actor, "user">;
  readonly me: MemberRecord | undefined;
}): string {
  return me ? `${actor.user.id}@${getMembershipId(me)}` : actor.user.id;
}
