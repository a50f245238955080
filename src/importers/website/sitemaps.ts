// Sitemaps: the pages that a site lists itself, in files that may list other files and may be compressed.

import { Gunzip } from "fflate";
import { concatBytes } from "../../utils/bytes";
import { tryParseUrl } from "../../utils/url";
import { findAll, lineOf } from "../html/looking";
import { parseHtml } from "../html/tree";
import type { Asking } from "./answers";

const MAX_SITEMAPS = 50;
const MAX_SITEMAP_BYTES = 10_000_000;
/** A compressed piece this large inflates to four megabytes at the very most. */
const PIECE = 4096;

/** The addresses in the sitemaps at some addresses, in order, at most `most`. A sitemap that cannot be read lists nothing. */
export async function addressesInSitemaps(
  asking: Asking,
  urls: readonly string[],
  isOurs: (url: string) => boolean,
  most: number,
): Promise<string[]> {
  const waiting = [...new Set(urls)];
  const seen = new Set(waiting);
  const found = new Set<string>();
  for (let i = 0; i < waiting.length && i < MAX_SITEMAPS && found.size < most; i++) {
    const answer = await asking.ask(waiting[i]!, {
      accept: "application/xml, text/xml, */*;q=0.5",
      maxBytes: MAX_SITEMAP_BYTES,
      refuse: (url) => (isOurs(url) ? undefined : "It leads to another site."),
    });
    if (!answer.isReceived) continue;
    const { pages, sitemaps } = read(answer.bytes, waiting[i]!);
    for (const url of pages) if (found.size < most) found.add(url);
    for (const url of sitemaps) {
      if (seen.has(url) || !isOurs(url)) continue;
      seen.add(url);
      waiting.push(url);
    }
  }
  return [...found];
}

function read(bytes: Uint8Array, base: string): { pages: string[]; sitemaps: string[] } {
  const text = new TextDecoder().decode(inflated(bytes));
  if (!/^\s*</.test(text.replace(/^\ufeff/, ""))) return { pages: lines(text, base), sitemaps: [] };
  const root = parseHtml(text);
  const locations = (name: string) =>
    findAll(root, (element) => element.name === name)
      .flatMap((entry) => findAll(entry, (element) => element.name === "loc").slice(0, 1))
      .map(lineOf)
      .flatMap((url) => tryParseUrl(url, base)?.href ?? []);
  return { pages: locations("url"), sitemaps: locations("sitemap") };
}

/** A sitemap may be a plain list. */
function lines(text: string, base: string): string[] {
  return text.split(/\s+/).filter((line) => /^https?:/i.test(line) && tryParseUrl(line, base));
}

/** Bytes as they were before they were compressed, up to a limit; what is behind it is cut off. */
function inflated(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const pieces: Uint8Array[] = [];
  let length = 0;
  const stream = new Gunzip((piece) => {
    pieces.push(piece);
    length += piece.length;
  });
  try {
    for (let at = 0; at < bytes.length && length < MAX_SITEMAP_BYTES; at += PIECE)
      stream.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
  } catch {
    return new Uint8Array();
  }
  return concatBytes(pieces);
}
