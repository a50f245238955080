// Translations: spaces that are kept up to date with another space, in another language.

import type * as v from "valibot";
import type { Document } from "../../../content/document";
import { loadDocumentChecker } from "../../../content/lazy";
import { createError, createValidationError } from "../../../errors";
import { getProgress } from "../../../jobs/progress";
import { type CallContext, defineOperation } from "../../../operation/operation";
import { paginateFiltered } from "../../../operation/pagination";
import { rejectDuplicates } from "../../../operation/reject-duplicates";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Ports } from "../../../ports/ports";
import { omitUndefined } from "../../../utils/objects";
import { grants } from "../../library/grants/records";
import {
  createTransferBusyError,
  findFreePosition,
  isFrozen,
  isTrashed,
  nodes,
  readNodePath,
  type SpaceRecord,
} from "../../library/tree/records";
import { getNodeRole, loadViewer } from "../../library/tree/rules";
import { organization } from "../../people/organizations/rules";
import { createFirstRevision, revisions } from "../revisions/records";
import { clearTranslation, runTranslation } from "./jobs";
import { endTranslation, type TranslationRecord, type TranslationStats, translations } from "./records";
import { canSeeTranslation, loadTranslationRoles, translation } from "./rules";
import { NewTranslation, Translation, TranslationChanges } from "./schema";
import { presentTranslation } from "./views";

export * from "./glossary";

export const listTranslations = defineOperation("GET /orgs/:organizationId/translations", {
  summary: "List translations",
  target: organization,
  right: "view",
  list: Translation,
  async handle(context) {
    const { tx, actor, pageRequest, urls } = context;
    const viewer = await loadViewer(tx, actor.user.id);
    return paginateFiltered(
      pageRequest,
      async (slice) => {
        const rows = await translations.list(tx, "all", slice);
        return Promise.all(
          rows.map(async ({ record: translation, position }) => {
            const roles = await loadTranslationRoles(tx, viewer, translation);
            return { record: { translation, roles }, position };
          }),
        );
      },
      ({ roles }) => canSeeTranslation(roles),
      async (found) => {
        const ids = found.map(({ translation }) => translation.id);
        const progress = await getProgress(tx, "translation", ids);
        return found.map(({ roles, translation }, i) =>
          presentTranslation({ ...context, ...roles, translation }, urls, progress[i]),
        );
      },
    );
  },
});

export const createTranslation = defineOperation("POST /orgs/:organizationId/translations", {
  summary: "Create a translation",
  target: organization,
  right: "createContent",
  body: NewTranslation,
  returns: Translation,
  status: 201,
  async handle(context) {
    const { tx, body, now, newId, actor, enqueueJob, ports, urls } = context;
    if (!ports.translator) throw createError("no_translator");
    const viewer = await loadViewer(tx, actor.user.id);
    const node = await nodes.get(tx, body.source.space);
    const path = node?.type === "space" ? await readNodePath(tx, node) : undefined;
    const isVisible = path && !isTrashed(path) && isRoleAtLeast(getNodeRole(viewer, path), "read");
    if (!isVisible) throw createValidationError("body.source.space", "Space not found in this organization");
    if (isFrozen(path)) throw createTransferBusyError();
    const source = path[0] as SpaceRecord;
    if (source.follows !== undefined)
      throw createValidationError(
        "body.source.space",
        "It is a translation itself: translate the space that it follows",
      );
    if (body.source.language === body.language)
      throw createValidationError("body.language", "Expected a language other than the source language");
    const instructions = body.instructions && (await checkInstructions(body.instructions));

    // The result is a space next to the source if the caller may create there, otherwise at the top. Only those who see the source can
    // see it, and the caller manages it.
    const collection = source.parent === null ? undefined : await nodes.get(tx, source.parent);
    const canCreate = !collection || isRoleAtLeast(getNodeRole(viewer, await readNodePath(tx, collection)), "create");
    const parent = canCreate ? source.parent : null;
    const neighbour = canCreate ? ({ id: source.id, side: "after" } as const) : undefined;
    const resultId = newId("space");
    const createdAt = now.toISOString();
    const first = createFirstRevision(newId("revision"), resultId, { root: null, user: actor.user.id, now });
    const title = [...source.title].slice(0, MAX_TITLE - body.language.length - 3).join("");
    const result: SpaceRecord = {
      type: "space",
      id: resultId,
      title: `${title} (${body.language})`,
      emoji: source.emoji,
      icon: source.icon ?? null,
      language: body.language,
      visibility: parent === null ? "private" : "in-collection",
      editMode: "live",
      revision: first.id,
      defaultLevel: null,
      createdAt,
      updatedAt: createdAt,
      deletedAt: null,
      follows: source.id,
      parent,
      position: (await findFreePosition(tx, resultId, parent, neighbour))!,
    };
    await revisions.put(tx, first);
    await nodes.put(tx, result);
    await grants.put(tx, { node: resultId, kind: "user", grantee: actor.user.id, role: "create", createdAt });

    const created: TranslationRecord = {
      id: newId("translation"),
      source: source.id,
      ...omitUndefined({ sourceLanguage: body.source.language }),
      language: body.language,
      ...omitUndefined({ instructions }),
      result: result.id,
      revision: result.revision,
      createdBy: actor.user.id,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      status: "pending",
      asked: 1,
      answered: 0,
      stats: EMPTY_STATS,
    };
    await rejectDuplicates(translations.put(tx, created), "translation_exists");
    enqueueJob(runTranslation, { organization: context.organization.id, translation: created.id });
    const roles = await loadTranslationRoles(tx, await loadViewer(tx, actor.user.id), created);
    return presentTranslation({ ...context, ...roles, translation: created }, urls);
  },
});

export const getTranslation = defineOperation("GET /orgs/:organizationId/translations/:translationId", {
  summary: "Get a translation",
  target: translation,
  right: "view",
  returns: Translation,
  async handle(context) {
    const [progress] = await getProgress(context.tx, "translation", [context.translation.id]);
    return presentTranslation(context, context.urls, progress);
  },
});

export const updateTranslation = defineOperation("PUT /orgs/:organizationId/translations/:translationId", {
  summary: "Update a translation",
  target: translation,
  right: "edit",
  body: TranslationChanges,
  returns: Translation,
  handle: async (context) => requestRun(context, { instructions: await checkInstructions(context.body.instructions) }),
});

export const runTranslationAgain = defineOperation("POST /orgs/:organizationId/translations/:translationId/run", {
  summary: "Run a translation",
  target: translation,
  right: "edit",
  returns: Translation,
  handle: (context) => requestRun(context, {}),
});

export const deleteTranslation = defineOperation("DELETE /orgs/:organizationId/translations/:translationId", {
  summary: "Delete a translation",
  target: translation,
  right: "edit",
  async handle({ tx, organization, translation, enqueueJob }) {
    await endTranslation(tx, translation);
    enqueueJob(clearTranslation, { organization: organization.id, translation: translation.id });
  },
});

/** The longest title of a space, in characters. */
const MAX_TITLE = 50;

const EMPTY_STATS: TranslationStats = {
  runs: 0,
  totalWords: 0,
  totalPages: 0,
  totalDuration: 0,
  latestRunDuration: 0,
  latestPages: 0,
  latestWords: 0,
};

type RerunContext = Parameters<typeof presentTranslation>[0] &
  Pick<CallContext, "now" | "tx"> & {
    readonly ports: Ports;
    readonly urls: Parameters<typeof presentTranslation>[1];
    readonly enqueueJob: (step: typeof runTranslation, payload: { organization: string; translation: string }) => void;
  };

async function requestRun(context: RerunContext, changes: Pick<TranslationRecord, "instructions">) {
  const { tx, ports, now, enqueueJob, urls, organization } = context;
  if (!ports.translator) throw createError("no_translator");
  const { error: _, ...before } = context.translation;
  const translation: TranslationRecord = {
    ...before,
    ...changes,
    status: "pending",
    asked: before.asked + 1,
    updatedAt: now.toISOString(),
  };
  await translations.put(tx, translation);
  enqueueJob(runTranslation, { organization: organization.id, translation: translation.id });
  return presentTranslation({ ...context, translation }, urls);
}

/** The longest instructions, in characters of their JSON. */
const MAX_INSTRUCTIONS = 20_000;

/** Checks that instructions are a valid document of a limited size, and returns it. */
async function checkInstructions(
  instructions: v.InferOutput<typeof TranslationChanges>["instructions"],
): Promise<Document> {
  const { checkDocument } = await loadDocumentChecker();
  const [issue] = checkDocument(instructions);
  if (issue)
    throw createValidationError(
      issue.path === "" ? "body.instructions" : `body.instructions.${issue.path}`,
      issue.message,
    );
  if (JSON.stringify(instructions).length > MAX_INSTRUCTIONS)
    throw createValidationError("body.instructions", `Expected at most ${MAX_INSTRUCTIONS} characters of JSON`);
  return instructions as unknown as Document;
}
