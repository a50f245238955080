// Content as PDF: an answer with a URL, and the file at that URL. The file is printed when it is fetched.

import { downloadHeaders } from "../../../../content/files/download";
import { BinaryResponse, BinarySchema } from "../../../../operation/binary-response";
import { type ByteRange, serveFile } from "../../../../operation/byte-ranges";
import { defineOperation } from "../../../../operation/operation";
import type { Target } from "../../../../operation/target";
import { getPartitionByCode, parsePartitionCode } from "../../../../storage/ids";
import { loadLazily } from "../../../../utils/lazy";
import { isOpenEnded } from "../computed-content";
import { readsOf } from "../reads";
import { revisions } from "../records";
import { content, type InContent } from "../rules";
import { type AsReader, enterAsReader } from "../signed-readers";
import { openPrint, type Print, printIn } from "./urls";

const printing = loadLazily(() => import("./print-content"));

export const getPdf = defineOperation(
  "GET /spaces/:spaceId/pdf",
  readsOf(content).pdf("Get a URL to read a space as PDF, or a page of it"),
);

interface InPrint extends InContent, AsReader {
  readonly print: Print;
  /** Changes with everything beside the revision that the file may show, such as titles and names. */
  readonly at: string;
}

/** What a signed URL gives access to, as long as the person who requested it may read the space. */
const print: Target<InPrint, "view"> = {
  findPartition({ pdf }) {
    const code = parsePartitionCode("space", printIn(pdf!)?.space ?? "");
    return code && getPartitionByCode(code);
  },
  async load(scope) {
    const print = openPrint(scope.secrets, scope.params.pdf!, scope.now);
    if (!print) return undefined;
    const found = await enterAsReader(scope, print);
    const revision = found && (await revisions.get(scope.tx, print.space, print.revision));
    if (!revision) return undefined;
    // What integrations compute may change unnoticed.
    const end = (await isOpenEnded(scope, revision)) ? "~" : "";
    return { ...found, revision, print, at: `${scope.tx.version}-${scope.directory.version}${end}` };
  },
  notFoundReason: "file_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

/** Names the bytes of a document: what is printed, and the state of everything that it may show. */
function tagOf({ print: { revision, page, only }, at }: Pick<InPrint, "print" | "at">): string {
  return `${revision}-${page ?? "all"}-${only ? "only" : "below"}~${at}`;
}

export const downloadPdf = defineOperation("GET /pdfs/:pdf", {
  summary: "Download content as PDF, with a URL that another answer gave",
  description: "The URL is signed and ends after an hour or two; no token is needed.",
  target: print,
  allowsUnknownQuery: true,
  right: "view",
  returns: BinarySchema,
  mediaTypes: ["application/pdf"],
  supportsRanges: true,
  version: tagOf,
  async handle(context) {
    const { printJob } = await printing();
    const job = await printJob({ ...context, actor: context.reader });
    const printed = await context.ports.printDocument(job);
    const size = printed instanceof Uint8Array ? printed.length : undefined;
    const name = `${job.title.replaceAll(/[/\\]/g, "-").trim() || "document"}.pdf`;
    const headers = downloadHeaders({ contentType: "application/pdf", name, size });
    const whole = { ...headers, "cache-control": "private, no-cache" };
    if (!(printed instanceof Uint8Array)) return new BinaryResponse(printed, whole);
    const tag = tagOf(context);
    // A tag that is only the first part of one does not name bytes.
    const etag = tag.endsWith("~") ? undefined : `"${tag}"`;
    const read = async (range?: ByteRange) => printed.subarray(range?.start, range?.end);
    const sent = await serveFile(context.originalRequest, { size: printed.length, headers: whole, etag, read });
    return new BinaryResponse(sent.body, sent.headers, sent.status);
  },
});
