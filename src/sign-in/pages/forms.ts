// Reads the forms that pages send, and the path that they lead to.

import { createError, DocsError } from "../../errors";
import { tryParseUrl } from "../../utils/url";
import type { SignInRequest } from "../context";

const MAX_BYTES = 64 * 1024;

/** Reads the fields of a form. Throws if the body is larger than `maxBytes`. */
export async function readFormFields(request: SignInRequest, maxBytes = MAX_BYTES): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new DocsError("invalid_request", { message: "Expected a form (`application/x-www-form-urlencoded`)." });
  const bytes = await request.body(maxBytes);
  try {
    return new URLSearchParams(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw createError("invalid_request");
  }
}

const MAX_PATH_LENGTH = 2000;

/**
 * Returns a destination if it's a path of this origin, otherwise undefined. Every redirect after signing in is checked by this
 * function: one that leads to another host would help phishing.
 */
export function toLocalPath(origin: string, destination: string | null | undefined): string | undefined {
  if (
    !destination ||
    destination.length > MAX_PATH_LENGTH ||
    !/^\/(?![/\\])[\x21-\x7e]*$/.test(destination) ||
    destination.includes("\\")
  )
    return undefined;
  const url = tryParseUrl(destination, origin);
  if (!url) return undefined;
  // `/.//other.example` is a path, but without its dots it would be a host.
  if (url.origin !== origin || url.pathname.startsWith("//")) return undefined;
  return url.pathname + url.search + url.hash;
}
