// Members on the wire, with data from elsewhere: the user, the number of teams, and the number of grants.

import type * as v from "valibot";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { teamMembers } from "../teams/records";
import { findUsersById, presentUser } from "../users/records";
import { grantsOfMembers } from "./grants-extension";
import type { MemberRecord } from "./records";
import type { Member } from "./schema";

/** Returns members as they are on the wire, in the given order. */
export async function presentMembers(
  records: readonly MemberRecord[],
  { tx, directory, urls }: { readonly tx: Reader; readonly directory: Reader; readonly urls: Urls },
): Promise<v.InferOutput<typeof Member>[]> {
  const userIds = records.map((member) => member.user);
  const people = await findUsersById(directory, userIds);
  const teams = await teamMembers.totals(tx, "ofUser", userIds);
  const spaces = await grantsOfMembers.implementation.countSpaces(tx, "user", userIds);
  return records.flatMap(({ user, role, disabled, suspended, joinedAt, lastSeenAt, sso }, i) => {
    const person = people.get(user);
    if (!person) return [];
    return [
      {
        object: "member" as const,
        id: user,
        role,
        user: presentUser(person, urls),
        disabled: disabled || suspended === true,
        joinedAt,
        ...omitUndefined({ lastSeenAt: lastSeenAt ?? undefined }),
        sso,
        spaces: spaces[i]!,
        teams: teams[i]!,
      },
    ];
  });
}
