// Parts of files (RFC 9110, 14): one range of bytes at a time. A request for several gets the whole file.

import { DocsError } from "../errors";

/** The bytes from `start` up to but not including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

type Body = Uint8Array | ReadableStream<Uint8Array>;

/** A request that may ask for a part. */
interface Asking {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

/** A file to send, or a part of it. */
export interface ServedFile {
  readonly size: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The quoted tag of the bytes, where they have one. */
  readonly etag?: string | undefined;
  readonly lastModified?: Date | undefined;
  /** The bytes of a range, or all of them. */
  readonly read: (range?: ByteRange) => Promise<Body>;
}

/** Answers a request for a file or a part of it: with 200, 206 or 304, or the failure `range_not_satisfiable`. */
export async function serveFile(
  asking: Asking | undefined,
  file: ServedFile,
): Promise<{ readonly status: number; readonly headers: Record<string, string>; readonly body: Body }> {
  const { size, etag, lastModified, read } = file;
  const headers: Record<string, string> = { ...file.headers, "accept-ranges": "bytes" };
  if (lastModified) headers["last-modified"] = lastModified.toUTCString();
  if (etag !== undefined) headers.etag = etag;
  if (isUnmodified(asking, lastModified)) {
    const { "content-length": _, "content-type": __, ...kept } = headers;
    return { status: 304, headers: kept, body: new Uint8Array() };
  }
  const range = chooseRange(asking, file);
  if (!range) return { status: 200, headers: { ...headers, "content-length": String(size) }, body: await read() };
  const { start, end } = range;
  headers["content-length"] = String(end - start);
  headers["content-range"] = `bytes ${start}-${end - 1}/${size}`;
  return { status: 206, headers, body: await read(range) };
}

/** Whether a file has not changed since the time that the caller names. A tag counts instead, where the caller has one. */
function isUnmodified(asking: Asking | undefined, lastModified: Date | undefined): boolean {
  const since = asking?.headers.get("if-modified-since") ?? null;
  if (since === null || !lastModified || asking!.headers.get("if-none-match") !== null) return false;
  return seconds(lastModified) <= seconds(new Date(since));
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** Returns the range that a request gets, or undefined for all bytes. Throws where the file has no byte of the range. */
function chooseRange(asking: Asking | undefined, file: ServedFile): ByteRange | undefined {
  const header = asking?.method === "GET" ? asking.headers.get("range") : null;
  // A list of ranges, another unit and what is not well-formed get the whole file.
  const found = header === null ? null : /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header);
  if (!found || !isStill(asking!.headers.get("if-range"), file)) return undefined;
  const [first, last] = [found[1]!, found[2]!];
  if (first === "" && last === "") return undefined;
  const { size } = file;
  const start = first === "" ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(Number(last) + 1, size);
  if (first !== "" && last !== "" && Number(last) < start) return undefined;
  if (start < size) return { start, end };
  throw new DocsError("range_not_satisfiable", { headers: { "content-range": `bytes */${size}` } });
}

/** Whether the file is what the caller has a part of. A weak tag says that of no bytes. */
function isStill(ifRange: string | null, { etag, lastModified }: ServedFile): boolean {
  if (ifRange === null) return true;
  const given = ifRange.trim();
  if (given.startsWith('"')) return given === etag;
  return lastModified !== undefined && given === lastModified.toUTCString();
}
