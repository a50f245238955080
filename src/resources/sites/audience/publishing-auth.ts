// The operations on the sign-in of a site's visitors: the integration, the login URL and the signing key. Whoever has the key can admit
// anybody, so it is shown only to those who may show every space on the site.

import type * as v from "valibot";
import { createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { hasScope } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Secrets } from "../../../storage/secrets";
import { omitUndefined } from "../../../utils/objects";
import { type SiteMemberContext, site } from "../rules";
import { type CallerContext, canShowAllSpaces, checkMayShowSite } from "./right-to-show";
import { generateSigningKey } from "./signing-key";
import { loadPublishingAuth, type PublishingAuthRecord, publishingAuths } from "./visitor-records";
import { PublishingAuth, PublishingAuthChanges, RegeneratedAuth } from "./visitor-schema";
import { decryptSigningKey, findSiteSigner } from "./visitor-tokens";

export const getPublishingAuth = defineOperation("GET /orgs/:organizationId/sites/:siteId/publishing/auth", {
  summary: "Get visitor authentication settings",
  target: site,
  right: "edit",
  returns: PublishingAuth,
  cache: false,
  handle: async (context) => presentPublishingAuth(context, await loadPublishingAuth(context.tx, context.site)),
});

export const updatePublishingAuth = defineOperation("PATCH /orgs/:organizationId/sites/:siteId/publishing/auth", {
  summary: "Update visitor authentication settings",
  target: site,
  right: "edit",
  body: PublishingAuthChanges,
  returns: PublishingAuth,
  async handle(context) {
    const { tx, site, body } = context;
    const before = await loadPublishingAuth(tx, site);
    const backend = body.backend ?? before.backend;
    const integration = body.integration === undefined ? before.integration : body.integration;
    if (backend === "custom" && typeof body.integration === "string")
      throw createValidationError("body.integration", "Only allowed with the backend `integration`");
    if (backend === "integration" && integration === null)
      throw createValidationError("body.integration", "Required for the backend `integration`");
    const changed: PublishingAuthRecord = {
      ...before,
      backend,
      integration: backend === "integration" ? integration : null,
      fallbackURL: body.fallbackURL === undefined ? before.fallbackURL : body.fallbackURL,
    };
    // The current integration may have been removed. The other settings can still be changed then.
    const isChosen = body.backend !== undefined || typeof body.integration === "string";
    if (isChosen && backend === "integration" && !(await findSiteSigner(context, changed)))
      throw createValidationError(
        "body.integration",
        "The site has no integration of this name that may sign visitors in",
      );
    // Another integration decides who is admitted.
    if (changed.integration !== null && changed.integration !== before.integration)
      await checkMayShowSite(context, site);
    await publishingAuths.put(tx, changed);
    return presentPublishingAuth(context, changed);
  },
});

export const regeneratePublishingAuth = defineOperation(
  "POST /orgs/:organizationId/sites/:siteId/publishing/auth/regenerate",
  {
    summary: "Regenerate the visitor signing key",
    target: site,
    right: "edit",
    returns: RegeneratedAuth,
    async handle(context) {
      const { tx, site } = context;
      // The key can admit anybody, with any claims.
      await checkMayShowSite(context, site);
      const { privateKey, stored } = await generateSigningKey(context, site);
      const changed: PublishingAuthRecord = { ...(await loadPublishingAuth(tx, site)), ...stored };
      await publishingAuths.put(tx, changed);
      return { ...presentAuthSettings(context, changed), privateKey };
    },
  },
);

/** Returns the settings, with the key for those who may see it. */
async function presentPublishingAuth(
  context: CallerContext &
    SiteMemberContext &
    Pick<TargetContext, "actor"> & { readonly urls: Urls; readonly secrets: Secrets },
  auth: PublishingAuthRecord,
): Promise<v.InferInput<typeof PublishingAuth>> {
  const settings = presentAuthSettings(context, auth);
  const { scopes } = context.actor;
  const canChange = scopes === null || hasScope(scopes, "sites:write");
  // The right is also needed while the site isn't published, because an editor can unpublish it.
  if (auth.sealedKey === null || !canChange || !(await canShowAllSpaces(context, context.site))) return settings;
  const [privateKey] = await decryptSigningKey(context, context.site, auth.sealedKey);
  return privateKey === undefined ? settings : { ...settings, privateKey };
}

function presentAuthSettings(
  { organization, site, urls }: SiteMemberContext & { readonly urls: Urls },
  { backend, integration, fallbackURL, sealedKey, keyCreatedAt }: PublishingAuthRecord,
): v.InferInput<typeof PublishingAuth> {
  const path = `/orgs/${organization.id}/sites/${site.id}`;
  return {
    object: "publishing-auth",
    backend,
    ...omitUndefined({
      integration: integration === null ? undefined : integration,
      fallbackURL: fallbackURL === null ? undefined : fallbackURL,
    }),
    hasPrivateKey: sealedKey !== null,
    ...omitUndefined({ privateKeyCreatedAt: keyCreatedAt === null ? undefined : keyCreatedAt }),
    urls: { location: urls.api(`${path}/publishing/auth`), login: urls.api(`${path}/login`) },
  };
}
