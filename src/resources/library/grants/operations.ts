// Grants of users and teams on spaces and collections, under the paths of each.

import { defineOperation } from "../../../operation/operation";
import { isActiveMember } from "../../people/members/records";
import { collection } from "../collections/rules";
import { space } from "../spaces/rules";
import { type InTree, roleIn, thingsOn } from "../tree/rules";
import { type Granting, grantsOn } from "./grants-on";

const inTree: Granting<InTree> = {
  idOf: ({ path }) => path[0].id,
  decidedBy: ({ path }) => thingsOn(path),
  roleOf: (member, given, { path }) => roleIn({ own: isActiveMember(member) ? member.role : undefined, given }, path),
};

const onSpace = grantsOn("a space", space, inTree);

export const grantOnSpace = defineOperation("POST /spaces/:spaceId/permissions", onSpace.give);

export const listUserGrantsOnSpace = defineOperation("GET /spaces/:spaceId/permissions/users", onSpace.listOfUsers);

export const updateUserGrantOnSpace = defineOperation(
  "PATCH /spaces/:spaceId/permissions/users/:userId",
  onSpace.updateOfUser,
);

export const removeUserGrantOnSpace = defineOperation(
  "DELETE /spaces/:spaceId/permissions/users/:userId",
  onSpace.removeOfUser,
);

export const listTeamGrantsOnSpace = defineOperation("GET /spaces/:spaceId/permissions/teams", onSpace.listOfTeams);

export const updateTeamGrantOnSpace = defineOperation(
  "PATCH /spaces/:spaceId/permissions/teams/:teamId",
  onSpace.updateOfTeam,
);

export const removeTeamGrantOnSpace = defineOperation(
  "DELETE /spaces/:spaceId/permissions/teams/:teamId",
  onSpace.removeOfTeam,
);

export const listAccessToSpace = defineOperation("GET /spaces/:spaceId/permissions/aggregate", onSpace.listAccess);

const onCollection = grantsOn("a collection", collection, inTree);

export const grantOnCollection = defineOperation("POST /collections/:collectionId/permissions", {
  ...onCollection.give,
  summary: "Give users and teams a role on a collection and everything in it",
});

export const listUserGrantsOnCollection = defineOperation(
  "GET /collections/:collectionId/permissions/users",
  onCollection.listOfUsers,
);

export const updateUserGrantOnCollection = defineOperation(
  "PATCH /collections/:collectionId/permissions/users/:userId",
  onCollection.updateOfUser,
);

export const removeUserGrantOnCollection = defineOperation(
  "DELETE /collections/:collectionId/permissions/users/:userId",
  onCollection.removeOfUser,
);

export const listTeamGrantsOnCollection = defineOperation(
  "GET /collections/:collectionId/permissions/teams",
  onCollection.listOfTeams,
);

export const updateTeamGrantOnCollection = defineOperation(
  "PATCH /collections/:collectionId/permissions/teams/:teamId",
  onCollection.updateOfTeam,
);

export const removeTeamGrantOnCollection = defineOperation(
  "DELETE /collections/:collectionId/permissions/teams/:teamId",
  onCollection.removeOfTeam,
);

export const listAccessToCollection = defineOperation(
  "GET /collections/:collectionId/permissions/aggregate",
  onCollection.listAccess,
);
