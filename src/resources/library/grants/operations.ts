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
export const listUserGrantsOnSpace = defineOperation(`GET ${atSpace}/users`, onSpace.user.list);
export const updateUserGrantOnSpace = defineOperation(`PATCH ${atSpace}/users/:userId`, onSpace.user.update);
export const removeUserGrantOnSpace = defineOperation(`DELETE ${atSpace}/users/:userId`, onSpace.user.remove);
export const listTeamGrantsOnSpace = defineOperation(`GET ${atSpace}/teams`, onSpace.team.list);
export const updateTeamGrantOnSpace = defineOperation(`PATCH ${atSpace}/teams/:teamId`, onSpace.team.update);
export const removeTeamGrantOnSpace = defineOperation(`DELETE ${atSpace}/teams/:teamId`, onSpace.team.remove);
export const listAccessToSpace = defineOperation(`GET ${atSpace}/aggregate`, onSpace.listAccess);

const atCollection = "/collections/:collectionId/permissions";
const onCollection = createGrantOperations("a collection", collection, treeGrants);

export const grantOnCollection = defineOperation(`POST ${atCollection}`, onCollection.add);
export const listUserGrantsOnCollection = defineOperation(`GET ${atCollection}/users`, onCollection.user.list);
export const updateUserGrantOnCollection = defineOperation(
  `PATCH ${atCollection}/users/:userId`,
  onCollection.user.update,
);
export const removeUserGrantOnCollection = defineOperation(
  `DELETE ${atCollection}/users/:userId`,
  onCollection.user.remove,
);
export const listTeamGrantsOnCollection = defineOperation(`GET ${atCollection}/teams`, onCollection.team.list);
export const updateTeamGrantOnCollection = defineOperation(
  `PATCH ${atCollection}/teams/:teamId`,
  onCollection.team.update,
);
export const removeTeamGrantOnCollection = defineOperation(
  `DELETE ${atCollection}/teams/:teamId`,
  onCollection.team.remove,
);
export const listAccessToCollection = defineOperation(`GET ${atCollection}/aggregate`, onCollection.listAccess);
