// The first page: how to call the API, who may do what, and every operation. With a query it shows what was found.

import { roles } from "../../../operation/schema-types";
import { html, type Markup, renderInlineCode, renderParagraphs } from "../../../utils/html";
import type { Page } from "./layout";
import { operationList } from "./layout";
import { type Entry, errorsPath, heading, type Reference, tagPath, typePath } from "./places";

const roleWords: Readonly<Record<(typeof roles)[number], string>> = {
  read: "reads content.",
  comment: "takes part in discussions.",
  edit: "changes content, directly or in change requests.",
  review: "reviews and merges change requests.",
  create: "creates and manages spaces, collections and sites, and gives access to them.",
  admin: "manages the organization: members, teams, invites, sign-in.",
};

/** The overview. */
export function overviewPage(reference: Reference): Page {
  const { server, tags, root, entries } = reference;
  const main = html`<h1>Reference</h1>
<p class="lead">${entries.length} operations over HTTP and JSON, under <code>${server}</code>. The same as data: <a href="${root.replace(/\/docs$/, "/openapi.json")}">openapi.json</a>.</p>
${howToCall(reference)}
${rights()}
${hosted()}
<h2 id="operations">Operations</h2>
${tags.map(
  ({
    name,
    description,
    entries: own,
  }) => html`<section><h3><a href="${tagPath(reference, name)}">${heading(name)}</a></h3>
<p>${renderInlineCode(description)}</p>${operationList(reference, own)}</section>`,
)}`;
  return { title: "Reference", main };
}

function howToCall(reference: Reference): Markup {
  return html`<section><h2 id="calling">Calling it</h2>
<p>Send an API token with every request that needs one: <code>Authorization: Bearer &lt;token&gt;</code>. Bodies are JSON.</p>
<dl class="terms">
<div><dt>Lists</dt><dd>come in pages of at most <code>limit</code> items. Send <code>next.page</code> of one answer as <code>page</code> of the next request, until there is none. <code>count</code> is the number of all items.</dd></div>
<div><dt>Repeating a POST</dt><dd>is safe with an <code>Idempotency-Key</code>: the same key within 24 hours gets the first answer again.</dd></div>
<div><dt>Versions</dt><dd>of single things are in <code>ETag</code>. <code>If-None-Match</code> saves reading again what you have; <code>If-Match</code> refuses a change of something that has changed meanwhile.</dd></div>
<div><dt>Failures</dt><dd>have one shape, <a href="${typePath(reference, "Error")}">Error</a>: a status, a stable reason for programs, and a sentence for people. <a href="${errorsPath(reference)}">All reasons</a>.</dd></div>
<div><dt>Every answer</dt><dd>carries <code>X-Request-Id</code>, which finds it in the logs.</dd></div>
</dl></section>`;
}

function rights(): Markup {
  return html`<section><h2 id="rights">Who may do what</h2>
<p>Two things decide. The <strong>role</strong> says what a person may do; the <strong>scopes</strong> of a token narrow that down for the token.</p>
<h3>Roles</h3>
<p>There is one ladder. Each role includes those before it. A guest has no role, and sees only what was given to them.</p>
<dl class="terms">${roles.map((role) => html`<div><dt><code>${role}</code></dt><dd>${roleWords[role]}</dd></div>`)}</dl>
<p>A member has a role in the organization. On a space or a collection the highest grant counts, to the person or to a team, on the thing or above it. Without a grant the nearest default level counts, else the role in the organization. Admins of the organization are admins of everything in it. Nobody gives a role above their own.</p>
<h3>Scopes</h3>
<p>A token without scopes may do all that its owner may. Otherwise it needs the scope of the operation, such as <code>spaces:read</code>; <code>:write</code> includes <code>:read</code>. Scopes of integrations are others, such as <code>space:content:read</code>: an organization agrees to them when it installs one.</p>
<p>What is absent and what is hidden get the same 404.</p></section>`;
}

function hosted(): Markup {
  return html`<section><h2 id="hosted">Fields for clients of hosted services</h2>
<p>Some fields exist because clients of hosted services read them. They have fixed values here: <code>plan</code> and <code>trial</code> of an organization, <code>viewBilling</code> and <code>ingestConversations</code> of its permissions, <code>type</code> and <code>features</code> of a site, <code>hasAdvancedCustomizationFeature</code> of a site-space, <code>verified</code> of an integration. Whoever runs the server has everything.</p></section>`;
}

/** The longest query that is looked for. */
const MAX_QUERY = 200;

/** What a search finds: every word stands somewhere in the operation, its path, its tag, or the names of its fields. */
export function searchPage(reference: Reference, asked: string): Page {
  const query = asked.slice(0, MAX_QUERY).trim();
  const words = query.toLowerCase().split(/\s+/);
  const found = reference.entries.filter((entry) => {
    const text = textOf(entry);
    return words.every((word) => text.includes(word));
  });
  const count = `${found.length} operation${found.length === 1 ? "" : "s"}`;
  const main = html`<h1>Search</h1><p class="lead" role="status">${count} for “${query}”</p>
${found.length === 0 ? html`<p>Try a single word, such as the name of a thing. <a href="${reference.root}">All operations</a>.</p>` : operationList(reference, found)}`;
  return { title: `Search: ${query}`, main, query };
}

const texts = new WeakMap<Entry, string>();

function textOf(entry: Entry): string {
  const { id, tag, method, path, operation, parameters } = entry;
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const named = parameters.map(({ name }) => name ?? "");
  const parts = [id, tag, method, path, operation.summary, operation.description ?? "", ...named];
  const text = parts.join(" ").toLowerCase();
  texts.set(entry, text);
  return text;
}

/** One tag with its operations. */
export function tagPage(reference: Reference, name: string): Page | undefined {
  const tag = reference.tags.find((it) => it.name === name);
  if (!tag) return undefined;
  const main = html`<h1>${heading(name)}</h1>${renderParagraphs(tag.description)}${operationList(reference, tag.entries)}`;
  return { title: heading(name), main, tag: name };
}
