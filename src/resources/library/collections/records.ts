// What happens after a collection was deleted: everything in it goes into the trash, as many things at a time as there
// is room for.

import { defineJob, enqueueJob, type JobContext, type JobType } from "../../../jobs/jobs";
import { getPartitionRef } from "../../../storage/ids";
import { dropGrants } from "../grants/records";
import { trashSpace } from "../spaces/records";
import {
  type CollectionRecord,
  type NodeRecord,
  nodes,
  type Path,
  pathOf,
  positionIn,
  toTrashed,
} from "../tree/records";
import { keepManaging, levelOf } from "../tree/rules";

/** A deleted collection, and who deleted it. */
type Emptying = { readonly organization: string; readonly collection: string; readonly by?: string };

/**
 * Empties a deleted collection, and then removes its record. Its spaces are moved to the top of the organization, also
 * those that were in the trash before, so that they can be restored there. Each keeps the default level that it had in
 * its collection, so what was closed stays closed. The grants on the collection are deleted. Only the user who deleted
 * it keeps the rights needed to restore what was in it. A thing that was sent to another organization before is not
 * deleted: it still goes there.
 */
export const emptyCollection: JobType<Emptying> = defineJob<Emptying>(
  "empty-collection",
  async (work: JobContext, emptying) => {
    const { organization, collection, by } = emptying;
    const place = getPartitionRef(organization);
    return work.store.write(place.partition, async (tx) => {
      const deleted = await nodes.get(tx, collection);
      if (!deleted?.deletedAt) return false;
      const { deletedAt } = deleted;
      const above = (await pathOf(tx, deleted)) as unknown as CollectionRecord[];
      const hasMore = await nodes.each(tx, "places", [collection], async (record) => {
        const before: Path = [record, ...above];
        const position = (await positionIn(tx, record.id, null))!;
        const freed: NodeRecord = { ...record, parent: null, position, defaultLevel: levelOf(before) };
        if (by !== undefined) await keepManaging(tx, by, { before, after: [freed], at: deletedAt });
        if (record.deletedAt !== null || record.leaving) await nodes.put(tx, freed);
        else if (freed.type === "space") await trashSpace(work, place, tx, freed, new Date(deletedAt), organization);
        else {
          await nodes.put(tx, toTrashed(freed, deletedAt));
          enqueueJob(work, place, tx, emptyCollection, { ...emptying, collection: freed.id });
        }
      });
      if (hasMore) return true;
      if (await dropGrants(tx, "ofNode", [collection])) return true;
      await nodes.delete(tx, collection);
      return false;
    });
  },
);
