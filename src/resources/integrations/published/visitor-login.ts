// Begins the login of a visitor: the integration that signs in the visitors of a site redirects them or shows a page.

import { BinaryResponse } from "../../../operation/binary-response";
import { omitUndefined } from "../../../utils/objects";
import { tryParseUrl } from "../../../utils/url";
import type { IntegrationResponse, InvocationContext } from "../calls/invocation";
import { filterResponseHeaders, getIntegrationResponse } from "../calls/public-response";
import type { ActiveInstallation } from "./active-installations";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Asks an integration to sign in a visitor who wanted to go to `location`, a path of the site. */
export async function beginLogin(
  work: InvocationContext,
  { installation, integration }: ActiveInstallation,
  siteId: string,
  location: string | undefined,
): Promise<BinaryResponse> {
  const event = { type: "fetch_visitor_authentication", siteId, ...omitUndefined({ location }) };
  const within = { installation, siteId };
  const { status, headers, body } = await getIntegrationResponse(work, {
    integration,
    event,
    origin: within,
    findFault: noLogin,
  });
  // A login is for one visitor, so it is never cached, whatever the script says.
  const passed: Record<string, string> = { ...filterResponseHeaders(headers), "cache-control": "no-store" };
  const { location: _, ...page } = passed;
  return status === 200 ? new BinaryResponse(body, page) : new BinaryResponse(body, passed, status);
}

function noLogin({ status, headers }: IntegrationResponse): string | undefined {
  if (status === 200) return undefined;
  if (!REDIRECTS.has(status)) return `A login does not begin with the status ${status}.`;
  return isAddress(filterResponseHeaders(headers).location ?? "")
    ? undefined
    : "A login leads to an address of http or https.";
}

/** A relative path would lead into this API, which has no login page. */
function isAddress(location: string): boolean {
  return /^https?:\/\//i.test(location) && tryParseUrl(location) !== undefined;
}
