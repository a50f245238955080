// Jobs that follow the definition of an integration: its title becomes the name of its installations, and unpublishing removes them.

import { defineJob, enqueueJob } from "../../../jobs/jobs";
import { DIRECTORY, getOrganizationPartition, getPartitionRef } from "../../../storage/ids";
import { appNames } from "../../people/users/records";
import {
  developments,
  emptyInstallation,
  eventRecords,
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
    const installation = await installations.get(await store.read(getOrganizationPartition(organization)), id);
    const integration =
      installation &&
      (await integrations.get(await store.read(getOrganizationPartition(owner)), installation.integration));
    if (integration?.id !== definition) return;
    await store.write(DIRECTORY, async (tx) => {
      const stored = await appNames.get(tx, id);
      if (stored?.displayName !== integration.title) await appNames.put(tx, { id, displayName: integration.title });
    });
  },
);

/** The installations that one run of the job removes, each in its own commits. */
const BATCH_SIZE = 20;

/** Removes the installations of an unpublished integration. */
export const deleteInstallations = defineJob<{ owner: string; definition: string }>(
  "drop-installations",
  async (jobContext, { owner, definition }) => {
    const { store } = jobContext;
    const view = await store.read(getOrganizationPartition(owner));
    const rows = await installationListings.list(view, "ofIntegration", { under: [definition], limit: BATCH_SIZE });
    for (const { record } of rows) {
      const { installation: id, organization } = record;
      const key = { id, definition, owner, organization };
      const place = getPartitionRef(organization);
      await store.write(place.partition, async (tx) => {
        if (await installations.get(tx, id)) await installations.delete(tx, id);
        enqueueJob(jobContext, place, tx, emptyInstallation, key);
      });
      await updateInstallationListing.run(jobContext, key);
    }
    if (rows.length === BATCH_SIZE) return true;
    return store.write(getOrganizationPartition(owner), async (tx) => {
      await developments.delete(tx, definition);
      return eventRecords.drain(tx, "ofIntegration", [definition]);
    });
  },
);
