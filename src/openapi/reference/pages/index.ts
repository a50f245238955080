// Serves the pages of the reference. Their headers let nothing else run or load.

import { matchesETag } from "../../../execution/etag";
import { buildPolicySources } from "../../../http/content-security-policy";
import type { ReferenceRequest } from "../../../http/handler";
import type { PlainResponse } from "../../../http/plain-request";
import { sha256Hex } from "../../../utils/sha256";
import type { OpenApiDocument } from "../model";
import { renderOperationPage, renderTypePage } from "./detail-pages";
import { type ReferencePage, renderLayout } from "./layout";
import {
  renderErrorsPage,
  renderMissingPage,
  renderOverviewPage,
  renderSearchPage,
  renderTagPage,
} from "./overview-pages";
import { type ApiReference, createReference, type ReferenceInfo } from "./reference";
import { referenceScript } from "./script";
import { referenceStyles } from "./style";

/** The files of the pages. They are constants, so that each is compressed once. */
const FILES = new Map([
  ["/style.css", { type: "text/css; charset=utf-8", text: referenceStyles }],
  ["/script.js", { type: "text/javascript; charset=utf-8", text: referenceScript }],
]);

/** Creates the handler of requests for the pages of a document. */
export function createReferencePages(document: OpenApiDocument, info: ReferenceInfo) {
  const reference = createReference(document, info);
  return (request: ReferenceRequest): PlainResponse => {
    const file = FILES.get(request.path);
    const page = file ? undefined : findReferencePage(reference, request);
    const text = file?.text ?? renderLayout(reference, page ?? renderMissingPage(reference));
    const status = file || page ? 200 : 404;

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
    const etag = `"${sha256Hex(text).slice(0, 32)}"`;
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
    return { status, headers: { ...headers, "content-type": type }, body: text, bodyKey: file };
  };
}

/** Finds the page at a path; undefined if there is none. */
function findReferencePage(reference: ApiReference, { path, search }: ReferenceRequest): ReferencePage | undefined {
  const [, first, second, ...more] = path.split("/").map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      // A segment that cannot be decoded names nothing.
      return "";
    }
  });
  if (more.length > 0) return undefined;
  if (first === undefined) {
    const query = new URLSearchParams(search).get("q")?.trim() ?? "";
    return query === "" ? renderOverviewPage(reference) : renderSearchPage(reference, query);
  }
  if (first === "errors" && second === undefined) return renderErrorsPage();
  if (first === "operations" && second !== undefined) return renderOperationPage(reference, second);
  if (first === "types" && second !== undefined) return renderTypePage(reference, second);
  return second === undefined ? renderTagPage(reference, first) : undefined;
}
