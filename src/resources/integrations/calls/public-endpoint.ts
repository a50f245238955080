// The public endpoint of an integration: every request becomes a `fetch` event, and the integration's response goes back.
// Anybody may call it. So credentials for this API are not passed on, and the response cannot act for this origin.

import { createError } from "../../../errors";
import { ANONYMOUS } from "../../../operation/actor";
import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { type CallContext, defineOperation, type ForwardedRequest } from "../../../operation/operation";
import type { Target, TargetContext } from "../../../operation/target";
import { getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { omitUndefined } from "../../../utils/objects";
import { type IntegrationContext, integration } from "../definitions/rules";
import { installations, type PlaceKind, placements } from "../records";
import type { InvocationOrigin } from "./environment";
import { filterResponseHeaders, getIntegrationResponse, MAX_HEADERS } from "./public-response";

/** Headers that concern only the connection between the caller, proxies and this server. */
const CONNECTION_HEADERS = new Set([
  ...["authorization", "connection", "content-length", "cookie", "expect", "forwarded", "host", "idempotency-key"],
  ...["keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "via", "x-real-ip"],
]);
const CONNECTION_HEADER_PREFIX = /^(?:cf|proxy|x-forwarded)-/i;

const endpoint: Target<IntegrationContext, "view"> = {
  findPartition: integration.findPartition,
  load: integration.load,
  notFoundReason: "integration_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

/** Large enough for requests of other services, such as the webhook of a large push. */
const maxBodyBytes = 4 * 1024 * 1024;
const common = {
  target: endpoint,
  right: "view",
  returns: BinarySchema,
  forwardsRequest: true,
  maxBodyBytes,
} as const;

export const fetchFromIntegration = defineOperation("GET /integrations/:integrationName/public/:path+", {
  summary: "Send a GET request to an integration",
  ...common,
  handle: (context) => handleRequest(context),
});
export const postToIntegration = defineOperation("POST /integrations/:integrationName/public/:path+", {
  summary: "Send a POST request to an integration",
  ...common,
  isReadOnly: true,
  handle: (context) => handleRequest(context),
});
export const putToIntegration = defineOperation("PUT /integrations/:integrationName/public/:path+", {
  summary: "Send a PUT request to an integration",
  ...common,
  handle: (context) => handleRequest(context),
});
export const patchAtIntegration = defineOperation("PATCH /integrations/:integrationName/public/:path+", {
  summary: "Send a PATCH request to an integration",
  ...common,
  handle: (context) => handleRequest(context),
});
export const deleteAtIntegration = defineOperation("DELETE /integrations/:integrationName/public/:path+", {
  summary: "Send a DELETE request to an integration",
  ...common,
  status: 200,
  handle: (context) => handleRequest(context),
});

interface EndpointContext
  extends IntegrationContext,
    Pick<TargetContext, "actor" | "peek">,
    Pick<CallContext, "jobContext" | "urls"> {
  readonly params: { readonly path: string };
  readonly forwardedRequest?: ForwardedRequest | undefined;
}

async function handleRequest(context: EndpointContext): Promise<BinaryResponse> {
  const { integration, params, actor, jobContext, urls, peek } = context;
  const request = context.forwardedRequest ?? { method: "GET", search: "", headers: [], body: new Uint8Array() };

  // The path begins with an installation, and its space or site. A paused or removed installation counts as absent.
  const [first = "", second = ""] = params.path.split("/");
  let origin: InvocationOrigin | undefined;
  if (first !== "integration") {
    const code = parsePartitionCode("installation", first);
    const view = code === undefined ? undefined : await peek(getPartitionByCode(code));
    const installation = view && (await installations.get(view, first));
    if (!installation || installation.definition !== integration.id || installation.status === "paused")
      throw createError("installation_not_found");
    const isInstalledOn = async (kind: PlaceKind) =>
      parsePartitionCode(kind, second) !== undefined && (await placements.get(view, first, kind, second)) !== undefined;
    if (await isInstalledOn("space")) origin = { installation, spaceId: second };
    else origin = { installation, siteId: (await isInstalledOn("site")) ? second : undefined };
  }

  const headers = request.headers
    .filter(([name]) => !CONNECTION_HEADERS.has(name.toLowerCase()) && !CONNECTION_HEADER_PREFIX.test(name))
    .slice(0, MAX_HEADERS);
  const event = {
    type: "fetch",
    request: {
      method: request.method,
      url: urls.api(`/integrations/${integration.name}/public/${params.path}`) + request.search,
      headers: Object.fromEntries(headers),
    },
    ...omitUndefined({ auth: actor === ANONYMOUS ? undefined : { userId: actor.user.id } }),
  };
  const isBodiless = request.method === "GET" || request.method === "HEAD";
  const {
    body,
    headers: responseHeaders,
    status,
  } = await getIntegrationResponse(jobContext, {
    integration,
    event,
    origin,
    body: isBodiless ? undefined : request.body,
    findFault: ({ status }) =>
      status < 200 || status > 599 ? `The status ${status} is not a valid HTTP status for a response.` : undefined,
  });
  return new BinaryResponse(body, filterResponseHeaders(responseHeaders), status);
}
