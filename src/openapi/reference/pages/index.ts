// Serves the pages of the reference. Their headers let nothing else run or load. A page is rendered and compressed once, as long
// as the cache of responses has room for it.

import { matchesETag } from "../../../execution/etag";
import type { CachedResponse, ResponseCache } from "../../../execution/response-cache";
import { buildPolicySources } from "../../../http/content-security-policy";
import type { ReferenceRequest } from "../../../http/handler";
import type { PlainResponse } from "../../../http/plain-request";
import { html } from "../../../utils/html";
import { sha256Hex } from "../../../utils/sha256";
import { tryDecodeUriComponent } from "../../../utils/url";
import { script } from "../../built/reference";
import type { OpenApiDocument } from "../model";
import { renderOperationPage, renderTypePage } from "./detail-pages";
import { type ReferencePage, renderLayout } from "./layout";
import { renderErrorsPage, renderOverviewPage, renderSearchPage, renderTagPage } from "./overview-pages";
import { createReference, type ReferenceInfo } from "./reference";
import { referenceStyles } from "./style";

/** The files of the pages. They are constants, so that each is compressed once. */
const FILES = new Map([
  ["/style.css", { type: "text/css; charset=utf-8", response: createTaggedText(referenceStyles) }],
  ["/script.js", { type: "text/javascript; charset=utf-8", response: createTaggedText(script) }],
]);

export function createReferencePages(document: OpenApiDocument, info: ReferenceInfo, cache: ResponseCache) {
  const reference = createReference(document, info);

  function renderOnce(name: string, render: () => ReferencePage | undefined): CachedResponse | undefined {
    // The pages are made from nothing that changes while the process runs.
    const source = {
      url: name,
      credentials: info.root,
      directoryVersion: 0,
      partition: "",
      partitionVersion: 0,
      hour: 0,
    };
    const cached = cache.find(source);
    if (cached) return cached;
    const page = render();
    if (!page) return undefined;
    const response = createTaggedText(renderLayout(reference, page));
    cache.save(source, response);
    return response;
  }

  return (request: ReferenceRequest): PlainResponse => {
    const file = FILES.get(request.path);
    // A path begins with an empty segment. A segment that cannot be decoded names nothing.
    const segments = request.path.split("/").map((segment) => tryDecodeUriComponent(segment) ?? "");
    const [, first, second, ...more] = segments;
    const query = first === undefined ? (new URLSearchParams(request.search).get("q")?.trim() ?? "") : "";
    let page = file?.response;
    // There are more searches than pages, so they would push out what is asked for again.
    if (query !== "") page = createTaggedText(renderLayout(reference, renderSearchPage(reference, query)));
    page ??= renderOnce(JSON.stringify(segments), () => {
      if (more.length > 0) return undefined;
      if (first === undefined) return renderOverviewPage(reference);
      if (first === "errors" && second === undefined) return renderErrorsPage();
      if (first === "operations" && second !== undefined) return renderOperationPage(reference, second);
      if (first === "types" && second !== undefined) return renderTypePage(reference, second);
      return second === undefined ? renderTagPage(reference, first) : undefined;
    });
    const status = page ? 200 : 404;
    const response =
      page ??
      renderOnce("missing", () => ({
        title: "Not found",
        main: html`<h1>Page not found</h1><p>The reference has no page at this path. <a href="${info.root}">All operations</a>.</p>`,
      }))!;

    // Nothing is loaded from elsewhere, nothing inline runs, and no other site frames the pages.
    const scriptSources = buildPolicySources(request.host === null ? [] : [request.host], `${info.root}/script.js`);
    const policy = [
      "default-src 'none'",
      `script-src ${scriptSources}`,
      "style-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ];
    const etag = response.etag!;
    const headers = {
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-cache",
      "content-security-policy": policy.join("; "),
      etag,
    };
    if (status === 200 && request.ifNoneMatch !== null && matchesETag(request.ifNoneMatch, etag))
      return { status: 304, headers, body: undefined };
    const type = file?.type ?? "text/html; charset=utf-8";
    return { status, headers: { ...headers, "content-type": type }, body: response.text, bodyKey: response };
  };
}

function createTaggedText(text: string): CachedResponse {
  return { text, etag: `"${sha256Hex(text).slice(0, 32)}"` };
}
