// The HTTP handler of an API, with the pages of its reference and the server of agents.

import { version } from "../../package.json";
import { createHttpHandler, type HttpHandler } from "../http/handler";
import { allOperations } from "../operations";
import { loadLazily } from "../utils/lazy";
import type { Environment } from "./environment";
import type { KernelParts } from "./kernel";
import type { DocsApiOptions } from "./options";

/** Creates the HTTP handler of an API. */
export function createHandler(
  { basePath, origins, urls, caches, onError, reportError }: Environment,
  { kernel, authenticator, getOpenApiDocument }: KernelParts,
  options: DocsApiOptions,
): HttpHandler {
  // Most processes describe themselves to nobody and serve no agents, so the code for it is loaded when it is first needed.
  const getReference = loadLazily(async () => {
    const { createReferencePages } = await import("../openapi/reference/pages");
    const info = { root: `${basePath}/v1/docs`, server: urls.api(""), version };
    return createReferencePages(await getOpenApiDocument(), info, caches.answers);
  });
  const getAgents = loadLazily(async () => {
    const { createAgentServer } = await import("../mcp/agents/serve");
    const { getScope } = kernel.apiInfo;
    return createAgentServer({ handle, basePath, version, origins, getScope, onError });
  });

  const handle = createHttpHandler(kernel, allOperations(), {
    basePath,
    maxBodyBytes: options.maxBodyBytes ?? 10 * 1024 * 1024,
    cors: options.cors,
    rateLimit: options.rateLimit,
    identifyCaller: authenticator.identifyCaller,
    hasCredentials: authenticator.hasCredentials,
    renderReference: options.reference === false ? undefined : async (page) => (await getReference())(page),
    handleAgentRequest: async (request, actor) => (await getAgents())(request, actor),
    onError: reportError,
    onRequest: options.onRequest,
    caches,
  });
  return handle;
}
