// The events of an integration on the wire, and its development mode.

import * as v from "valibot";
import { Id, namedObject, Timestamp, urlSchema } from "../../../operation/common-schemas";
import { tryParseUrl } from "../../../utils/url";

/** The event that was sent. Each type of event has its own members besides these. */
const EventPayload = v.pipe(
  v.looseObject({
    eventId: v.string(),
    type: v.string(),
    installationId: v.optional(Id),
    status: v.optional(v.string()),
    previous: v.optional(
      v.looseObject({ status: v.optional(v.string()), configuration: v.optional(v.record(v.string(), v.unknown())) }),
    ),
  }),
  v.title("IntegrationEventPayload"),
);

export const IntegrationEvent = namedObject("IntegrationEvent", {
  object: v.literal("integration-event"),
  id: Id,
  integrationId: v.string(),
  installationId: v.optional(v.pipe(Id, v.description("Omitted if the event was sent to the integration as a whole."))),
  createdAt: Timestamp,
  payload: EventPayload,
  status: v.picklist(["success", "failed"]),
  isOpen: v.pipe(v.boolean(), v.description("Whether delivery will be retried.")),
  attempts: v.array(v.object({ at: Timestamp, status: v.optional(v.number()), error: v.optional(v.string()) })),
});

export const TracedEvent = v.object({
  event: IntegrationEvent,
  trace: v.object({
    logs: v.array(
      v.object({
        message: v.string(),
        timestamp: Timestamp,
        level: v.picklist(["debug", "info", "warn", "error"]),
      }),
    ),
  }),
});

export const Development = v.strictObject({
  tunnelUrl: v.pipe(
    v.string("Expected a URL"),
    v.minLength(1, "Expected 1 to 256 characters"),
    v.maxLength(256, "Expected 1 to 256 characters"),
    urlSchema("Expected an absolute URL"),
    v.regex(/^https?:\/\//i, "Expected a URL that begins with http:// or https://"),
    v.check((url) => {
      const address = tryParseUrl(url);
      return address !== undefined && address.username + address.password === "";
    }, "Expected a URL without a name and a password"),
    v.description("Events are sent to `<tunnelUrl>/v1`. Redirects are not followed."),
  ),
  all: v.optional(
    v.pipe(
      v.boolean("Expected true or false"),
      v.description("Whether the events of all users are sent there. Defaults to false."),
    ),
  ),
});
