// Teams on the wire, with their counts and the caller's permissions.

import type * as v from "valibot";
import { getPermissions } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { grantsOfMembers } from "../members/grants-extension";
import type { OrganizationContext } from "../organizations/rules";
import { type TeamRecord, teamMembers } from "./records";
import { team as target } from "./rules";
import type { Team } from "./schema";

/** Returns teams as they are on the wire, in the given order. */
export async function presentTeams(
  records: readonly TeamRecord[],
  { tx, urls, organization, me, ownedTeams }: OrganizationContext & { readonly tx: Reader; readonly urls: Urls },
): Promise<v.InferOutput<typeof Team>[]> {
  const ids = records.map((team) => team.id);
  const [sizes, spaces, mine] = await Promise.all([
    teamMembers.totals(tx, "ofTeam", ids),
    grantsOfMembers.implementation.countSpaces(tx, "team", ids),
    teamMembers.getMany(
      tx,
      ids.map((id) => [id, me!.user]),
    ),
  ]);
  return records.map((team, i) => ({
    object: "team" as const,
    id: team.id,
    title: team.title,
    members: sizes[i]!,
    spaces: spaces[i]!,
    createdAt: team.createdAt,
    urls: { location: urls.api(`/orgs/${organization.id}/teams/${team.id}`) },
    permissions: getPermissions(target, { organization, me, ownedTeams, team, mine: mine[i] }, ["admin", "view"]),
  }));
}
