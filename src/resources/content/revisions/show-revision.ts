// Makes a new revision the content of its space: stores it, emits the event, and updates the search.

import { placeOf } from "../../../store/ids";
import type { Writing } from "../../../work/writing";
import { nodes, type SpaceRecord } from "../../library/tree/records";
import { followRevision } from "../search/jobs";
import { type RevisionRecord, revisions } from "./records";

/** Makes a new revision the active one of its space. */
export async function showRevision(
  context: Writing,
  organization: string,
  space: SpaceRecord,
  next: RevisionRecord,
): Promise<void> {
  const { tx, now, emit } = context;
  await revisions.put(tx, next);
  await nodes.put(tx, { ...space, revision: next.id, updatedAt: now.toISOString() });
  emit({ type: "space_content_updated", spaceId: space.id, revisionId: next.id });
  followRevision(context, { partition: placeOf(organization).partition, space: space.id }, next);
}
