// The pages of the reference as responses: which path has which page, with headers that let nothing else run or load.

import { matches } from "../../../execution/etag";
import type { ReferenceRequest } from "../../../http/edge";
import type { PlainResponse } from "../../../http/plain";
import { policySources } from "../../../http/policy";
import { sha256Hex } from "../../../utils/sha256";
import type { OpenApi } from "../names";
import { layout, type Page } from "./layout";
import { operationPage } from "./operation-page";
import { errorsPage, missingPage, typePage } from "./other-pages";
import { overviewPage, searchPage, tagPage } from "./overview";
import { createReference, type Reference } from "./places";
import { script } from "./script";
import { style } from "./style";

/** Nothing is loaded from elsewhere, nothing inline runs, and no other site frames the pages. */
const policyOf = (script: string) =>
  [
    "default-src 'none'",
    `script-src ${script}`,
    "style-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const common = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache",
};

/** Answers for the pages of a document. */
export function createPages(document: OpenApi, about: Pick<Reference, "root" | "server" | "version">) {
  const reference = createReference(document, about);
  return (request: ReferenceRequest): PlainResponse => {
    const { path } = request;
    const policy = policyOf(policySources(request.host === null ? [] : [request.host], `${about.root}/script.js`));
    const send = (status: number, type: string, text: string) => sent(request, { status, type, text, policy });
    const sendFile = (file: typeof styleFile) => ({ ...send(200, file.type, file.text), bodyKey: file });
    if (path === "/style.css") return sendFile(styleFile);
    if (path === "/script.js") return sendFile(scriptFile);
    const page = pageAt(reference, request);
    const body = layout(reference, page ?? missingPage(reference));
    return send(page ? 200 : 404, "text/html; charset=utf-8", body);
  };
}

function pageAt(reference: Reference, { path, search }: ReferenceRequest): Page | undefined {
  const [, first, second, ...more] = path.split("/").map(decoded);
  if (more.length > 0 || first === undefined) return more.length > 0 ? undefined : front(reference, search);
  if (first === "errors" && second === undefined) return errorsPage();
  if (first === "operations" && second !== undefined) return operationPage(reference, second);
  if (first === "types" && second !== undefined) return typePage(reference, second);
  return second === undefined ? tagPage(reference, first) : undefined;
}

function front(reference: Reference, search: string): Page {
  const query = new URLSearchParams(search).get("q")?.trim() ?? "";
  return query === "" ? overviewPage(reference) : searchPage(reference, query);
}

/** A part of a path; one that cannot be decoded names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** The files of the pages. Each is compressed once. */
const styleFile = { type: "text/css; charset=utf-8", text: style };
const scriptFile = { type: "text/javascript; charset=utf-8", text: script };

interface Text {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly policy: string;
}

function sent({ ifNoneMatch }: ReferenceRequest, { status, type, text, policy }: Text): PlainResponse {
  const etag = `"${sha256Hex(text).slice(0, 32)}"`;
  const headers = { ...common, "content-security-policy": policy, etag };
  if (status === 200 && ifNoneMatch !== null && matches(ifNoneMatch, etag))
    return { status: 304, headers, body: undefined };
  return { status, headers: { ...headers, "content-type": type }, body: text };
}
