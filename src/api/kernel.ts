// The kernel of an API: everything that running an operation needs, with the authenticator, which runs on it and which streams of
// events need to identify their callers again.

import { version } from "../../package.json";
import { createAuditLog } from "../audit/log";
import { DocsError } from "../errors";
import type { EventStreams } from "../events/event-streams";
import { createRefusalLimiter } from "../execution/audit-call";
import type { Kernel, RegisteredOperation } from "../execution/kernel";
import { createETagSourceLookup, createParentLookup } from "../execution/related-operations";
import { createOutbox } from "../jobs/outbox";
import { allOperations } from "../operations";
import { createEventReceivers } from "../resources/integrations/delivery/listeners";
import { recordAuditEvent, recordUserAuditEvent } from "../resources/people/audit/record-event";
import { checkSingleSignOn, hideUnprovenMembership } from "../resources/people/sessions/single-sign-on";
import { DIRECTORY } from "../storage/ids";
import { loadLazily } from "../utils/lazy";
import { createAuthenticator } from "./authenticate";
import type { Environment } from "./environment";
import type { DocsApiOptions } from "./options";
import { createPorts } from "./ports";

// A Worker creates an API for every request, so everything that follows from the operations alone is computed once.
const table = allOperations();
export const operations = new Map<string, RegisteredOperation>(table.map((operation) => [operation.name, operation]));
/** The names of the operations that a visitor's token opens. */
export const visitorOperations = table
  .filter(({ definition }) => definition.spec.allowsVisitors)
  .map(({ name }) => name);
const guardedOperations = table.filter(({ definition }) => definition.spec.target.allowsAnonymous !== true);
const scopes = [...new Set(guardedOperations.map(({ scope }) => scope))].sort();
const writeOperations = table
  .filter(({ definition: { method, spec } }) => method !== "GET" && !spec.isReadOnly)
  .map(({ name }) => name);
const findETagSource = createETagSourceLookup(table);
const findParents = createParentLookup(table);

export type KernelParts = ReturnType<typeof createKernel>;

/** Creates the kernel and the authenticator of an API. `endStreams` ends the streams of events, and refuses new ones. */
export function createKernel(environment: Environment, options: DocsApiOptions) {
  const { onError, secrets, urls, store, caches, getNotReadyReason } = environment;

  // Most processes describe themselves to nobody and stream no events, so the code for it is loaded when it is first needed.
  const getOpenApiDocument = loadLazily(async () => {
    const { getPublishedDocument } = await import("../openapi/reference/published-document");
    return getPublishedDocument(table, { version, server: urls.api("") });
  });
  let streams: EventStreams | undefined;
  let isEnding = false;
  const getStreams = loadLazily(async () => {
    const { createEventStreams } = await import("../events/event-streams");
    const { refreshActor } = authenticator;
    streams = createEventStreams({ kernel, operations, refreshActor, limits: options.events });
    return streams;
  });

  const kernel: Kernel = {
    store,
    jobs: {
      store,
      onError,
      waitUntil: options.waitUntil,
      onDue: options.onDue,
      outbox: createOutbox(
        store,
        options.onEvent,
        onError,
        createEventReceivers(() => kernel.jobs),
      ),
      audit: createAuditLog(store, secrets),
      objects: caches.objects,
      contents: caches.contents,
      ports: createPorts(options, environment),
    },
    urls,
    secrets,
    apiInfo: {
      version,
      getOpenApiDocument,
      scopes,
      writeOperations,
      getScope: (name) => operations.get(name)?.scope,
      getNotReadyReason,
      async openEventStream(call) {
        const openStreams = await getStreams();
        if (isEnding) throw new DocsError("unavailable", { headers: { "retry-after": "1" } });
        return openStreams.open(call);
      },
    },
    responseCache: caches.responses,
    checkSignInMethod: checkSingleSignOn,
    restrictView: hideUnprovenMembership,
    recordAuditEvent: (tx, partition, happening, userId) =>
      partition === DIRECTORY
        ? recordUserAuditEvent(kernel.jobs, tx, userId, happening)
        : recordAuditEvent(kernel.jobs, tx, { partition }, happening),
    shouldAuditRefusal: createRefusalLimiter(store),
    findETagSource,
    findParents,
  };
  const authenticator = createAuthenticator({
    kernel,
    sessionCookie: environment.sessionCookie,
    authenticate: options.authenticate,
    countRequest: environment.countRequest,
    visitorOperations,
    maxCachedTokens: environment.maxCachedTokens,
  });

  return {
    kernel,
    authenticator,
    getOpenApiDocument,
    endStreams() {
      isEnding = true;
      streams?.close();
    },
  };
}
