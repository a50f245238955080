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

const path = "/orgs/:organizationId/sites/:siteId/permissions";
const onSite = createGrantOperations("a site", site, granting);

export const grantOnSite = defineOperation(`POST ${path}`, onSite.add);
export const listUserGrantsOnSite = defineOperation(`GET ${path}/users`, onSite.user.list);
export const updateUserGrantOnSite = defineOperation(`PATCH ${path}/users/:userId`, onSite.user.update);
export const removeUserGrantOnSite = defineOperation(`DELETE ${path}/users/:userId`, onSite.user.remove);
export const listTeamGrantsOnSite = defineOperation(`GET ${path}/teams`, onSite.team.list);
export const updateTeamGrantOnSite = defineOperation(`PATCH ${path}/teams/:teamId`, onSite.team.update);
export const removeTeamGrantOnSite = defineOperation(`DELETE ${path}/teams/:teamId`, onSite.team.remove);
export const listAccessToSite = defineOperation(`GET ${path}/aggregate`, onSite.listAccess);
