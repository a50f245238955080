// Installations on the wire.

import type * as v from "valibot";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { type PlaceKind, type PlacementRecord, placements } from "../records";
import { getGrantedScopes, getPendingScopes } from "./agreed-scopes";
import type { InstallPlace } from "./places";
import { type InstallationContext, installation as target } from "./rules";
import type { Installation, SiteInstallation, SpaceInstallation } from "./schema";

/** An installation on the wire. */
export async function presentInstallation(
  it: InstallationContext,
  tx: Reader,
  urls: Urls,
): Promise<v.InferOutput<typeof Installation>> {
  const { id, integration, status, externalIds, createdAt, updatedAt, organization, configuration } = it.installation;
  return {
    object: "integration-installation",
    id,
    integration,
    status,
    space_selection: it.installation.spaceSelection,
    site_selection: it.installation.siteSelection,
    spaces: await placements.total(tx, "ofInstallation", id, "space"),
    scopes: getGrantedScopes(it.installation, it.integration),
    pendingScopes: getPendingScopes(it.installation, it.integration),
    ...omitUndefined({ configuration: mayRead(it) ? configuration : undefined }),
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

/** A configuration may hold secrets. */
function mayRead(it: InstallationContext): boolean {
  return it.isPublisher || target.rights.configure(it);
}

/** An installation on a space or a site on the wire. */
export interface PlacementView {
  readonly space: v.InferOutput<typeof SpaceInstallation>;
  readonly site: v.InferOutput<typeof SiteInstallation>;
}

/**
 * An installation on a space or a site on the wire; `extended` includes the space or site where the caller may see it.
 */
export async function presentPlacement<Kind extends PlaceKind>(
  kind: Kind,
  it: InstallationContext,
  on: PlacementRecord,
  place: InstallPlace | undefined,
  { urls, extended }: { readonly urls: Urls; readonly extended?: boolean | undefined },
): Promise<PlacementView[Kind]> {
  const { integration, id } = it.installation;
  const view = {
    object: `integration-${kind}-installation`,
    integration,
    installation: id,
    status: it.installation.status === "paused" ? "paused" : on.status,
    ...omitUndefined({
      configuration: it.isPublisher || it.isItself || place?.canManage ? on.configuration : undefined,
    }),
    externalIds: [...on.externalIds],
    urls: {
      location: urls.api(`/integrations/${integration}/installations/${id}/${kind}s/${on.place}`),
      publicEndpoint: urls.api(`/integrations/${integration}/public/${id}/${on.place}`),
    },
    [kind]: extended && place?.isVisible ? await place.view(urls) : on.place,
  };
  return view as unknown as PlacementView[Kind];
}
