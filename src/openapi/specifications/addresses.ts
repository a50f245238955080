// Resolves the addresses of references, and names the documents there.

import { parseUrl, tryParseUrl } from "../../utils/url";

/** The most characters of an address. */
const MAX_ADDRESS = 2048;

/** Returns the address that a reference leads to; undefined for references that are not followed: other schemes, and relative ones
 * without a base. */
export function resolveAddress(document: string, base: string | undefined): string | undefined {
  const url = tryParseUrl(document, base);
  if (!url) return undefined;
  // `file:` and other schemes are plain text. An address with a password is not sent on.
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  url.hash = "";
  return url.href.length > MAX_ADDRESS ? undefined : url.href;
}

/**
 * Returns the name of a document: its path relative to the specification if both have one origin, or its address. All documents use
 * the same name for it, so no two documents share one.
 */
export function getDocumentName(entry: string | undefined, address: string): string {
  if (entry === undefined) return address;
  const from = parseUrl(entry);
  const to = parseUrl(address);
  if (from.origin !== to.origin) return address;
  const folders = from.pathname.split("/").slice(0, -1);
  const parts = to.pathname.split("/");
  let same = 0;
  while (same < folders.length && same < parts.length - 1 && folders[same] === parts[same]) same++;
  const up = "../".repeat(folders.length - same);
  return `${up}${parts.slice(same).join("/")}${to.search}`;
}
