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

const onSpace = createGrantOperations("a space", space, treeGrants);

export const grantOnSpace = defineOperation("POST /spaces/:spaceId/permissions", onSpace.add);

export const listUserGrantsOnSpace = defineOperation("GET /spaces/:spaceId/permissions/users", onSpace.listUsers);

export const updateUserGrantOnSpace = defineOperation(
  "PATCH /spaces/:spaceId/permissions/users/:userId",
  onSpace.updateUser,
);

export const removeUserGrantOnSpace = defineOperation(
  "DELETE /spaces/:spaceId/permissions/users/:userId",
  onSpace.removeUser,
);

export const listTeamGrantsOnSpace = defineOperation("GET /spaces/:spaceId/permissions/teams", onSpace.listTeams);

export const updateTeamGrantOnSpace = defineOperation(
  "PATCH /spaces/:spaceId/permissions/teams/:teamId",
  onSpace.updateTeam,
);

export const removeTeamGrantOnSpace = defineOperation(
  "DELETE /spaces/:spaceId/permissions/teams/:teamId",
  onSpace.removeTeam,
);

export const listAccessToSpace = defineOperation("GET /spaces/:spaceId/permissions/aggregate", onSpace.listAccess);

const onCollection = createGrantOperations("a collection", collection, treeGrants);

export const grantOnCollection = defineOperation("POST /collections/:collectionId/permissions", {
  ...onCollection.add,
  summary: "Give users and teams a role on a collection and everything in it",
});

export const listUserGrantsOnCollection = defineOperation(
  "GET /collections/:collectionId/permissions/users",
  onCollection.listUsers,
);

export const updateUserGrantOnCollection = defineOperation(
  "PATCH /collections/:collectionId/permissions/users/:userId",
  onCollection.updateUser,
);

export const removeUserGrantOnCollection = defineOperation(
  "DELETE /collections/:collectionId/permissions/users/:userId",
  onCollection.removeUser,
);

export const listTeamGrantsOnCollection = defineOperation(
  "GET /collections/:collectionId/permissions/teams",
  onCollection.listTeams,
);

export const updateTeamGrantOnCollection = defineOperation(
  "PATCH /collections/:collectionId/permissions/teams/:teamId",
  onCollection.updateTeam,
);

export const removeTeamGrantOnCollection = defineOperation(
  "DELETE /collections/:collectionId/permissions/teams/:teamId",
  onCollection.removeTeam,
);

export const listAccessToCollection = defineOperation(
  "GET /collections/:collectionId/permissions/aggregate",
  onCollection.listAccess,
);
