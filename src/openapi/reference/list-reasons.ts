// Lists the reasons for which an operation can refuse a call. Most follow from its declaration; the others are listed here by
// operation.

import { listErrorReasons, type Reason } from "../../errors";
import type { RegisteredOperation } from "../../execution/kernel";

/** The reason of the 404 for each parameter of a path: the resource is absent, or hidden from the caller. */
const notFoundReasons: Readonly<Record<string, Reason>> = {
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
  glossaryEntryId: "glossary_entry_not_found",
  translationId: "translation_not_found",
  siteId: "site_not_found",
  siteSectionId: "site_section_not_found",
  siteSectionGroupId: "site_section_group_not_found",
  siteExternalLinkId: "site_external_link_not_found",
  siteSpaceId: "site_space_not_found",
  hostname: "custom_hostname_not_found",
  siteRedirectId: "redirect_not_found",
  fontId: "font_not_found",
  shareLinkId: "share_link_not_found",
  integrationName: "integration_not_found",
  installationId: "installation_not_found",
  taskId: "task_not_found",
  eventId: "event_not_found",
  auditEventId: "audit_event_not_found",
  reviewId: "review_not_found",
  jobId: "job_not_found",
};

const siteAudienceOperations = ["publishSite", "updateSite", "setAdaptiveSchema", "createShareLink", "updateShareLink"];
const siteItemUpdates = [
  "updateSiteSpace",
  "updateSiteSection",
  "moveSiteSpace",
  "moveSiteSection",
  "sortSiteStructure",
];
const siteItemCreations = [
  "createSiteSection",
  "createSiteSpace",
  "duplicateSiteSpace",
  "createSiteSectionGroup",
  "addSectionToGroup",
];
const externalLinkWrites = ["createSiteExternalLink", "updateSiteExternalLink"];
const changeRequestWrites = [
  "changeChangeRequestContent",
  "importChangeRequestContent",
  "importIntoChangeRequestPage",
  "mergeChangeRequest",
  "updateFromSpace",
];
const contentWrites = ["changeContent", "changeChangeRequestContent"];
const contentImports = ["importContent", "importChangeRequestContent", "importIntoPage", "importIntoChangeRequestPage"];
const specWrites = ["createOpenApiSpec", "putOpenApiSpec"];
const componentRenders = ["renderComponent", "renderComponentByPost"];
const endpointCalls = [
  ...["fetchFromIntegration", "postToIntegration", "putToIntegration", "patchAtIntegration", "deleteAtIntegration"],
];
const integrationCalls = [...componentRenders, ...endpointCalls, "startVisitorLogin", "fetchPublishedScript"];
const modelQuestions = ["askSpace", "askOrganization", "askSite"];
const installationPlacements = ["installOnSpace", "installOnSite"];
const treePlacements = [
  "createSpace",
  "createCollection",
  "moveSpace",
  "moveCollection",
  "transferSpace",
  "transferCollection",
];

/** The operations that can refuse for a reason that does not follow from their declaration. */
const operationsByReason: { readonly [reason in Reason]?: readonly string[] } = {
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
    ...["createInstallationToken", "queueTask", "queueIntegrationTask"],
  ],
  not_yours_to_show: [
    ...[
      ...siteAudienceOperations,
      ...siteItemUpdates,
      "regenerateShareLink",
      "regeneratePublishingAuth",
      "updatePublishingAuth",
    ],
    ...["deleteSiteSection", "addSectionToGroup", "removeSectionFromGroup", "createSiteSection", "createSiteSpace"],
  ],
  integration_private: ["installIntegration"],
  invite_for_someone_else: ["acceptInvite"],
  organization_not_found: componentRenders,
  space_not_found: [...componentRenders, "duplicateSiteSpace"],
  transfer_busy: ["duplicateSiteSpace"],
  site_not_found: componentRenders,
  collection_not_found: treePlacements,
  page_not_found: ["getPdf", "getChangeRequestPdf", "getPublishedPage"],
  file_not_found: ["downloadFile", "downloadPdf", "downloadIntegrationAsset", "fetchPublishedScript"],
  computed_source_not_found: ["computeRevision", "computeDocument"],
  document_not_found: ["computeDocument"],
  import_report_not_found: ["getImportReport"],
  git_sync_not_found: ["getGitInfo"],
  user_not_found: ["getUser"],
  component_not_found: componentRenders,
  installation_not_found: integrationCalls,
  redirect_not_found: ["getSiteRedirectTarget"],
  published_url_not_found: ["resolvePublishedUrl"],
  url_not_found: ["getContentByUrl"],
  render_refused: componentRenders,
  render_invalid: componentRenders,
  hostname_taken: ["createOrganization", "updateOrganization"],
  title_taken: ["createTeam", "updateTeam"],
  entity_id_taken: ["createSamlProvider", "updateSamlProvider"],
  last_admin: ["updateMember", "removeMember", "leaveOrganizations", "eraseCurrentUser"],
  cyclic_move: ["moveCollection"],
  too_deep: ["createCollection", "moveCollection", "transferCollection"],
  same_organization: ["transferSpace", "transferCollection"],
  transfer_under_way: [
    ...treePlacements,
    "deleteSpace",
    "deleteCollection",
    "restoreSpace",
    "duplicateSpace",
    "duplicateSiteSpace",
  ],
  slug_taken: specWrites,
  translation_exists: ["createTranslation"],
  basename_taken: ["createSite", "updateSite"],
  site_host_taken: ["updateSite", "revalidateCustomHostname"],
  profile_managed: ["updateCurrentUser", "updateUser"],
  former_member: ["joinOrganization"],
  space_on_site: ["createSite", "createSiteSpace", "createSiteSection", "updateSiteSpace"],
  path_taken: [...siteItemCreations, ...siteItemUpdates],
  last_in_section: ["deleteSiteSpace", ...siteItemUpdates],
  too_many_items: [
    "createSite",
    ...siteItemCreations,
    ...siteItemUpdates,
    ...externalLinkWrites,
    "moveSiteSectionGroup",
  ],
  too_many_share_links: ["createShareLink"],
  too_many_glossary_entries: ["updateGlossary"],
  too_many_fonts: ["createFont", "createFontByPut"],
  font_in_use: ["deleteFont"],
  redirect_taken: ["createSiteRedirect", "createSiteRedirects", "updateSiteRedirect"],
  redirect_loop: ["createSiteRedirect", "createSiteRedirects", "updateSiteRedirect"],
  integration_name_taken: ["publishIntegration"],
  already_installed: ["installIntegration", ...installationPlacements],
  not_for_spaces: ["installOnSpace", "updateInstallation"],
  not_for_sites: ["installOnSite", "updateInstallation"],
  site_not_empty: ["applySiteTemplate"],
  no_sections: ["createSiteExternalLink"],
  installation_paused: ["createInstallationToken", "queueTask", "queueIntegrationTask"],
  not_deleted: ["restoreSpace"],
  restore_too_late: ["restoreSpace"],
  space_locked: ["changeContent", "applyTemplate", "importContent", "importIntoPage"],
  already_merged: [
    ...changeRequestWrites,
    "previewSite",
    "updateChangeRequest",
    "reviewChangeRequest",
    "requestReviewers",
    "removeRequestedReviewer",
  ],
  change_request_archived: [...changeRequestWrites, "previewSite", "reviewChangeRequest", "requestReviewers"],
  merged_by_merging: ["updateChangeRequest"],
  invite_links_disabled: ["createLinkInvite"],
  no_outbound_fetch: [
    ...contentWrites,
    ...contentImports,
    ...specWrites,
    "importFromGit",
    "exportToGit",
    "startDevelopment",
  ],
  no_translator: ["createTranslation", "updateTranslation", "runTranslationAgain"],
  no_model: modelQuestions,
  ask_failed: modelQuestions,
  import_failed: contentImports,
  fetch_failed: [...contentWrites, ...contentImports],
  integration_failed: integrationCalls,
  integration_busy: integrationCalls,
  imports_busy: contentImports,
  too_many_streams: ["streamEvents"],
  not_ready: ["getReadiness"],
  printer_busy: ["downloadPdf"],
  git_sync_busy: ["importFromGit", "exportToGit"],
  openapi_spec_busy: specWrites,
};

const reasonsByOperation = new Map<string, Reason[]>();
for (const [reason, names] of Object.entries(operationsByReason))
  for (const name of names) reasonsByOperation.set(name, [...(reasonsByOperation.get(name) ?? []), reason as Reason]);

/** The operations that are named above. A test checks that they exist. */
export const operationsWithReasons: readonly string[] = Object.values(operationsByReason).flat();

const reasonOrder = new Map(listErrorReasons().map(({ reason }, i) => [reason, i]));

/** Returns every reason for which an operation can refuse a call, in the order of the list of failures. */
export function listReasons(
  { name, definition: operation }: RegisteredOperation,
  isVersioned: boolean,
): readonly Reason[] {
  const { method, params, spec } = operation;
  const isProbe = spec.isProbe === true;
  const isOpen = spec.target.allowsAnonymous === true;
  const isWrite = method !== "GET";
  const hasBody = isWrite && method !== "DELETE";
  const takesIdempotencyKey = method === "POST" && spec.isReadOnly !== true;
  const isInTree = params.some((param) => param === "spaceId" || param === "collectionId");

  const conditions: readonly (readonly [boolean, ...Reason[]])[] = [
    [true, "internal"],
    [!isProbe, "invalid_request", "rate_limited", "unavailable", "storage_damaged", "overloaded", "wrong_secret"],
    [spec.list !== undefined, "invalid_cursor"],
    [hasBody, "invalid_json", "body_not_json"],
    [isWrite, "body_too_slow", "body_too_large", "too_much_at_once", "outcome_unknown"],
    [!isOpen, "unauthorized", "token_unknown", "forbidden", "scope_missing", "email_taken"],
    [!isOpen, "sso_required", "user_disabled"],
    [!isOpen && isWrite, "cross_site"],
    [takesIdempotencyKey, "idempotency_key_reused", "idempotency_key_spent", "idempotent_answer_lost"],
    [isWrite && isVersioned, "precondition_failed"],
    [spec.supportsRanges === true, "range_not_satisfiable", "precondition_failed"],
    [isWrite && isInTree, "transfer_busy", "transfer_under_way"],
    [spec.target.notFoundReason !== "route_not_found", spec.target.notFoundReason],
  ];
  const declared = conditions.flatMap(([applies, ...reasons]) => (applies ? reasons : []));
  const notFound = params.flatMap((param) => notFoundReasons[param] ?? []);
  const reasons = new Set<Reason>([...declared, ...notFound, ...(reasonsByOperation.get(name) ?? [])]);
  return [...reasons].sort((a, b) => reasonOrder.get(a)! - reasonOrder.get(b)!);
}
