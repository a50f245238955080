// The bottom of every page.

import { html, type Markup } from "../../utils/html";
import type { PageContext } from "../request/request-context";
import { renderLinkAttributes } from "./links";

export function renderFooter(context: PageContext): Markup | undefined {
  const { customization, messages } = context;
  const { groups, copyright, logo } = customization.footer;
  const { privacyPolicy, trademark } = customization;
  if (groups.length === 0 && !copyright && !privacyPolicy.url && !logo && !trademark.enabled) return undefined;
  const lists = groups.map(
    ({ title, links }) =>
      html`<section><h2>${title}</h2><ul>${links.filter(({ url }) => url).map((link) => html`<li><a ${renderLinkAttributes(context, link.url!)}>${link.title}</a></li>`)}</ul></section>`,
  );
  const image =
    logo &&
    html`<div class="logo"><img class="in-light" src="${logo.light}" alt="" height="32" loading="lazy"><img class="in-dark" src="${logo.dark}" alt="" height="32" loading="lazy"></div>`;
  const last = [
    copyright && html`<span>${copyright}</span>`,
    privacyPolicy.url && html`<a ${renderLinkAttributes(context, privacyPolicy.url)}>${messages.privacy}</a>`,
    trademark.enabled && html`<span>${messages.madeWith}</span>`,
  ];
  return html`<footer class="foot">${(image || lists.length > 0) && html`<div>${image}${lists}</div>`}<p>${last}</p></footer>
`;
}
