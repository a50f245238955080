// The stories of every resource.

import * as ask from "./ask";
import * as atWork from "./at-work";
import * as audit from "./audit";
import * as changeRequests from "./change-requests";
import * as collections from "./collections";
import * as comments from "./comments";
import * as computedContent from "./computed-content";
import * as content from "./content";
import * as contentUrls from "./content-urls";
import * as documents from "./documents";
import * as embeds from "./embeds";
import * as eventStreams from "./event-streams";
import * as gitSync from "./git-sync";
import * as grants from "./grants";
import * as imports from "./imports";
import * as insights from "./insights";
import * as installations from "./installations";
import * as integrations from "./integrations";
import * as invites from "./invites";
import * as jobs from "./jobs";
import * as knownMembers from "./known-members";
import * as members from "./members";
import * as openApiSpecs from "./openapi-specs";
import * as organizationChangeRequests from "./organization-change-requests";
import * as organizations from "./organizations";
import * as pdf from "./pdf";
import * as saml from "./saml";
import type { Story } from "./scenario";
import * as scim from "./scim";
import * as sessions from "./sessions";
import * as siteAddresses from "./site-addresses";
import * as siteAudiences from "./site-audiences";
import * as siteGrants from "./site-grants";
import * as siteInstallations from "./site-installations";
import * as siteIntegrations from "./site-integrations";
import * as siteLooks from "./site-looks";
import * as sitePreviews from "./site-previews";
import * as siteSearch from "./site-search";
import * as siteStructure from "./site-structure";
import * as siteUrls from "./site-urls";
import * as siteVisibility from "./site-visibility";
import * as sites from "./sites";
import * as spaces from "./spaces";
import * as teams from "./teams";
import * as tokens from "./tokens";
import * as translations from "./translations";

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
