// Grants of users and teams on sites. A grant covers the settings and the structure of a site. Access to the spaces on the
// site is granted on the spaces.

import { defineOperation } from "../../operation/operation";
import { type Granting, grantsOn } from "../library/grants/grants-on";
import { type SiteMemberContext, site } from "./rules";
import { mergeGrantedRoles } from "./site-role";

const granting: Granting<SiteMemberContext> = {
  idOf: ({ site }) => site.id,
  decidedBy: ({ site }) => [site.id],
  roleOf: (member, given, { site }) => mergeGrantedRoles(member, given.get(site.id)),
};

const onSite = grantsOn("a site", site, granting);

export const grantOnSite = defineOperation("POST /orgs/:organizationId/sites/:siteId/permissions", {
  ...onSite.give,
  description:
    "The role create lets them change the site and its structure. It gives nothing on the spaces that the site shows.",
});

export const listUserGrantsOnSite = defineOperation(
  "GET /orgs/:organizationId/sites/:siteId/permissions/users",
  onSite.listOfUsers,
);

export const updateUserGrantOnSite = defineOperation(
  "PATCH /orgs/:organizationId/sites/:siteId/permissions/users/:userId",
  onSite.updateOfUser,
);

export const removeUserGrantOnSite = defineOperation(
  "DELETE /orgs/:organizationId/sites/:siteId/permissions/users/:userId",
  onSite.removeOfUser,
);

export const listTeamGrantsOnSite = defineOperation(
  "GET /orgs/:organizationId/sites/:siteId/permissions/teams",
  onSite.listOfTeams,
);

export const updateTeamGrantOnSite = defineOperation(
  "PATCH /orgs/:organizationId/sites/:siteId/permissions/teams/:teamId",
  onSite.updateOfTeam,
);

export const removeTeamGrantOnSite = defineOperation(
  "DELETE /orgs/:organizationId/sites/:siteId/permissions/teams/:teamId",
  onSite.removeOfTeam,
);

export const listAccessToSite = defineOperation(
  "GET /orgs/:organizationId/sites/:siteId/permissions/aggregate",
  onSite.listAccess,
);
