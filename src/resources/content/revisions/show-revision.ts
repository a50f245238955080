// A new revision becomes what its space shows. It is written down and told of; search and translations follow it.

import type { WriteContext } from "../../../jobs/write-context";
import { getOrganizationPlace } from "../../../storage/ids";
import { defineExtensionPoint } from "../../../utils/extension-point";
import { nodes, type SpaceRecord } from "../../library/tree/records";
import { followRevision } from "../search/jobs";
import { type RevisionRecord, revisions } from "./records";

/** What translations do when a space shows a new revision. They show revisions themselves, so they fill this from above. */
export const followTranslations =
  defineExtensionPoint<(context: WriteContext, organization: string, space: string) => Promise<void>>(
    "the translations of a space",
  );

/** Makes a new revision the one that its space shows. */
export async function showRevision(
  context: WriteContext,
  organization: string,
  space: SpaceRecord,
  next: RevisionRecord,
): Promise<void> {
  const { tx, now, emit } = context;
  await revisions.put(tx, next);
  await nodes.put(tx, { ...space, revision: next.id, updatedAt: now.toISOString() });
  emit({ type: "space_content_updated", spaceId: space.id, revisionId: next.id });
  followRevision(context, { partition: getOrganizationPlace(organization).partition, space: space.id }, next);
  await followTranslations.implementation(context, organization, space.id);
}
