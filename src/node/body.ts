// Reads the body of a node:http request up to a limit, takes it from a body parser that has already read it, or discards it.

import type { IncomingMessage } from "node:http";
import { createError, createValidationError, DocsError } from "../errors";
import { BodyDeadline } from "../utils/concurrency/body-deadline";

/** About as many bytes as the system takes at once. */
export const MAX_SMALL_BYTES = 64 * 1024;
/** The client gets this long to send a body that is discarded. */
const MAX_DISCARD_MS = 5_000;

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
  if (req.readableDidRead) return getParsedBody(req, limit);
  if (req.destroyed) throw createCutError();
  // A length that is known is reserved at once, so that no body is read in part and thrown away.
  const contentLength = req.headers["content-length"];
  if (contentLength !== undefined && Number(contentLength) <= limit && !tryReserve(Number(contentLength)))
    throw createOverloadedError();

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
      settle(size > limit ? createError("body_too_large", { limit }) : createOverloadedError());
      // Without a listener, the rest is discarded.
      req.resume();
    };
    const deadline = new BodyDeadline(() => {
      settle(createError("body_too_slow"));
      req.resume();
    });
    const onEnd = () => settle();
    const onCut = () => settle(createCutError());
    req.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
  return Buffer.concat(chunks, size);
}

function createOverloadedError(): DocsError {
  return new DocsError("overloaded", { headers: RETRY_HEADERS });
}

/**
 * Returns the error of a body whose connection ended. Nobody gets it as a response, but it prevents the end of the connection from being
 * reported as an error of the server.
 */
function createCutError(): Error {
  return createValidationError("body", "The connection ended before the body did");
}

/** Returns the body that the host's body parser left: bytes and text as they are, anything else as JSON again. */
function getParsedBody({ body, headers }: IncomingMessage & { body?: unknown }, limit: number): Uint8Array {
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

/** Returns true if the rest of the body may be too long to read it only to keep the connection. */
export function hasMoreBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_SMALL_BYTES;
}

/**
 * Discards the rest of the body, and calls back when the client has stopped or its time is over. A socket that is closed with unread
 * bytes is reset, and a reset can overtake the response.
 */
export function discardBody(req: IncomingMessage, done: () => void): void {
  const finish = () => {
    clearTimeout(timer);
    req.off("close", finish);
    done();
  };
  const timer = setTimeout(finish, MAX_DISCARD_MS).unref();
  req.on("close", finish);
  req.resume();
}
