// The stream of the events of an organization.

import * as v from "valibot";
import { BinarySchema } from "../../../operation/binary-response";
import { defineOperation } from "../../../operation/operation";
import { organization } from "../../people/organizations/rules";

/** The duration of a stream. After at most an hour its reader connects again, perhaps to another process. */
const Seconds = v.pipe(
  v.string("Expected a whole number"),
  v.regex(/^(?:[0-2]?\d{1,3}|3[0-5]\d\d|3600)$/, "Expected a whole number from 0 to 3600"),
);

export const streamEvents = defineOperation("GET /orgs/:organizationId/events", {
  summary: "Stream events",
  target: organization,
  right: "view",
  query: {
    after: v.optional(v.pipe(v.string(), v.maxLength(200, "Expected at most 200 characters"))),
    seconds: v.optional(Seconds, "3600"),
  },
  returns: BinarySchema,
  mediaTypes: ["text/event-stream"],
  async handle({ organization, actor, originalRequest, apiInfo, query }) {
    // A browser that connects again sends the header together with its first URL: the header is newer than the query.
    const after = originalRequest?.headers.get("last-event-id") ?? query.after;
    return apiInfo.openEventStream({
      organization: organization.id,
      actor,
      originalRequest,
      lastEventId: after,
      durationSeconds: Number(query.seconds),
    });
  },
});
