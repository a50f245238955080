// The job that empties a deleted collection: everything in it goes into the trash, as many nodes at once as a
// transaction has room for.

import { defineJob, enqueueJob, type JobContext, type JobType } from "../../../jobs/jobs";
import { getPartitionRef } from "../../../storage/ids";
import { grants } from "../grants/records";
import { enqueueSearchUpdate, getPurgeTime, purgeSpace } from "../spaces/records";
import {
  type CollectionRecord,
  findFreePosition,
  type NodePath,
  type NodeRecord,
  nodes,
  readNodePath,
  toTrashed,
} from "../tree/records";
import { getEffectiveLevel, keepManaging } from "../tree/rules";

/** The payload of the job: a deleted collection, and the user who deleted it. */
type EmptyCollectionPayload = { readonly organization: string; readonly collection: string; readonly by?: string };

/**
 * Empties a deleted collection, and then removes its record.
 *
 * All of its spaces, also those that were already in the trash, move to the top of the organization, where they can be
 * restored. Each keeps the default level that it had in the collection, so a closed space stays closed. The grants on
 * the collection are deleted; only the user who deleted it keeps the rights needed to restore the spaces. A node that
 * was sent to another organization before is not deleted: it still goes there.
 */
export const emptyCollection: JobType<EmptyCollectionPayload> = defineJob<EmptyCollectionPayload>(
  "empty-collection",
  async (work: JobContext, emptying) => {
    const { organization, collection, by } = emptying;
    const place = getPartitionRef(organization);
    return work.store.write(place.partition, async (tx) => {
      const deleted = await nodes.get(tx, collection);
      if (!deleted?.deletedAt) return false;
      const { deletedAt } = deleted;
      const above = (await readNodePath(tx, deleted)) as unknown as CollectionRecord[];
      const hasMore = await nodes.each(tx, "places", [collection], async (record) => {
        const before: NodePath = [record, ...above];
        const position = (await findFreePosition(tx, record.id, null))!;
        const freed: NodeRecord = { ...record, parent: null, position, defaultLevel: getEffectiveLevel(before) };
        if (by !== undefined) await keepManaging(tx, by, { before, after: [freed], at: deletedAt });
        if (record.deletedAt !== null || record.leaving) await nodes.put(tx, freed);
        else {
          await nodes.put(tx, toTrashed(freed, deletedAt));
          if (freed.type === "space") {
            enqueueSearchUpdate(work, place, tx, freed.id);
            enqueueJob(work, place, tx, purgeSpace, { organization, space: freed.id }, getPurgeTime(deletedAt));
          } else enqueueJob(work, place, tx, emptyCollection, { ...emptying, collection: freed.id });
        }
      });
      if (hasMore) return true;
      if (await grants.drain(tx, "ofNode", [collection])) return true;
      await nodes.delete(tx, collection);
      return false;
    });
  },
);
