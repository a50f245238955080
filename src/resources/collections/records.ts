// What follows the deletion of a collection: everything in it goes into the trash, a bounded number of things at a time.

import { placeOf } from "../../store/ids";
import { later, step, type Work } from "../../work/jobs";
import { dropGrants } from "../grants/records";
import { trashSpace } from "../spaces/records";
import { type CollectionRecord, nodes } from "../tree/records";

/** Things that one transaction puts into the trash; each is about ten entries of a batch. */
const AT_ONCE = 40;

/** Empties a collection that was deleted, and then forgets it. Its spaces can be restored; they come back at the top. */
export const emptyCollection = step<{ organization: string; collection: string }>(
  "empty-collection",
  async (work: Work, { organization, collection }) => {
    const place = placeOf(organization);
    return work.store.write(place.partition, async (tx) => {
      const deleted = await nodes.get(tx, collection);
      if (!deleted?.deletedAt) return false;
      const children = await nodes.list(tx, "children", { under: [collection], limit: AT_ONCE });
      for (const { record } of children) {
        if (record.type === "space")
          await trashSpace(work, place, tx, record, new Date(deleted.deletedAt), organization);
        else {
          await nodes.put(tx, { ...(record as CollectionRecord), deletedAt: deleted.deletedAt });
          later(work, place, tx, emptyCollection, { organization, collection: record.id });
        }
      }
      if (children.length > 0) return true;
      if (await dropGrants(tx, "ofNode", [collection])) return true;
      await nodes.delete(tx, collection);
      return false;
    });
  },
);
