// Integrations on the wire.

import type * as v from "valibot";
import type { CallContext } from "../../../operation/operation";
import { getPermissions, type TargetContext } from "../../../operation/target";
import { toBase64url } from "../../../storage/secrets";
import { omitUndefined } from "../../../utils/objects";
import { presentOrganization, presentOrganizationToStranger } from "../../people/organizations/views";
import type { IntegrationAsset, IntegrationRecord } from "../records";
import { type IntegrationContext, integration as target } from "./rules";
import type { Integration } from "./schema";

type ViewContext = Pick<TargetContext, "secrets"> & Pick<CallContext, "urls">;

export function presentIntegration(
  integrationContext: IntegrationContext,
  viewContext: ViewContext,
): v.InferOutput<typeof Integration> {
  const { integration, owner, me, ownedTeams } = integrationContext;
  const { urls } = viewContext;
  const { name, description, summary, previewImages, scopes, contentSecurityPolicy, ...rest } = integration;
  const { version, title, visibility, categories, blocks, contentSources, externalLinks, configurations } = rest;
  const organizationContext = { organization: owner, me, ownedTeams };
  return {
    object: "integration",
    name,
    version,
    title,
    ...omitUndefined({ description: description ?? undefined, summary: summary ?? undefined }),
    previewImages: previewImages.map((asset) => createAssetUrl(integration, asset, viewContext)),
    target: rest.target,
    verified: false,
    visibility,
    scopes: [...scopes],
    categories,
    blocks,
    contentSources,
    externalLinks,
    configurations,
    owner: me
      ? presentOrganization(organizationContext, urls)
      : presentOrganizationToStranger(organizationContext, [], urls),
    urls: {
      location: urls.api(`/integrations/${name}`),
      ...omitUndefined({ icon: rest.icon ? createAssetUrl(integration, rest.icon, viewContext) : undefined }),
      app: urls.app(`/integrations/${name}`),
      assets: urls.api(`/integrations/${name}/assets`),
      publicEndpoint: urls.api(`/integrations/${name}/public/integration`),
      publicContentEndpoint: urls.api(`/integrations/${name}/public/integration`),
    },
    permissions: getPermissions(target, integrationContext, ["admin", "install"]),
    ...omitUndefined({ contentSecurityPolicy: contentSecurityPolicy ?? undefined }),
  };
}

export function createAssetUrl(
  integration: IntegrationRecord,
  asset: IntegrationAsset,
  { urls, secrets }: ViewContext,
): string {
  const signature = toBase64url(secrets.digest("integration-asset", getAssetSignatureInput(integration, asset)));
  return urls.api(`/integrations/${integration.name}/assets/${signature}`);
}

/**
 * Returns the text whose signature names a picture in its URL. The name cannot be guessed. So pictures can be shown where no token
 * is sent, and those of a private integration are known only to people who see it. It is valid as long as the integration has the
 * picture.
 */
export function getAssetSignatureInput({ id }: IntegrationRecord, { object }: IntegrationAsset): string {
  return `${id} ${object}`;
}
