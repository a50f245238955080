// Tokens and tasks, with which an integration acts for an installation.

import type * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import { defineJob } from "../../../jobs/jobs";
import type { WriteContext } from "../../../jobs/write-context";
import { MovedError } from "../../../operation/moved-error";
import { type CallContext, defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import type { Target } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { DIRECTORY, getOrganizationPartition, getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import type { Transaction } from "../../../storage/transaction";
import { enqueueEvent } from "../delivery/listeners";
import { type EventPayload, installations, type TaskRecord, tasks } from "../records";
import { getGrantedScopes } from "./agreed-scopes";
import { signAppToken } from "./app-tokens";
import {
  findVisibleIntegration,
  type InstallationContext,
  installation,
  loadInstallationContext,
  loadParentInstallation,
} from "./rules";
import { checkTokenScopes } from "./token-limits";
import { InstallationToken, NewIntegrationTask, NewTask, Task } from "./tokens-and-tasks-schema";

const path = "/integrations/:integrationName/installations/:installationId" as const;

export const createInstallationToken = defineOperation(`POST ${path}/tokens`, {
  summary: "Create an installation token",
  target: installation,
  right: "act",
  returns: InstallationToken,
  async handle({ installation, integration, isItself, secrets, now, actor, apiInfo }) {
    if (!isItself) checkTokenScopes({ actor, apiInfo }, getGrantedScopes(installation, integration));
    if (installation.status === "paused") throw createError("installation_paused");
    return signAppToken(secrets, "installation", installation.id, now, actor.expiresAt);
  },
});

/** The payload of a job for a task. One that was made before tasks were recorded holds the event itself. */
type TaskPayload = { readonly organization: string; readonly installation: string } & (
  | { readonly task: string }
  | { readonly payload: EventPayload; readonly createdAt: string }
);

/** Adds a task to the queue of its installation when its time has come. A canceled task has no record any more. */
export const startTask = defineJob<TaskPayload>("start-task", async (jobContext, payload) => {
  const { organization, installation: installationId } = payload;
  await jobContext.store.write(getOrganizationPartition(organization), async (tx) => {
    const installation = await installations.get(tx, installationId);
    if ("payload" in payload) {
      if (installation) await enqueueEvent(jobContext, tx, installation, payload.payload, payload.createdAt);
      return;
    }
    const record = await tasks.get(tx, installationId, payload.task);
    if (!record) return;
    const { id, task, scheduledFor } = record;
    await tasks.delete(tx, installationId, id);
    const event: EventPayload = { eventId: id, type: "task", installationId, task };
    if (installation) await enqueueEvent(jobContext, tx, installation, event, scheduledFor);
  });
});

export const queueTask = defineOperation(`POST ${path}/tasks`, {
  summary: "Schedule a task",
  target: installation,
  right: "act",
  body: NewTask,
  returns: Task,
  status: 201,
  handle: (context) => saveTask(context, context.body),
});

/** The installation that the body names, or whose token the caller has. */
const namedInstallation: Target<InstallationContext, "act"> = {
  ...installation,
  findPartition: () => DIRECTORY,
  async load(scope) {
    const { installation: named } = scope.body as v.InferOutput<typeof NewIntegrationTask>;
    const id = named ?? scope.actor.user.id;
    const code = parsePartitionCode("installation", id);
    const isOwn = id === scope.actor.user.id;
    if (scope.partitionCode === "") {
      if (!isOwn && !(await findVisibleIntegration(scope))) return undefined;
      if (code === undefined)
        throw createValidationError("body.installation", "Required, unless the token is that of an installation");
      throw new MovedError(getPartitionByCode(code));
    }
    const found = await installations.get(scope.tx, id);
    const isNamed = found?.integration === scope.params.integrationName;
    const context = found && isNamed ? await loadInstallationContext(scope, found) : undefined;
    if (context && installation.rights.view(context)) return context;
    if (isOwn) return undefined;
    throw createValidationError("body.installation", "Installation not found, or you don't have access to it");
  },
  notFoundReason: "integration_not_found",
};

export const queueIntegrationTask = defineOperation("POST /integrations/:integrationName/tasks", {
  summary: "Schedule an integration task",
  target: namedInstallation,
  right: "act",
  body: NewIntegrationTask,
  returns: Task,
  status: 201,
  handle: (context) => saveTask(context, context.body),
});

/** Stores a task of an installation, and enqueues the job that starts it. */
async function saveTask(
  {
    tx,
    installation,
    newId,
    now,
    enqueueJob,
    urls,
  }: Pick<InstallationContext, "installation"> &
    Pick<WriteContext, "enqueueJob"> &
    Pick<CallContext, "urls"> & {
      readonly tx: Transaction;
      readonly newId: (kind: "event") => string;
      readonly now: Date;
    },
  { task, schedule = 0 }: v.InferOutput<typeof NewTask>,
) {
  const { organization, id, integration } = installation;
  const when = new Date(now.getTime() + schedule * 1000);
  const queued: TaskRecord = {
    installation: id,
    id: newId("event"),
    task: task as TaskRecord["task"],
    createdAt: now.toISOString(),
    scheduledFor: when.toISOString(),
  };
  await tasks.put(tx, queued);
  enqueueJob(startTask, { organization, installation: id, task: queued.id }, when);
  return presentTask(queued, integration, urls);
}

export const listTasks = defineOperation(`GET ${path}/tasks`, {
  summary: "List tasks",
  target: installation,
  right: "act",
  list: Task,
  async handle(context) {
    const { id, integration } = context.installation;
    return paginateGroup(context, tasks, "ofInstallation", [id], (found) =>
      found.map((it) => presentTask(it, integration, context.urls)),
    );
  },
});

const task: Target<InstallationContext & { readonly task: TaskRecord }, "act"> = {
  ...installation,
  async load(scope) {
    const above = await loadParentInstallation(scope);
    if (!installation.rights.act(above)) throw createError("forbidden");
    const found = await tasks.get(scope.tx, above.installation.id, scope.params.taskId!);
    return found && { ...above, task: found };
  },
  notFoundReason: "task_not_found",
};

export const getTask = defineOperation(`GET ${path}/tasks/:taskId`, {
  summary: "Get a task",
  target: task,
  right: "act",
  returns: Task,
  handle: async ({ task, installation, urls }) => presentTask(task, installation.integration, urls),
});

export const cancelTask = defineOperation(`DELETE ${path}/tasks/:taskId`, {
  summary: "Cancel a task",
  target: task,
  right: "act",
  handle: ({ tx, task }) => tasks.delete(tx, task.installation, task.id),
});

function presentTask({ id, installation, ...rest }: TaskRecord, integration: string, urls: Urls) {
  const location = urls.api(`/integrations/${integration}/installations/${installation}/tasks/${id}`);
  return { object: "integration-task" as const, id, ...rest, urls: { location } };
}
