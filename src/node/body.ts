// The body of a node:http request: read up to a limit, taken from a body parser that has already read it, or discarded.

import type { IncomingMessage } from "node:http";
import { createError, createValidationError, DocsError } from "../errors";
import { BodyDeadline } from "../utils/concurrency/body-deadline";

const EMPTY = new Uint8Array(0);
/** About as many bytes as the system takes at once. */
export const SMALL_BYTES = 64 * 1024;
const LINGER_MS = 5_000;

/** All of the body. Rejects with `body_too_large` as soon as it is longer than the limit, with `body_too_slow` when it takes too
 * long, and with `overloaded` when `take` refuses bytes of it; nothing is kept from then on. */
export async function readBody(
  req: IncomingMessage & { body?: unknown },
  limit: number,
  take: (bytes: number) => boolean,
): Promise<Uint8Array> {
  if (req.readableDidRead) return parsedBody(req, limit);
  if (req.destroyed) throw cutOff();
  // A length that is known is taken at once, so that no body is read in part and thrown away.
  const told = req.headers["content-length"];
  if (told !== undefined && Number(told) <= limit && !take(Number(told))) throw overloaded();
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
      const isTaken = size <= limit && (told !== undefined || take(chunk.length));
      if (isTaken) {
        chunks.push(chunk);
        return;
      }
      settle(size > limit ? createError("body_too_large", { limit }) : overloaded());
      // Without a listener, the rest is discarded.
      req.resume();
    };
    const deadline = new BodyDeadline(() => {
      settle(createError("body_too_slow"));
      req.resume();
    });
    const onEnd = () => settle();
    const onCut = () => settle(cutOff());
    req.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
  return Buffer.concat(chunks, size);
}

/** More than the process can take on at the moment. */
export const RETRY = { "retry-after": "1" };

function overloaded(): Error {
  return new DocsError("overloaded", { headers: RETRY });
}

/** What the host's body parser made of the body: bytes and text as they are, anything else as JSON again. */
function parsedBody({ body, headers }: IncomingMessage & { body?: unknown }, limit: number): Uint8Array {
  if (body === undefined) {
    if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return EMPTY;
    throw new Error("octavo/node: something read the body before the handler and left nothing in `req.body`.");
  }
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === "string" ? body : toJson(body));
  if (bytes.length > limit) throw createError("body_too_large", { limit });
  return bytes;
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

/** The error of a body whose connection ended. Nobody gets this answer, but it keeps the end of the connection from
 * being reported as an error of the server. */
function cutOff(): Error {
  return createValidationError("body", "The connection ended before the body did");
}

/** Whether the rest of the body may be too long to read it only to keep the connection. */
export function isStillComing({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > SMALL_BYTES;
}

/** Discards what still comes, and calls back when the client has stopped or its time is over. A socket that is closed
 * with unread bytes is reset, and a reset can overtake the answer. */
export function runDry(req: IncomingMessage, done: () => void): void {
  const finish = () => {
    clearTimeout(timer);
    req.off("close", finish);
    done();
  };
  const timer = setTimeout(finish, LINGER_MS).unref();
  req.on("close", finish);
  req.resume();
}
