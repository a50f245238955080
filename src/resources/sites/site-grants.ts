// Grants of users and teams on sites. A grant covers the settings and the structure of a site. Access to the spaces on the
// site is granted on the spaces.

import { defineOperation } from "../../operation/operation";
import { createGrantOperations, type GrantTargetAccess } from "../library/grants/grant-operations";
import { type SiteMemberContext, site } from "./rules";
import { mergeGrantedRoles } from "./site-role";

const granting: GrantTargetAccess<SiteMemberContext> = {
  getId: ({ site }) => site.id,
  getDecidingIds: ({ site }) => [site.id],
  getMemberRole: (member, given, { site }) => mergeGrantedRoles(member, given.get(site.id)),
};

const onSite = createGrantOperations("a site", site, granting);

export const grantOnSite = defineOperation("POST /orgs/:organizationId/sites/:siteId/permissions", {
  ...onSite.add,
  description:
    "The role create lets them change the site and its structure. It gives nothing on the spaces that the site shows.",
});

export const listUserGrantsOnSite = defineOperation(
  "GET /orgs/:organizationId/sites/:siteId/permissions/users",
  onSite.listUsers,
);

export const updateUserGrantOnSite = defineOperation(
  "PATCH /orgs/:organizationId/sites/:siteId/permissions/users/:userId",
  onSite.updateUser,
);

export const removeUserGrantOnSite = defineOperation(
  "DELETE /orgs/:organizationId/sites/:siteId/permissions/users/:userId",
  onSite.removeUser,
);

export const listTeamGrantsOnSite = defineOperation(
  "GET /orgs/:organizationId/sites/:siteId/permissions/teams",
  onSite.listTeams,
);

export const updateTeamGrantOnSite = defineOperation(
  "PATCH /orgs/:organizationId/sites/:siteId/permissions/teams/:teamId",
  onSite.updateTeam,
);

export const removeTeamGrantOnSite = defineOperation(
  "DELETE /orgs/:organizationId/sites/:siteId/permissions/teams/:teamId",
  onSite.removeTeam,
);

export const listAccessToSite = defineOperation(
  "GET /orgs/:organizationId/sites/:siteId/permissions/aggregate",
  onSite.listAccess,
);
