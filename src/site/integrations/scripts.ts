// Scripts that integrations bring to the pages of a site. They run with everything that the page may do, so they are put there
// only where the organization has an origin of its own; and those that use cookies only after the reader has agreed.

import { html, type Markup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import type { Allowed } from "../answer";
import type { Visit } from "../visit";
import { blockWordsOf } from "./words";

export interface PageScripts {
  readonly markup: Markup;
  /** Whether the notice about cookies, and so its script, is on the page. */
  readonly asksConsent: boolean;
  readonly allowed: Required<Pick<Allowed, "scripts" | "connects" | "styleSources">>;
}

const NONE: PageScripts = {
  markup: html``,
  asksConsent: false,
  allowed: { scripts: [], connects: [], styleSources: [] },
};

/** The scripts of the page that is visited. */
export function scriptsOf(visit: Visit): PageScripts {
  const { profile, found, house, url, look } = visit;
  if (!house.runsScripts(url)) return NONE;
  const here = profile.scripts.flatMap((it) => {
    const at = it.space === undefined || it.space === found.space ? tryParseUrl(it.script) : undefined;
    if (at?.protocol !== "https:" && at?.protocol !== "http:") return [];
    return [{ ...it, url: at }];
  });
  if (here.length === 0) return NONE;
  const asking = here.filter(({ cookies }) => cookies).map((it) => it.url.href);
  const free = here.filter(({ cookies }) => !cookies).map((it) => html`<script async src="${it.url.href}"></script>`);
  const words = blockWordsOf(look.internationalization.locale);
  const privacy = tryParseUrl(look.privacyPolicy.url ?? "");
  const isWeb = privacy?.protocol === "https:" || privacy?.protocol === "http:";
  const notice =
    asking.length > 0 &&
    html`<div class="consent" role="region" aria-label="${words.cookies}" hidden data-consent="${JSON.stringify(asking)}"><p>${words.cookies} ${isWeb && html`<a href="${privacy.href}">${words.privacy}</a>`}</p><div class="row"><button type="button" class="button primary" data-answer="yes">${words.accept}</button><button type="button" class="button secondary" data-answer="no">${words.decline}</button></div></div>`;
  const declared = here.map((it) => declaredBy(it.contentSecurityPolicy ?? ""));
  const of = (name: string) => [...new Set(declared.flatMap((it) => it.get(name) ?? []))];
  return {
    markup: html`${free}${notice}`,
    asksConsent: asking.length > 0,
    allowed: {
      // A source in a policy has no query.
      scripts: [...here.map((it) => `${it.url.origin}${it.url.pathname}`).filter(isSource), ...of("script-src")],
      connects: of("connect-src"),
      styleSources: of("style-src"),
    },
  };
}

/** The most sources of a directive. */
const MOST_SOURCES = 30;
/** A host by its name, with or without a path. Nothing that would open the page to everybody, and no words of a policy. */
const SOURCE =
  /^(?:https?|wss):\/\/(?:\*\.[a-z0-9-]+\.|)[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?(?:\/[A-Za-z0-9._~!$&()*+=:@%/-]*)?$/;

function isSource(text: string): boolean {
  return text.length <= 300 && SOURCE.test(text);
}

/** The sources that the policy of an integration declares, by their directives. */
export function declaredBy(policy: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const directive of policy.slice(0, 10_000).split(";")) {
    const [name = "", ...values] = directive.trim().split(/\s+/);
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), values.filter(isSource).slice(0, MOST_SOURCES));
  }
  return found;
}
