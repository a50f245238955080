// The URLs in a page: resolved, checked against what a document may hold, and mapped by the caller.

import { isSafeUrl } from "../../content/document/safe-url";
import { parseSrcset } from "../../content/markdown/srcset";
import { tryParseUrl } from "../../utils/url";
import { getAttribute } from "./elements";
import type { HtmlElement } from "./parse-html";

/** The way in which the URLs of a page are read. */
export interface PageUrlOptions {
  /** The base of relative URLs. Default: they stay as they are. */
  readonly baseUrl?: string;
  /** Returns what a link becomes, from its resolved URL. Default: that URL. */
  readonly mapLink?: (href: string) => string;
  /** Returns what an image becomes, from its resolved URL; undefined leaves it out. Default: that URL. */
  readonly mapImage?: (src: string) => string | undefined;
}

/** The longest URL that is taken. */
const MAX_PAGE_URL_LENGTH = 4096;

/** Resolves the URLs of one page, and records them. */
export class PageUrls {
  readonly links = new Set<string>();
  readonly images = new Set<string>();

  constructor(readonly options: PageUrlOptions) {}

  /** Returns the target of a link, or undefined if it leads nowhere or would run something. */
  resolveLink(href: string): string | undefined {
    const url = this.#resolve(href);
    if (url === undefined) return undefined;
    this.links.add(url);
    const mapped = url.startsWith("#") ? url : (this.options.mapLink?.(url) ?? url);
    return mapped !== "" && isSafeUrl(mapped) ? mapped : undefined;
  }

  /** Returns the URL of an image. Images that are embedded in the page are left out. */
  resolveImage(element: HtmlElement): string | undefined {
    // Pages that load images lazily have the URL in another attribute.
    const candidates = [
      ...["src", "data-src", "data-original", "data-lazy-src"].map((name) => getAttribute(element, name)),
      parseSrcset(getAttribute(element, "srcset") || getAttribute(element, "data-srcset")),
    ];
    const src = candidates.find((candidate) => candidate.trim() !== "" && !/^\s*(?:data|about|blob):/i.test(candidate));
    const url = src === undefined ? undefined : this.#resolve(src);
    if (url === undefined || !/^(?:https?:|[^:]*$|[^:]*[/?#])/i.test(url)) return undefined;
    this.images.add(url);
    const mapped = this.options.mapImage ? this.options.mapImage(url) : url;
    return mapped && isSafeUrl(mapped) ? mapped : undefined;
  }

  #resolve(href: string): string | undefined {
    const url = href.trim().replace(/[\t\r\n]+/g, "");
    if (url === "" || url.length > MAX_PAGE_URL_LENGTH || !isSafeUrl(url)) return undefined;
    const { baseUrl } = this.options;
    if (baseUrl === undefined || url.startsWith("#")) return url;
    const resolved = tryParseUrl(url, baseUrl)?.href;
    return resolved !== undefined && isSafeUrl(resolved) ? resolved : undefined;
  }
}
