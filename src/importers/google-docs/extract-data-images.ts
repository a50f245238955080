// Extracts the images that an export has as data URLs, as files.

import { parseUrl } from "../../utils/url";
import { getAttribute, walkElements } from "../html/elements";
import type { HtmlElement } from "../html/parse-html";
import type { DownloadedFiles } from "../website/downloaded-files";

const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]*)$/;
/** The most characters of base64 for each byte, with line breaks. */
const MAX_CHARACTERS_PER_BYTE = 1.4;

/** Adds such images to the files, and gives them a URL below `baseUrl`. */
export function extractDataImages(root: HtmlElement, files: DownloadedFiles, baseUrl: string, maxBytes: number): void {
  let number = 0;
  walkElements(root, (element) => {
    if (element.name !== "img") return true;
    const [, type, data] = DATA_URL.exec(getAttribute(element, "src").trim()) ?? [];
    const isTooLarge = data !== undefined && data.length > maxBytes * MAX_CHARACTERS_PER_BYTE;
    const bytes = data === undefined || isTooLarge ? undefined : decodeBase64Image(data);
    if (type === undefined || !bytes || bytes.length === 0) return true;
    const url = parseUrl(`image-${++number}.${type.slice("image/".length)}`, baseUrl).href;
    files.paths.set(url, files.add(bytes, type, url));
    (element.attributes as Map<string, string>).set("src", url);
    return true;
  });
}

function decodeBase64Image(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64.replace(/\s+/g, "")), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
