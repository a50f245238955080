// The HTTP handler of an API and its internal client, which admit and report their callers in the same way; with the pages of the
// reference and the server of agents.

import { version } from "../../package.json";
import { createHttpHandler } from "../http/handler";
import { createRequestReporter } from "../http/request-report";
import { allOperations } from "../operations";
import { loadLazily } from "../utils/lazy";
import type { Environment } from "./environment";
import { createInternalClient } from "./internal-client";
import { type KernelParts, operations, visitorOperations } from "./kernel";
import type { DocsApiOptions } from "./options";

/** Creates the HTTP handler and the internal client of an API. */
export function createHandler(
  { basePath, origins, urls, caches, onError, reportError, countRequest }: Environment,
  { kernel, authenticator, getOpenApiDocument }: KernelParts,
  options: DocsApiOptions,
) {
  const reportRequest = options.onRequest && createRequestReporter(options.onRequest, onError);
  const { admitCaller } = authenticator;
  const maxBodyBytes = options.maxBodyBytes ?? 10 * 1024 * 1024;
  const client = createInternalClient({
    kernel,
    operations,
    visitorOperations,
    basePath,
    maxBodyBytes,
    admitCaller,
    reportRequest,
  });

  // Most processes describe themselves to nobody and serve no agents, so the code for it is loaded when it is first needed.
  const getReference = loadLazily(async () => {
    const { createReferencePages } = await import("../openapi/reference/pages");
    const info = { root: `${basePath}/v1/docs`, server: urls.api(""), version };
    return createReferencePages(await getOpenApiDocument(), info, caches.responses);
  });
  const getAgents = loadLazily(async () => {
    const { createAgentServer } = await import("../mcp/agents/serve");
    const { callAsSender } = client;
    const { getScope } = kernel.apiInfo;
    return createAgentServer({ callAsSender, version, origins, getScope, onError });
  });

  const handle = createHttpHandler(kernel, allOperations(), {
    basePath,
    maxBodyBytes,
    cors: options.cors,
    countRequest,
    admitCaller,
    renderReference: options.reference === false ? undefined : async (page) => (await getReference())(page),
    handleAgentRequest: async (request, actor) => (await getAgents())(request, actor),
    onError: reportError,
    reportRequest,
    routeCache: caches.routes,
  });
  return { handle, client };
}
