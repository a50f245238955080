// Installations on the wire.

import type * as v from "valibot";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { type PlaceKind, type PlacementRecord, placements } from "../records";
import { getGrantedScopes } from "./agreed-scopes";
import type { InstallPlace } from "./places";
import { type InstallationContext, installation as target } from "./rules";
import type { Installation, SiteInstallation, SpaceInstallation } from "./schema";

export async function presentInstallation(
  installationContext: InstallationContext,
  tx: Reader,
  urls: Urls,
): Promise<v.InferOutput<typeof Installation>> {
  const { installation } = installationContext;
  const { id, integration, status, externalIds, createdAt, updatedAt, organization, configuration } = installation;
  const scopes = getGrantedScopes(installation, installationContext.integration);
  // A configuration may hold secrets.
  const canReadConfiguration = installationContext.isPublisher || target.rights.configure(installationContext);
  return {
    object: "integration-installation",
    id,
    integration,
    status,
    space_selection: installation.spaceSelection,
    site_selection: installation.siteSelection,
    spaces: await placements.total(tx, "ofInstallation", id, "space"),
    scopes,
    pendingScopes: installationContext.integration.scopes.filter((scope) => !scopes.includes(scope)),
    ...omitUndefined({ configuration: canReadConfiguration ? configuration : undefined }),
    createdAt,
    updatedAt,
    urls: {
      location: urls.api(`/integrations/${integration}/installations/${id}`),
      app: urls.app(`/o/${organization}/integrations/${integration}`),
      publicEndpoint: urls.api(`/integrations/${integration}/public/${id}`),
    },
    externalIds: [...externalIds],
    target: { organization },
  };
}

/** An installation on a space or a site, as it is on the wire. */
export interface PlacementView {
  readonly space: v.InferOutput<typeof SpaceInstallation>;
  readonly site: v.InferOutput<typeof SiteInstallation>;
}

/** Returns a placement on the wire. `extended` includes the space or site if the caller may see it. */
export async function presentPlacement<Kind extends PlaceKind>(
  kind: Kind,
  installationContext: InstallationContext,
  placement: PlacementRecord,
  place: InstallPlace | undefined,
  { urls, extended }: { readonly urls: Urls; readonly extended?: boolean | undefined },
): Promise<PlacementView[Kind]> {
  const { installation, isPublisher, isItself } = installationContext;
  const { integration, id } = installation;
  const canReadConfiguration = isPublisher || isItself || place?.canManage;
  const view = {
    object: `integration-${kind}-installation`,
    integration,
    installation: id,
    status: installation.status === "paused" ? "paused" : placement.status,
    ...omitUndefined({ configuration: canReadConfiguration ? placement.configuration : undefined }),
    externalIds: [...placement.externalIds],
    urls: {
      location: urls.api(`/integrations/${integration}/installations/${id}/${kind}s/${placement.place}`),
      publicEndpoint: urls.api(`/integrations/${integration}/public/${id}/${placement.place}`),
    },
    [kind]: extended && place?.isVisible ? await place.view(urls) : placement.place,
  };
  return view as unknown as PlacementView[Kind];
}
