// Tokens and tasks, with which an integration acts for an installation.

import { createError } from "../../../errors";
import { defineJob } from "../../../jobs/jobs";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import type { Target } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { getOrganizationPartition } from "../../../storage/ids";
import { enqueueEvent } from "../delivery/listeners";
import { type EventPayload, installations, type TaskRecord, tasks } from "../records";
import { getGrantedScopes } from "./agreed-scopes";
import { signAppToken } from "./app-tokens";
import { type InstallationContext, installation, loadParentInstallation } from "./rules";
import { checkTokenScopes } from "./token-limits";
import { InstallationToken, NewTask, Task } from "./tokens-and-tasks-schema";

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
  async handle({ tx, installation, body, newId, now, enqueueJob, urls }) {
    const { organization, id, integration } = installation;
    const when = new Date(now.getTime() + (body.schedule ?? 0) * 1000);
    const queued: TaskRecord = {
      installation: id,
      id: newId("event"),
      task: body.task as TaskRecord["task"],
      createdAt: now.toISOString(),
      scheduledFor: when.toISOString(),
    };
    await tasks.put(tx, queued);
    enqueueJob(startTask, { organization, installation: id, task: queued.id }, when);
    return presentTask(queued, integration, urls);
  },
});

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
