// The stories of every resource.

import * as ask from "./content/ask";
import * as changeRequests from "./content/change-requests";
import * as comments from "./content/comments";
import * as computedContent from "./content/computed-content";
import * as content from "./content/content";
import * as contentUrls from "./content/content-urls";
import * as documents from "./content/documents";
import * as embeds from "./content/embeds";
import * as gitSync from "./content/git-sync";
import * as imports from "./content/imports";
import * as openApiSpecs from "./content/openapi-specs";
import * as organizationChangeRequests from "./content/organization-change-requests";
import * as pdf from "./content/pdf";
import * as translations from "./content/translations";
import * as installations from "./integrations/installations";
import * as integrations from "./integrations/integrations";
import * as collections from "./library/collections";
import * as grants from "./library/grants";
import * as spaces from "./library/spaces";
import * as audit from "./people/audit";
import * as invites from "./people/invites";
import * as knownMembers from "./people/known-members";
import * as members from "./people/members";
import * as organizations from "./people/organizations";
import * as saml from "./people/saml";
import * as scim from "./people/scim";
import * as sessions from "./people/sessions";
import * as teams from "./people/teams";
import * as tokens from "./people/tokens";
import type { Story } from "./scenario";
import * as atWork from "./service/at-work";
import * as eventStreams from "./service/event-streams";
import * as jobs from "./service/jobs";
import * as insights from "./sites/insights";
import * as siteAddresses from "./sites/site-addresses";
import * as siteAudiences from "./sites/site-audiences";
import * as siteGrants from "./sites/site-grants";
import * as siteInstallations from "./sites/site-installations";
import * as siteIntegrations from "./sites/site-integrations";
import * as siteLooks from "./sites/site-looks";
import * as sitePreviews from "./sites/site-previews";
import * as siteSearch from "./sites/site-search";
import * as siteStructure from "./sites/site-structure";
import * as siteUrls from "./sites/site-urls";
import * as siteVisibility from "./sites/site-visibility";
import * as sites from "./sites/sites";

export const stories: readonly Story[] = [
  organizations,
  tokens,
  sessions,
  members,
  teams,
  invites,
  saml,
  scim,
  audit,
  collections,
  spaces,
  content,
  documents,
  changeRequests,
  organizationChangeRequests,
  pdf,
  imports,
  gitSync,
  translations,
  comments,
  knownMembers,
  sites,
  siteAudiences,
  siteStructure,
  siteVisibility,
  siteAddresses,
  siteLooks,
  siteUrls,
  sitePreviews,
  siteSearch,
  contentUrls,
  siteGrants,
  siteIntegrations,
  insights,
  ask,
  grants,
  integrations,
  installations,
  siteInstallations,
  atWork,
  embeds,
  computedContent,
  openApiSpecs,
  jobs,
  eventStreams,
].flatMap((resource) => resource.stories);
