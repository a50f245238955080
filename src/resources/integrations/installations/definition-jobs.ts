// What happens after an integration was installed or unpublished. Unpublishing removes all its installations.

import { defineJob, enqueueJob } from "../../../jobs/jobs";
import { DIRECTORY, getOrganizationPartition, getPartitionRef } from "../../../storage/ids";
import { appNames } from "../../people/users/records";
import {
  deleteEventRecords,
  emptyInstallation,
  getInstallationKey,
  type InstallationKey,
  installationListings,
  installations,
  integrations,
  updateInstallationListing,
} from "../records";

/** Stores the title of an integration as the display name of an installation. */
export const updateAppName = defineJob<InstallationKey>(
  "name-app",
  async ({ store }, { id, organization, owner, definition }) => {
    const found = await installations.get(await store.read(getOrganizationPartition(organization)), id);
    const integration =
      found && (await integrations.get(await store.read(getOrganizationPartition(owner)), found.integration));
    if (integration?.id !== definition) return;
    await store.write(DIRECTORY, async (tx) => {
      const known = await appNames.get(tx, id);
      if (known?.displayName !== integration.title) await appNames.put(tx, { id, displayName: integration.title });
    });
  },
);

/** Installations that one piece of work removes, each in its own commits. */
const A_PIECE = 20;

/** Removes the installations of an unpublished integration. */
export const deleteInstallations = defineJob<{ owner: string; definition: string }>(
  "drop-installations",
  async (work, { owner, definition }) => {
    const { store } = work;
    const view = await store.read(getOrganizationPartition(owner));
    const rows = await installationListings.list(view, "ofIntegration", { under: [definition], limit: A_PIECE });
    for (const { record } of rows) {
      const { installation: id, organization } = record;
      const name = { id, definition, owner, organization };
      const place = getPartitionRef(organization);
      await store.write(place.partition, async (tx) => {
        const found = await installations.get(tx, id);
        if (found) await installations.delete(tx, id);
        enqueueJob(work, place, tx, emptyInstallation, name);
      });
      await updateInstallationListing.run(work, getInstallationKey(name));
    }
    if (rows.length === A_PIECE) return true;
    return store.write(getOrganizationPartition(owner), (tx) => deleteEventRecords(tx, definition));
  },
);
