// The events that an integration received, for those who run it, and its development mode.

import { createError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { paginateFiltered } from "../../../operation/pagination";
import type { Target, TargetContext } from "../../../operation/target";
import { omitUndefined } from "../../../utils/objects";
import { findOrganizationPartition } from "../../people/organizations/records";
import { type IntegrationContext, integration } from "../definitions/rules";
import { checkTokenScopes } from "../installations/token-limits";
import { developments, type EventRecord, eventRecords, installations } from "../records";
import { canReachPlace } from "./event-access";
import { Development, IntegrationEvent, TracedEvent } from "./event-schema";

export const listIntegrationEvents = defineOperation("GET /integrations/:integrationName/events", {
  summary: "List integration events",
  target: integration,
  right: "admin",
  list: IntegrationEvent,
  async handle({ tx, integration, pageRequest, peek }) {
    const isReachable = createReachCheck(peek);
    return paginateFiltered(
      pageRequest,
      async ({ after, limit }) => {
        const under = [integration.id];
        const rows = await eventRecords.list(tx, "ofIntegration", { under, after, limit, reverse: true });
        return Promise.all(
          rows.map(async ({ record, position }) => ({
            record: { event: record, isShown: await isReachable(record) },
            position,
          })),
        );
      },
      ({ isShown }) => isShown,
      (found) => found.map(({ event }) => presentEvent(event)),
      { reverse: true },
    );
  },
});

/** Creates a cached check that the installation of an event still reaches its space or site. */
function createReachCheck(peek: TargetContext["peek"]): (event: EventRecord) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>();
  return async ({ organization, installation: id, payload }) => {
    // The event of a rendered component has its space or site in its context.
    const { spaceId, siteId } = { ...(payload.context as object | undefined), ...payload } as Record<string, unknown>;
    if (spaceId === undefined && siteId === undefined) return true;
    const checkReach = async () => {
      const view = await peek(findOrganizationPartition(organization)!);
      const installation = id === null ? undefined : await installations.get(view, id);
      return installation !== undefined && canReachPlace(view, installation, { spaceId, siteId });
    };
    const key = JSON.stringify([id, { spaceId, siteId }]);
    const answer = answers.get(key) ?? checkReach();
    answers.set(key, answer);
    return answer;
  };
}

interface EventContext extends IntegrationContext {
  readonly event: EventRecord;
  readonly isReachable: boolean;
}

const event: Target<EventContext, "admin"> = {
  findPartition: integration.findPartition,
  async load(scope) {
    const above = await integration.load(scope);
    if (!above || !integration.rights.view(above)) throw createError("integration_not_found");
    const rows = await eventRecords.list(scope.tx, "byId", { under: [scope.params.eventId!], limit: 100 });
    const found = rows.map(({ record }) => record).find((it) => it.definition === above.integration.id);
    return found && { ...above, event: found, isReachable: await createReachCheck(scope.peek)(found) };
  },
  notFoundReason: "event_not_found",
  rights: {
    view: (it) => integration.rights.admin(it) && it.isReachable,
    admin: integration.rights.admin,
  },
  // An integration and its installations may be in two organizations, so a response reads both.
  isCacheable: () => false,
};

export const getIntegrationEvent = defineOperation("GET /integrations/:integrationName/events/:eventId", {
  summary: "Get an integration event",
  target: event,
  right: "admin",
  returns: TracedEvent,
  handle: async ({ event }) => ({
    event: presentEvent(event),
    trace: { logs: event.logs.map((line) => ({ ...line })) },
  }),
});

function presentEvent({ id, integration, installation, createdAt, payload, status, isOpen, attempts }: EventRecord) {
  return {
    object: "integration-event" as const,
    id,
    integrationId: integration,
    ...omitUndefined({ installationId: installation === null ? undefined : installation }),
    createdAt,
    payload,
    status,
    isOpen,
    attempts: attempts.map((it) => ({ ...it })),
  };
}

export const startDevelopment = defineOperation("PUT /integrations/:integrationName/dev", {
  summary: "Start development mode",
  target: integration,
  right: "admin",
  body: Development,
  async handle({ tx, integration, body, ports, actor, apiInfo }) {
    checkTokenScopes({ actor, apiInfo }, integration.scopes);
    if (!ports.fetch) throw createError("no_outbound_fetch");
    const { tunnelUrl, all = false } = body;
    await developments.put(tx, { definition: integration.id, tunnelUrl, all });
  },
});

export const stopDevelopment = defineOperation("DELETE /integrations/:integrationName/dev", {
  summary: "Stop development mode",
  target: integration,
  right: "admin",
  handle: ({ tx, integration }) => developments.delete(tx, integration.id),
});
