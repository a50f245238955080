// Members on the wire, with data from elsewhere: the user, the number of teams, and the number of grants.

import type * as v from "valibot";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { teamMembers } from "../teams/records";
import { usersById, userView } from "../users/records";
import { given } from "./given";
import type { MemberRecord } from "./records";
import type { Member } from "./schema";

/** Members on the wire, in the order given. */
export async function memberViews(
  found: readonly MemberRecord[],
  { tx, directory, urls }: { readonly tx: Reader; readonly directory: Reader; readonly urls: Urls },
): Promise<v.InferOutput<typeof Member>[]> {
  const people = await usersById(
    directory,
    found.map((member) => member.user),
  );
  const teams = await teamMembers.totals(
    tx,
    "ofUser",
    found.map((member) => [member.user]),
  );
  const spaces = await given.implementation.spaces(
    tx,
    "user",
    found.map((member) => member.user),
  );
  return found.flatMap(({ user, role, disabled, suspended, joinedAt, lastSeenAt, sso }, i) => {
    const person = people.get(user);
    if (!person) return [];
    return [
      {
        object: "member" as const,
        id: user,
        role,
        user: userView(person, urls),
        disabled: disabled || suspended === true,
        joinedAt,
        ...omitUndefined({ lastSeenAt: lastSeenAt === null ? undefined : lastSeenAt }),
        sso,
        spaces: spaces[i]!,
        teams: teams[i]!,
      },
    ];
  });
}
