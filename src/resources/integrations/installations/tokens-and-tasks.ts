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
import { signInstallationToken } from "./app-tokens";
import { type InstallationContext, installation, loadParentInstallation } from "./rules";
import { checkTokenScopes } from "./token-limits";
import { InstallationToken, NewTask, Task } from "./tokens-and-tasks-schema";

const at = "/integrations/:integrationName/installations/:installationId" as const;

export const createInstallationToken = defineOperation(`POST ${at}/tokens`, {
  summary: "Get a token that acts for an installation, for an hour",
  description:
    "It is good for the spaces and sites that the installation is on, within the scopes that were agreed to. It ends with the installation, and no later than the token that asks for it.",
  target: installation,
  right: "act",
  returns: InstallationToken,
  async handle({ installation, integration, isItself, secrets, now, actor, apiInfo }) {
    if (!isItself) checkTokenScopes({ actor, apiInfo }, getGrantedScopes(installation, integration));
    if (installation.status === "paused") throw createError("installation_paused");
    return signInstallationToken(secrets, installation, now, actor.expiresAt);
  },
});

/** What a job says of a task. One that was made before tasks were recorded holds the event itself. */
type Waiting = { readonly organization: string; readonly installation: string } & (
  | { readonly task: string }
  | { readonly payload: EventPayload; readonly createdAt: string }
);

/** Adds a task to the queue of its installation when its time has come. One that was taken back is not there any more. */
export const startTask = defineJob<Waiting>("start-task", async (work, waiting) => {
  const { organization, installation } = waiting;
  await work.store.write(getOrganizationPartition(organization), async (tx) => {
    const found = await installations.get(tx, installation);
    if ("payload" in waiting) {
      if (found) await enqueueEvent(work, tx, found, waiting.payload, waiting.createdAt);
      return;
    }
    const task = await tasks.get(tx, installation, waiting.task);
    if (!task) return;
    await tasks.delete(tx, installation, task.id);
    if (found) await enqueueEvent(work, tx, found, eventOf(task), task.scheduledFor);
  });
});

function eventOf({ id: eventId, installation: installationId, task }: TaskRecord): EventPayload {
  return { eventId, type: "task", installationId, task };
}

export const queueTask = defineOperation(`POST ${at}/tasks`, {
  summary: "Have an integration called with a task, now or within a day",
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
    return taskView(queued, integration, urls);
  },
});

export const listTasks = defineOperation(`GET ${at}/tasks`, {
  summary: "List the tasks of an installation that wait for their time, the next one first",
  target: installation,
  right: "act",
  list: Task,
  async handle(context) {
    const { id, integration } = context.installation;
    return paginateGroup(context, tasks, "ofInstallation", [id], (found) =>
      found.map((it) => taskView(it, integration, context.urls)),
    );
  },
});

/** A task that waits, for those who act for its installation. */
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

export const getTask = defineOperation(`GET ${at}/tasks/:taskId`, {
  summary: "Get a task that waits for its time",
  target: task,
  right: "act",
  returns: Task,
  handle: async ({ task, installation, urls }) => taskView(task, installation.integration, urls),
});

export const cancelTask = defineOperation(`DELETE ${at}/tasks/:taskId`, {
  summary: "Take a task back before its time has come",
  target: task,
  right: "act",
  handle: ({ tx, task }) => tasks.delete(tx, task.installation, task.id),
});

function taskView({ id, installation, ...rest }: TaskRecord, integration: string, urls: Urls) {
  const location = urls.api(`/integrations/${integration}/installations/${installation}/tasks/${id}`);
  return { object: "integration-task" as const, id, ...rest, urls: { location } };
}
