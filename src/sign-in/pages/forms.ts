// What a form of a page sends.

import { createError, DocsError } from "../../errors";
import { tryParseUrl } from "../../utils/url";
import type { SignInRequest } from "../parts";

const MAX_BYTES = 64 * 1024;

/** The fields of a form, which may have so many bytes. */
export async function fieldsOf(request: SignInRequest, most = MAX_BYTES): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new DocsError("invalid_request", { message: "Expected a form: `application/x-www-form-urlencoded`." });
  const bytes = await request.body(most);
  try {
    return new URLSearchParams(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw createError("invalid_request");
  }
}

/**
 * A path of this origin that somebody wants to get to after signing in; undefined when it is none. Nothing else may come
 * out of here: a page that leads to any other host is a tool for those who pretend to be us.
 */
export function pathWithin(origin: string, wanted: string | null | undefined): string | undefined {
  if (!wanted || wanted.length > MAX_PATH || !/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted) || wanted.includes("\\"))
    return undefined;
  const url = tryParseUrl(wanted, origin);
  if (!url) return undefined;
  // `/.//other.example` is a path, and what is left of it without its dots would be a host.
  if (url.origin !== origin || url.pathname.startsWith("//")) return undefined;
  return url.pathname + url.search + url.hash;
}

const MAX_PATH = 2000;
