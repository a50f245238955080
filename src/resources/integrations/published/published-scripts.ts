// The scripts of integrations on published sites. The profile of a site lists their URLs without calling anybody; a
// request to such a URL calls the integration. A URL is signed over everything that it depends on. So only readers of
// the profile have it, and it ends when the installation, the integration or the site is changed, paused or deleted.

import * as v from "valibot";
import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { Id } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import type { Target } from "../../../operation/target";
import type { Reader } from "../../../storage/transaction";
import { loadLazily } from "../../../utils/lazy";
import { siteItems, sites } from "../../sites/records";
import { getResponseHeader, type IntegrationResponse } from "../calls/invocation";
import { getIntegrationResponse } from "../calls/public-response";
import { canReachPlace } from "../delivery/event-access";
import { installation } from "../installations/rules";
import { type InstallationRecord, type IntegrationRecord, installations } from "../records";
import { formatContentSecurityPolicy, loadActiveInstallation } from "./active-installations";
import type { ScriptPlace } from "./site-scripts";

export const loadScripts = loadLazily(() => import("./site-scripts"));

/** A script that a site includes now, by its signed URL. */
const publishedScript: Target<{ readonly place: ScriptPlace }, "view"> = {
  findPartition: installation.findPartition,
  async load(scope) {
    const { tx, params, query, secrets } = scope;
    const site = await sites.get(tx, params.siteId!);
    const found = await installations.get(tx, params.installationId!);
    if (!site?.published || !found || found.integration !== params.integrationName) return undefined;
    const space = query.space as string | undefined;
    const isShown = space === undefined || (await isOnSite(tx, found, site.id, space));
    if (found.status !== "active" || !isShown) return undefined;
    const it = await loadActiveInstallation(scope, found);
    const { getScriptSignatureInput: namedBy, findScriptPlaces: placesOf } = await loadScripts();
    const places = it ? await placesOf(tx, it, site.id, space === undefined ? [] : [space]) : [];
    const place = places.find((one) => secrets.isDigest("published-script", namedBy(one), params.signature!));
    return place && { place };
  },
  notFoundReason: "file_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

/** Whether a space of an installation is on a site. */
async function isOnSite(tx: Reader, it: InstallationRecord, site: string, space: string): Promise<boolean> {
  return (await siteItems.find(tx, "space", site, space)) !== undefined && canReachPlace(tx, it, { spaceId: space });
}

export const fetchPublishedScript = defineOperation(
  "GET /integrations/:integrationName/scripts/:installationId/:siteId/:signature",
  {
    summary: "Fetch a script that an integration brings to a published site, with a URL of the published profile",
    description: "The URL cannot be guessed, and ends when the installation or the site changes; no token is needed.",
    target: publishedScript,
    allowsUnknownQuery: true,
    right: "view",
    query: { space: v.optional(v.pipe(Id, v.description("The space of the site that the script is for."))) },
    returns: BinarySchema,
    mediaTypes: ["text/javascript"],
    callsIntegration: true,
    async handle({ place, jobContext }) {
      const { installation, integration, site, space } = place;
      const about = space === undefined ? { siteId: site } : { spaceId: space };
      const event = { type: "fetch_published_script", ...about };
      const within = { installation, ...about };
      return scriptSent(
        await getIntegrationResponse(jobContext, { integration, event, origin: within, findFault: noScript }),
        integration,
      );
    },
  },
);

const JAVASCRIPT = /^(?:text|application)\/(?:x-)?(?:java|ecma)script\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

function noScript(answer: IntegrationResponse): string | undefined {
  if (answer.status !== 200) return `A script comes with the status 200, and not ${answer.status}.`;
  if (JAVASCRIPT.test(getResponseHeader(answer, "content-type") ?? "")) return undefined;
  return "A script has the type text/javascript, in UTF-8.";
}

function scriptSent(answer: IntegrationResponse, integration: IntegrationRecord): BinaryResponse {
  const policy = formatContentSecurityPolicy(integration);
  return new BinaryResponse(answer.body, {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": publicly(getResponseHeader(answer, "cache-control") ?? ""),
    // Policies are combined: the policy of an integration cannot allow what ours forbids.
    "content-security-policy": policy === undefined ? "sandbox" : `sandbox, ${policy}`,
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
}

/** How long a script is cached by default and at most, in seconds. It may outlive its installation for as long. */
const DEFAULT_AGE = 60;
const MAX_AGE = 3600;

/** How long a script may be cached, by its own headers. */
function publicly(caching: string): string {
  const said = caching.split(",").map((it) => it.trim().toLowerCase());
  if (said.includes("no-store")) return "no-store";
  if (said.includes("no-cache")) return "no-cache";
  const age = said.map((it) => /^max-age=(\d{1,9})$/.exec(it)?.[1]).find((it) => it !== undefined);
  return `${said.includes("private") ? "private" : "public"}, max-age=${Math.min(Number(age ?? DEFAULT_AGE), MAX_AGE)}`;
}
