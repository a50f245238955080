// The parts that the pages of the reference share: the head, the search, the table of contents, and tables.

import type { listErrorReasons } from "../../../errors";
import { html, Markup, renderInlineMarkup } from "../../../utils/html";
import { getOwnMember } from "../../model/document";
import { type ApiReference, formatTagTitle, type ReferenceOperation } from "./reference";

/** A page before it is put into the layout. */
export interface ReferencePage {
  readonly title: string;
  readonly main: Markup;
  /** The tag that is open in the table of contents. */
  readonly tag?: string;
  readonly operationId?: string;
  readonly query?: string;
}

/** The lines of the table of contents by the ids of their operations. Pages differ only in the line that is current. */
const contentsLines = new WeakMap<ApiReference, ReadonlyMap<string, string>>();

/** Renders a page as a complete HTML document. */
export function renderLayout(reference: ApiReference, page: ReferencePage): string {
  const { root, version, tags, operations } = reference;
  let lines = contentsLines.get(reference);
  if (!lines) {
    lines = new Map(
      operations.map(({ id, href, method, path, title, shortTitle }) => {
        const words = `${id} ${method} ${path} ${title}`.toLowerCase();
        const link = html`<a href="${href}">${renderMethod(method)} <span>${shortTitle}</span></a>`;
        return [id, html`<li data-words="${words}">${link}</li>`.text];
      }),
    );
    contentsLines.set(reference, lines);
  }

  const markCurrent = (isCurrent: boolean) => (isCurrent ? new Markup(' aria-current="page"') : "");
  const groups = tags.map(({ name, href, operations: ofTag }) => {
    const items = ofTag.map(({ id }) => {
      const line = lines.get(id)!;
      return new Markup(id === page.operationId ? line.replace("<a ", '<a aria-current="page" ') : line);
    });
    const isOpen = name === page.tag;
    const current = markCurrent(isOpen && page.operationId === undefined);
    return html`<details${isOpen ? new Markup(" open") : ""}><summary>${formatTagTitle(name)}</summary><ul>
<li><a href="${href}"${current}>All operations</a></li>${items}</ul></details>`;
  });
  const contents = html`<ul class="pages"><li><a href="${root}"${markCurrent(page.title === "Reference")}>Overview</a></li>
<li><a href="${root}/errors"${markCurrent(page.title === "Errors")}>Errors</a></li></ul>${groups}`;

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
<a class="skip" href="#main">Skip to content</a>
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
<nav id="contents" aria-label="Contents">${contents}</nav>
</div>
</body>
</html>`;
  return `<!doctype html>\n${text}\n`;
}

export function renderOperationList(operations: readonly ReferenceOperation[]): Markup {
  return html`<ul class="operations">${operations.map(({ href, method, path, title, value }) => {
    const isDeprecated = getOwnMember(value, "deprecated") === true;
    const link = html`<a href="${href}">${title}</a>${isDeprecated && html` <span class="note-deprecated">deprecated</span>`}`;
    const segments = path.split("/").map((part, i) => (i === 0 ? part : html`/<wbr>${part}`));
    return html`<li>${renderMethod(method)}<div>${link}<br><code class="path">${segments}</code></div></li>`;
  })}</ul>`;
}

function renderMethod(method: string): Markup {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** Renders a table of error reasons. With anchors, a URL can point to a reason. */
export function renderReasonTable(reasons: ReturnType<typeof listErrorReasons>, { hasAnchors = false } = {}): Markup {
  const rows = reasons.map(({ reason, status, sentence }) => {
    const id = hasAnchors ? html` id="${reason}"` : "";
    const statusCell = html`<td><span class="status">${status}</span></td>`;
    return html`<tr${id}>${statusCell}<td><code>${reason}</code></td><td>${renderInlineMarkup(sentence)}</td></tr>`;
  });
  const headings = ["Status", "Reason", "Message"].map((text) => html`<th scope="col">${text}</th>`);
  const table = html`<table><thead><tr>${headings}</tr></thead><tbody>${rows}</tbody></table>`;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Reasons">${table}</div>`;
}
