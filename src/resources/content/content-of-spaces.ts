// Implements the extension point by which the library creates, counts, transfers and deletes the content of spaces.

import { addStagedObjects } from "../../storage/objects";
import { loadLazily } from "../../utils/lazy";
import { omitUndefined } from "../../utils/objects";
import type { SpaceContent, SpaceCreation } from "../library/spaces/content";
import { findOrganizationPartition } from "../people/organizations/records";
import { changeRequests, requestedReviewers, reviews } from "./change-requests/records";
import { commenters, comments, reactions, replies } from "./comments/records";
import { dropGitSync, gitSyncs } from "./git-sync/records";
import { presentGitSync } from "./git-sync/views";
import { copyContent } from "./revisions/copy-content";
import { createFirstRevision, type RevisionRecord, revisions } from "./revisions/records";
import { enqueueSearchUpdates, feedEngine } from "./search/jobs";
import { storedIndexes } from "./search/records";
import { prepareTemplateContent } from "./templates/records";
import { endTranslation, translatedSheets, translations } from "./translations/records";

const loadPools = loadLazily(() => import("./search/pools"));

/** The record sets that belong to a space and move with it. Their keys, indexes, names and totals begin with it. */
const recordSetsOfSpaces = [
  revisions,
  changeRequests,
  reviews,
  requestedReviewers,
  comments,
  replies,
  reactions,
  commenters,
];

export const contentOfSpaces: SpaceContent = {
  prepare: prepareTemplateContent,
  async createFirstRevision(context, space, { root, staged }) {
    await addStagedObjects(context.tx, staged);
    return saveFirstRevision(context, space, root);
  },
  async copyFirstRevision(context, space, original) {
    const active = await revisions.get(context.tx, original.id, original.revision);
    return saveFirstRevision(context, space, active!.root);
  },
  async count(tx, spaces) {
    const countByStatus = (status: "open" | "draft") =>
      changeRequests.totals(
        tx,
        "byStatus",
        spaces.map((space) => [space, status]),
      );
    const [all, open, draft, discussions, syncs] = await Promise.all([
      changeRequests.totals(tx, "ofSpace", spaces),
      countByStatus("open"),
      countByStatus("draft"),
      comments.totals(
        tx,
        "byStatus",
        spaces.map((space) => [space, null, "open"]),
      ),
      gitSyncs.getMany(tx, spaces),
    ]);
    return spaces.map((_, i) => ({
      comments: discussions[i]!,
      changeRequests: all[i]!,
      changeRequestsOpen: open[i]!,
      changeRequestsDraft: draft[i]!,
      ...omitUndefined({ gitSync: syncs[i] ? presentGitSync(syncs[i]) : undefined }),
    }));
  },
  listRanges: (space) => recordSetsOfSpaces.flatMap((set) => set.ranges(space)),
  createSender() {
    const sent = { nodes: new Set<string>(), rest: new Set<string>() };
    return (store, view, to, space, guard) => copyContent(store, view, to, space, sent, guard);
  },
  updateSearch(ports, enqueueJob, space) {
    if (ports.search.engine) enqueueJob(feedEngine, space);
  },
  async drop(tx, space) {
    if (await dropGitSync(tx, space)) return true;
    // A translation of the space ends, or the one whose result it was. There may be more.
    const [row] = [
      ...(await translations.list(tx, "ofSource", { under: [space], limit: 1 })),
      ...(await translations.list(tx, "ofResult", { under: [space], limit: 1 })),
    ];
    if (!row) return false;
    if (await translatedSheets.drain(tx, "ofTranslation", [row.record.id])) return true;
    await endTranslation(tx, row.record);
    return true;
  },
  async dropRest(jobContext, tx, space) {
    await storedIndexes.delete(tx, space);
    const { dropFromPools } = await loadPools();
    await dropFromPools(jobContext, tx, space);
  },
};

/** Saves the first revision of a space. Returns its id. */
async function saveFirstRevision(context: SpaceCreation, space: string, root: RevisionRecord["root"]): Promise<string> {
  const { tx, organization, actor, now, newId } = context;
  const first = createFirstRevision(newId("revision"), space, { root, user: actor.user.id, now });
  await revisions.put(tx, first);
  enqueueSearchUpdates(context, { partition: findOrganizationPartition(organization.id)!, space }, first);
  return first.id;
}
