// Sitemaps: the pages that a site lists itself, in files that may list other files and may be compressed.

import { Gunzip } from "fflate";
import { concatBytes } from "../../utils/bytes";
import { tryParseUrl } from "../../utils/url";
import { findElements, getTextLine } from "../html/elements";
import { parseHtml } from "../html/parse-html";
import type { WebClient } from "./web-client";

const MAX_SITEMAPS = 50;
const MAX_SITEMAP_BYTES = 10_000_000;
/** The size of the chunks that are decompressed. One becomes four megabytes at the very most. */
const CHUNK_BYTES = 4096;

/** Returns the URLs in the sitemaps at some URLs, in order, at most `maxUrls`. A sitemap that cannot be read lists nothing. */
export async function readSitemaps(
  client: WebClient,
  urls: readonly string[],
  isOnSite: (url: string) => boolean,
  maxUrls: number,
): Promise<string[]> {
  const queue = [...new Set(urls)];
  const seen = new Set(queue);
  const found = new Set<string>();
  for (let i = 0; i < queue.length && i < MAX_SITEMAPS && found.size < maxUrls; i++) {
    const resource = await client.get(queue[i]!, {
      accept: "application/xml, text/xml, */*;q=0.5",
      maxBytes: MAX_SITEMAP_BYTES,
      findProblem: (url) => (isOnSite(url) ? undefined : "It is on another site."),
    });
    if (!resource.isOk) continue;
    const baseUrl = queue[i]!;
    const text = new TextDecoder().decode(decompress(resource.bytes));
    // A sitemap may be a plain list.
    const isXml = /^\s*</.test(text.replace(/^\ufeff/, ""));
    const root = isXml ? parseHtml(text) : undefined;
    const listLocations = (name: string) =>
      (root ? findElements(root, (element) => element.name === name) : [])
        .flatMap((entry) => findElements(entry, (element) => element.name === "loc").slice(0, 1))
        .map(getTextLine)
        .flatMap((url) => tryParseUrl(url, baseUrl)?.href ?? []);
    const pages = root
      ? listLocations("url")
      : text.split(/\s+/).filter((line) => /^https?:/i.test(line) && tryParseUrl(line, baseUrl));
    for (const url of pages) if (found.size < maxUrls) found.add(url);
    for (const url of listLocations("sitemap")) {
      if (seen.has(url) || !isOnSite(url)) continue;
      seen.add(url);
      queue.push(url);
    }
  }
  return [...found];
}

/** Decompresses bytes if they are compressed. Everything after the limit is cut off. */
function decompress(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = new Gunzip((chunk) => {
    chunks.push(chunk);
    length += chunk.length;
  });
  try {
    for (let start = 0; start < bytes.length && length < MAX_SITEMAP_BYTES; start += CHUNK_BYTES)
      stream.push(bytes.subarray(start, start + CHUNK_BYTES), start + CHUNK_BYTES >= bytes.length);
  } catch {
    return new Uint8Array();
  }
  return concatBytes(chunks);
}
