// Content as PDF: an operation that returns a signed URL, and the file at that URL. The file is printed when it is fetched.

import { createDownloadHeaders } from "../../../../content/files/download";
import { BinaryResponse, BinarySchema } from "../../../../operation/binary-response";
import { type ByteRange, checkPreconditions, serveFile } from "../../../../operation/byte-ranges";
import { defineOperation } from "../../../../operation/operation";
import type { Target } from "../../../../operation/target";
import { getPartitionByCode, parsePartitionCode } from "../../../../storage/ids";
import { loadLazily } from "../../../../utils/lazy";
import { dependsOnIntegrations } from "../computed-content";
import { createReadOperations } from "../read-operations";
import { revisions } from "../records";
import { type ContentContext, content } from "../rules";
import { verifyClaims } from "../signed-claims";
import { enterAsReader, type SignedReader } from "../signed-readers";
import { type PrintClaims, parsePrintClaims } from "./print-urls";

const loadPrinting = loadLazily(() => import("./print-content"));

export const getPdf = defineOperation(
  "GET /spaces/:spaceId/pdf",
  createReadOperations(content).pdf("Get a PDF of a space"),
);

interface SignedPrintContext extends ContentContext, SignedReader {
  readonly print: PrintClaims;
  /** A version of everything that the file may show besides the revision, such as titles and names. */
  readonly contextVersion: string;
}

/** The content of a signed URL, as long as the person who requested the URL may read the space. */
const print: Target<SignedPrintContext, "view"> = {
  findPartition({ pdf }) {
    const code = parsePartitionCode("space", parsePrintClaims(pdf!)?.space ?? "");
    return code && getPartitionByCode(code);
  },
  async load(scope) {
    const print = verifyClaims(scope.secrets, "pdf", scope.params.pdf!, parsePrintClaims, scope.now);
    if (!print) return undefined;
    const entered = await enterAsReader(scope, print);
    const revision = entered && (await revisions.get(scope.tx, print.space, print.revision));
    if (!revision) return undefined;
    // Content that integrations compute may change unnoticed.
    const suffix = (await dependsOnIntegrations(scope, revision)) ? "~" : "";
    const contextVersion = `${scope.tx.version}-${scope.directory.version}${suffix}`;
    return { ...entered, revision, print, contextVersion };
  },
  notFoundReason: "file_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

/** Returns a tag that identifies the bytes of a document: what is printed, and the state of everything that it may show. */
function getPrintTag({ print, contextVersion }: Pick<SignedPrintContext, "print" | "contextVersion">): string {
  const { revision, page, only } = print;
  return `${revision}-${page ?? "all"}-${only ? "only" : "below"}~${contextVersion}`;
}

export const downloadPdf = defineOperation("GET /pdfs/:pdf", {
  summary: "Download a PDF",
  target: print,
  allowsUnknownQuery: true,
  right: "view",
  returns: BinarySchema,
  mediaTypes: ["application/pdf"],
  supportsRanges: true,
  version: getPrintTag,
  async handle(context) {
    const tag = getPrintTag(context);
    // An incomplete version does not identify bytes.
    const etag = tag.endsWith("~") ? undefined : `"${tag}"`;
    checkPreconditions(context.originalRequest, { etag });

    const { createPrintJob } = await loadPrinting();
    const job = await createPrintJob({ ...context, actor: context.reader });
    const printed = await context.ports.printDocument(job);
    const size = printed instanceof Uint8Array ? printed.length : undefined;
    const name = `${job.title.replaceAll(/[/\\]/g, "-").trim() || "document"}.pdf`;
    const headers = createDownloadHeaders({ contentType: "application/pdf", name, size });
    const allHeaders = { ...headers, "cache-control": "private, no-cache" };
    if (!(printed instanceof Uint8Array)) return new BinaryResponse(printed, allHeaders);
    const read = async (range?: ByteRange) => printed.subarray(range?.start, range?.end);
    const file = { size: printed.length, headers: allHeaders, etag, read };
    const response = await serveFile(context.originalRequest, file);
    return new BinaryResponse(response.body, response.headers, response.status);
  },
});
