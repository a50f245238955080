// What all pages of the reference share: the head, the search, the table of contents.

import { escapeHtml, html, Markup } from "../../../utils/html";
import { type Entry, errorsPath, heading, operationPath, type Reference, tagPath } from "./places";

/** A page before it is put into the layout. */
export interface Page {
  readonly title: string;
  readonly main: Markup;
  /** The tag that is open in the table of contents. */
  readonly tag?: string;
  /** The operation that the page is about. */
  readonly operation?: string;
  /** What was searched for. */
  readonly query?: string;
}

/** A whole page. */
export function layout(reference: Reference, page: Page): string {
  const { root, version } = reference;
  const { text } = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Octavo API</title>
<link rel="stylesheet" href="${root}/style.css">
<script src="${root}/script.js" defer></script>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header class="top">
<a class="home" href="${root}">Octavo API</a> <span class="quiet">${version}</span>
<a class="menu" href="#contents">Contents</a>
<form class="search" role="search" method="get" action="${root}">
<input type="search" name="q" value="${page.query ?? ""}" placeholder="Search operations" aria-label="Search operations" autocomplete="off" maxlength="200">
<button>Search</button>
</form>
</header>
<div class="columns">
<main id="main" tabindex="-1">${page.main}</main>
<nav id="contents" aria-label="Contents">${contents(reference, page)}</nav>
</div>
</body>
</html>`;
  return `<!doctype html>\n${text}\n`;
}

/** Nothing of the navigation depends on the page but what is open, so its lines are made once. */
const lines = new WeakMap<Reference, ReadonlyMap<string, string>>();

function contents(reference: Reference, page: Page): Markup {
  const { root, tags, entries } = reference;
  const made = lines.get(reference) ?? new Map(entries.map((entry) => [entry.id, lineOf(reference, entry)]));
  lines.set(reference, made);
  const current = (isIt: boolean) => (isIt ? new Markup(' aria-current="page"') : "");
  const groups = tags.map(({ name, entries: own }) => {
    const items = own.map(({ id }) => {
      const line = made.get(id)!;
      return new Markup(id === page.operation ? line.replace("<a ", '<a aria-current="page" ') : line);
    });
    return html`<details${name === page.tag ? new Markup(" open") : ""}><summary>${heading(name)}</summary><ul>
<li><a href="${tagPath(reference, name)}"${current(name === page.tag && page.operation === undefined)}>All of ${heading(name)}</a></li>${items}</ul></details>`;
  });
  return html`<ul class="pages"><li><a href="${root}"${current(page.title === "Reference")}>Overview</a></li>
<li><a href="${errorsPath(reference)}"${current(page.title === "Errors")}>Errors</a></li></ul>${groups}`;
}

function lineOf(reference: Reference, { id, method, path, operation }: Entry): string {
  const words = escapeHtml(`${id} ${method} ${path}`.toLowerCase());
  return html`<li data-words="${new Markup(words)}"><a href="${operationPath(reference, id)}">${badge(method)} <span>${operation.summary}</span></a></li>`
    .text;
}

/** The method as a badge. */
export function badge(method: string): Markup {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** A list of operations, each with its summary and path. */
export function operationList(reference: Reference, entries: readonly Entry[]): Markup {
  return html`<ul class="operations">${entries.map(
    ({ id, method, path, operation }) =>
      html`<li>${badge(method)}<div><a href="${operationPath(reference, id)}">${operation.summary}</a>${
        operation.deprecated === true ? html` <span class="deprecated">deprecated</span>` : ""
      }<br><code class="path">${breakable(path)}</code></div></li>`,
  )}</ul>`;
}

/** A path that may be broken behind each slash. */
export function breakable(path: string): Markup {
  return html`${path.split("/").map((part, i) => (i === 0 ? html`${part}` : html`/<wbr>${part}`))}`;
}
