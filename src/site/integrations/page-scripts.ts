// Scripts that integrations bring to the pages of a site. They run with everything that the page may do, so they are put there
// only where the organization has an origin of its own; and those that use cookies only after the reader has agreed.

import { html, type Markup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import type { RequestContext } from "../request/request-context";
import type { ContentPolicyOptions } from "../responses/responses";
import { getIntegrationMessages } from "./messages";

export interface PageScripts {
  readonly markup: Markup;
  /** Whether the notice about cookies, and so its script, is on the page. */
  readonly needsConsent: boolean;
  readonly policy: Required<Pick<ContentPolicyOptions, "scripts" | "connects" | "styleSources">>;
}

const NONE: PageScripts = {
  markup: html``,
  needsConsent: false,
  policy: { scripts: [], connects: [], styleSources: [] },
};

/** The scripts of the page that is visited. */
export function getPageScripts(context: RequestContext): PageScripts {
  const { profile, resolved, site, url, customization } = context;
  if (!site.canRunScripts(url)) return NONE;
  const here = profile.scripts.flatMap((it) => {
    const at = it.space === undefined || it.space === resolved.space ? tryParseUrl(it.script) : undefined;
    if (at?.protocol !== "https:" && at?.protocol !== "http:") return [];
    return [{ ...it, url: at }];
  });
  if (here.length === 0) return NONE;
  const asking = here.filter(({ cookies }) => cookies).map((it) => it.url.href);
  const free = here.filter(({ cookies }) => !cookies).map((it) => html`<script async src="${it.url.href}"></script>`);
  const messages = getIntegrationMessages(customization.internationalization.locale);
  const privacy = tryParseUrl(customization.privacyPolicy.url ?? "");
  const isWeb = privacy?.protocol === "https:" || privacy?.protocol === "http:";
  const notice =
    asking.length > 0 &&
    html`<div class="consent" role="region" aria-label="${messages.cookies}" hidden data-consent="${JSON.stringify(asking)}"><p>${messages.cookies} ${isWeb && html`<a href="${privacy.href}">${messages.privacy}</a>`}</p><div class="row"><button type="button" class="button primary" data-answer="yes">${messages.accept}</button><button type="button" class="button secondary" data-answer="no">${messages.decline}</button></div></div>`;
  const declared = here.map((it) => parseDeclaredSources(it.contentSecurityPolicy ?? ""));
  const of = (name: string) => [...new Set(declared.flatMap((it) => it.get(name) ?? []))];
  return {
    markup: html`${free}${notice}`,
    needsConsent: asking.length > 0,
    policy: {
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
export function parseDeclaredSources(policy: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const directive of policy.slice(0, 10_000).split(";")) {
    const [name = "", ...values] = directive.trim().split(/\s+/);
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), values.filter(isSource).slice(0, MOST_SOURCES));
  }
  return found;
}
