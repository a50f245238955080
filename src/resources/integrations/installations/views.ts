// Installations on the wire.

import type * as v from "valibot";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { type PlacedRecord, type PlaceKind, placed } from "../records";
import { heldScopes, pendingScopes } from "./agreed-scopes";
import type { InstallPlace } from "./places";
import { type InInstallation, installation as target } from "./rules";
import type { Installation, SiteInstallation, SpaceInstallation } from "./schema";

/** An installation on the wire. */
export async function installationView(
  it: InInstallation,
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
    spaces: await placed.total(tx, "ofInstallation", id, "space"),
    scopes: heldScopes(it.installation, it.integration),
    pendingScopes: pendingScopes(it.installation, it.integration),
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
function mayRead(it: InInstallation): boolean {
  return it.isPublisher || target.rights.configure(it);
}

/** An installation on a space or a site on the wire. */
export interface PlacedView {
  readonly space: v.InferOutput<typeof SpaceInstallation>;
  readonly site: v.InferOutput<typeof SiteInstallation>;
}

/**
 * An installation on a space or a site on the wire; `extended` includes the space or site where the caller may see it.
 */
export async function placedView<Kind extends PlaceKind>(
  kind: Kind,
  it: InInstallation,
  on: PlacedRecord,
  place: InstallPlace | undefined,
  { urls, extended }: { readonly urls: Urls; readonly extended?: boolean | undefined },
): Promise<PlacedView[Kind]> {
  const { integration, id } = it.installation;
  const view = {
    object: `integration-${kind}-installation`,
    integration,
    installation: id,
    status: it.installation.status === "paused" ? "paused" : on.status,
    ...omitUndefined({
      configuration: it.isPublisher || it.isItself || place?.isManaged ? on.configuration : undefined,
    }),
    externalIds: [...on.externalIds],
    urls: {
      location: urls.api(`/integrations/${integration}/installations/${id}/${kind}s/${on.place}`),
      publicEndpoint: urls.api(`/integrations/${integration}/public/${id}/${on.place}`),
    },
    [kind]: extended && place?.isSeen ? await place.view(urls) : on.place,
  };
  return view as unknown as PlacedView[Kind];
}
