// The footer of every page.

import { html, type Markup } from "../../utils/html";
import type { PageContext } from "../request/request-context";
import { renderLinkAttributes } from "./links";

/** Renders the links, the logo and the legal notes of a site. Returns undefined if it has none of them. */
export function renderFooter(context: PageContext): Markup | undefined {
  const { customization, messages } = context;
  const { groups, copyright, logo } = customization.footer;
  const { privacyPolicy, trademark } = customization;
  if (groups.length === 0 && !copyright && !privacyPolicy.url && !logo && !trademark.enabled) return undefined;
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
  return html`<footer class="foot">${columns}<p>${notes}</p></footer>
`;
}
