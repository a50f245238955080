// The body of every page: header, navigation, text, outline and footer.

import { html, type Markup } from "../../utils/html";
import type { PageContext } from "../request/request-context";
import { renderAnnouncement, renderHeader, renderSectionTabs } from "./header";
import type { LayoutContent } from "./layout-content";
import { renderLinkAttributes } from "./links";
import { renderNavigation, renderOutline } from "./navigation";

export function renderBody(
  context: PageContext,
  content: Pick<LayoutContent, "tree" | "trail" | "outline" | "searchQuery" | "layout" | "main">,
  siteTitle: string,
): Markup {
  const { customization, messages } = context;
  const { layout, searchQuery } = content;
  const hasContents = layout?.tableOfContents !== false;
  const classes = ["body", layout?.width === "wide" && "wide", !hasContents && "alone"].filter(Boolean).join(" ");
  const header = renderHeader(context, siteTitle, { searchQuery, hasContents });

  // The footer with the links, the logo and the legal notes of the site.
  const { groups, copyright, logo } = customization.footer;
  const { privacyPolicy, trademark } = customization;
  const hasFooter = groups.length > 0 || copyright || privacyPolicy.url || logo || trademark.enabled;
  const lists = groups.map(({ title, links }) => {
    const items = links
      .filter(({ url }) => url)
      .map((link) => html`<li><a ${renderLinkAttributes(context, link.url!)}>${link.title}</a></li>`);
    return html`<section><h2>${title}</h2><ul>${items}</ul></section>`;
  });
  const renderLogo = (url: string, theme: string) =>
    html`<img class="${theme}" src="${url}" alt="" height="32" loading="lazy">`;
  const image =
    logo && html`<div class="logo">${renderLogo(logo.light, "in-light")}${renderLogo(logo.dark, "in-dark")}</div>`;
  const notes = [
    copyright && html`<span>${copyright}</span>`,
    privacyPolicy.url && html`<a ${renderLinkAttributes(context, privacyPolicy.url)}>${messages.privacy}</a>`,
    trademark.enabled && html`<span>${messages.madeWith}</span>`,
  ];
  const columns = (image || lists.length > 0) && html`<div>${image}${lists}</div>`;
  const footer =
    hasFooter &&
    html`<footer class="foot">${columns}<p>${notes}</p></footer>
`;

  return html`<a class="skip" href="#--text">${messages.skip}</a>
${renderAnnouncement(context)}${header}${renderSectionTabs(context)}<div class="${classes}">
<main id="--text">${content.main}</main>
${hasContents && renderNavigation(context, content)}${renderOutline(content.outline, context)}</div>
${footer}`;
}
