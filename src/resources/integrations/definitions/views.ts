// Integrations on the wire.

import type * as v from "valibot";
import { getPermissions } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { type Secrets, toBase64url } from "../../../storage/secrets";
import { omitUndefined } from "../../../utils/objects";
import { presentOrganization, presentOrganizationToStranger } from "../../people/organizations/views";
import type { IntegrationAsset, IntegrationRecord } from "../records";
import { type IntegrationContext, type PublisherContext, integration as target } from "./rules";
import type { Integration } from "./schema";

interface Answering {
  readonly urls: Urls;
  readonly secrets: Secrets;
}

/** An integration on the wire. */
export function presentIntegration(
  it: IntegrationContext,
  { urls, secrets }: Answering,
): v.InferOutput<typeof Integration> {
  const { name, description, summary, previewImages, scopes, contentSecurityPolicy, ...rest } = it.integration;
  const { version, title, visibility, categories, blocks, contentSources, externalLinks, configurations } = rest;
  const assetUrl = (asset: IntegrationAsset) => assetUrlOf(it.integration, asset, { urls, secrets });
  return {
    object: "integration",
    name,
    version,
    title,
    ...omitUndefined({
      description: description === null ? undefined : description,
      summary: summary === null ? undefined : summary,
    }),
    previewImages: previewImages.map(assetUrl),
    target: rest.target,
    verified: false,
    visibility,
    scopes: [...scopes],
    categories,
    blocks,
    contentSources,
    externalLinks,
    configurations,
    owner: ownerView(it, urls),
    urls: {
      location: urls.api(`/integrations/${name}`),
      ...presentIconUrl(it.integration, { urls, secrets }),
      app: urls.app(`/integrations/${name}`),
      assets: urls.api(`/integrations/${name}/assets`),
      publicEndpoint: urls.api(`/integrations/${name}/public/integration`),
    },
    permissions: getPermissions(target, it, ["admin", "install"]),
    ...omitUndefined({ contentSecurityPolicy: contentSecurityPolicy === null ? undefined : contentSecurityPolicy }),
  };
}

/** The URL of an integration's icon, where it has one. */
export function presentIconUrl(it: IntegrationRecord, answering: Answering): { icon?: string } {
  return it.icon === null ? {} : { icon: assetUrlOf(it, it.icon, answering) };
}

function assetUrlOf(it: IntegrationRecord, asset: IntegrationAsset, { urls, secrets }: Answering): string {
  const signature = toBase64url(secrets.digest("integration-asset", getAssetSignatureInput(it, asset)));
  return urls.api(`/integrations/${it.name}/assets/${signature}`);
}

function ownerView({ owner, me, ownedTeams }: PublisherContext, urls: Urls) {
  const it = { organization: owner, me, ownedTeams };
  return me ? presentOrganization(it, urls) : presentOrganizationToStranger(it, [], urls);
}

/**
 * The name of a picture in its URL. It cannot be guessed. So pictures can be shown where no token is sent, and those of
 * a private integration are known only to people who were shown it. It is valid as long as the integration has the
 * picture.
 */
export function getAssetSignatureInput({ id }: IntegrationRecord, { object }: IntegrationAsset): string {
  return `${id} ${object}`;
}
