// Grants of users and teams on sites. A grant is about the site: its settings and its structure. What somebody may do
// with the spaces on it is decided by the spaces.

import { defineOperation } from "../../operation/operation";
import { type Granting, grantsOn } from "../library/grants/grants-on";
import { withGrants } from "./role-on-site";
import { type InSite, site } from "./rules";

const granting: Granting<InSite> = {
  idOf: ({ site }) => site.id,
  decidedBy: ({ site }) => [site.id],
  roleOf: (member, given, { site }) => withGrants(member, given.get(site.id)),
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
