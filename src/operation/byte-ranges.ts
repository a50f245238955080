// Serves files and ranges of them (RFC 9110, 14): one range of bytes at a time. A request for several ranges gets the whole
// file.

import { DocsError } from "../errors";
import { omitUndefined } from "../utils/objects";

/** The bytes from `start` up to but not including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

type FileBody = Uint8Array | ReadableStream<Uint8Array>;

interface FileRequest {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

export interface ServedFile {
  readonly size: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The quoted tag of the bytes, if they have one. */
  readonly etag?: string | undefined;
  readonly lastModified?: Date | undefined;
  readonly read: (range?: ByteRange) => Promise<FileBody>;
}

/** Serves a file or a range of it with 200, 206 or 304. Throws `range_not_satisfiable` or `precondition_failed`. */
export async function serveFile(
  request: FileRequest | undefined,
  file: ServedFile,
): Promise<{ readonly status: number; readonly headers: Record<string, string>; readonly body: FileBody }> {
  const { size, etag, lastModified, read } = file;
  checkPreconditions(request, file);
  const headers: Record<string, string> = { ...file.headers, "accept-ranges": "bytes" };
  if (lastModified) headers["last-modified"] = lastModified.toUTCString();
  if (etag !== undefined) headers.etag = etag;

  // A tag takes precedence over the date (RFC 9110, 13.1.3).
  const since = request?.headers.get("if-modified-since") ?? null;
  if (since !== null && lastModified && request!.headers.get("if-none-match") === null) {
    // Dates in headers are whole seconds.
    if (Math.floor(lastModified.getTime() / 1000) <= Date.parse(since) / 1000) {
      const { "content-length": _, "content-type": __, ...otherHeaders } = headers;
      return { status: 304, headers: otherHeaders, body: new Uint8Array() };
    }
  }

  const range = request?.method === "GET" ? chooseRange(request.headers, file) : undefined;
  if (!range) return { status: 200, headers: { ...headers, "content-length": String(size) }, body: await read() };
  const { start, end } = range;
  headers["content-length"] = String(end - start);
  headers["content-range"] = `bytes ${start}-${end - 1}/${size}`;
  return { status: 206, headers, body: await read(range) };
}

/**
 * Throws `precondition_failed` if the caller knows the file in another state: by `If-Match`, or without it by
 * `If-Unmodified-Since`. A weak tag does not identify bytes, so it never matches. An invalid date is ignored.
 */
export function checkPreconditions(
  request: FileRequest | undefined,
  { etag, lastModified }: Pick<ServedFile, "etag" | "lastModified">,
): void {
  const tags = request?.headers.get("if-match") ?? null;
  const since = request?.headers.get("if-unmodified-since") ?? null;
  const isMatch = tags === null || tags.trim() === "*" || tags.split(",").some((tag) => tag.trim() === etag);
  const isModified =
    tags === null &&
    since !== null &&
    lastModified &&
    Math.floor(lastModified.getTime() / 1000) > Date.parse(since) / 1000;
  if (!isMatch || isModified) throw new DocsError("precondition_failed", { headers: omitUndefined({ etag }) });
}

/** Returns the range that a request gets, or undefined for all bytes. Throws if the file has no byte of the range. */
function chooseRange(headers: FileRequest["headers"], { size, etag, lastModified }: ServedFile): ByteRange | undefined {
  // A list of ranges, another unit and a malformed header get the whole file. A number may have any number of digits.
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.get("range") ?? "");
  if (!match) return undefined;
  const [first, last] = [match[1]!, match[2]!];
  if (first === "" && last === "") return undefined;

  // A range only continues the same bytes. A weak tag does not identify bytes.
  const condition = headers.get("if-range")?.trim();
  if (condition?.startsWith('"') && condition !== etag) return undefined;
  if (condition !== undefined && !condition.startsWith('"') && condition !== lastModified?.toUTCString())
    return undefined;

  const start = first === "" ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(Number(last) + 1, size);
  if (first !== "" && last !== "" && Number(last) < start) return undefined;
  if (start < size) return { start, end };
  throw new DocsError("range_not_satisfiable", { headers: { "content-range": `bytes */${size}` } });
}
