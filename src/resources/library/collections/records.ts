// What follows the deletion of a collection: everything in it goes into the trash, as many things at a time as there is room
// for.

import { placeOf } from "../../../store/ids";
import { later, type Step, step, type Work } from "../../../work/jobs";
import { dropGrants } from "../grants/records";
import { trashSpace } from "../spaces/records";
import { type CollectionRecord, type NodeRecord, nodes, type Path, pathOf, positionIn } from "../tree/records";
import { keepManaging, levelOf } from "../tree/rules";

/** A deleted collection, and who deleted it. */
type Emptying = { readonly organization: string; readonly collection: string; readonly by?: string };

/**
 * Empties a collection that was deleted, and then forgets it. Its spaces can be restored, at the top of the organization:
 * they are put there at once, with those that were in the trash before, each with the default level that it had in its
 * collection, so that what was closed stays closed. What was given on the collection goes with it; only whoever deleted it
 * keeps what they need to restore what was in it.
 */
export const emptyCollection: Step<Emptying> = step<Emptying>("empty-collection", async (work: Work, emptying) => {
  const { organization, collection, by } = emptying;
  const place = placeOf(organization);
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
      if (record.deletedAt !== null) await nodes.put(tx, freed);
      else if (freed.type === "space") await trashSpace(work, place, tx, freed, new Date(deletedAt), organization);
      else {
        await nodes.put(tx, { ...freed, deletedAt });
        later(work, place, tx, emptyCollection, { ...emptying, collection: freed.id });
      }
    });
    if (hasMore) return true;
    if (await dropGrants(tx, "ofNode", [collection])) return true;
    await nodes.delete(tx, collection);
    return false;
  });
});
