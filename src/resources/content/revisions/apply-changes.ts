// Applies a batch of changes to a revision. The new revision is computed from a snapshot, then checked and saved in one commit.

import type * as v from "valibot";
import { loadContentChanges } from "../../../content/lazy";
import type { MapRoot } from "../../../content/prolly-tree";
import type { BatchOutcome, BatchTools } from "../../../content/revision/batch";
import type { BatchChange } from "../../../content/revision/changes";
import { createDraft, type Draft } from "../../../content/revision/draft";
import { BatchError } from "../../../content/revision/errors";
import type { RevisionView } from "../../../content/revision/view";
import { createValidationError } from "../../../errors";
import type { WriteContext } from "../../../jobs/write-context";
import type { CallContext } from "../../../operation/operation";
import { OutdatedError } from "../../../operation/outdated-error";
import type { TargetContext } from "../../../operation/target";
import { addStagedObjects, type StagedSet, Staging } from "../../../storage/objects";
import type { Store } from "../../../storage/store";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { activateRevision } from "./activate-revision";
import type { ChangeOutcome, InsertedFile } from "./changes-schema";
import { type FencesContext, integrationFences } from "./fenced-blocks";
import {
  cacheNodes,
  createNextRevision,
  createNodeSource,
  openRevision,
  type RevisionRecord,
  revisions,
} from "./records";
import type { ContentContext } from "./rules";
import { getAppUrl } from "./views";

/** A new state of the content that is computed but not saved. */
export interface PreparedRevision {
  /** The revision that it follows. */
  readonly base: string;
  readonly root: MapRoot;
  readonly staged: StagedSet;
}

/** The result of applying a batch of changes to a revision. */
export interface PreparedChanges extends PreparedRevision {
  /** The new content. */
  readonly content: RevisionView;
  readonly changes: v.InferInput<typeof ChangeOutcome>[];
  readonly insertedFiles: v.InferInput<typeof InsertedFile>[];
}

/** The context of computing a revision. */
export interface PrepareContext
  extends ContentContext,
    FencesContext,
    Pick<TargetContext, "tx" | "objects" | "now">,
    Pick<CallContext, "urls"> {
  readonly store: Store;
  readonly partition: string;
  readonly newId: (kind: "page" | "file" | "reusableContent") => string;
}

/**
 * Applies a batch to a revision. New ids are created here, so a batch that is applied again gets other ids. Pages are reverted to
 * `origin` if a change names no other revision.
 */
export async function prepareChanges(
  context: PrepareContext,
  changes: readonly BatchChange[],
  origin = context.revision.parents[0],
): Promise<PreparedChanges> {
  const { tx, objects, space, revision, now, newId, urls } = context;
  const { applyChanges } = await loadContentChanges();
  const draft = createDraft(createNodeSource(objects), revision.root, runSteps);
  const hasDocument = changes.some((change) => "document" in change && change.document?.document !== undefined);
  const fences = hasDocument ? await integrationFences.implementation(context, space.id) : undefined;
  const tools: BatchTools = {
    now: now.toISOString(),
    newId,
    readText: objects.text,
    async findRevision(id = origin) {
      const record = id === undefined ? undefined : await revisions.get(tx, space.id, id);
      return record && openRevision(objects, record);
    },
    runSteps,
    fences,
  };
  const result = await applyChanges(draft, changes, tools).catch((error: unknown) => {
    if (error instanceof BatchError)
      throw createValidationError(`body.changes.${error.index}.${error.path}`, error.message);
    throw error;
  });

  const prepared = await finishDraft(context, draft);
  const describeOutcome = async (outcome: BatchOutcome): Promise<v.InferInput<typeof ChangeOutcome>> => {
    if (outcome.object !== "created_page" && outcome.object !== "updated_page") return outcome;
    const location = urls.api(`/spaces/${space.id}/content/page/${outcome.page}`);
    const app = getAppUrl(context, (await draft.getPagePath(outcome.page)) ?? "");
    return { ...outcome, page: { object: "page", id: outcome.page, urls: { location, app } } };
  };
  return {
    ...prepared,
    content: draft,
    changes: await Promise.all(result.outcomes.map(describeOutcome)),
    insertedFiles: result.insertedFiles.map((file) => ({ object: "file", ...file })),
  };
}

/** Finishes a draft that follows the context's revision. Its objects can be referenced then. */
export async function finishDraft(
  { store, partition, objects, revision }: PrepareContext,
  draft: Draft,
  staging: Staging = new Staging(store, partition, yieldToEventLoop),
): Promise<PreparedRevision> {
  const { root, objects: newObjects, nodes } = await draft.finish();
  cacheNodes(objects, nodes);
  return { base: revision.id, root, staged: await staging.finish(newObjects) };
}

/** The context of saving a revision. */
interface SaveRevisionContext extends ContentContext, WriteContext {
  readonly actor: { readonly user: { readonly id: string } };
  readonly newId: (kind: "revision") => string;
}

/** Saves the result of a batch as the active revision of its space. */
export async function saveChanges(context: SaveRevisionContext, prepared: PreparedChanges) {
  const next = await saveRevision(context, prepared);
  const { changes, insertedFiles } = prepared;
  return {
    revision: next.id,
    changes,
    ...omitUndefined({ insertedFiles: insertedFiles.length > 0 ? insertedFiles : undefined }),
  };
}

/** Saves a prepared revision as the active revision of its space. Throws an `OutdatedError` if another revision is active now. */
export async function saveRevision(
  context: SaveRevisionContext,
  prepared: PreparedRevision,
  more: Pick<RevisionRecord, "imported"> = {},
): Promise<RevisionRecord> {
  const { tx, organization, space, revision, now, newId, actor } = context;
  if (space.revision !== prepared.base) throw new OutdatedError();
  await addStagedObjects(tx, prepared.staged);
  const origin = { root: prepared.root, user: actor.user.id, now };
  const next = createNextRevision(newId("revision"), revision, origin, more);
  await activateRevision(context, organization.id, space, next);
  return next;
}
