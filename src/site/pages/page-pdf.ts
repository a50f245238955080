// A page as PDF, as this visitor sees it. It is printed from what the API returns to this visitor for this request, so its URL
// exposes nothing that the URL of the page does not. This module is loaded on first use.

import type { Document } from "../../content/document";
import { createDownloadHeaders } from "../../content/files/download";
import type { PrintJob } from "../../content/print-job";
import { DocsError } from "../../errors";
import { type AdmissionGate, createAdmissionGate } from "../../utils/concurrency/admission-gate";
import { loadLazily } from "../../utils/lazy";
import { omitUndefined } from "../../utils/objects";
import { sha256Hex } from "../../utils/sha256";
import type { CacheableResponse } from "../cache/site-cache";
import { toAbsoluteUrl } from "../machine-readable/page-urls";
import { fetchFileBytes, readAllBytes } from "../request/content-files";
import type { RequestContext } from "../request/request-context";
import type { SiteContext } from "../request/site-context";
import { CACHE_CONTROL, VARY } from "../responses/responses";
import { createPageReferences } from "./block-context";
import { collectBlocks, isApiBlock } from "./prepare-blocks";

/** The most PDFs that wait to be printed. */
const MAX_WAITING_PRINTS = 10;

/** Images in larger files are left out of the PDF. */
const MAX_IMAGE_BYTES = 24 * 1024 * 1024;

/** Visitors print one page at a time, so that the queue of the printer has room for members. */
const printGates = new WeakMap<SiteContext, AdmissionGate>();

const loadApiPrinter = loadLazily(() => import("../openapi/print-blocks"));

/** Renders a page as PDF. Returns undefined if the page was removed after its URL was resolved, or the site has no PDFs. */
export async function renderPdfPage(context: RequestContext, pageId: string): Promise<CacheableResponse | undefined> {
  if (!context.customization.pdf.enabled) return undefined;
  const page = await context.getPage(pageId, "document");
  if (!page) return undefined;
  const { id, title, description, updatedAt, references = [] } = page;
  const { resolveLink, resolveFile } = createPageReferences(references, context);
  const pageDocument = page.document as Document | undefined;
  const apiBlocks = collectBlocks(pageDocument?.nodes ?? []).filter(isApiBlock);
  let document = pageDocument;
  if (pageDocument && apiBlocks.length > 0) {
    const { expandApiBlocks } = await loadApiPrinter();
    document = {
      ...pageDocument,
      nodes: await expandApiBlocks(pageDocument.nodes, apiBlocks, context, { resolveFile }),
    };
  }
  const files = new Map(references.flatMap((it) => (it.kind === "file" ? [[it.file.id, it.file] as const] : [])));
  const { customization, profile } = context;
  const job: PrintJob = {
    title,
    subtitle: customization.title ?? profile.site.title,
    date: new Date(updatedAt),
    pages: [
      { id, title, depth: 0, ...omitUndefined({ description: description ? description : undefined, document }) },
    ],
    url(ref) {
      // URLs of files expire within the hour, and a PDF is stored by its reader.
      const href = ref.kind === "file" ? undefined : resolveLink(ref)?.href;
      return href === undefined ? undefined : toAbsoluteUrl(context, href);
    },
    name: (ref) => resolveLink(ref)?.title,
    async file(fileId) {
      const file = files.get(fileId);
      if (!file || file.size > MAX_IMAGE_BYTES) return undefined;
      const bytes = await fetchFileBytes(context, file.downloadURL);
      return bytes && { bytes, contentType: file.contentType };
    },
  };

  const gate = printGates.get(context.site) ?? createAdmissionGate({ maxRunning: 1, maxWaiting: MAX_WAITING_PRINTS });
  printGates.set(context.site, gate);
  const { printDocument } = context.site.internals.kernel.jobs.ports;
  const printing = gate.tryRun(async () => readAllBytes(await printDocument(job)));
  if (!printing) throw new DocsError("printer_busy", { headers: { "retry-after": "5" } });
  const body = await printing;

  const name = `${title.replaceAll(/[/\\]/g, "-").trim() || "page"}.pdf`;
  const headers = {
    ...createDownloadHeaders({ contentType: "application/pdf", name, size: body.length }),
    "cross-origin-resource-policy": "same-origin",
    "cache-control": CACHE_CONTROL[context.isPublic ? "everybody" : "visitor"],
    vary: VARY,
    "x-robots-tag": "noindex",
    etag: `"${sha256Hex(body).slice(0, 32)}"`,
    "last-modified": context.site.internals.kernel.store.now().toUTCString(),
    "accept-ranges": "bytes",
  };
  return { status: 200, headers, body };
}
