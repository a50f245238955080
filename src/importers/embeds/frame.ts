// The frame of an embed. What a host sends as HTML is never passed on. It is searched for one frame, and of that only the
// address and the size are used, in a tag that is written here.

import { attribute, find } from "../html/looking";
import { parseHtml } from "../html/tree";
import { publicAddress } from "./public-name";

/** The longest HTML that is searched, and the longest address of a frame. */
const MAX_HTML = 64 * 1024;
const MAX_SOURCE = 2048;
const MAX_PIXELS = 4096;

/** What a frame may do: run its own scripts at its own origin, and open windows. It cannot lead the reader elsewhere. */
const SANDBOX = "allow-scripts allow-same-origin allow-popups allow-forms allow-presentation";

/** A frame with the same content as that in a host's HTML; undefined when there is none that can be shown. */
export function frameIn(html: string, title: string): string | undefined {
  if (html.length > MAX_HTML) return undefined;
  const found = find(parseHtml(html), ({ name }) => name === "iframe");
  const source = found && sourceOf(attribute(found, "src").trim());
  if (source === undefined) return undefined;
  const written = {
    src: source,
    ...sizeOf("width", attribute(found!, "width")),
    ...sizeOf("height", attribute(found!, "height")),
    title,
    sandbox: SANDBOX,
    allow: "fullscreen; picture-in-picture; encrypted-media",
    referrerpolicy: "strict-origin-when-cross-origin",
    loading: "lazy",
  };
  const attributes = Object.entries(written).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<iframe${attributes.join("")}></iframe>`;
}

/** The address of a frame: https, at a public host, without a name and a password. */
function sourceOf(src: string): string | undefined {
  const url = publicAddress(src.startsWith("//") ? `https:${src}` : src);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") return undefined;
  return url.href.length > MAX_SOURCE ? undefined : url.href;
}

/** A size in pixels, as it is or with its unit. Other sizes are left to whoever shows the frame. */
function sizeOf(name: string, size: string): Record<string, string> {
  const pixels = Number(/^\s*(\d{1,5})(?:px)?\s*$/.exec(size)?.[1] ?? 0);
  return pixels === 0 ? {} : { [name]: String(Math.min(pixels, MAX_PIXELS)) };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
