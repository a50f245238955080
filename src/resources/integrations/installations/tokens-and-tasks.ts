// Tokens and tasks, with which an integration acts for an installation.

import { failure } from "../../../errors";
import { operation } from "../../../operation/operation";
import { homeOf } from "../../../store/ids";
import { step } from "../../../work/jobs";
import { enqueue } from "../delivery/listeners";
import { type EventPayload, installations } from "../records";
import { heldScopes } from "./agreed-scopes";
import { installation } from "./rules";
import { installationToken } from "./token-values";
import { InstallationToken, NewTask, Task } from "./tokens-and-tasks-schema";
import { checkWithinToken } from "./within-token";

const at = "/integrations/:integrationName/installations/:installationId" as const;

export const createInstallationToken = operation(`POST ${at}/tokens`, {
  summary: "Get a token that acts for an installation, for an hour",
  description:
    "It is good for the spaces and sites that the installation is on, within the scopes that were agreed to. It ends with the installation, and no later than the token that asks for it.",
  on: installation,
  right: "act",
  returns: InstallationToken,
  async handle({ installation, integration, isItself, secrets, now, actor, about }) {
    if (!isItself) checkWithinToken({ actor, about }, heldScopes(installation, integration));
    if (installation.status === "paused") throw failure("installation_paused");
    return installationToken(secrets, installation, now, actor.expiresAt);
  },
});

/** Adds a task to the queue of its installation when its time has come. */
export const startTask = step<{ organization: string; installation: string; payload: EventPayload; createdAt: string }>(
  "start-task",
  async (work, { organization, installation, payload, createdAt }) => {
    await work.store.write(homeOf(organization), async (tx) => {
      const found = await installations.get(tx, installation);
      if (found) await enqueue(work, tx, found, payload, createdAt);
    });
  },
);

export const queueTask = operation(`POST ${at}/tasks`, {
  summary: "Have an integration called with a task, now or within a day",
  on: installation,
  right: "act",
  body: NewTask,
  returns: Task,
  status: 201,
  async handle({ installation, body, newId, now, later }) {
    const eventId = newId("event");
    const when = new Date(now.getTime() + (body.schedule ?? 0) * 1000);
    const payload = { eventId, type: "task", installationId: installation.id, task: body.task } as EventPayload;
    const createdAt = when.toISOString();
    const { organization, id } = installation;
    later(startTask, { organization, installation: id, payload, createdAt }, when);
    return { object: "integration-task" as const, id: eventId, scheduledFor: createdAt };
  },
});
