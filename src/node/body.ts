// Reads the body of a node:http request up to a limit, or takes it from a body parser that has already read it.

import type { IncomingMessage } from "node:http";
import { createError, createValidationError, DocsError } from "../errors";
import { BodyDeadline } from "../utils/concurrency/body-deadline";

/**
 * The message for a body whose connection ended. Nobody gets it as a response, but it prevents the end of the connection from being
 * reported as an error of the server.
 */
const CUT = "The connection ended before the body did";

/** About as many bytes as the system takes at once. */
export const MAX_SMALL_BYTES = 64 * 1024;

/** The headers of a response to a request that the process cannot handle at the moment. */
export const RETRY_HEADERS = { "retry-after": "1" };

/**
 * Returns the complete body. Rejects with `body_too_large` as soon as it is longer than the limit, with `body_too_slow` if it takes too
 * long, and with `overloaded` if `tryReserve` refuses its bytes. From then on nothing is kept.
 */
export async function readNodeBody(
  req: IncomingMessage & { body?: unknown },
  limit: number,
  tryReserve: (bytes: number) => boolean,
): Promise<Uint8Array> {
  if (req.readableDidRead) {
    // The host's body parser has read the body and left bytes and text as they are, and anything else as JSON.
    const { body, headers } = req;
    if (body === undefined) {
      const isEmpty = headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
      if (isEmpty) return new Uint8Array(0);
      throw new Error("octavo/node: something read the body before the handler and left nothing in `req.body`.");
    }
    let bytes: Uint8Array;
    if (body instanceof Uint8Array) bytes = body;
    else bytes = Buffer.from(typeof body === "string" ? body : (JSON.stringify(body) ?? ""));
    if (bytes.length > limit) throw createError("body_too_large", { limit });
    return bytes;
  }
  if (req.destroyed) throw createValidationError("body", CUT);
  // A length that is known is reserved at once, so that no body is read in part and thrown away.
  const contentLength = req.headers["content-length"];
  if (contentLength !== undefined && Number(contentLength) <= limit && !tryReserve(Number(contentLength)))
    throw new DocsError("overloaded", { headers: RETRY_HEADERS });

  const chunks: Uint8Array[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      deadline.clear();
      req.off("data", onData).off("end", onEnd).off("error", onCut).off("close", onCut);
      if (error) reject(error);
      else resolve();
    };
    const onData = (chunk: Uint8Array) => {
      size += chunk.length;
      deadline.addReceivedBytes(chunk.length);
      if (size <= limit && (contentLength !== undefined || tryReserve(chunk.length))) {
        chunks.push(chunk);
        return;
      }
      settle(
        size > limit
          ? createError("body_too_large", { limit })
          : new DocsError("overloaded", { headers: RETRY_HEADERS }),
      );
      // Without a listener, the rest is discarded.
      req.resume();
    };
    const deadline = new BodyDeadline(() => {
      settle(createError("body_too_slow"));
      req.resume();
    });
    const onEnd = () => settle();
    const onCut = () => settle(createValidationError("body", CUT));
    req.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
  return Buffer.concat(chunks, size);
}

/** Returns true if the rest of the body may be too long to read it only to keep the connection. */
export function hasMoreBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_SMALL_BYTES;
}
