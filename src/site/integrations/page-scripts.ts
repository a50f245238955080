// Scripts that integrations add to the pages of a site. They can do everything that the page can, so they run only where the
// organization has an origin of its own. Scripts that use cookies run only after the reader has agreed.

import { html, type Markup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import type { RequestContext } from "../request/request-context";
import type { ContentPolicyOptions } from "../responses/responses";
import { integrationMessages } from "./messages";

export interface PageScripts {
  readonly markup: Markup;
  /** True if the page shows the notice about cookies, and needs its script. */
  readonly needsConsent: boolean;
  readonly policy: Required<Pick<ContentPolicyOptions, "scripts" | "connects" | "styleSources">>;
}

const NO_SCRIPTS: PageScripts = {
  markup: html``,
  needsConsent: false,
  policy: { scripts: [], connects: [], styleSources: [] },
};

/** The most sources of a directive. */
const MAX_SOURCES = 30;
const MAX_SOURCE_LENGTH = 300;
const MAX_POLICY_LENGTH = 10_000;
/** A host by its name, with or without a path. Keywords of a policy and sources that match every host are not accepted. */
const SOURCE =
  /^(?:https?|wss):\/\/(?:\*\.[a-z0-9-]+\.|)[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?(?:\/[A-Za-z0-9._~!$&()*+=:@%/-]*)?$/;

/** Returns the scripts for the page that is visited. */
export function getPageScripts(context: RequestContext): PageScripts {
  const { profile, resolved, site, url, customization } = context;
  if (!site.canRunScripts(url)) return NO_SCRIPTS;
  const scripts = profile.scripts.flatMap((script) => {
    const isHere = script.space === undefined || script.space === resolved.space;
    const scriptUrl = isHere ? tryParseUrl(script.script) : undefined;
    if (scriptUrl?.protocol !== "https:" && scriptUrl?.protocol !== "http:") return [];
    return [{ ...script, url: scriptUrl }];
  });
  if (scripts.length === 0) return NO_SCRIPTS;

  const cookieScripts = scripts.filter(({ cookies }) => cookies).map((script) => script.url.href);
  const otherScripts = scripts
    .filter(({ cookies }) => !cookies)
    .map((script) => html`<script async src="${script.url.href}"></script>`);
  const messages = integrationMessages[customization.internationalization.locale];
  const privacy = tryParseUrl(customization.privacyPolicy.url ?? "");
  const privacyLink =
    (privacy?.protocol === "https:" || privacy?.protocol === "http:") &&
    html`<a href="${privacy.href}">${messages.privacy}</a>`;
  const buttons = [
    html`<button type="button" class="button primary" data-answer="yes">${messages.accept}</button>`,
    html`<button type="button" class="button secondary" data-answer="no">${messages.decline}</button>`,
  ];
  const consent = html`<p>${messages.cookies} ${privacyLink}</p><div class="row">${buttons}</div>`;
  const consentData = html`data-consent="${JSON.stringify(cookieScripts)}"`;
  const notice =
    cookieScripts.length > 0 &&
    html`<div class="consent" role="region" aria-label="${messages.cookies}" hidden ${consentData}>${consent}</div>`;

  const policies = scripts.map((script) => parseDeclaredSources(script.contentSecurityPolicy ?? ""));
  const collectSources = (directive: string) => [...new Set(policies.flatMap((policy) => policy.get(directive) ?? []))];
  // A source in a policy has no query.
  const scriptSources = scripts.map((script) => `${script.url.origin}${script.url.pathname}`).filter(isSource);
  return {
    markup: html`${otherScripts}${notice}`,
    needsConsent: cookieScripts.length > 0,
    policy: {
      scripts: [...scriptSources, ...collectSources("script-src")],
      connects: collectSources("connect-src"),
      styleSources: collectSources("style-src"),
    },
  };
}

function isSource(text: string): boolean {
  return text.length <= MAX_SOURCE_LENGTH && SOURCE.test(text);
}

/** Returns the sources that the policy of an integration declares, by directive. */
export function parseDeclaredSources(policy: string): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, readonly string[]>();
  for (const directive of policy.slice(0, MAX_POLICY_LENGTH).split(";")) {
    const [name = "", ...values] = directive.trim().split(/\s+/);
    if (!sources.has(name.toLowerCase()))
      sources.set(name.toLowerCase(), values.filter(isSource).slice(0, MAX_SOURCES));
  }
  return sources;
}
