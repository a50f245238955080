// The body of every page: header, navigation, text, outline and footer.

import { html, type Markup } from "../../utils/html";
import type { PageContext } from "../request/request-context";
import { renderFooter } from "./footer";
import { renderAnnouncement, renderHeader, renderSectionTabs } from "./header";
import type { LayoutContent } from "./layout-content";
import { renderNavigation, renderOutline } from "./navigation";

export function renderBody(
  context: PageContext,
  content: Pick<LayoutContent, "tree" | "trail" | "outline" | "searchQuery" | "layout" | "main">,
  siteTitle: string,
): Markup {
  const { layout, searchQuery } = content;
  const hasContents = layout?.tableOfContents !== false;
  const classes = ["body", layout?.width === "wide" && "wide", !hasContents && "alone"].filter(Boolean).join(" ");
  const header = renderHeader(context, siteTitle, { searchQuery, hasContents });
  return html`<a class="skip" href="#--text">${context.messages.skip}</a>
${renderAnnouncement(context)}${header}${renderSectionTabs(context)}<div class="${classes}">
<main id="--text">${content.main}</main>
${hasContents && renderNavigation(context, content)}${renderOutline(content.outline, context)}</div>
${renderFooter(context)}`;
}
