// The life cycle of spaces: a space is created with content. When it is deleted it can be restored for seven days, and
// is then purged.

import { defineJob, enqueueJob, type JobContext, type JobType } from "../../../jobs/jobs";
import { getRoleRank } from "../../../operation/roles";
import { getPartitionRef, type PartitionRef } from "../../../storage/ids";
import { lastSweep } from "../../../storage/objects";
import { dropRanges } from "../../../storage/ranges";
import type { Transaction } from "../../../storage/transaction";
import { installationAccess } from "../../people/members/installation-access";
import { grants } from "../grants/records";
import { type CollectionRecord, type NodePath, nodes, type SpaceRecord } from "../tree/records";
import { findPlace, keepManaging } from "../tree/rules";
import { content, dropFromSites, type PreparedContent, type SpaceCreation, type SpaceRef } from "./content";
import type { SpaceContext } from "./rules";

/** Creates a space with its first content, after its siblings. The caller needs the right to create in its parent. */
export async function createSpaceRecord(
  context: SpaceCreation,
  first: PreparedContent,
  settings: Pick<SpaceRecord, "title" | "emoji" | "icon" | "language" | "visibility" | "editMode" | "parent">,
): Promise<SpaceRecord> {
  const { tx, now, newId } = context;
  const id = newId("space");
  const place = await findPlace(context, { id, parent: settings.parent });
  const space: SpaceRecord = {
    type: "space",
    id,
    ...settings,
    revision: await content.implementation.createFirstRevision(context, id, first),
    defaultLevel: "inherit",
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    deletedAt: null,
    ...place,
  };
  await nodes.put(tx, space);
  return space;
}

/** Copies a space with its content and settings, next to the original. The caller needs the right to create there. */
export async function duplicateSpaceRecord(
  context: SpaceCreation,
  { space, path, role }: Pick<SpaceContext, "space" | "path" | "role">,
): Promise<SpaceRecord> {
  const { tx, now, newId, actor } = context;
  const at = now.toISOString();
  const id = newId("space");
  const position = { after: { type: "space" as const, space: space.id } };
  const place = await findPlace(context, { id, parent: space.parent, position, isImplied: true });
  const { leaving: _, follows, moves: __, sentBy: ___, ...settings } = space;
  let { defaultLevel } = space;
  // A translation is visible to those who see its source. A copy has no source, so it is closed.
  if (follows !== undefined) defaultLevel = null;
  // The level is no higher than the caller's own role.
  else if (defaultLevel !== "inherit" && getRoleRank(defaultLevel) > getRoleRank(role)) defaultLevel = role;
  const copy: SpaceRecord = {
    ...settings,
    ...place,
    id,
    revision: await content.implementation.copyFirstRevision(context, id, space),
    defaultLevel,
    createdAt: at,
    updatedAt: at,
  };
  await nodes.put(tx, copy);
  const after: NodePath = [copy, ...(path.slice(1) as CollectionRecord[])];
  await keepManaging(tx, actor.user.id, { before: path, after, at });
  return copy;
}

/** The time in which a deleted space can be restored. */
const TRASH_MS = 7 * 24 * 60 * 60 * 1000;

export function getPurgeTime(deletedAt: string | Date): Date {
  return new Date(new Date(deletedAt).getTime() + TRASH_MS);
}

export function enqueueSearchUpdate(work: JobContext, place: PartitionRef, tx: Transaction, space: string): void {
  const enqueue = (step: JobType<SpaceRef>, payload: SpaceRef) => void enqueueJob(work, place, tx, step, payload);
  content.implementation.updateSearch(work.ports, enqueue, { partition: place.partition, space });
}

/** Removes everything of a space that has left, as much as there is room for. Returns true if there is more. */
export async function dropSpaceContents(
  work: JobContext,
  at: PartitionRef,
  tx: Transaction,
  space: string,
): Promise<boolean> {
  if (await content.implementation.drop(tx, space)) return true;
  if (await installationAccess.implementation.uninstallFrom(work, at, tx, "space", space)) return true;
  return dropRanges(tx, content.implementation.listRanges(space));
}

/** The job that purges a space after seven days. A space that was restored, or deleted again since, is left alone. */
export const purgeSpace = defineJob<{ organization: string; space: string }>(
  "purge-space",
  async (work, { organization, space }) => {
    const at = getPartitionRef(organization);
    return work.store.write(at.partition, async (tx) => {
      const found = await nodes.get(tx, space);
      if (!found?.deletedAt || getPurgeTime(found.deletedAt) > work.store.now()) return false;
      if (await dropFromSites.implementation(tx, space)) return true;
      if (await grants.drain(tx, "ofNode", [space])) return true;
      if (await dropSpaceContents(work, at, tx, space)) return true;
      await content.implementation.dropRest(work, tx, space);
      await nodes.delete(tx, space);
      lastSweep.forget(tx);
      return false;
    });
  },
);
