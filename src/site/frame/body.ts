// What stands in the body of every page: the bar at the top, the pages beside the text, the text, and the bottom.

import { html, type Markup } from "../../utils/html";
import type { Drawing } from "../visit";
import { footer } from "./footer";
import type { Framed } from "./framed";
import { announcement, header, sections } from "./header";
import { navigation, outline } from "./navigation";

export function bodyOf(
  visit: Drawing,
  frame: Pick<Framed, "tree" | "way" | "outline" | "asked" | "layout" | "main">,
  siteTitle: string,
): Markup {
  const { layout } = frame;
  const hasContents = layout?.tableOfContents !== false;
  const classes = [layout?.width === "wide" && "wide", !hasContents && "alone"].filter(Boolean);
  return html`<a class="skip" href="#--text">${visit.words.skip}</a>
${announcement(visit)}${header(visit, siteTitle, { asked: frame.asked, hasContents })}${sections(visit)}<div class="${["body", ...classes].join(" ")}">
<main id="--text">${frame.main}</main>
${hasContents && navigation(visit, frame)}${outline(frame.outline, visit)}</div>
${footer(visit)}`;
}
