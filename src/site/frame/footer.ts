// The bottom of every page.

import { html, type Markup } from "../../utils/html";
import type { Drawing } from "../visit";
import { outward } from "./links";

export function footer(visit: Drawing): Markup | undefined {
  const { look, words } = visit;
  const { groups, copyright, logo } = look.footer;
  const { privacyPolicy, trademark } = look;
  if (groups.length === 0 && !copyright && !privacyPolicy.url && !logo && !trademark.enabled) return undefined;
  const lists = groups.map(
    ({ title, links }) =>
      html`<section><h2>${title}</h2><ul>${links.filter(({ url }) => url).map((link) => html`<li><a ${outward(visit, link.url!)}>${link.title}</a></li>`)}</ul></section>`,
  );
  const image =
    logo &&
    html`<div class="logo"><img class="in-light" src="${logo.light}" alt="" height="32" loading="lazy"><img class="in-dark" src="${logo.dark}" alt="" height="32" loading="lazy"></div>`;
  const last = [
    copyright && html`<span>${copyright}</span>`,
    privacyPolicy.url && html`<a ${outward(visit, privacyPolicy.url)}>${words.privacy}</a>`,
    trademark.enabled && html`<span>${words.madeWith}</span>`,
  ];
  return html`<footer class="foot">${(image || lists.length > 0) && html`<div>${image}${lists}</div>`}<p>${last}</p></footer>
`;
}
