// The operation that aggregates the counts of events. Its implementation is loaded when it is first needed.

import { defineOperation } from "../../../operation/operation";
import { loadLazily } from "../../../utils/lazy";
import { countedSite } from "./counted-targets";
import { EventsAggregate, EventsAggregateRequest } from "./event-schema";

const loadAggregation = loadLazily(() => import("./aggregate-events"));

export const aggregateSiteEvents = defineOperation(
  "POST /orgs/:organizationId/sites/:siteId/insights/events/aggregate",
  {
    summary: "Aggregate site events",
    target: countedSite,
    right: "edit",
    body: EventsAggregateRequest,
    returns: EventsAggregate,
    isReadOnly: true,
    async handle({ tx, site, body, now }) {
      const { aggregateEvents } = await loadAggregation();
      return aggregateEvents(tx, site.id, body, now);
    },
  },
);
