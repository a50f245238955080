// The addresses in a page: resolved, checked against what a document may hold, and handed to whoever maps them.

import { isSafeUrl } from "../../content/document/safe-url";
import { addressInSet } from "../../content/markdown/srcset";
import { tryParseUrl } from "../../utils/url";
import { attribute, classesOf, elementsIn } from "./looking";
import type { Element } from "./tree";

/** How addresses of a page are read. */
export interface AddressOptions {
  /** What relative addresses start from. Default: they stay as they are. */
  readonly base?: string;
  /** What a link becomes, from its resolved address. Default: that address. */
  readonly link?: (href: string) => string;
  /** What an image becomes, from its resolved address; undefined leaves it out. Default: that address. */
  readonly image?: (src: string) => string | undefined;
}

/** The longest address that is kept. */
const MAX_ADDRESS = 4096;

/** Reads the addresses of one page, and remembers them. */
export class Addresses {
  readonly links = new Set<string>();
  readonly images = new Set<string>();

  constructor(readonly options: AddressOptions) {}

  /** Where a link leads; undefined for one that leads nowhere or would run something. */
  link(href: string): string | undefined {
    const address = this.#resolve(href);
    if (address === undefined) return undefined;
    this.links.add(address);
    const mapped = address.startsWith("#") ? address : (this.options.link?.(address) ?? address);
    return mapped !== "" && isSafeUrl(mapped) ? mapped : undefined;
  }

  /** Where an image is. Images that are embedded in the page are left out. */
  image(element: Element): string | undefined {
    const src = sourceOf(element);
    const address = src === undefined ? undefined : this.#resolve(src);
    if (address === undefined || !/^(?:https?:|[^:]*$|[^:]*[/?#])/i.test(address)) return undefined;
    this.images.add(address);
    const mapped = this.options.image ? this.options.image(address) : address;
    return mapped && isSafeUrl(mapped) ? mapped : undefined;
  }

  #resolve(written: string): string | undefined {
    const address = written.trim().replace(/[\t\r\n]+/g, "");
    if (address === "" || address.length > MAX_ADDRESS || !isSafeUrl(address)) return undefined;
    const { base } = this.options;
    if (base === undefined || address.startsWith("#")) return address;
    const href = tryParseUrl(address, base)?.href;
    return href !== undefined && isSafeUrl(href) ? href : undefined;
  }
}

/** Where an image says it is. Pages that load images late have the address in another attribute. */
function sourceOf(element: Element): string | undefined {
  const candidates = [
    ...["src", "data-src", "data-original", "data-lazy-src"].map((name) => attribute(element, name)),
    addressInSet(attribute(element, "srcset") || attribute(element, "data-srcset")),
  ];
  return candidates.find((src) => src.trim() !== "" && !/^\s*(?:data|about|blob):/i.test(src));
}

/** Whether an image is a tracking pixel. */
export function isPixel(image: Element): boolean {
  return ["width", "height"].every((name) => /^[01](?:px)?$/.test(attribute(image, name).trim()));
}

/** Whether an image stands for a character, which its alternative text names. */
export function isEmojiImage(image: Element): boolean {
  return classesOf(image).some((name) => /^(?:emoji|emojione|twemoji|emoticon)$/i.test(name));
}

/** The address of the image for dark mode. */
export function darkSource(picture: Element): Element | undefined {
  return elementsIn(picture.children).find(
    (each) => each.name === "source" && /dark/.test(attribute(each, "media")) && attribute(each, "srcset") !== "",
  );
}
