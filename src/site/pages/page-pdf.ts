// A page as PDF, as this visitor sees it. It is printed from what the API gives this visitor of the page when it is asked for,
// so its address opens nothing that the page's own address does not open. Loaded when the first is asked for.

import type { ContentRef, Document } from "../../content/document";
import { createDownloadHeaders } from "../../content/files/download";
import type { PrintJob } from "../../content/print-job";
import { DocsError } from "../../errors";
import { type AdmissionGate, createAdmissionGate } from "../../utils/concurrency/admission-gate";
import { loadLazily } from "../../utils/lazy";
import { omitUndefined } from "../../utils/objects";
import { sha256Hex } from "../../utils/sha256";
import type { CacheableResponse } from "../cache/response-cache";
import { toAbsoluteUrl } from "../machine-readable/page-urls";
import { fetchFileBytes, readAllBytes } from "../request/content-files";
import type { RequestContext } from "../request/request-context";
import type { SiteContext } from "../request/site-context";
import { CACHE_CONTROL, VARY } from "../responses/responses";
import { collectBlocks, filterApiBlocks } from "./external-blocks";
import { createPageReferences, type PageReferences } from "./references";

/** PDFs that wait to be printed. */
const WAITING = 10;

/** Visitors print one after the other, so that members find room in the queue of the printer. */
const gates = new WeakMap<SiteContext, AdmissionGate>();

function getPrintGate(site: SiteContext): AdmissionGate {
  const gate = gates.get(site) ?? createAdmissionGate({ maxRunning: 1, maxWaiting: WAITING });
  gates.set(site, gate);
  return gate;
}

/** Larger files are not printed as pictures. */
const LARGEST_PICTURE = 24 * 1024 * 1024;

/** The page that was found, as PDF; undefined where it went away meanwhile, or the site offers none. */
export async function renderPdfPage(context: RequestContext, pageId: string): Promise<CacheableResponse | undefined> {
  if (!context.customization.pdf.enabled) return undefined;
  const job = await createPrintJob(context, pageId);
  if (!job) return undefined;
  const { printDocument: print } = context.site.internals.kernel.jobs.ports;
  const printing = getPrintGate(context.site).tryRun(async () => readAllBytes(await print(job)));
  if (!printing) throw new DocsError("printer_busy", { headers: { "retry-after": "5" } });
  const body = await printing;
  const name = `${job.title.replaceAll(/[/\\]/g, "-").trim() || "page"}.pdf`;
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

const loadApi = loadLazily(() => import("../openapi/print-blocks"));

/** The document of a page, with what specifications say of their operations. */
async function replaceApiBlocks(
  document: Document,
  context: RequestContext,
  references: Pick<PageReferences, "resolveFile">,
): Promise<Document> {
  const ofApis = filterApiBlocks(collectBlocks(document.nodes));
  if (ofApis.length === 0) return document;
  const { expandApiBlocks: printedBlocks } = await loadApi();
  return { ...document, nodes: await printedBlocks(document.nodes, ofApis, context, references) };
}

/** What is printed. */
async function createPrintJob(context: RequestContext, pageId: string): Promise<PrintJob | undefined> {
  const page = await context.getPage(pageId, "document");
  if (!page) return undefined;
  const { id, title, description, updatedAt, references = [] } = page;
  const { resolveLink, resolveFile } = createPageReferences(references, context);
  const document = page.document && (await replaceApiBlocks(page.document as Document, context, { resolveFile }));
  const files = new Map(references.flatMap((it) => (it.kind === "file" ? [[it.file.id, it.file] as const] : [])));
  const { customization, profile } = context;
  return {
    title,
    subtitle: customization.title ?? profile.site.title,
    date: new Date(updatedAt),
    pages: [
      { id, title, depth: 0, ...omitUndefined({ description: description ? description : undefined, document }) },
    ],
    url: urlOf,
    name: (ref) => resolveLink(ref)?.title,
    async file(fileId) {
      const file = files.get(fileId);
      if (!file || file.size > LARGEST_PICTURE) return undefined;
      const bytes = await fetchFileBytes(context, file.downloadURL);
      return bytes && { bytes, contentType: file.contentType };
    },
  };

  /** The address of a file ends with the hour, and a PDF is kept. */
  function urlOf(ref: ContentRef): string | undefined {
    const href = ref.kind === "file" ? undefined : resolveLink(ref)?.href;
    return href === undefined ? undefined : toAbsoluteUrl(context, href);
  }
}
