// Tokens and tasks of installations on the wire.

import * as v from "valibot";
import { Id, maxJsonSize, namedObject, Timestamp, textSchema, UrlString } from "../../../operation/common-schemas";

export const InstallationToken = namedObject("IntegrationInstallationToken", {
  token: v.string(),
  expiresAt: Timestamp,
});

const taskEntries = {
  task: v.pipe(
    v.objectWithRest({ type: textSchema(1, 100) }, v.unknown()),
    maxJsonSize(16 * 1024),
    v.description("The task object, delivered to the integration as is. `type` identifies the task."),
  ),
  schedule: v.optional(
    v.pipe(
      v.number("Expected a number of seconds"),
      v.integer("Expected whole seconds"),
      v.minValue(0, "Expected 0 to 86400 seconds"),
      v.maxValue(86_400, "Expected 0 to 86400 seconds"),
      v.description("The delay in seconds. Defaults to 0."),
    ),
  ),
};

export const NewTask = v.strictObject(taskEntries);

export const NewIntegrationTask = v.strictObject({
  ...taskEntries,
  installation: v.optional(
    v.pipe(
      Id,
      v.description("The ID of the installation that the task is for. Defaults to the installation of the token."),
    ),
  ),
});

export const Task = namedObject("IntegrationTask", {
  object: v.literal("integration-task"),
  id: v.pipe(Id, v.description("The ID of the task, and of the event that the integration receives.")),
  task: v.pipe(v.record(v.string(), v.unknown()), v.description("The task object, as provided.")),
  createdAt: Timestamp,
  scheduledFor: Timestamp,
  urls: v.object({ location: UrlString }),
});
