// Installations made into answers.

import type * as v from "valibot";
import type { Urls } from "../../operation";
import type { Reader } from "../../store/transaction";
import { type InInstallation, installation as target } from "./installation-rules";
import type { Installation, SpaceInstallation } from "./installation-schema";
import type { Place } from "./places";
import { type PlacedRecord, placed } from "./records";

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
    ...(mayRead(it) ? { configuration } : {}),
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

/** A configuration may hold what opens other people's doors. */
function mayRead(it: InInstallation): boolean {
  return it.isPublisher || target.rights.configure(it);
}

/** An installation on a space on the wire; `extended` shows the space where the caller may see it. */
export async function spaceInstallationView(
  it: InInstallation,
  on: PlacedRecord,
  place: Place | undefined,
  { urls, extended }: { readonly urls: Urls; readonly extended: boolean },
): Promise<v.InferOutput<typeof SpaceInstallation>> {
  const { integration, id } = it.installation;
  const at = `/integrations/${integration}/installations/${id}/spaces/${on.place}`;
  const shown = extended && place?.isSeen ? await place.view(urls) : on.place;
  return {
    object: "integration-space-installation",
    integration,
    installation: id,
    status: it.installation.status === "paused" ? "paused" : on.status,
    ...(it.isPublisher || it.isItself || place?.isManaged ? { configuration: on.configuration } : {}),
    externalIds: [...on.externalIds],
    urls: {
      location: urls.api(at),
      publicEndpoint: urls.api(`/integrations/${integration}/public/${id}/${on.place}`),
    },
    space: shown as v.InferOutput<typeof SpaceInstallation>["space"],
  };
}
