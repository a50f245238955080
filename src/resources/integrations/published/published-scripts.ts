// Serves the scripts of integrations on published sites. A site's profile lists their URLs without calling the integrations, and a
// request to such a URL calls the integration. The signature of a URL covers everything it depends on, so only readers of the
// profile have it, and it becomes invalid when the installation, the integration or the site is changed, paused or deleted.

import * as v from "valibot";
import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { Id } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import type { Target } from "../../../operation/target";
import { loadLazily } from "../../../utils/lazy";
import { siteItems, sites } from "../../sites/records";
import { getResponseHeader } from "../calls/invocation";
import { getIntegrationResponse } from "../calls/public-response";
import { canReachPlace } from "../delivery/event-access";
import { installation } from "../installations/rules";
import { installations } from "../records";
import { formatContentSecurityPolicy, loadActiveInstallation } from "./active-installations";
import type { ScriptPlace } from "./site-scripts";

export const loadScripts = loadLazily(() => import("./site-scripts"));

/** A script that a site includes now, by its signed URL. */
const publishedScript: Target<{ readonly place: ScriptPlace }, "view"> = {
  findPartition: installation.findPartition,
  async load(scope) {
    const { tx, params, query, secrets } = scope;
    const site = await sites.get(tx, params.siteId!);
    const record = await installations.get(tx, params.installationId!);
    if (!site?.published || !record || record.integration !== params.integrationName) return undefined;
    const spaceId = query.space as string | undefined;
    if (spaceId !== undefined) {
      const isOnSite = (await siteItems.find(tx, "space", site.id, spaceId)) !== undefined;
      if (!isOnSite || !(await canReachPlace(tx, record, { spaceId }))) return undefined;
    }
    if (record.status !== "active") return undefined;
    const active = await loadActiveInstallation(scope, record);
    if (!active) return undefined;
    const { getScriptSignatureInput, findScriptPlaces } = await loadScripts();
    const places = await findScriptPlaces(tx, active, site.id, spaceId === undefined ? [] : [spaceId]);
    const place = places.find((it) =>
      secrets.isDigest("published-script", getScriptSignatureInput(it), params.signature!),
    );
    return place && { place };
  },
  notFoundReason: "file_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

export const fetchPublishedScript = defineOperation(
  "GET /integrations/:integrationName/scripts/:installationId/:siteId/:signature",
  {
    summary: "Download a script of a published site",
    target: publishedScript,
    allowsUnknownQuery: true,
    right: "view",
    query: {
      space: v.optional(
        v.pipe(Id, v.description("The ID of the space of the site for which the script is requested.")),
      ),
    },
    returns: BinarySchema,
    mediaTypes: ["text/javascript"],
    callsIntegration: true,
    async handle({ place, jobContext }) {
      const { installation, integration, site, space } = place;
      const about = space === undefined ? { siteId: site } : { spaceId: space };
      const event = { type: "fetch_published_script", ...about };
      const origin = { installation, ...about };
      const response = await getIntegrationResponse(jobContext, {
        integration,
        event,
        origin,
        findFault: (script) => {
          if (script.status !== 200) return `Expected the script with the status 200 instead of ${script.status}.`;
          if (JAVASCRIPT.test(getResponseHeader(script, "content-type") ?? "")) return undefined;
          return "The content type of a script must be text/javascript, in UTF-8.";
        },
      });

      // The headers of the integration may shorten the time for which the script is cached.
      const directives = (getResponseHeader(response, "cache-control") ?? "")
        .split(",")
        .map((directive) => directive.trim().toLowerCase());
      const maxAge = directives.map((it) => /^max-age=(\d{1,9})$/.exec(it)?.[1]).find((it) => it !== undefined);
      const age = Math.min(Number(maxAge ?? DEFAULT_AGE), MAX_AGE);
      let cacheControl = `${directives.includes("private") ? "private" : "public"}, max-age=${age}`;
      if (directives.includes("no-cache")) cacheControl = "no-cache";
      if (directives.includes("no-store")) cacheControl = "no-store";
      const policy = formatContentSecurityPolicy(integration);
      return new BinaryResponse(response.body, {
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": cacheControl,
        // Policies are combined: the policy of an integration cannot allow what ours forbids.
        "content-security-policy": policy === undefined ? "sandbox" : `sandbox, ${policy}`,
        "cross-origin-resource-policy": "cross-origin",
        "x-content-type-options": "nosniff",
      });
    },
  },
);

/** The time for which a script is cached by default, and at most, in seconds. A script may outlive its installation for as long. */
const DEFAULT_AGE = 60;
const MAX_AGE = 3600;

const JAVASCRIPT = /^(?:text|application)\/(?:x-)?(?:java|ecma)script\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
