// Describes a URL for embeds by what its host says: by oEmbed, or else in the head of the page. The beginning of each response
// is read, up to a limit. Nothing in a response is trusted.

import { omitUndefined } from "../../utils/objects";
import { readStreamStart } from "../../utils/streams";
import { decodeHtml } from "../html/decode-html";
import { findOEmbedEndpoint, type OEmbedResponse, parseOEmbed } from "./oembed";
import { type PageMetadata, readPageMetadata } from "./page-metadata";
import { hasPublicHost, parsePublicUrl } from "./public-host";
import { sanitizeFrame } from "./sanitize-frame";

/** The tools and limits of requests to other hosts. */
export interface EmbedContext {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** The longest time for one response, with its redirects. A missing oEmbed response leaves time for the page. */
  readonly responseTimeoutMs: number;
}

/** The description of a URL: its title, the name of its site, and perhaps an icon and a frame. */
export interface EmbedDescription {
  readonly title: string;
  readonly site: string;
  readonly icon?: string;
  /** A frame, as HTML that was written here. */
  readonly html?: string;
}

/** The name by which hosts know us. */
const USER_AGENT = "Octavo (link preview)";
/** The most bytes of a page that are read. Its head is at its beginning. */
const MAX_PAGE_BYTES = 256 * 1024;
const MAX_OEMBED_BYTES = 128 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const MAX_TITLE_LENGTH = 300;
const MAX_SITE_LENGTH = 100;

/** Describes a URL by the name of its host, without a request. */
export function describeByHost({ hostname }: URL): EmbedDescription {
  const name = hostname.replace(/^www\./, "");
  return { title: name, site: name };
}

/** Describes a URL by what its host says. Returns undefined if it has no public name, or does not answer. */
export async function describeEmbed(url: URL, context: EmbedContext): Promise<EmbedDescription | undefined> {
  if (!hasPublicHost(url)) return undefined;
  const endpoint = findOEmbedEndpoint(url);
  const knownResponse = endpoint === undefined ? undefined : await fetchOEmbed(endpoint, context);
  if (knownResponse) return createDescription(url, {}, knownResponse);

  const accept = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1";
  const resource = await fetchStart(url.href, accept, MAX_PAGE_BYTES, context);
  if (!resource) return undefined;
  // A resource that is not a page, such as an image, states nothing about itself.
  const isPage = /^(?:text\/html|application\/xhtml\+xml)\b/i.test(resource.type);
  const metadata = isPage ? readPageMetadata(decodeHtml(resource.bytes, resource.type), resource.url) : {};
  return createDescription(url, metadata, metadata.oEmbed && (await fetchOEmbed(metadata.oEmbed.href, context)));
}

function createDescription(url: URL, metadata: PageMetadata, oEmbed: OEmbedResponse | undefined): EmbedDescription {
  const byHost = describeByHost(url);
  const title = truncate(oEmbed?.title || metadata.title, MAX_TITLE_LENGTH) ?? byHost.title;
  const html = oEmbed?.html === undefined ? undefined : sanitizeFrame(oEmbed.html, title);
  return {
    title,
    site: truncate(metadata.site || oEmbed?.site, MAX_SITE_LENGTH) ?? byHost.site,
    ...omitUndefined({ icon: metadata.icon, html }),
  };
}

/** Returns a text with at most a number of characters, or undefined if it is empty. */
function truncate(text: string | undefined, maxLength: number): string | undefined {
  return text ? [...text.slice(0, 2 * maxLength)].slice(0, maxLength).join("") : undefined;
}

async function fetchOEmbed(url: string, context: EmbedContext): Promise<OEmbedResponse | undefined> {
  const resource = await fetchStart(url, "application/json", MAX_OEMBED_BYTES, context);
  return resource && parseOEmbed(new TextDecoder().decode(resource.bytes));
}

/** Fetches the beginning of a resource. Returns undefined if that fails, for whatever reason. */
async function fetchStart(url: string, accept: string, maxBytes: number, context: EmbedContext) {
  try {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(context.responseTimeoutMs)]);
    const headers = { accept, "user-agent": USER_AGENT };
    // Redirects are followed here, because each must lead to a public name as well.
    let currentUrl = url;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await context.fetch(currentUrl, { headers, signal, redirect: "manual" });
      const location = REDIRECT_STATUSES.has(response.status) ? response.headers.get("location") : null;
      if (location === null && response.ok) {
        const type = response.headers.get("content-type") ?? "";
        return { bytes: await readStreamStart(response.body, maxBytes), type, url: currentUrl };
      }
      await response.body?.cancel().catch(() => {});
      const next = location === null ? undefined : parsePublicUrl(location, currentUrl);
      if (!next) return undefined;
      currentUrl = next.href;
    }
    return undefined;
  } catch {
    // The reason may reveal facts about an internal network, and readers of a page cannot do anything about it.
    return undefined;
  }
}
