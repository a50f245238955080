// A page as PDF, as this visitor sees it. It is printed from what the API gives this visitor of the page when it is asked for,
// so its address opens nothing that the page's own address does not open. Loaded when the first is asked for.

import type { ContentRef, Document } from "../content/document";
import { createDownloadHeaders } from "../content/files/download";
import type { PrintJob } from "../content/print-job";
import { DocsError } from "../errors";
import { type AdmissionGate, createAdmissionGate } from "../utils/concurrency/admission-gate";
import { loadLazily } from "../utils/lazy";
import { omitUndefined } from "../utils/objects";
import { sha256Hex } from "../utils/sha256";
import { CACHING, VARIES } from "./answer";
import { bytesOf, fileBytes } from "./files";
import type { SiteContext } from "./house";
import { absolute } from "./machines/addresses";
import { apiBlocksOf, blocksIn } from "./others";
import { type References, referencesOf } from "./references";
import type { KeptResponse } from "./shelf";
import type { Visit } from "./visit";

/** PDFs that wait to be printed. */
const WAITING = 10;

/** Visitors print one after the other, so that members find room in the queue of the printer. */
const gates = new WeakMap<SiteContext, AdmissionGate>();

function gateOf(house: SiteContext): AdmissionGate {
  const gate = gates.get(house) ?? createAdmissionGate({ maxRunning: 1, maxWaiting: WAITING });
  gates.set(house, gate);
  return gate;
}

/** Larger files are not printed as pictures. */
const LARGEST_PICTURE = 24 * 1024 * 1024;

/** The page that was found, as PDF; undefined where it went away meanwhile, or the site offers none. */
export async function pdfPage(visit: Visit, pageId: string): Promise<KeptResponse | undefined> {
  if (!visit.look.pdf.enabled) return undefined;
  const job = await jobOf(visit, pageId);
  if (!job) return undefined;
  const { printDocument: print } = visit.house.inside.kernel.jobs.ports;
  const printing = gateOf(visit.house).tryRun(async () => bytesOf(await print(job)));
  if (!printing) throw new DocsError("printer_busy", { headers: { "retry-after": "5" } });
  const body = await printing;
  const name = `${job.title.replaceAll(/[/\\]/g, "-").trim() || "page"}.pdf`;
  const headers = {
    ...createDownloadHeaders({ contentType: "application/pdf", name, size: body.length }),
    "cross-origin-resource-policy": "same-origin",
    "cache-control": CACHING[visit.isPublic ? "everybody" : "visitor"],
    vary: VARIES,
    "x-robots-tag": "noindex",
    etag: `"${sha256Hex(body).slice(0, 32)}"`,
    "last-modified": visit.house.inside.kernel.store.now().toUTCString(),
    "accept-ranges": "bytes",
  };
  return { status: 200, headers, body };
}

const loadApi = loadLazily(() => import("./openapi/printed"));

/** The document of a page, with what specifications say of their operations. */
async function printedDocument(
  document: Document,
  visit: Visit,
  references: Pick<References, "file">,
): Promise<Document> {
  const ofApis = apiBlocksOf(blocksIn(document.nodes));
  if (ofApis.length === 0) return document;
  const { printedBlocks } = await loadApi();
  return { ...document, nodes: await printedBlocks(document.nodes, ofApis, visit, references) };
}

/** What is printed. */
async function jobOf(visit: Visit, pageId: string): Promise<PrintJob | undefined> {
  const page = await visit.page(pageId, "document");
  if (!page) return undefined;
  const { id, title, description, updatedAt, references = [] } = page;
  const { place, file } = referencesOf(references, visit);
  const document = page.document && (await printedDocument(page.document as Document, visit, { file }));
  const files = new Map(references.flatMap((it) => (it.kind === "file" ? [[it.file.id, it.file] as const] : [])));
  const { look, profile } = visit;
  return {
    title,
    subtitle: look.title ?? profile.site.title,
    date: new Date(updatedAt),
    pages: [
      { id, title, depth: 0, ...omitUndefined({ description: description ? description : undefined, document }) },
    ],
    url: urlOf,
    name: (ref) => place(ref)?.title,
    async file(fileId) {
      const file = files.get(fileId);
      if (!file || file.size > LARGEST_PICTURE) return undefined;
      const bytes = await fileBytes(visit, file.downloadURL);
      return bytes && { bytes, contentType: file.contentType };
    },
  };

  /** The address of a file ends with the hour, and a PDF is kept. */
  function urlOf(ref: ContentRef): string | undefined {
    const href = ref.kind === "file" ? undefined : place(ref)?.href;
    return href === undefined ? undefined : absolute(visit, href);
  }
}
