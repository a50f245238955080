// The pages that list operations: the overview, a tag, and a search. Also the list of errors.

import { listErrorReasons } from "../../../errors";
import { roles } from "../../../operation/common-schemas";
import { html, renderInlineMarkup, renderParagraphs } from "../../../utils/html";
import { getTextMember } from "../../model/document";
import { listParameters } from "../../model/operations";
import { type ReferencePage, renderOperationList, renderReasonTable } from "./layout";
import { type ApiReference, formatTagTitle, type ReferenceOperation } from "./reference";

const ROLE_DESCRIPTIONS: Readonly<Record<(typeof roles)[number], string>> = {
  read: "View content.",
  comment: "Comment and reply.",
  edit: "Edit content, directly or in change requests.",
  review: "Review and merge change requests.",
  create: "Create and manage spaces, collections and sites, and grant access to them.",
  admin: "Manage the organization: members, teams, invites and sign-in.",
};

/** Renders the first page: how to make requests, permissions, and all operations. */
export function renderOverviewPage(reference: ApiReference): ReferencePage {
  const { server, tags, root, operations } = reference;
  const roleTerms = roles.map(
    (role) => html`<div><dt><code>${role}</code></dt><dd>${ROLE_DESCRIPTIONS[role]}</dd></div>`,
  );
  const sections = tags.map(
    ({ name, href, description, operations: ofTag }) =>
      html`<section><h3><a href="${href}">${formatTagTitle(name)}</a></h3>
<p>${renderInlineMarkup(description)}</p>${renderOperationList(ofTag)}</section>`,
  );
  const main = html`<h1>Reference</h1>
<p class="lead">${operations.length} operations over HTTP with JSON. Base URL: <code>${server}</code>.
Machine-readable version: <a href="${root.replace(/\/docs$/, "/openapi.json")}">openapi.json</a>.</p>
<section><h2 id="calling">Making requests</h2>
<p>Send an API token with every request, except for public operations: <code>Authorization: Bearer &lt;token&gt;</code>.
Request bodies are JSON.</p>
<dl class="terms">
<div><dt>Pagination</dt><dd>Lists return pages of up to <code>limit</code> items. Send <code>next.page</code> of a response as
<code>page</code> of the next request. <code>next</code> is omitted on the last page. <code>count</code> is the total number
of items.</dd></div>
<div><dt>Idempotency</dt><dd>To retry a POST safely, send an <code>Idempotency-Key</code>. Repeating the request with the same
key within 24 hours returns the first response.</dd></div>
<div><dt>Concurrency</dt><dd>The version of a resource is in the <code>ETag</code> header. Send <code>If-None-Match</code> to
avoid downloading a response that you already have, and <code>If-Match</code> to reject an update if the resource has changed in
the meantime.</dd></div>
<div><dt>Errors</dt><dd>All errors have the schema <a href="${root}/types/Error">Error</a>: a status code, a stable reason for
programs, and a human-readable message. <a href="${root}/errors">List of error reasons</a>.</dd></div>
<div><dt>Request IDs</dt><dd>Every response includes an <code>X-Request-Id</code> header, which identifies the request in the
logs.</dd></div>
</dl></section>
<section><h2 id="rights">Permissions</h2>
<p>The <strong>role</strong> of a user determines the actions that they can perform. The <strong>scopes</strong> of a token
restrict these further.</p>
<h3>Roles</h3>
<p>Each role includes all lower roles. Guests have no role and see only the content that is shared with them.</p>
<dl class="terms">${roleTerms}</dl>
<p>A member has a role in the organization. On a space or a collection, the highest grant applies: to the user or to one of
their teams, on the object or on one of its parents. Without a grant, the nearest default access applies, and otherwise the role
in the organization. Admins of the organization are admins of everything in it. You can't grant a role higher than your
own.</p>
<h3>Scopes</h3>
<p>A token without scopes has all permissions of its owner. Any other token needs the scope of the operation, such as
<code>spaces:read</code>; <code>:write</code> includes <code>:read</code>. Integrations have their own scopes, such as
<code>space:content:read</code>, which an organization approves when it installs the integration.</p>
<p>Resources that don't exist and resources that you can't view return the same 404 error.</p></section>
<section><h2 id="hosted">Compatibility with hosted services</h2>
<p>Some fields exist for compatibility with clients of hosted services. They have fixed values: <code>plan</code> and
<code>trial</code> of an organization, <code>viewBilling</code> and <code>ingestConversations</code> of its permissions,
<code>type</code> and <code>features</code> of a site, <code>hasAdvancedCustomizationFeature</code> of a site-space, and
<code>verified</code> of an integration. All features are included.</p></section>
<h2 id="operations">Operations</h2>
${sections}`;
  return { title: "Reference", main };
}

/** Renders one tag with its operations; undefined if there is no such tag. */
export function renderTagPage(reference: ApiReference, name: string): ReferencePage | undefined {
  const tag = reference.tags.find((it) => it.name === name);
  if (!tag) return undefined;
  const title = formatTagTitle(name);
  const main = html`<h1>${title}</h1>${renderParagraphs(tag.description)}${renderOperationList(tag.operations)}`;
  return { title, main, tag: name };
}

const MAX_QUERY_LENGTH = 200;

/** The text in which a search looks, by operation. */
const searchTexts = new WeakMap<ReferenceOperation, string>();

/** Renders the operations in which every word of a query occurs: in their names, paths, tags, texts or parameters. */
export function renderSearchPage(reference: ApiReference, fullQuery: string): ReferencePage {
  const query = fullQuery.slice(0, MAX_QUERY_LENGTH).trim();
  const words = query.toLowerCase().split(/\s+/);
  const matches = reference.operations.filter((entry) => {
    let text = searchTexts.get(entry);
    if (text === undefined) {
      const { id, tag, method, path, title, value } = entry;
      const names = listParameters(entry).map((parameter) => getTextMember(parameter.value, "name"));
      text = [id, tag, method, path, title, getTextMember(value, "description"), ...names].join(" ").toLowerCase();
      searchTexts.set(entry, text);
    }
    return words.every((word) => text.includes(word));
  });

  const count = `${matches.length} operation${matches.length === 1 ? "" : "s"}`;
  const list =
    matches.length === 0
      ? html`<p>Try a single word, such as the name of a resource. <a href="${reference.root}">All operations</a>.</p>`
      : renderOperationList(matches);
  const main = html`<h1>Search</h1><p class="lead" role="status">${count} for “${query}”</p>
${list}`;
  return { title: `Search: ${query}`, main, query };
}

/** Renders the list of all error reasons. */
export function renderErrorsPage(): ReferencePage {
  const reasons = listErrorReasons();
  const { status, sentence, reason } = reasons.find((it) => it.reason === "space_not_found")!;
  const sample = { error: { code: status, message: sentence, reason, requestId: "k3v9x2-17" } };
  const main = html`<h1>Errors</h1>
<p class="lead">All errors have the same format. <code>reason</code> is a stable, machine-readable code; <code>message</code>
is a human-readable message. <code>issues</code> lists the parts of the request that are invalid.</p>
<pre tabindex="0"><code>${JSON.stringify(sample, null, 2)}</code></pre>
${renderReasonTable(reasons, { hasAnchors: true })}`;
  return { title: "Errors", main };
}
