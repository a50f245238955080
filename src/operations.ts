// Every operation, by resource: the table of contents of the API. The resource and the method give the scope that a
// token needs.

import type { RegisteredOperation } from "./execution/kernel";
import type { Operations } from "./generated/operations";
import type { JobType } from "./jobs/jobs";
import { deleteOldProgress } from "./jobs/progress";
import type { Operation } from "./operation/operation";
import * as changeRequests from "./resources/content/change-requests/operations";
import * as comments from "./resources/content/comments/operations";
import { deleteCommentChildren } from "./resources/content/comments/records";
import { contentOfSpaces } from "./resources/content/content-of-spaces";
import { syncGit } from "./resources/content/git-sync/jobs";
import * as gitSync from "./resources/content/git-sync/operations";
import { reportGitObjects } from "./resources/content/git-sync/records";
import * as imports from "./resources/content/imports/operations";
import { checkSpec, emptySpec, processSpec } from "./resources/content/openapi-specs/jobs";
import * as openApiSpecs from "./resources/content/openapi-specs/operations";
import { reportSpecObjects } from "./resources/content/openapi-specs/records";
import { followTranslations } from "./resources/content/revisions/activate-revision";
import { integrationSources } from "./resources/content/revisions/computed-sources";
import { integrationFences } from "./resources/content/revisions/fenced-blocks";
import * as revisions from "./resources/content/revisions/operations";
import { reportContentObjects } from "./resources/content/revisions/records";
import { visitorViews } from "./resources/content/revisions/visitor-views";
import { askOrganization, askSpace } from "./resources/content/search/ask";
import { feedComputed, feedEngine, reportSearchObjects, storeIndex } from "./resources/content/search/jobs";
import * as search from "./resources/content/search/operations";
import * as templates from "./resources/content/templates/operations";
import { clearTranslation, enqueueTranslations, runTranslation } from "./resources/content/translations/jobs";
import * as translations from "./resources/content/translations/operations";
import { reportTranslationObjects } from "./resources/content/translations/records";
import { iterateUserContributions } from "./resources/content/written-by";
import { integrationSourceProvider } from "./resources/integrations/computing/computed-content";
import { deliverEvents } from "./resources/integrations/delivery/delivery-queue";
import { getEmbed, getUrlEmbed } from "./resources/integrations/embeds/get-embed";
import { deleteInstallations, updateAppName } from "./resources/integrations/installations/definition-jobs";
import { listIntegrationFences } from "./resources/integrations/installations/integration-fences";
import {
  listBlocksOfSpace,
  listSiteIntegrations,
  listSpaceIntegrationBlocks,
  listSpaceIntegrations,
} from "./resources/integrations/installations/list-active-integrations";
import { startTask } from "./resources/integrations/installations/tokens-and-tasks";
import * as integrations from "./resources/integrations/operations";
import { installationAccessProvider, siteIntegrationProvider } from "./resources/integrations/providers";
import {
  listSiteIntegrationScripts,
  listSpaceIntegrationScripts,
} from "./resources/integrations/published/list-site-scripts";
import {
  collectIntegrationObjects,
  emptyInstallation,
  releaseIntegrationName,
  updateInstallationListing,
  updateIntegrationListing,
  updatePlacementListing,
} from "./resources/integrations/records";
import * as collections from "./resources/library/collections/operations";
import { emptyCollection } from "./resources/library/collections/records";
import { libraryGrants } from "./resources/library/grants/library-grants";
import * as grants from "./resources/library/grants/operations";
import { content, dropFromSites } from "./resources/library/spaces/content";
import { listMemberSpaces } from "./resources/library/spaces/list-member-spaces";
import * as spaces from "./resources/library/spaces/operations";
import { purgeSpace } from "./resources/library/spaces/records";
import { visits } from "./resources/library/spaces/space-visits";
import { transferNode } from "./resources/library/tree/start-transfer";
import * as audit from "./resources/people/audit/operations";
import { carryUserAuditEvent, resignAuditLog } from "./resources/people/audit/record-event";
import { mailInvite } from "./resources/people/invites/mail";
import * as invites from "./resources/people/invites/operations";
import { rekeyInvites } from "./resources/people/invites/records";
import { grantsOfMembers } from "./resources/people/members/grants-extension";
import { installationAccess } from "./resources/people/members/installation-access";
import * as members from "./resources/people/members/operations";
import { dropMemberRemains, syncMembership } from "./resources/people/members/records";
import * as organizations from "./resources/people/organizations/operations";
import { proveDomains, releaseHostname, syncDomains } from "./resources/people/organizations/records";
import { hasSite } from "./resources/people/organizations/rules";
import * as saml from "./resources/people/saml/operations";
import * as scim from "./resources/people/scim/operations";
import { endAccess } from "./resources/people/scim/records";
import { deleteEndedRecords } from "./resources/people/sessions/delete-ended";
import * as sessions from "./resources/people/sessions/operations";
import * as teams from "./resources/people/teams/operations";
import { emptyTeam } from "./resources/people/teams/records";
import * as tokens from "./resources/people/tokens/operations";
import { listContributions } from "./resources/people/users/contributions";
import * as users from "./resources/people/users/operations";
import { leaveOrganizations, spreadAccountChange } from "./resources/people/users/spread-account-change";
import * as events from "./resources/service/events/operations";
import * as jobs from "./resources/service/jobs/operations";
import * as service from "./resources/service/service/operations";
import { getContentByUrl } from "./resources/sites/addresses/get-content-by-url";
import { proveHosts, releaseHost } from "./resources/sites/addresses/hosts";
import { siteVisits } from "./resources/sites/audience/visited-spaces";
import { clearSite, removeSpaceFromSites as dropSpaceFromSites } from "./resources/sites/clear-site";
import { deleteOldCounts } from "./resources/sites/insights/counts";
import { deliverViews } from "./resources/sites/insights/record-events";
import * as sites from "./resources/sites/operations";
import { askSite } from "./resources/sites/reading/ask-site";
import { isSpecUsedOnSite } from "./resources/sites/reading/spec-usage";
import { siteVisitorViews } from "./resources/sites/reading/visitor-view";
import { sites as sitesOf } from "./resources/sites/records";
import { siteIntegrations } from "./resources/sites/site-integrations";

/** The operations of each resource. */
export const resources = {
  service,
  users,
  tokens,
  sessions,
  organizations,
  members: { ...members, listMemberSpaces },
  invites,
  teams,
  saml,
  scim,
  audit,
  collections,
  spaces: {
    ...spaces,
    getContentByUrl,
    getEmbed,
    getUrlEmbed,
    listSpaceIntegrations,
    listSpaceIntegrationBlocks,
    listBlocksOfSpace,
    listSpaceIntegrationScripts,
  },
  revisions,
  "change-requests": changeRequests,
  imports,
  "git-sync": gitSync,
  comments,
  search,
  // Not part of search, because an answer costs what the model costs: a token that may search may not ask.
  ask: { askOrganization, askSpace, askSite },
  templates,
  sites: { ...sites, listSiteIntegrations, listSiteIntegrationScripts },
  translations,
  grants,
  integrations,
  "openapi-specs": openApiSpecs,
  jobs,
  events,
};

/** The functions that list referenced objects. An object that none of them lists is deleted by the sweep. */
export const reachable = [
  reportContentObjects,
  reportGitObjects,
  reportSearchObjects,
  reportSpecObjects,
  reportTranslationObjects,
  collectIntegrationObjects,
];

/** The functions that delete records whose time is over. */
export const forgetting = [deleteEndedRecords, deleteOldCounts, deleteOldProgress];

/** The functions that renew the digests in a partition after the secret was replaced. */
export const rekeys = [rekeyInvites, resignAuditLog];

/** The types of jobs. */
export const steps = [
  syncMembership,
  carryUserAuditEvent,
  syncDomains,
  releaseHostname,
  emptyTeam,
  dropMemberRemains,
  spreadAccountChange,
  leaveOrganizations,
  mailInvite,
  endAccess,
  emptyCollection,
  purgeSpace,
  transferNode,
  deleteCommentChildren,
  storeIndex,
  feedEngine,
  feedComputed,
  syncGit,
  clearSite,
  deliverViews,
  updateIntegrationListing,
  releaseIntegrationName,
  updateInstallationListing,
  updatePlacementListing,
  emptyInstallation,
  deleteInstallations,
  updateAppName,
  deliverEvents,
  startTask,
  processSpec,
  checkSpec,
  emptySpec,
  releaseHost,
  proveHosts,
  proveDomains,
  runTranslation,
  clearTranslation,
] as readonly JobType<never>[];

// Implements the extension points of lower modules.
installationAccess.implement(installationAccessProvider);
grantsOfMembers.implement(libraryGrants);
hasSite.implement(async (tx, id) => (await sitesOf.get(tx, id)) !== undefined);
content.implement(contentOfSpaces);
dropFromSites.implement(dropSpaceFromSites);
visits.implement({ ...siteVisits, isSpecNamed: isSpecUsedOnSite });
visitorViews.implement(siteVisitorViews);
integrationSources.implement(integrationSourceProvider);
integrationFences.implement(listIntegrationFences);
siteIntegrations.implement(siteIntegrationProvider);
followTranslations.implement(enqueueTranslations);
listContributions.implement(iterateUserContributions);

/** The names of the operations. */
export type OperationName = keyof Operations;
/** The input of an operation in `call`. */
export type OperationInput<Name extends OperationName> = Omit<Operations[Name], "result">;
/** The result of an operation in `call`. */
export type OperationOutput<Name extends OperationName> = Operations[Name]["result"];

const table: readonly RegisteredOperation[] = Object.entries(resources).flatMap(([resource, operations]) =>
  Object.entries(operations as Record<string, Operation>).map(([name, definition]) => ({
    name,
    resource,
    scope: `${resource}:${definition.method === "GET" || definition.spec.isReadOnly ? "read" : "write"}`,
    definition,
  })),
);

/** The operations with their names and scopes, in order. */
export function allOperations(): readonly RegisteredOperation[] {
  return table;
}
