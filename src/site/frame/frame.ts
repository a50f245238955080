// The frame of every page of a site.

import { getTextDirection } from "../../locales/languages";
import { html } from "../../utils/html";
import type { Visit } from "../visit";
import { bodyOf } from "./body";
import type { Framed } from "./framed";
import { head } from "./head";
import { lookClasses } from "./theme";

/** A whole page. */
export function frameOf(visit: Visit, frame: Framed): string {
  const { look, profile, language } = visit;
  const siteTitle = look.title ?? profile.site.title;
  const direction = getTextDirection(language);
  return html`<!doctype html>
<html lang="${language}"${direction === "rtl" && html` dir="rtl"`} class="${lookClasses(look)}">
${head(visit, frame, siteTitle)}
<body>
${bodyOf(visit, frame, siteTitle)}</body>
</html>
`.text;
}
