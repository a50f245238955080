// Images that an export writes into the text itself, as files.

import { parseUrl } from "../../utils/url";
import { attribute, walk } from "../html/looking";
import type { Element } from "../html/tree";
import type { FileShelf } from "../website/files";

const WRITTEN = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]*)$/;

/** Puts such images on the shelf, and names them by an address below `base`. */
export function shelveWritten(root: Element, shelf: FileShelf, base: string, maxBytes: number): void {
  let number = 0;
  walk(root, (element) => {
    if (element.name !== "img") return true;
    const [, type, data] = WRITTEN.exec(attribute(element, "src").trim()) ?? [];
    const bytes = data === undefined || data.length > maxBytes * 1.4 ? undefined : decoded(data);
    if (type === undefined || !bytes || bytes.length === 0) return true;
    const url = parseUrl(`image-${++number}.${type.slice("image/".length)}`, base).href;
    shelf.paths.set(url, shelf.put(bytes, type, url));
    (element.attributes as Map<string, string>).set("src", url);
    return true;
  });
}

function decoded(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64.replace(/\s+/g, "")), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
