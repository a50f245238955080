// Sanitizes the frame of an embed. HTML from a host is never passed on. It is searched for one frame, and only the URL and the
// size of that are used, in a tag that is written here.

import { findElement, getAttribute } from "../html/elements";
import { parseHtml } from "../html/parse-html";
import { parsePublicUrl } from "./public-host";

/** The longest HTML that is searched. */
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
