// The beginning of a space, and its end: seven days in the trash in which it can be restored, then it is gone.

import type { Root } from "../../content/map";
import type { Actor } from "../../operation";
import type { Parts } from "../../parts";
import { placeOf } from "../../store/ids";
import { nameAll, type StagedSet, sweepSoon } from "../../store/objects";
import { dropRanges } from "../../store/ranges";
import type { Key } from "../../store/storage";
import type { Transaction } from "../../store/transaction";
import { later, step, type Work } from "../../work/jobs";
import { changeRequests, requestedReviewers, reviews } from "../change-requests/records";
import { commenters, comments, reactions, replies } from "../comments/records";
import { dropGitSync } from "../git-sync/records";
import { dropGrants } from "../grants/records";
import { dropPlaced } from "../integrations/records";
import { partitionOf } from "../organizations/records";
import type { InOrganization } from "../organizations/rules";
import { firstRevision, revisions } from "../revisions/records";
import { dropIndex, feedEngine, followRevision } from "../search/jobs";
import { dropFromSites } from "../sites/jobs";
import { dropTranslations } from "../translations/records";
import { nodes, type SpaceRecord } from "../tree/records";
import { findPlace } from "../tree/rules";

/** What founding a space needs. */
interface Founding extends InOrganization {
  readonly tx: Transaction;
  readonly actor: Actor;
  readonly now: Date;
  readonly parts: Parts;
  readonly newId: (kind: "space" | "revision") => string;
  readonly later: Parameters<typeof followRevision>[0]["later"];
}

/** Founds a space with its first content, at the end of its siblings; the caller needs the right to create there. */
export async function foundSpace(
  context: Founding,
  content: { readonly root: Root; readonly staged: StagedSet },
  settings: Pick<SpaceRecord, "title" | "emoji" | "visibility" | "editMode" | "parent">,
): Promise<SpaceRecord> {
  const { tx, organization, actor, now, newId } = context;
  const id = newId("space");
  const first = firstRevision(newId("revision"), id, { root: content.root, user: actor.user.id, now });
  const founded: SpaceRecord = {
    type: "space",
    id,
    ...settings,
    revision: first.id,
    defaultLevel: "inherit",
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    deletedAt: null,
    ...(await findPlace(context, { id, parent: settings.parent })),
  };
  await nameAll(tx, content.staged);
  await revisions.put(tx, first);
  await nodes.put(tx, founded);
  followRevision(context, { partition: partitionOf(organization.id)!, space: id }, first);
  return founded;
}

/** How long a deleted space can be restored. */
const TRASH_MS = 7 * 24 * 60 * 60 * 1000;

/** When a space that was deleted at a time is gone for good. */
export function purgedAt(deletedAt: string | Date): Date {
  return new Date(new Date(deletedAt).getTime() + TRASH_MS);
}

/** Puts a space into the trash, and down for the purge. */
export async function trashSpace(
  work: Work,
  place: { readonly partition: string; readonly code: string },
  tx: Transaction,
  space: SpaceRecord,
  deletedAt: Date,
  organization: string,
): Promise<void> {
  await nodes.put(tx, { ...space, deletedAt: deletedAt.toISOString() });
  if (work.parts.search.engine) later(work, place, tx, feedEngine, { partition: place.partition, space: space.id });
  later(work, place, tx, purgeSpace, { organization, space: space.id }, purgedAt(deletedAt));
}

/** What the keys begin with of all that is in a space and goes where it goes: revisions, change requests, discussions. A set
 * stands here when its keys, indexes, names and totals begin with the space. */
export function rangesInside(space: string): Key[] {
  const sets = [revisions, changeRequests, reviews, requestedReviewers, comments, replies, reactions, commenters];
  return sets.flatMap((set) => set.ranges(space));
}

/** Removes some of what is in a space that is gone from here: its synchronization, translations, installations, and what it
 * holds; true: there is more. */
export async function dropInside(
  work: Work,
  at: { readonly partition: string; readonly code: string },
  tx: Transaction,
  space: string,
): Promise<boolean> {
  if (await dropGitSync(tx, space)) return true;
  if (await dropTranslations(tx, space)) return true;
  if (await dropPlaced(work, at, tx, "space", space)) return true;
  return dropRanges(tx, rangesInside(space));
}

/** Takes a space away whose seven days are over. One that was restored, or deleted again since, is left alone. */
export const purgeSpace = step<{ organization: string; space: string }>(
  "purge-space",
  async (work, { organization, space }) => {
    const at = placeOf(organization);
    return work.store.write(at.partition, async (tx) => {
      const found = await nodes.get(tx, space);
      if (!found?.deletedAt || purgedAt(found.deletedAt) > work.store.now()) return false;
      if (await dropFromSites(tx, space)) return true;
      if (await dropGrants(tx, "ofNode", [space])) return true;
      if (await dropInside(work, at, tx, space)) return true;
      await dropIndex(tx, space);
      await nodes.delete(tx, space);
      sweepSoon(tx);
      return false;
    });
  },
);
