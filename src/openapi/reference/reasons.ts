// The reasons that an operation can refuse with. Most follow from what it declares; the others are listed by operation.

import { listErrorReasons, type Reason } from "../../errors";
import type { RegisteredOperation } from "../../execution/kernel";

/** The 404 of each parameter of a path: what it names is absent, or hidden from the caller. */
const absentBy: Readonly<Record<string, Reason>> = {
  organizationId: "organization_not_found",
  userId: "member_not_found",
  teamId: "team_not_found",
  inviteId: "invite_not_found",
  samlProviderId: "saml_provider_not_found",
  scimTokenId: "token_not_found",
  subdomain: "subdomain_not_found",
  tokenId: "token_not_found",
  sessionId: "session_not_found",
  collectionId: "collection_not_found",
  spaceId: "space_not_found",
  revisionId: "revision_not_found",
  changeRequestId: "change_request_not_found",
  pageId: "page_not_found",
  pagePath: "page_not_found",
  fileId: "file_not_found",
  documentId: "document_not_found",
  reusableContentId: "reusable_content_not_found",
  commentId: "comment_not_found",
  commentReplyId: "comment_reply_not_found",
  specSlug: "openapi_spec_not_found",
  specId: "openapi_spec_not_found",
  versionId: "openapi_spec_version_not_found",
  translationId: "translation_not_found",
  siteId: "site_not_found",
  siteSectionId: "site_section_not_found",
  siteSectionGroupId: "site_section_group_not_found",
  siteSpaceId: "site_space_not_found",
  siteRedirectId: "redirect_not_found",
  fontId: "font_not_found",
  shareLinkId: "share_link_not_found",
  integrationName: "integration_not_found",
  installationId: "installation_not_found",
  taskId: "task_not_found",
  eventId: "event_not_found",
  jobId: "job_not_found",
};

const showingMore = ["publishSite", "updateSite", "setAdaptiveSchema", "createShareLink", "updateShareLink"];
const conditions = ["updateSiteSpace", "updateSiteSection", "moveSiteSpace", "moveSiteSection", "sortSiteStructure"];
const structure = ["createSiteSection", "createSiteSpace", "createSiteSectionGroup", "addSectionToGroup"];
const underWay = [
  "changeChangeRequestContent",
  "importChangeRequestContent",
  "importIntoChangeRequestPage",
  "mergeChangeRequest",
  "updateFromSpace",
];
const changes = ["changeContent", "changeChangeRequestContent"];
const importing = ["importContent", "importChangeRequestContent", "importIntoPage", "importIntoChangeRequestPage"];
const specSources = ["createOpenApiSpec", "putOpenApiSpec"];
const rendering = ["renderComponent", "renderComponentByPost"];
const endpoint = [
  ...["fetchFromIntegration", "postToIntegration", "putToIntegration", "patchAtIntegration", "deleteAtIntegration"],
];
const asking = [...rendering, ...endpoint, "startVisitorLogin", "fetchPublishedScript"];
const questions = ["askSpace", "askOrganization", "askSite"];
const placing = ["installOnSpace", "installOnSite"];
const taking = [
  "createSpace",
  "createCollection",
  "moveSpace",
  "moveCollection",
  "transferSpace",
  "transferCollection",
];

/** Reasons of single operations. */
const only: { readonly [reason in Reason]?: readonly string[] } = {
  above_own_role: [
    ...["grantOnSpace", "grantOnCollection", "updateUserGrantOnSpace", "updateUserGrantOnCollection"],
    ...[
      "updateTeamGrantOnSpace",
      "updateTeamGrantOnCollection",
      "grantOnSite",
      "updateUserGrantOnSite",
      "updateTeamGrantOnSite",
      "createSamlProvider",
      "updateSamlProvider",
    ],
    ...["updateMember", "inviteByEmail", "createLinkInvite", "updateLinkInvite", "updateSpace", "updateCollection"],
    ...["moveSpace", "moveCollection", "duplicateSpace", "restoreSpace", "transferSpace", "transferCollection"],
  ],
  above_own_token: ["createToken"],
  above_own_scopes: [
    ...["publishIntegration", "installIntegration", "updateInstallation", "startDevelopment"],
    ...["createInstallationToken", "queueTask"],
  ],
  not_yours_to_show: [
    ...[...showingMore, ...conditions, "regenerateShareLink", "regeneratePublishingAuth", "updatePublishingAuth"],
    ...["deleteSiteSection", "addSectionToGroup", "removeSectionFromGroup", "createSiteSection", "createSiteSpace"],
  ],
  integration_private: ["installIntegration"],
  invite_for_someone_else: ["acceptInvite"],
  organization_not_found: rendering,
  space_not_found: rendering,
  site_not_found: rendering,
  collection_not_found: taking,
  page_not_found: ["getPdf", "getChangeRequestPdf", "getPublishedPage"],
  file_not_found: ["downloadFile", "downloadPdf", "downloadIntegrationAsset", "fetchPublishedScript"],
  computed_source_not_found: ["computeRevision", "computeDocument"],
  import_report_not_found: ["getImportReport"],
  git_sync_not_found: ["getGitInfo"],
  user_not_found: ["getUser"],
  component_not_found: rendering,
  installation_not_found: asking,
  redirect_not_found: ["getSiteRedirectTarget"],
  published_url_not_found: ["resolvePublishedUrl"],
  url_not_found: ["getContentByUrl"],
  render_refused: rendering,
  render_invalid: rendering,
  hostname_taken: ["createOrganization", "updateOrganization"],
  title_taken: ["createTeam", "updateTeam"],
  entity_id_taken: ["createSamlProvider", "updateSamlProvider"],
  last_admin: ["updateMember", "removeMember", "leaveOrganizations", "eraseCurrentUser"],
  cyclic_move: ["moveCollection"],
  too_deep: ["createCollection", "moveCollection", "transferCollection"],
  same_organization: ["transferSpace", "transferCollection"],
  transfer_under_way: [...taking, "deleteSpace", "deleteCollection", "restoreSpace", "duplicateSpace"],
  slug_taken: specSources,
  translation_exists: ["createTranslation"],
  basename_taken: ["createSite", "updateSite"],
  site_host_taken: ["updateSite"],
  space_on_site: ["createSite", "createSiteSpace", "createSiteSection", "updateSiteSpace"],
  path_taken: [...structure, ...conditions],
  last_in_section: ["deleteSiteSpace", ...conditions],
  too_many_items: ["createSite", ...structure, ...conditions, "moveSiteSectionGroup"],
  too_many_share_links: ["createShareLink"],
  too_many_fonts: ["createFont"],
  font_in_use: ["deleteFont"],
  redirect_taken: ["createSiteRedirect", "createSiteRedirects", "updateSiteRedirect"],
  redirect_loop: ["createSiteRedirect", "createSiteRedirects", "updateSiteRedirect"],
  integration_name_taken: ["publishIntegration"],
  already_installed: ["installIntegration", ...placing],
  not_for_spaces: ["installOnSpace", "updateInstallation"],
  not_for_sites: ["installOnSite", "updateInstallation"],
  installation_paused: ["createInstallationToken", "queueTask"],
  not_deleted: ["restoreSpace"],
  restore_too_late: ["restoreSpace"],
  space_locked: ["changeContent", "applyTemplate", "importContent", "importIntoPage"],
  already_merged: [
    ...underWay,
    "previewSite",
    "updateChangeRequest",
    "reviewChangeRequest",
    "requestReviewers",
    "removeRequestedReviewer",
  ],
  change_request_archived: [...underWay, "previewSite", "reviewChangeRequest", "requestReviewers"],
  merged_by_merging: ["updateChangeRequest"],
  invite_links_disabled: ["createLinkInvite"],
  no_outbound_fetch: [...changes, ...importing, ...specSources, "importFromGit", "exportToGit", "startDevelopment"],
  no_translator: ["createTranslation", "updateTranslation", "runTranslationAgain"],
  no_model: questions,
  ask_failed: questions,
  import_failed: importing,
  fetch_failed: [...changes, ...importing],
  integration_failed: asking,
  integration_busy: asking,
  imports_busy: importing,
  too_many_streams: ["streamEvents"],
  not_ready: ["getReadiness"],
  printer_busy: ["downloadPdf"],
  git_sync_busy: ["importFromGit", "exportToGit"],
  openapi_spec_busy: specSources,
};

/** The reasons of single operations, by operation. */
const ownReasons = new Map<string, Reason[]>();
for (const [reason, names] of Object.entries(only))
  for (const name of names) ownReasons.set(name, [...(ownReasons.get(name) ?? []), reason as Reason]);

const order = new Map(listErrorReasons().map(({ reason }, i) => [reason, i]));

/** Every reason that an operation can refuse with, in the order of the list of failures. */
export function reasonsOf(named: RegisteredOperation, isVersioned: boolean): readonly Reason[] {
  const { name, operation } = named;
  const { method, params, spec } = operation;
  const writes = method !== "GET";
  const hasBody = writes && method !== "DELETE";
  const isAgainSafe = method === "POST" && spec.isQuestion !== true;
  const when: [boolean, ...Reason[]][] = [
    [true, "internal"],
    [spec.isProbe !== true, "invalid_request", "rate_limited", "unavailable", "storage_damaged"],
    [spec.isProbe !== true, "overloaded", "wrong_secret"],
    [spec.list !== undefined, "invalid_cursor"],
    [hasBody, "invalid_json", "body_not_json"],
    [writes, "body_too_slow", "body_too_large", "too_much_at_once", "outcome_unknown"],
    [spec.on.open !== true, "unauthorized", "token_unknown", "forbidden", "scope_missing", "email_taken"],
    [spec.on.open !== true, "sso_required", "user_disabled"],
    [spec.on.open !== true && writes, "cross_site"],
    [isAgainSafe, "idempotency_key_reused", "idempotency_key_spent", "idempotent_answer_lost"],
    [writes && isVersioned, "precondition_failed"],
    [spec.hasRanges === true, "range_not_satisfiable"],
    [writes && params.some((it) => it === "spaceId" || it === "collectionId"), "transfer_busy", "transfer_under_way"],
    [spec.on.absent !== "route_not_found", spec.on.absent],
  ];
  const declared = when.flatMap(([holds, ...given]) => (holds ? given : []));
  const absent = params.flatMap((param) => absentBy[param] ?? []);
  const all = new Set<Reason>([...declared, ...absent, ...(ownReasons.get(name) ?? [])]);
  return [...all].sort((a, b) => order.get(a)! - order.get(b)!);
}

/** The operations that are named above, for the test that knows whether they exist. */
export const operationsWithReasons: readonly string[] = Object.values(only).flat();
