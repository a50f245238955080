// The pages that list operations: the overview, a tag, and a search. Also the list of errors.

import { listErrorReasons } from "../../../errors";
import { roles } from "../../../operation/common-schemas";
import { html, renderInlineMarkup, renderParagraphs } from "../../../utils/html";
import { getTextMember } from "../../model/document";
import { listParameters } from "../../model/operations";
import { type ReferencePage, renderOperationList, renderReasonTable } from "./layout";
import { type ApiReference, formatTagTitle, type ReferenceOperation } from "./reference";

const ROLE_DESCRIPTIONS: Readonly<Record<(typeof roles)[number], string>> = {
  read: "reads content.",
  comment: "takes part in discussions.",
  edit: "changes content, directly or in change requests.",
  review: "reviews and merges change requests.",
  create: "creates and manages spaces, collections and sites, and gives access to them.",
  admin: "manages the organization: members, teams, invites, sign-in.",
};

/** Renders the first page: how to call the API, who may do what, and every operation. */
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
<p class="lead">${operations.length} operations over HTTP and JSON, under <code>${server}</code>.
The same as data: <a href="${root.replace(/\/docs$/, "/openapi.json")}">openapi.json</a>.</p>
<section><h2 id="calling">Calling it</h2>
<p>Send an API token with every request that needs one: <code>Authorization: Bearer &lt;token&gt;</code>. Bodies are JSON.</p>
<dl class="terms">
<div><dt>Lists</dt><dd>come in pages of at most <code>limit</code> items. Send <code>next.page</code> of one answer as
<code>page</code> of the next request, until there is none. <code>count</code> is the number of all items.</dd></div>
<div><dt>Repeating a POST</dt><dd>is safe with an <code>Idempotency-Key</code>: the same key within 24 hours gets the first
answer again.</dd></div>
<div><dt>Versions</dt><dd>of single things are in <code>ETag</code>. <code>If-None-Match</code> saves reading again what you
have; <code>If-Match</code> refuses a change of something that has changed meanwhile.</dd></div>
<div><dt>Failures</dt><dd>have one shape, <a href="${root}/types/Error">Error</a>: a status, a stable reason for
programs, and a sentence for people. <a href="${root}/errors">All reasons</a>.</dd></div>
<div><dt>Every answer</dt><dd>carries <code>X-Request-Id</code>, which finds it in the logs.</dd></div>
</dl></section>
<section><h2 id="rights">Who may do what</h2>
<p>Two things decide. The <strong>role</strong> says what a person may do; the <strong>scopes</strong> of a token narrow that
down for the token.</p>
<h3>Roles</h3>
<p>There is one ladder. Each role includes those before it. A guest has no role, and sees only what was given to them.</p>
<dl class="terms">${roleTerms}</dl>
<p>A member has a role in the organization. On a space or a collection the highest grant counts, to the person or to a team, on
the thing or above it. Without a grant the nearest default level counts, else the role in the organization. Admins of the
organization are admins of everything in it. Nobody gives a role above their own.</p>
<h3>Scopes</h3>
<p>A token without scopes may do all that its owner may. Otherwise it needs the scope of the operation, such as
<code>spaces:read</code>; <code>:write</code> includes <code>:read</code>. Scopes of integrations are others, such as
<code>space:content:read</code>: an organization agrees to them when it installs one.</p>
<p>What is absent and what is hidden get the same 404.</p></section>
<section><h2 id="hosted">Fields for clients of hosted services</h2>
<p>Some fields exist because clients of hosted services read them. They have fixed values here: <code>plan</code> and
<code>trial</code> of an organization, <code>viewBilling</code> and <code>ingestConversations</code> of its permissions,
<code>type</code> and <code>features</code> of a site, <code>hasAdvancedCustomizationFeature</code> of a site-space,
<code>verified</code> of an integration. Whoever runs the server has everything.</p></section>
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
      ? html`<p>Try a single word, such as the name of a thing. <a href="${reference.root}">All operations</a>.</p>`
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
<p class="lead">Every failure has one shape. <code>reason</code> is the stable word for a program to act on; <code>message</code>
is one sentence that a person can act on. <code>issues</code> says which part of the request is wrong.</p>
<pre tabindex="0"><code>${JSON.stringify(sample, null, 2)}</code></pre>
${renderReasonTable(reasons, { hasAnchors: true })}`;
  return { title: "Errors", main };
}
