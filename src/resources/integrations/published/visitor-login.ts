// Begins the login of a visitor: the integration that signs in the visitors of a site redirects them or shows a page.

import { BinaryResponse } from "../../../operation/binary-response";
import { omitUndefined } from "../../../utils/objects";
import { tryParseUrl } from "../../../utils/url";
import type { IntegrationResponse, InvocationContext } from "../calls/invocation";
import { filterResponseHeaders, getIntegrationResponse } from "../calls/public-response";
import type { ActiveInstallation } from "./active-installations";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Has an integration sign in a visitor who requested `location`, a path of the site. */
export async function beginLogin(
  context: InvocationContext,
  { installation, integration }: ActiveInstallation,
  siteId: string,
  location: string | undefined,
): Promise<BinaryResponse> {
  const event = { type: "fetch_visitor_authentication", siteId, ...omitUndefined({ location }) };
  const origin = { installation, siteId };
  const findFault = ({ status, headers }: IntegrationResponse) => {
    if (status === 200) return undefined;
    if (!REDIRECTS.has(status)) return `Expected a redirect to the sign-in page instead of the status ${status}.`;
    const { location = "" } = filterResponseHeaders(headers);
    // A relative path would lead into this API, which has no login page.
    const isWebUrl = /^https?:\/\//i.test(location) && tryParseUrl(location) !== undefined;
    return isWebUrl ? undefined : "The sign-in page must have an http or https URL.";
  };
  const response = await getIntegrationResponse(context, { integration, event, origin, findFault });
  const { status, headers, body } = response;
  // A login is for one visitor, so it is never cached, whatever the script says.
  const forwarded: Record<string, string> = { ...filterResponseHeaders(headers), "cache-control": "no-store" };
  const { location: _, ...pageHeaders } = forwarded;
  return status === 200 ? new BinaryResponse(body, pageHeaders) : new BinaryResponse(body, forwarded, status);
}
