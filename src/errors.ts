// The closed list of errors: a stable reason, its HTTP status, and one sentence that a person can act on.

import type { Reason } from "./generated/reasons";

const errors = {
  invalid_request: [400, "The request is malformed: see `issues` for what to mend."],
  invalid_json: [400, "The body is not valid JSON."],
  invalid_cursor: [400, "The value of `page` is not a cursor of this list: take it from `next.page` of the same list."],
  render_refused: [400, "The integration refused the request: see `issues`."],
  unauthorized: [401, "No API token was sent: send one in the header `Authorization: Bearer <token>`."],
  token_unknown: [401, "The token is not known here: it never was, it has ended, or it was revoked. Send another one."],
  forbidden: [403, "Your role does not allow this here."],
  cross_site: [
    403,
    "The request comes from another site. With the cookie of a session, only pages of this origin can change anything.",
  ],
  sso_required: [403, "The organization demands single sign-on of you: sign in through one of its providers."],
  scope_missing: [403, "The token's scopes do not include this operation."],
  above_own_role: [403, "Nobody can give a role above their own."],
  not_yours_to_show: [
    403,
    "This shows spaces to more people. You need the role create on each of them: `issues` names those that you can see.",
  ],
  above_own_token: [403, "A token can only create tokens with no more scopes, and no later end, than its own."],
  above_own_scopes: [
    403,
    "The integration's scopes allow more than this token does: use a token that has those scopes, too.",
  ],
  integration_private: [403, "A private integration can only be installed in the organization that publishes it."],
  user_disabled: [403, "This account is disabled: ask those who run the server."],
  invite_for_someone_else: [403, "This invite was made for another e-mail address."],
  route_not_found: [404, "There is no such path in this API."],
  organization_not_found: [404, "There is no such organization, or you may not see it."],
  member_not_found: [404, "There is no such member in this organization."],
  team_not_found: [404, "There is no such team, or you may not see it."],
  invite_not_found: [404, "There is no such invite, or it is no longer open."],
  saml_provider_not_found: [404, "There is no such SAML provider, or you may not see it."],
  subdomain_not_found: [404, "No organization has this subdomain."],
  collection_not_found: [404, "There is no such collection, or you may not see it."],
  space_not_found: [404, "There is no such space, or you may not see it."],
  revision_not_found: [404, "There is no such revision of this space."],
  page_not_found: [404, "There is no such page, or you may not see it."],
  import_report_not_found: [404, "This revision was not made by an import, so it has no report."],
  git_sync_not_found: [404, "This space is not synchronized with a Git repository."],
  file_not_found: [404, "There is no such file, or you may not see it, or its download URL has expired."],
  computed_source_not_found: [404, "There is no such source here, or you may not see what it gives."],
  document_not_found: [
    404,
    "There is no such document, or you may not see it, or it is too old to be found by its id.",
  ],
  reusable_content_not_found: [404, "There is no such reusable content, or you may not see it."],
  change_request_not_found: [404, "There is no such change request, or you may not see it."],
  comment_not_found: [404, "There is no such comment, or you may not see it."],
  comment_reply_not_found: [404, "There is no such reply, or you may not see it."],
  openapi_spec_not_found: [404, "There is no such OpenAPI specification, or you may not see it."],
  openapi_spec_version_not_found: [404, "There is no such version of this OpenAPI specification."],
  translation_not_found: [404, "There is no such translation, or you may not see it."],
  grant_not_found: [404, "Nothing was granted there to that user or team."],
  installation_not_found: [404, "There is no such installation, or you may not see it."],
  space_installation_not_found: [404, "It is not installed on this space, or you may not see that."],
  site_installation_not_found: [404, "It is not installed on this site, or you may not see that."],
  task_not_found: [404, "There is no such task of this installation that still waits."],
  event_not_found: [404, "There is no such event of this integration, or you may not see it."],
  component_not_found: [404, "The integration has no such component."],
  integration_not_found: [404, "There is no such integration, or you may not see it."],
  job_not_found: [404, "There is no such job that was given up, or you may not see it."],
  site_not_found: [404, "There is no such site, or you may not see it."],
  site_section_not_found: [404, "There is no such section on this site."],
  site_section_group_not_found: [404, "There is no such group of sections on this site."],
  site_space_not_found: [404, "There is no such site-space on this site, or you may not see it."],
  share_link_not_found: [404, "There is no such share link of this site."],
  redirect_not_found: [404, "There is no such redirect of this site."],
  font_not_found: [404, "There is no such font of this organization."],
  published_url_not_found: [404, "Nothing is published at this URL, or you may not see it."],
  url_not_found: [404, "This URL leads to nothing here, or you may not see it."],
  user_not_found: [404, "There is no such user, or you may not see them."],
  token_not_found: [404, "There is no such token."],
  session_not_found: [404, "There is no such session."],
  method_not_allowed: [405, "This path does not take that method: see the header `Allow`."],
  hostname_taken: [409, "Another organization has this hostname: choose another one."],
  already_installed: [409, "It is already installed there: change that installation instead."],
  not_for_spaces: [409, "The integration is not made for spaces: see its `target`."],
  not_for_sites: [409, "The integration is not made for sites: see its `target`."],
  integration_name_taken: [409, "Another integration has this name: choose another one."],
  title_taken: [409, "Another team of the organization has this title: choose another one."],
  entity_id_taken: [409, "Another SAML provider of the organization has this entityID."],
  slug_taken: [409, "This slug is taken: choose another one, or update what has it."],
  translation_exists: [409, "The space is translated into this language already."],
  same_organization: [409, "It is in that organization already: move it instead."],
  transfer_under_way: [409, "It is being moved to another organization: wait until that is done."],
  cyclic_move: [409, "A collection cannot be moved into itself or into something inside it."],
  too_deep: [409, "Collections can be nested only so deep: move it higher."],
  path_taken: [409, "A sibling already has this path: choose another one."],
  basename_taken: [409, "Another site of the organization has this basename: choose another one."],
  site_host_taken: [409, "Another organization publishes at this host, or another site at this address."],
  space_on_site: [409, "The space is on this site already."],
  last_in_section: [409, "A section needs a site-space: delete the section instead, or add another one first."],
  too_many_items: [409, "The site has the most sections and site-spaces that are allowed: delete some first."],
  too_many_share_links: [409, "The site has the most share links that are allowed: delete one first."],
  redirect_taken: [409, "Another redirect of the site has this source already."],
  redirect_loop: [409, "This redirect would lead back to where it begins."],
  too_many_fonts: [409, "The organization has the most fonts that are allowed: delete one first."],
  font_in_use: [409, "The look of a site uses this font: choose another one there first."],
  last_admin: [409, "An organization needs an admin: make somebody else admin first."],
  idempotency_key_reused: [409, "This Idempotency-Key was used for another request: use a new one."],
  idempotency_key_spent: [
    409,
    "The request with this Idempotency-Key is done, and its answer is no longer kept for you: use a new key.",
  ],
  email_taken: [
    409,

    "Another user has this e-mail address: sign in as that user. If it is the same person, the host says `emailVerified` " +
      "of both, or links them with `provision`.",
  ],
  idempotent_answer_lost: [
    409,
    "The request with this Idempotency-Key was done under another secret: check what it did, and use a new key.",
  ],
  range_not_satisfiable: [416, "The file has no bytes in this range. The header `Content-Range` has its size."],
  precondition_failed: [412, "The resource has changed since you read it: read it again and repeat your change."],
  not_deleted: [412, "The space is not deleted: there is nothing to restore."],
  restore_too_late: [412, "The space was deleted more than 7 days ago and cannot be restored any more."],
  space_locked: [412, "The space is locked: propose the change in a change request."],
  already_merged: [412, "The change request is merged: make a new one for further changes."],
  change_request_archived: [412, "The change request is archived: open it again first."],
  merged_by_merging: [412, "A change request becomes merged by merging it, not by its status."],
  no_outbound_fetch: [412, "This server cannot reach other hosts: pass the option `fetch` to `createDocsApi`."],
  no_translator: [412, "This server has no translator: pass the option `translator` to `createDocsApi`."],
  installation_paused: [412, "The installation is paused: set its status to active first."],
  invite_links_disabled: [412, "The organization has invite links switched off."],
  body_too_slow: [408, "The body took too long to arrive: send it faster, or send less at once."],
  body_too_large: [413, "The body is larger than this server allows."],
  body_not_json: [415, "Send the body as JSON with `Content-Type: application/json`."],
  render_invalid: [422, "The integration found something wrong with the input: see `issues`."],
  too_much_at_once: [
    422,
    "This is too much for one step, and nothing was changed: send less at once, in several requests.",
  ],
  import_failed: [422, "Nothing could be imported from there, and nothing was changed: see `issues`."],
  rate_limited: [429, "Too many requests: wait as long as the header `Retry-After` says."],
  too_many_streams: [429, "Too many streams of events are open: close one, or wait as long as `Retry-After` says."],
  integration_failed: [502, "The integration did not answer as it should."],
  fetch_failed: [502, "The other host could not be reached, or did not answer as it should: see `issues`."],
  ask_failed: [502, "The model did not answer, or not in time: try again."],
  internal: [500, "Something went wrong here; the request id helps to find it in the logs."],
  no_model: [501, "This server has no model to ask: pass the option `ask` to `createDocsApi`."],
  overloaded: [503, "The server has more to do than it can take on: try again in a moment."],
  unavailable: [503, "The storage cannot be reached or is busy: try again in a moment."],
  wrong_secret: [503, "This server was started with another secret than its data has: tell its operator."],
  not_ready: [503, "The server is not ready to answer requests: try again in a moment."],
  storage_damaged: [503, "Stored data is damaged: tell the operator of this server, who finds its name in the logs."],
  transfer_busy: [
    503,
    "It is being moved to another organization and cannot be changed for a moment: wait as long as `Retry-After` says.",
  ],
  git_sync_busy: [503, "Too many requests of this space are waiting: wait as long as the header `Retry-After` says."],
  openapi_spec_busy: [
    503,
    "Too many sources of this specification are waiting: wait as long as the header `Retry-After` says.",
  ],
  integration_busy: [503, "The integration is too busy at the moment: wait as long as the header `Retry-After` says."],
  imports_busy: [503, "Many imports are under way at the moment: wait as long as the header `Retry-After` says."],
  printer_busy: [503, "Many documents are being printed at the moment: try again in a few seconds."],
  outcome_unknown: [503, "The storage did not say whether the change was made: check, then try again."],
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
      message: `There is no path \`${shownPath}\` in this API: its paths begin with \`${base}\`, and \`${base}/openapi.json\` lists them.`,
    };
  },
  scope_missing: ({ scope }: { readonly scope: string }) => ({
    message: `The token's scopes do not include this operation: it needs \`${scope}\`.`,
    headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
  }),
  last_admin: ({ organizations }: { readonly organizations: readonly string[] }) => ({
    message: `An organization needs an admin: make somebody else admin first of ${organizations.slice(0, 20).join(", ")}.`,
  }),
  body_too_large: ({ limit }: { readonly limit: number }) => ({
    message: `The body is larger than ${limit} bytes, the most that is taken here.`,
  }),
  not_ready: ({ why }: { readonly why: string }) => ({
    message: `The server is not ready to answer requests: ${why}.`,
    headers: { "retry-after": "1" },
  }),
  invalid_json: ({ at }: { readonly at: TextPosition | "not UTF-8" }) => {
    if (at === "not UTF-8") return { message: "The body is not valid JSON: it is not UTF-8." };
    const problem = at.isEnd ? "it ends too early, at" : "see";
    return { message: `The body is not valid JSON: ${problem} line ${at.line}, column ${at.column}.` };
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
