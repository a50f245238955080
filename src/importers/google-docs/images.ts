// Images that an export writes into the text itself, as files.

import { parseUrl } from "../../utils/url";
import { getAttribute, walkElements } from "../html/elements";
import type { HtmlElement } from "../html/parse-html";
import type { DownloadedFiles } from "../website/downloaded-files";

const WRITTEN = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]*)$/;

/** Puts such images on the shelf, and names them by an address below `baseUrl`. */
export function shelveWritten(root: HtmlElement, shelf: DownloadedFiles, base: string, maxBytes: number): void {
  let number = 0;
  walkElements(root, (element) => {
    if (element.name !== "img") return true;
    const [, type, data] = WRITTEN.exec(getAttribute(element, "src").trim()) ?? [];
    const bytes = data === undefined || data.length > maxBytes * 1.4 ? undefined : decoded(data);
    if (type === undefined || !bytes || bytes.length === 0) return true;
    const url = parseUrl(`image-${++number}.${type.slice("image/".length)}`, base).href;
    shelf.paths.set(url, shelf.add(bytes, type, url));
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
