// Activates a new revision: the space shows it from then on. It is stored and announced, and search and translations follow it.

import type { WriteContext } from "../../../jobs/write-context";
import { getPartitionRef } from "../../../storage/ids";
import { defineExtensionPoint } from "../../../utils/extension-point";
import { nodes, type SpaceRecord } from "../../library/tree/records";
import { enqueueSearchUpdates } from "../search/jobs";
import { type RevisionRecord, revisions } from "./records";

/** Updates translations when a space shows a new revision. They activate revisions themselves, so they implement this from above. */
export const followTranslations =
  defineExtensionPoint<(context: WriteContext, organization: string, space: string) => Promise<void>>(
    "the translations of a space",
  );

/** Stores a new revision and makes it the active one of its space. */
export async function activateRevision(
  context: WriteContext,
  organization: string,
  space: SpaceRecord,
  next: RevisionRecord,
): Promise<void> {
  const { tx, now, emit } = context;
  await revisions.put(tx, next);
  await nodes.put(tx, { ...space, revision: next.id, updatedAt: now.toISOString() });
  emit({ type: "space_content_updated", spaceId: space.id, revisionId: next.id });
  enqueueSearchUpdates(context, { partition: getPartitionRef(organization).partition, space: space.id }, next);
  await followTranslations.implementation(context, organization, space.id);
}
