// The frame of every page of a site.

import { directionOf } from "../../languages";
import { html } from "../../markup";
import type { Visit } from "../visit";
import { footer } from "./footer";
import type { Framed } from "./framed";
import { head } from "./head";
import { announcement, header, sections } from "./header";
import { navigation, outline } from "./navigation";
import { lookClasses } from "./theme";

/** A whole page. */
export function frameOf(visit: Visit, frame: Framed): string {
  const { words, look, profile, language } = visit;
  const { layout } = frame;
  const siteTitle = look.title ?? profile.site.title;
  const direction = directionOf(language);
  const classes = [layout?.width === "wide" && "wide", layout?.tableOfContents === false && "alone"].filter(Boolean);
  return html`<!doctype html>
<html lang="${language}"${direction === "rtl" && html` dir="rtl"`} class="${lookClasses(look)}">
${head(visit, frame, siteTitle)}
<body>
<a class="skip" href="#--text">${words.skip}</a>
${announcement(visit)}${header(visit, siteTitle, frame.asked)}${sections(visit)}<div class="${["body", ...classes].join(" ")}">
<main id="--text">${frame.main}</main>
${layout?.tableOfContents !== false && navigation(visit, frame)}${outline(frame.outline, visit)}</div>
${footer(visit)}</body>
</html>
`.text;
}
