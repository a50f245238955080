// Applies a batch of changes to a revision: computed on what was read, then checked and saved in one commit.

import type * as v from "valibot";
import { loadContentChanges } from "../../../content/lazy";
import type { MapRoot } from "../../../content/prolly-tree";
import type { BatchOutcome } from "../../../content/revision/batch";
import type { BatchChange } from "../../../content/revision/changes";
import { createDraft, type Draft } from "../../../content/revision/draft";
import { BatchError } from "../../../content/revision/errors";
import type { RevisionView } from "../../../content/revision/view";
import { createValidationError } from "../../../errors";
import type { WriteContext } from "../../../jobs/write-context";
import { OutdatedError } from "../../../operation/outdated-error";
import type { Urls } from "../../../ports/urls";
import { nameAll, type Objects, type StagedSet, Staging } from "../../../storage/objects";
import type { Store } from "../../../storage/store";
import type { Reader } from "../../../storage/transaction";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import type { ChangeOutcome, InsertedFile } from "./changes-schema";
import { integrationFences, type LookingForFences } from "./fenced-blocks";
import { nextRevision, nodesOf, type RevisionRecord, rememberNodes, revisions, viewIn } from "./records";
import type { InContent } from "./rules";
import { showRevision } from "./show-revision";
import { appUrl } from "./views";

/** A state of the content that is computed but not saved. */
export interface WorkedOut {
  /** The revision that it follows. */
  readonly base: string;
  readonly root: MapRoot;
  readonly staged: StagedSet;
}

/** The result of applying a batch of changes to a revision. */
export interface Prepared extends WorkedOut {
  /** The new content. */
  readonly content: RevisionView;
  readonly changes: v.InferInput<typeof ChangeOutcome>[];
  readonly insertedFiles: v.InferInput<typeof InsertedFile>[];
}

/** What computing a revision needs. */
export interface Preparing extends InContent, LookingForFences {
  readonly tx: Reader;
  readonly store: Store;
  readonly partition: string;
  readonly objects: Objects;
  readonly urls: Urls;
  readonly now: Date;
  readonly newId: (kind: "page" | "file" | "reusableContent") => string;
}

/**
 * Applies a batch to a revision. New ids are made here, so a batch that is applied again gets other ids. Pages are
 * restored from `origin` where no other revision is named.
 */
export async function applyTo(
  context: Preparing,
  changes: readonly BatchChange[],
  origin = context.revision.parents[0],
): Promise<Prepared> {
  const { objects, revision } = context;
  const { applyChanges } = await loadContentChanges();
  const draft = createDraft(nodesOf(objects), revision.root, runSteps);
  const hasDocument = changes.some((change) => "document" in change && change.document?.document !== undefined);
  const fences = hasDocument ? await integrationFences.implementation(context, context.space.id) : undefined;
  const applied = await naming(() =>
    applyChanges(draft, changes, {
      now: context.now.toISOString(),
      newId: context.newId,
      readText: objects.text,
      findRevision: (id) => earlierRevision(context, id ?? origin),
      runSteps,
      fences,
    }),
  );
  return {
    ...(await finished(context, draft)),
    content: draft,
    changes: await Promise.all(applied.outcomes.map((outcome) => outcomeView(context, draft, outcome))),
    insertedFiles: applied.insertedFiles.map((file) => ({ object: "file", ...file })),
  };
}

/** A draft that follows the context's revision, with objects that are ready to be referenced. */
export async function finished(
  { store, partition, objects, revision }: Preparing,
  draft: Draft,
  staging: Staging = new Staging(store, partition, yieldToEventLoop),
): Promise<WorkedOut> {
  const { root, objects: created, nodes } = await draft.finish();
  rememberNodes(objects, nodes);
  return { base: revision.id, root, staged: await staging.finish(created) };
}

/** What saving needs. */
interface Settling extends InContent, WriteContext {
  readonly actor: { readonly user: { readonly id: string } };
  readonly newId: (kind: "revision") => string;
}

/** Saves the result of a batch as the active revision of its space. */
export async function settle(context: Settling, prepared: Prepared) {
  const next = await saveRevision(context, prepared);
  const { changes, insertedFiles } = prepared;
  return {
    revision: next.id,
    changes,
    ...omitUndefined({ insertedFiles: insertedFiles.length > 0 ? insertedFiles : undefined }),
  };
}

/** Saves a computed revision as the active revision of its space. */
export async function saveRevision(
  context: Settling,
  prepared: WorkedOut,
  more: Pick<RevisionRecord, "imported"> = {},
): Promise<RevisionRecord> {
  const { tx, organization, space, revision, now, newId, actor } = context;
  if (space.revision !== prepared.base) throw new OutdatedError();
  await nameAll(tx, prepared.staged);
  const next = nextRevision(newId("revision"), revision, { root: prepared.root, user: actor.user.id, now }, more);
  await showRevision(context, organization.id, space, next);
  return next;
}

/** A revision of the same space from which pages are restored. */
async function earlierRevision({ tx, objects, space }: Preparing, id: string | undefined) {
  const found = id === undefined ? undefined : await revisions.get(tx, space.id, id);
  return found && viewIn(objects, found);
}

async function naming<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BatchError)
      throw createValidationError(`body.changes.${error.index}.${error.path}`, error.message);
    throw error;
  }
}

async function outcomeView(
  context: Preparing,
  draft: Draft,
  outcome: BatchOutcome,
): Promise<v.InferInput<typeof ChangeOutcome>> {
  if (outcome.object !== "created_page" && outcome.object !== "updated_page") return outcome;
  const location = context.urls.api(`/spaces/${context.space.id}/content/page/${outcome.page}`);
  const app = appUrl(context, (await draft.getPagePath(outcome.page)) ?? "");
  const page = { object: "page" as const, id: outcome.page, urls: { location, app } };
  return { ...outcome, page } as v.InferInput<typeof ChangeOutcome>;
}
