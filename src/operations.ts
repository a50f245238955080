// Every operation, by room: the table of contents of the API. The room and the method give the scope that a token needs.

import type { Operations } from "./generated/operations";
import type { Named } from "./kernel/kernel";
import type { Operation } from "./operation";
import * as changeRequests from "./resources/change-requests/operations";
import * as collections from "./resources/collections/operations";
import { emptyCollection } from "./resources/collections/records";
import * as comments from "./resources/comments/operations";
import { clearBelow } from "./resources/comments/records";
import { contentOfSpaces } from "./resources/content-of-spaces";
import { syncGit } from "./resources/git-sync/jobs";
import * as gitSync from "./resources/git-sync/operations";
import { gitObjects } from "./resources/git-sync/records";
import { givenByGrants } from "./resources/grants/given-by-grants";
import * as grants from "./resources/grants/operations";
import * as imports from "./resources/imports/operations";
import { startTask } from "./resources/integrations/acting";
import { computedByIntegrations } from "./resources/integrations/computing";
import { deliverEvents } from "./resources/integrations/delivering";
import { dropInstallations, nameApp } from "./resources/integrations/jobs";
import * as integrations from "./resources/integrations/operations";
import {
  emptyInstallation,
  integrationObjects,
  listInstallation,
  listIntegration,
  listPlaced,
  releaseIntegrationName,
} from "./resources/integrations/records";
import { installationsAsApps, servedByIntegrations } from "./resources/integrations/served";
import * as invites from "./resources/invites/operations";
import * as jobs from "./resources/jobs/operations";
import { apps } from "./resources/members/apps";
import { given } from "./resources/members/given";
import * as members from "./resources/members/operations";
import { leaveBehind, syncMembership } from "./resources/members/records";
import { checkSpec, emptySpec, processSpec } from "./resources/openapi-specs/jobs";
import * as openApiSpecs from "./resources/openapi-specs/operations";
import { specObjects } from "./resources/openapi-specs/records";
import * as organizations from "./resources/organizations/operations";
import { proveDomains, releaseHostname, syncDomains } from "./resources/organizations/records";
import { isSite } from "./resources/organizations/rules";
import { integrationSources } from "./resources/revisions/computed-sources";
import * as revisions from "./resources/revisions/operations";
import { contentObjects } from "./resources/revisions/records";
import * as saml from "./resources/saml/operations";
import { feedEngine, indexObjects, storeIndex } from "./resources/search/jobs";
import * as search from "./resources/search/operations";
import * as service from "./resources/service/operations";
import { proveHosts, releaseHost } from "./resources/sites/hosts";
import { clearSite, dropFromSites as dropSpaceFromSites } from "./resources/sites/jobs";
import * as sites from "./resources/sites/operations";
import { sites as sitesOf } from "./resources/sites/records";
import { served } from "./resources/sites/served-by-integrations";
import { content, dropFromSites } from "./resources/spaces/content";
import { listMemberSpaces } from "./resources/spaces/list-member-spaces";
import * as spaces from "./resources/spaces/operations";
import { purgeSpace } from "./resources/spaces/records";
import * as teams from "./resources/teams/operations";
import { emptyTeam } from "./resources/teams/records";
import * as templates from "./resources/templates/operations";
import * as tokens from "./resources/tokens/operations";
import { clearTranslation, runTranslation } from "./resources/translations/jobs";
import * as translations from "./resources/translations/operations";
import { translationObjects } from "./resources/translations/records";
import { transferNode } from "./resources/tree/transfer";
import * as users from "./resources/users/operations";
import type { Step } from "./work/jobs";

export const rooms = {
  service,
  users,
  tokens,
  organizations,
  members: { ...members, listMemberSpaces },
  invites,
  teams,
  saml,
  collections,
  spaces,
  revisions,
  "change-requests": changeRequests,
  imports,
  "git-sync": gitSync,
  comments,
  search,
  templates,
  sites,
  translations,
  grants,
  integrations,
  "openapi-specs": openApiSpecs,
  jobs,
};

/** What leads to objects: whatever none of these names is swept. */
export const reachable = [
  contentObjects,
  gitObjects,
  indexObjects,
  specObjects,
  translationObjects,
  integrationObjects,
];

/** The steps that jobs may wait for. */
export const steps = [
  syncMembership,
  syncDomains,
  releaseHostname,
  emptyTeam,
  leaveBehind,
  emptyCollection,
  purgeSpace,
  transferNode,
  clearBelow,
  storeIndex,
  feedEngine,
  syncGit,
  clearSite,
  listIntegration,
  releaseIntegrationName,
  listInstallation,
  listPlaced,
  emptyInstallation,
  dropInstallations,
  nameApp,
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
] as readonly Step<never>[];

// What lower wings need of upper ones.
apps.fill(installationsAsApps);
given.fill(givenByGrants);
isSite.fill(async (tx, id) => (await sitesOf.get(tx, id)) !== undefined);
content.fill(contentOfSpaces);
dropFromSites.fill(dropSpaceFromSites);
integrationSources.fill(computedByIntegrations);
served.fill(servedByIntegrations);

/** The names of the operations. */
export type OperationName = keyof Operations;
/** What `call` takes for an operation. */
export type OperationInput<Name extends OperationName> = Omit<Operations[Name], "result">;
/** What `call` answers. */
export type OperationOutput<Name extends OperationName> = Operations[Name]["result"];

const table: readonly Named[] = Object.entries(rooms).flatMap(([room, operations]) =>
  Object.entries(operations as Record<string, Operation>).map(([name, operation]) => ({
    name,
    room,
    scope: `${room}:${operation.method === "GET" || operation.spec.isQuestion ? "read" : "write"}`,
    operation,
  })),
);

/** The operations with their names and scopes, in order. */
export function allOperations(): readonly Named[] {
  return table;
}
