// What stands in the body of every page: the bar at the top, the pages beside the text, the text, and the bottom.

import { html, type Markup } from "../../utils/html";
import type { PageContext } from "../request/request-context";
import { renderFooter } from "./footer";
import { renderAnnouncement, renderHeader, renderSectionTabs } from "./header";
import type { LayoutContent } from "./layout-content";
import { renderNavigation, renderOutline } from "./navigation";

export function renderBody(
  context: PageContext,
  frame: Pick<LayoutContent, "tree" | "trail" | "outline" | "searchQuery" | "layout" | "main">,
  siteTitle: string,
): Markup {
  const { layout } = frame;
  const hasContents = layout?.tableOfContents !== false;
  const classes = [layout?.width === "wide" && "wide", !hasContents && "alone"].filter(Boolean);
  return html`<a class="skip" href="#--text">${context.messages.skip}</a>
${renderAnnouncement(context)}${renderHeader(context, siteTitle, { asked: frame.searchQuery, hasContents })}${renderSectionTabs(context)}<div class="${["body", ...classes].join(" ")}">
<main id="--text">${frame.main}</main>
${hasContents && renderNavigation(context, frame)}${renderOutline(frame.outline, context)}</div>
${renderFooter(context)}`;
}
