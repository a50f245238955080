// Describes a URL for embeds by what its host says: by oEmbed, or else in the head of the page. The beginning of each response
// is read, up to a limit. Nothing in a response is trusted.

import { omitUndefined } from "../../utils/objects";
import { readStreamStart } from "../../utils/streams";
import { tryParseUrl } from "../../utils/url";
import { decodeHtml } from "../html/decode-html";
import { collapseWhitespace, findElement, findElements, getAttribute } from "../html/elements";
import { readHead, resolveBaseUrl } from "../html/head";
import { type HtmlElement, parseHtml } from "../html/parse-html";

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
  const [, endpoint] = KNOWN_ENDPOINTS.find(([host]) => host.test(url.hostname)) ?? [];
  if (endpoint !== undefined) {
    const query = `${endpoint.includes("?") ? "&" : "?"}url=${encodeURIComponent(url.href)}`;
    const knownResponse = await fetchOEmbed(endpoint + query, context);
    if (knownResponse) return createDescription(url, {}, knownResponse);
  }

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

// oEmbed: the response of a host that is asked how one of its URLs is shown elsewhere.

/** The members of an oEmbed response that are used. */
interface OEmbedResponse {
  readonly title?: string | undefined;
  readonly site?: string | undefined;
  /** HTML of the host, which must not be passed on. */
  readonly html?: string | undefined;
}

/**
 * Hosts whose oEmbed endpoint is requested first: their pages do not name it, or are not sent to programs. The patterns are those
 * that the hosts publish.
 */
const KNOWN_ENDPOINTS: readonly (readonly [host: RegExp, endpoint: string])[] = [
  [/^(?:(?:www|m|music)\.)?youtube\.com$|^youtu\.be$/, "https://www.youtube.com/oembed?format=json"],
  [/^(?:(?:www|player)\.)?vimeo\.com$/, "https://vimeo.com/api/oembed.json"],
  [/^(?:www\.)?loom\.com$/, "https://www.loom.com/v1/oembed?format=json"],
  [/^open\.spotify\.com$/, "https://open.spotify.com/oembed"],
  [/^(?:(?:www|m|on)\.)?soundcloud\.com$/, "https://soundcloud.com/oembed?format=json"],
  [/^(?:www\.)?codepen\.io$/, "https://codepen.io/api/oembed?format=json"],
  [/^(?:www\.)?figma\.com$/, "https://www.figma.com/api/oembed"],
  [/^(?:www\.)?dailymotion\.com$/, "https://www.dailymotion.com/services/oembed?format=json"],
  [/^(?:www\.)?ted\.com$/, "https://www.ted.com/services/v1/oembed.json"],
];

/** Parses an oEmbed response. Returns undefined if it is none. */
export function parseOEmbed(json: string): OEmbedResponse | undefined {
  let response: unknown;
  try {
    response = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof response !== "object" || response === null) return undefined;
  const { title, provider_name: site, html } = response as Record<string, unknown>;
  const toLine = (value: unknown) => (typeof value === "string" ? collapseWhitespace(value) : undefined);
  return { title: toLine(title), site: toLine(site), html: typeof html === "string" ? html : undefined };
}

// The metadata in the head of a page: its title, the name of its site, its icon, and the URL of its oEmbed response.

interface PageMetadata {
  readonly title?: string | undefined;
  readonly site?: string | undefined;
  readonly icon?: string | undefined;
  readonly oEmbed?: URL | undefined;
}

/** The longest URL of an icon. One that holds its own bytes is longer, and is left out. */
const MAX_ICON_URL_LENGTH = 2048;

export function readPageMetadata(html: string, url: string): PageMetadata {
  const root = parseHtml(html);
  const head = readHead(root);
  const baseUrl = resolveBaseUrl(head, url);
  const links = findElements(root, ({ name }) => name === "link");
  const hasRel = (link: HtmlElement, rel: string) =>
    getAttribute(link, "rel").slice(0, 200).toLowerCase().split(/\s+/).includes(rel);
  const resolve = (link: HtmlElement | undefined) => {
    const href = link ? getAttribute(link, "href").trim() : "";
    return href === "" ? undefined : parsePublicUrl(href, baseUrl);
  };

  const icon = resolve(
    links.find((link) => hasRel(link, "icon")) ?? links.find((link) => hasRel(link, "apple-touch-icon")),
  );
  const oEmbedLink = links.find((link) => {
    const type = getAttribute(link, "type").trim().toLowerCase();
    return type === "application/json+oembed" && hasRel(link, "alternate");
  });
  return {
    title: head.title,
    site: head.siteName,
    icon: icon && icon.href.length <= MAX_ICON_URL_LENGTH ? icon.href : undefined,
    oEmbed: resolve(oEmbedLink),
  };
}

// Sanitizes the frame of an embed. HTML from a host is never passed on. It is searched for one frame, and only the URL and the
// size of that are used, in a tag that is written here.

const MAX_HTML_LENGTH = 64 * 1024;
/** The longest URL of a frame. */
const MAX_SRC_LENGTH = 2048;
const MAX_PIXELS = 4096;

/** The permissions of a frame: run its own scripts at its own origin, and open windows. It cannot navigate the reader's page. */
const SANDBOX = "allow-scripts allow-same-origin allow-popups allow-forms allow-presentation";

/** Writes a frame with the same content as the one in the HTML of a host. Returns undefined if there is none to show. */
export function sanitizeFrame(html: string, title: string): string | undefined {
  if (html.length > MAX_HTML_LENGTH) return undefined;
  const frame = findElement(parseHtml(html), ({ name }) => name === "iframe");
  if (!frame) return undefined;

  // The URL must be https, at a public host, without a name and a password.
  const src = getAttribute(frame, "src").trim();
  const url = parsePublicUrl(src.startsWith("//") ? `https:${src}` : src);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") return undefined;
  if (url.href.length > MAX_SRC_LENGTH) return undefined;

  // A size is in pixels, with or without the unit. Other sizes are left out, and the page of the reader decides.
  const [width, height] = ["width", "height"].map((name) => {
    const pixels = Number(/^\s*(\d{1,5})(?:px)?\s*$/.exec(getAttribute(frame, name))?.[1] ?? 0);
    return pixels === 0 ? undefined : String(Math.min(pixels, MAX_PIXELS));
  });
  const attributes = [
    ["src", url.href],
    ["width", width],
    ["height", height],
    ["title", title],
    ["sandbox", SANDBOX],
    ["allow", "fullscreen; picture-in-picture; encrypted-media"],
    ["referrerpolicy", "strict-origin-when-cross-origin"],
    ["loading", "lazy"],
  ] as const;
  const written = attributes.flatMap(([name, value]) => {
    if (value === undefined) return [];
    const escaped = value
      .replaceAll("&", "&amp;")
      .replaceAll('"', "&quot;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;");
    return ` ${name}="${escaped}"`;
  });
  return `<iframe${written.join("")}></iframe>`;
}

/** Endings that lead nowhere but into a local network. */
const LOCAL_ENDINGS = new Set(
  "arpa corp home internal intranet invalid lan local localdomain localhost onion private".split(" "),
);

/**
 * Returns whether a host has a public name: not an IP address, not a single word, and without a local ending. This also covers
 * hosts that the operator opened for other uses, and frames, which the browser of a reader loads.
 */
export function hasPublicHost({ hostname }: URL): boolean {
  const labels = hostname.replace(/\.$/, "").split(".");
  const last = labels.at(-1)!;
  // The last label of an IPv4 address is a number, and an IPv6 address is in brackets.
  return labels.length > 1 && /^(?:xn--[a-z0-9-]+|[a-z]+)$/.test(last) && !LOCAL_ENDINGS.has(last);
}

/** Parses an http or https URL at a host with a public name. Returns undefined for every other. */
export function parsePublicUrl(text: string, baseUrl?: string): URL | undefined {
  const url = tryParseUrl(text, baseUrl);
  return url && /^https?:$/.test(url.protocol) && hasPublicHost(url) ? url : undefined;
}
