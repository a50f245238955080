// How a space begins and ends: it is created with content; when deleted it can be restored for seven days, and is then
// purged.

import { defineJob, enqueueJob, type JobContext, type JobType } from "../../../jobs/jobs";
import { getPartitionRef, type PartitionRef } from "../../../storage/ids";
import { scheduleSweep } from "../../../storage/objects";
import { dropRanges } from "../../../storage/ranges";
import type { Transaction } from "../../../storage/transaction";
import { installationAccess } from "../../people/members/installation-access";
import { dropGrants } from "../grants/records";
import { nodes, type SpaceRecord, toTrashed } from "../tree/records";
import { findPlace } from "../tree/rules";
import { content, dropFromSites, type Founding, type OfSpace, type PreparedContent } from "./content";

/** Creates a space with its first content, after its siblings. The caller needs the right to create there. */
export async function foundSpace(
  context: Founding,
  first: PreparedContent,
  settings: Pick<SpaceRecord, "title" | "emoji" | "icon" | "language" | "visibility" | "editMode" | "parent">,
): Promise<SpaceRecord> {
  const { tx, now, newId } = context;
  const id = newId("space");
  const place = await findPlace(context, { id, parent: settings.parent });
  const founded: SpaceRecord = {
    type: "space",
    id,
    ...settings,
    revision: await content.implementation.begin(context, id, first),
    defaultLevel: "inherit",
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    deletedAt: null,
    ...place,
  };
  await nodes.put(tx, founded);
  return founded;
}

/** How long a deleted space can be restored. */
const TRASH_MS = 7 * 24 * 60 * 60 * 1000;

/** When a space that was deleted at this time is purged. */
export function purgedAt(deletedAt: string | Date): Date {
  return new Date(new Date(deletedAt).getTime() + TRASH_MS);
}

/** Puts a space into the trash, and schedules the purge. */
export async function trashSpace(
  work: JobContext,
  place: PartitionRef,
  tx: Transaction,
  space: SpaceRecord,
  deletedAt: Date,
  organization: string,
): Promise<void> {
  await nodes.put(tx, toTrashed(space, deletedAt.toISOString()));
  followLater(work, place, tx, space.id);
  enqueueJob(work, place, tx, purgeSpace, { organization, space: space.id }, purgedAt(deletedAt));
}

/** Updates the search after a step changed a space. */
export function followLater(work: JobContext, place: PartitionRef, tx: Transaction, space: string): void {
  const enqueue = (step: JobType<OfSpace>, payload: OfSpace) => void enqueueJob(work, place, tx, step, payload);
  content.implementation.follow(work.ports, enqueue, { partition: place.partition, space });
}

/**
 * Removes some of what belongs to a space that has left: its synchronization, translations, installations and content.
 * True: there is more.
 */
export async function dropInside(work: JobContext, at: PartitionRef, tx: Transaction, space: string): Promise<boolean> {
  if (await content.implementation.drop(tx, space)) return true;
  if (await installationAccess.implementation.uninstallFrom(work, at, tx, "space", space)) return true;
  return dropRanges(tx, content.implementation.ranges(space));
}

/** Purges a space whose seven days are over. A space that was restored, or deleted again since, is left alone. */
export const purgeSpace = defineJob<{ organization: string; space: string }>(
  "purge-space",
  async (work, { organization, space }) => {
    const at = getPartitionRef(organization);
    return work.store.write(at.partition, async (tx) => {
      const found = await nodes.get(tx, space);
      if (!found?.deletedAt || purgedAt(found.deletedAt) > work.store.now()) return false;
      if (await dropFromSites.implementation(tx, space)) return true;
      if (await dropGrants(tx, "ofNode", [space])) return true;
      if (await dropInside(work, at, tx, space)) return true;
      await content.implementation.dropRest(work, tx, space);
      await nodes.delete(tx, space);
      scheduleSweep(tx);
      return false;
    });
  },
);
