// The closed list of errors: a stable reason, its HTTP status, and one sentence that a person can act on.

import type { Reason } from "./generated/reasons";

const errors = {
  invalid_request: [400, "The request is invalid. See `issues` for the fields to correct."],
  invalid_json: [400, "The body is not valid JSON."],
  invalid_cursor: [400, "`page` is not a cursor of this list. Use the value of `next.page` from the same list."],
  render_refused: [400, "The integration rejected the request. See `issues`."],
  unauthorized: [401, "Authentication required. Send an API token in the `Authorization: Bearer <token>` header."],
  token_unknown: [401, "The token is invalid, expired or revoked. Use another token."],
  forbidden: [403, "Your role doesn't allow this action."],
  cross_site: [403, "Cross-site request refused. With a session cookie, only pages of this origin can make changes."],
  sso_required: [403, "The organization requires single sign-on. Sign in with one of its providers."],
  scope_missing: [403, "The token's scopes don't include this operation."],
  above_own_role: [403, "You can't grant a role above your own."],
  not_yours_to_show: [
    403,
    "This would show spaces to more people, which requires the role `create` on each of them. See `issues` for the spaces that you can see.",
  ],
  above_own_token: [403, "A token can't create a token with more scopes or a later expiry than its own."],
  above_own_scopes: [
    403,
    "The integration requests scopes that this token doesn't have. Use a token with those scopes.",
  ],
  integration_private: [403, "A private integration can only be installed in the organization that publishes it."],
  user_disabled: [403, "This account is disabled. Contact the operator of the server."],
  profile_managed: [
    403,
    "Your name and picture come from your organization’s directory or from the application. Change them there.",
  ],
  former_member: [403, "You have been a member before. Ask an admin of the organization to invite you."],
  invite_for_someone_else: [403, "This invite was sent to a different email address."],
  route_not_found: [404, "No endpoint exists at this path."],
  organization_not_found: [404, "Organization not found, or you don't have access to it."],
  member_not_found: [404, "Member not found in this organization."],
  team_not_found: [404, "Team not found, or you don't have access to it."],
  invite_not_found: [404, "Invite not found, or it is no longer open."],
  saml_provider_not_found: [404, "SAML provider not found, or you don't have access to it."],
  subdomain_not_found: [404, "No organization has this subdomain."],
  collection_not_found: [404, "Collection not found, or you don't have access to it."],
  space_not_found: [404, "Space not found, or you don't have access to it."],
  revision_not_found: [404, "Revision not found in this space."],
  page_not_found: [404, "Page not found, or you don't have access to it."],
  import_report_not_found: [404, "This revision has no import report, because it was not created by an import."],
  git_sync_not_found: [404, "This space is not synchronized with a Git repository."],
  file_not_found: [404, "File not found, or you don't have access to it, or its download URL has expired."],
  computed_source_not_found: [404, "Content source not found, or you don't have access to it."],
  document_not_found: [
    404,
    "Document not found, or you don't have access to it, or it is too old to be found by its ID.",
  ],
  reusable_content_not_found: [404, "Reusable content not found, or you don't have access to it."],
  change_request_not_found: [404, "Change request not found, or you don't have access to it."],
  audit_event_not_found: [404, "Audit event not found in this organization."],
  review_not_found: [404, "Review not found on this change request."],
  comment_not_found: [404, "Comment not found, or you don't have access to it."],
  comment_reply_not_found: [404, "Reply not found, or you don't have access to it."],
  openapi_spec_not_found: [404, "OpenAPI specification not found, or you don't have access to it."],
  openapi_spec_version_not_found: [404, "This OpenAPI specification has no such version."],
  glossary_entry_not_found: [404, "Glossary entry not found in this organization."],
  translation_not_found: [404, "Translation not found, or you don't have access to it."],
  grant_not_found: [404, "This user or team has no role of its own here."],
  installation_not_found: [404, "Installation not found, or you don't have access to it."],
  space_installation_not_found: [
    404,
    "The integration is not installed on this space, or you don't have access to the installation.",
  ],
  site_installation_not_found: [
    404,
    "The integration is not installed on this site, or you don't have access to the installation.",
  ],
  task_not_found: [404, "This installation has no pending task with this ID."],
  event_not_found: [404, "Event not found, or you don't have access to it."],
  component_not_found: [404, "The integration has no component with this ID."],
  integration_not_found: [404, "Integration not found, or you don't have access to it."],
  job_not_found: [404, "Failed job not found, or you don't have access to it."],
  site_not_found: [404, "Site not found, or you don't have access to it."],
  site_section_not_found: [404, "Section not found on this site."],
  site_section_group_not_found: [404, "Section group not found on this site."],
  site_external_link_not_found: [404, "External link not found on this site."],
  site_space_not_found: [404, "Site-space not found on this site, or you don't have access to it."],
  share_link_not_found: [404, "Share link not found on this site."],
  redirect_not_found: [404, "Redirect not found on this site."],
  font_not_found: [404, "Font not found in this organization."],
  custom_hostname_not_found: [404, "No site has this hostname, or you don't have access to it."],
  published_url_not_found: [404, "Nothing is published at this URL, or you don't have access to it."],
  url_not_found: [404, "No content found at this URL, or you don't have access to it."],
  user_not_found: [404, "User not found, or you don't have access to them."],
  token_not_found: [404, "Token not found."],
  session_not_found: [404, "Session not found."],
  method_not_allowed: [405, "Method not allowed. See the `Allow` header."],
  hostname_taken: [409, "Another organization uses this hostname. Choose another one."],
  already_installed: [409, "The integration is already installed there. Update that installation instead."],
  not_for_spaces: [409, "This integration can't be installed on spaces. See its `target`."],
  not_for_sites: [409, "This integration can't be installed on sites. See its `target`."],
  integration_name_taken: [409, "Another integration uses this name. Choose another one."],
  title_taken: [409, "Another team of the organization has this title. Choose another one."],
  entity_id_taken: [409, "Another SAML provider of the organization has this `entityID`."],
  slug_taken: [409, "This slug is already in use. Choose another one, or update the resource that uses it."],
  translation_exists: [409, "The space already has a translation into this language."],
  same_organization: [409, "The resource already belongs to this organization. Move it instead."],
  transfer_under_way: [409, "A transfer to another organization is in progress. Wait until it has finished."],
  cyclic_move: [409, "A collection can't be moved into itself or into one of its descendants."],
  too_deep: [409, "Collections are nested too deeply. Move it to a higher level."],
  path_taken: [409, "Another item on the same level uses this path. Choose another one."],
  basename_taken: [409, "Another site of the organization uses this basename. Choose another one."],
  site_host_taken: [409, "Another organization publishes on this host, or another site uses this address."],
  space_on_site: [409, "The space is already on this site."],
  last_in_section: [
    409,
    "A section needs at least one site-space. Delete the section instead, or add another site-space first.",
  ],
  too_many_items: [409, "This site has reached its limit of sections, links and site-spaces. Delete some first."],
  too_many_share_links: [409, "This site has reached its limit of share links. Delete one first."],
  redirect_taken: [409, "Another redirect of the site already has this source."],
  redirect_loop: [409, "This redirect would create a loop."],
  too_many_glossary_entries: [409, "The organization has reached its limit of glossary entries. Delete one first."],
  too_many_fonts: [409, "The organization has reached its limit of fonts. Delete one first."],
  font_in_use: [409, "A site uses this font. Choose another font for the site first."],
  last_admin: [409, "An organization needs at least one admin. Make another member an admin first."],
  idempotency_key_reused: [409, "This `Idempotency-Key` was used for a different request. Use a new key."],
  idempotency_key_spent: [
    409,
    "The request with this `Idempotency-Key` has completed, but its response is no longer stored. Use a new key.",
  ],
  email_taken: [
    409,
    "Another user has this email address. Sign in as that user, or ask the host to link both accounts with `provision`.",
  ],
  idempotent_answer_lost: [
    409,
    "The request with this `Idempotency-Key` completed under a different server secret. Check its result, then use a new key.",
  ],
  range_not_satisfiable: [416, "The file has no bytes in this range. The `Content-Range` header contains its size."],
  precondition_failed: [412, "The resource has changed since you read it. Read it again and repeat your change."],
  no_sections: [412, "External links stand beside sections, and this site has none. Add a section first."],
  site_not_empty: [412, "A template can only be applied to a site without spaces."],
  not_deleted: [412, "The space is not in the trash."],
  restore_too_late: [412, "The space was deleted more than 7 days ago and can no longer be restored."],
  space_locked: [412, "The space is locked. Propose your change in a change request."],
  already_merged: [412, "The change request has been merged. Create a new one for further changes."],
  change_request_archived: [412, "The change request is archived. Reopen it first."],
  merged_by_merging: [412, "You can't set the status to `merged`. Merge the change request instead."],
  no_outbound_fetch: [412, "This server can't reach other hosts. Pass the `fetch` option to `createDocsApi`."],
  no_translator: [412, "This server has no translator. Pass the `translator` option to `createDocsApi`."],
  installation_paused: [412, "The installation is paused. Set its status to `active` first."],
  invite_links_disabled: [412, "Invite links are disabled in this organization."],
  body_too_slow: [408, "The body took too long to arrive. Use a faster connection, or send less at once."],
  body_too_large: [413, "The body exceeds the size limit of this server."],
  body_not_json: [415, "Unsupported media type. Send JSON with `Content-Type: application/json`."],
  render_invalid: [422, "The integration found problems with the input. See `issues`."],
  too_much_at_once: [
    422,
    "The request is too large for a single step, and nothing was changed. Split it into several requests.",
  ],
  import_failed: [422, "Nothing could be imported, and nothing was changed. See `issues`."],
  rate_limited: [429, "Too many requests. Retry after the number of seconds in the `Retry-After` header."],
  too_many_streams: [
    429,
    "Too many event streams are open. Close one, or retry after the number of seconds in the `Retry-After` header.",
  ],
  integration_failed: [502, "The integration returned an invalid response."],
  fetch_failed: [502, "The remote host could not be reached or returned an invalid response. See `issues`."],
  ask_failed: [502, "The language model did not respond in time. Try again."],
  internal: [500, "Internal error. Use the request ID to find it in the server's log."],
  no_model: [501, "This server has no language model. Pass the `ask` option to `createDocsApi`."],
  overloaded: [503, "The server is overloaded. Try again in a moment."],
  unavailable: [503, "The storage is unreachable or busy. Try again in a moment."],
  wrong_secret: [
    503,
    "The server was started with a different secret than its data was written with. Contact the operator of the server.",
  ],
  not_ready: [503, "The server is starting. Try again in a moment."],
  storage_damaged: [503, "Stored data is damaged. Contact the operator of the server. The log names the damaged data."],
  transfer_busy: [
    503,
    "The resource is being transferred to another organization and can't be changed right now. Retry after the number of seconds in the `Retry-After` header.",
  ],
  git_sync_busy: [
    503,
    "Too many Git requests of this space are pending. Retry after the number of seconds in the `Retry-After` header.",
  ],
  openapi_spec_busy: [
    503,
    "Too many sources of this specification are pending. Retry after the number of seconds in the `Retry-After` header.",
  ],
  integration_busy: [503, "The integration is busy. Retry after the number of seconds in the `Retry-After` header."],
  imports_busy: [503, "Too many imports are running. Retry after the number of seconds in the `Retry-After` header."],
  printer_busy: [503, "Too many PDFs are being created. Try again in a few seconds."],
  outcome_unknown: [
    503,
    "The storage did not confirm whether the change was saved. Check the resource, then try again.",
  ],
} as const satisfies Record<Reason, readonly [status: number, sentence: string]>;

export type { Reason };

/** A problem with one field of the input. */
export interface Issue {
  /** The path of the field: `body.title`, `query.limit`, `params.teamId`. */
  readonly path: string;
  readonly message: string;
}

/** A position in a text. Lines and columns are counted from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
  /** True if the text ends there. */
  readonly isEnd: boolean;
}

const MAX_PATH_CHARACTERS = 200;

/** Some reasons have a more specific sentence, and headers, for the facts of a case. */
const specificDetails = {
  route_not_found: ({ path, base }: { readonly path: string; readonly base: string }) => {
    // The path is the caller's text: it is shortened, and reduced to printable ASCII.
    const printablePath = path.slice(0, MAX_PATH_CHARACTERS).replaceAll(/[^\x21-\x5f\x61-\x7e]/g, "?");
    const shownPath = path.length > MAX_PATH_CHARACTERS ? `${printablePath}...` : printablePath;
    return {
      message: `No endpoint exists at \`${shownPath}\`. All paths begin with \`${base}\`. See \`${base}/openapi.json\`.`,
    };
  },
  scope_missing: ({ scope }: { readonly scope: string }) => ({
    message: `The token's scopes don't include this operation. It requires \`${scope}\`.`,
    headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
  }),
  last_admin: ({ organizations }: { readonly organizations: readonly string[] }) => ({
    message: `An organization needs at least one admin. Make another member an admin first of: ${organizations.slice(0, 20).join(", ")}.`,
  }),
  body_too_large: ({ limit }: { readonly limit: number }) => ({
    message: `The body exceeds the limit of ${limit} bytes.`,
  }),
  not_ready: ({ why }: { readonly why: string }) => ({
    message: `The server is not ready: ${why}.`,
    headers: { "retry-after": "1" },
  }),
  invalid_json: ({ at }: { readonly at: TextPosition | "not UTF-8" }) => {
    if (at === "not UTF-8") return { message: "The body is not valid JSON, because it is not UTF-8." };
    const problem = at.isEnd ? "Unexpected end" : "Syntax error";
    return { message: `The body is not valid JSON. ${problem} at line ${at.line}, column ${at.column}.` };
  },
} as const satisfies { readonly [reason in Reason]?: (facts: never) => Pick<ErrorDetails, "message" | "headers"> };

/** The facts of a case, for a reason that has a more specific sentence. */
type ErrorFacts<R extends Reason> = R extends keyof typeof specificDetails
  ? [facts?: Parameters<(typeof specificDetails)[R]>[0]]
  : [];

interface ErrorDetails {
  /** Replaces the sentence of the reason. */
  readonly message?: string;
  readonly issues?: readonly Issue[];
  readonly headers?: Record<string, string>;
  readonly cause?: unknown;
}

/** The seconds after which to retry, for temporary errors that do not state it. */
const DEFAULT_RETRY_AFTER_SECONDS = "60";

/** An error that is reported to the caller. */
export class DocsError extends Error {
  override readonly name = "DocsError";
  readonly reason: Reason;
  readonly status: number;
  readonly issues: readonly Issue[] | undefined;
  /** The response headers of the error. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(reason: Reason, details: ErrorDetails = {}) {
    const [status, sentence] = errors[reason];
    super(details.message ?? sentence, { cause: details.cause });
    this.reason = reason;
    this.status = status;
    this.issues = details.issues;
    const headers: Record<string, string> = {};
    if (reason === "unauthorized") headers["www-authenticate"] = "Bearer";
    else if (reason === "token_unknown") headers["www-authenticate"] = 'Bearer error="invalid_token"';
    else if (status === 503) headers["retry-after"] = DEFAULT_RETRY_AFTER_SECONDS;
    this.headers = { ...headers, ...details.headers };
  }
}

/** Creates the error of a reason, with the sentence for the facts of the case if the reason has one. */
export function createError<R extends Reason>(reason: R, ...[facts]: ErrorFacts<R>): DocsError {
  const getDetails = facts && (specificDetails as { [reason in Reason]?: (facts: unknown) => ErrorDetails })[reason];
  return new DocsError(reason, getDetails?.(facts));
}

/** Creates the error for invalid input, with the field that is wrong. */
export function createValidationError(path: string, message: string): DocsError {
  return new DocsError("invalid_request", { issues: [{ path, message }] });
}

/** Returns every reason with its status, for the description of the API. */
export function listErrorReasons(): readonly { reason: Reason; status: number; sentence: string }[] {
  return Object.entries(errors).map(([reason, [status, sentence]]) => ({
    reason: reason as Reason,
    status,
    sentence,
  }));
}
