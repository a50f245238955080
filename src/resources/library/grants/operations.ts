// Grants of users and teams on spaces and collections, under the paths of each.

import { defineOperation } from "../../../operation/operation";
import { isActiveMember } from "../../people/members/records";
import { collection } from "../collections/rules";
import { space } from "../spaces/rules";
import { getDecidingNodeIds, getNodeRole, type NodeContext } from "../tree/rules";
import { createGrantOperations, type GrantTargetAccess } from "./grant-operations";

const treeGrants: GrantTargetAccess<NodeContext> = {
  getId: ({ path }) => path[0].id,
  getDecidingIds: ({ path }) => getDecidingNodeIds(path),
  getMemberRole(member, grantedRoles, { path }) {
    const organizationRole = isActiveMember(member) ? member.role : undefined;
    return getNodeRole({ organizationRole, grantedRoles }, path);
  },
};

const atSpace = "/spaces/:spaceId/permissions";
const onSpace = createGrantOperations("a space", space, treeGrants);

export const grantOnSpace = defineOperation(`POST ${atSpace}`, onSpace.add);
export const listUserGrantsOnSpace = defineOperation(`GET ${atSpace}/users`, onSpace.listUsers);
export const updateUserGrantOnSpace = defineOperation(`PATCH ${atSpace}/users/:userId`, onSpace.updateUser);
export const removeUserGrantOnSpace = defineOperation(`DELETE ${atSpace}/users/:userId`, onSpace.removeUser);
export const listTeamGrantsOnSpace = defineOperation(`GET ${atSpace}/teams`, onSpace.listTeams);
export const updateTeamGrantOnSpace = defineOperation(`PATCH ${atSpace}/teams/:teamId`, onSpace.updateTeam);
export const removeTeamGrantOnSpace = defineOperation(`DELETE ${atSpace}/teams/:teamId`, onSpace.removeTeam);
export const listAccessToSpace = defineOperation(`GET ${atSpace}/aggregate`, onSpace.listAccess);

const atCollection = "/collections/:collectionId/permissions";
const onCollection = createGrantOperations("a collection", collection, treeGrants);

export const grantOnCollection = defineOperation(`POST ${atCollection}`, {
  ...onCollection.add,
  summary: "Give users and teams a role on a collection and everything in it",
});

export const listUserGrantsOnCollection = defineOperation(`GET ${atCollection}/users`, onCollection.listUsers);
export const updateUserGrantOnCollection = defineOperation(
  `PATCH ${atCollection}/users/:userId`,
  onCollection.updateUser,
);
export const removeUserGrantOnCollection = defineOperation(
  `DELETE ${atCollection}/users/:userId`,
  onCollection.removeUser,
);
export const listTeamGrantsOnCollection = defineOperation(`GET ${atCollection}/teams`, onCollection.listTeams);
export const updateTeamGrantOnCollection = defineOperation(
  `PATCH ${atCollection}/teams/:teamId`,
  onCollection.updateTeam,
);
export const removeTeamGrantOnCollection = defineOperation(
  `DELETE ${atCollection}/teams/:teamId`,
  onCollection.removeTeam,
);
export const listAccessToCollection = defineOperation(`GET ${atCollection}/aggregate`, onCollection.listAccess);
