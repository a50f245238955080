// The layout of every page of a site, as a complete HTML document.

import { getTextDirection } from "../../locales/languages";
import { html } from "../../utils/html";
import { getThemeClasses } from "../appearance/theme";
import type { RequestContext } from "../request/request-context";
import { renderBody } from "./body";
import { renderHead } from "./head";
import type { LayoutContent } from "./layout-content";

export function renderLayout(context: RequestContext, content: LayoutContent): string {
  const { customization, profile, language } = context;
  const siteTitle = customization.title ?? profile.site.title;
  const direction = getTextDirection(language);
  return html`<!doctype html>
<html lang="${language}"${direction === "rtl" && html` dir="rtl"`} class="${getThemeClasses(customization)}">
${renderHead(context, content, siteTitle)}
<body>
${renderBody(context, content, siteTitle)}</body>
</html>
`.text;
}
