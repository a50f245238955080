// SCIM 2.0 (RFC 7643, RFC 7644) for an organization: the directory of a company provisions its members and teams. Requests
// authenticate with a token of the organization, and reach nothing beyond it.

import { createError, DocsError } from "../../errors";
import { toDocsError } from "../../http/handler";
import type { PlainResponse } from "../../http/plain-request";
import { limitJsonTextInSteps } from "../../operation/json-limits";
import { checkJsonLimits } from "../../operation/validate";
import { findOrganizationPartition, organizations } from "../../resources/people/organizations/records";
import { scimTokens } from "../../resources/people/scim/records";
import { getPartitionRef } from "../../storage/ids";
import { TransactionTooLargeError } from "../../storage/transaction";
import { runStepsSync } from "../../utils/concurrency/steps";
import { sha256Hex } from "../../utils/sha256";
import type { SignInContext, SignInRequest, SignInRoute, SignInRouteFactory } from "../context";
import { getResourceTypes, getScimSchemas, getServiceProviderConfig } from "./discovery";
import { createGroup, deleteGroup, getGroup, listGroups, patchGroup, replaceGroup } from "./groups";
import {
  createListResponse,
  createNotFoundError,
  createScimErrorResponse,
  createScimResponse,
  getResourceUrl,
  ScimError,
  type ScimRequest,
} from "./protocol";
import { createUser, deleteUser, getUser, listUsers, patchUser, replaceUser } from "./users";

type ScimHandler = (request: ScimRequest) => Promise<PlainResponse>;
type ScimMethod = Exclude<SignInRoute["method"], "*">;

/** The largest body: a group of about 10,000 members. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The path below which each organization has its paths. */
const BASE = "/scim/v2";

export const createScimRoutes: SignInRouteFactory = (context) => {
  const createRoute = (method: SignInRoute["method"], path: string, handler: ScimHandler): SignInRoute => ({
    method,
    path: `${BASE}/:organizationId${path}`,
    allowsCrossSite: true,
    errorFormat: toScimErrorResponse,
    async handle(request) {
      try {
        return await handler(await authenticateScimRequest(context, request, method !== "*"));
      } catch (error) {
        if (error instanceof ScimError) return createScimErrorResponse(error);
        const docsError =
          error instanceof TransactionTooLargeError ? createError("too_much_at_once") : toDocsError(error);
        if (!(error instanceof DocsError) && docsError.status >= 500) context.kernel.jobs.onError(error);
        return toScimErrorResponse(docsError);
      }
    },
  });
  /** Creates the routes of a path, with one that refuses all other methods. */
  const createRoutes = (path: string, handlers: Partial<Record<ScimMethod, ScimHandler>>): SignInRoute[] => [
    ...Object.entries(handlers).map(([method, handler]) => createRoute(method as ScimMethod, path, handler)),
    createRoute("*", path, async () =>
      createScimErrorResponse(new ScimError(405, "Method not allowed. See the `Allow` header."), {
        allow: Object.keys(handlers).join(", "),
      }),
    ),
  ];
  return [
    ...createRoutes("/ServiceProviderConfig", {
      GET: describe((getUrl) => createScimResponse(200, getServiceProviderConfig(getUrl))),
    }),
    ...Object.entries({ "/ResourceTypes": getResourceTypes, "/Schemas": getScimSchemas }).flatMap(([path, list]) => [
      ...createRoutes(path, { GET: describe((getUrl) => createListResponse(list(getUrl))) }),
      ...createRoutes(`${path}/:id`, {
        GET: describe((getUrl, id) => {
          const resource = list(getUrl).find((it) => (it as { readonly id: string }).id === id);
          if (!resource) throw createNotFoundError();
          return createScimResponse(200, resource);
        }),
      }),
    ]),
    ...createRoutes("/Users", { GET: listUsers, POST: createUser }),
    ...createRoutes("/Users/:id", { GET: getUser, PUT: replaceUser, PATCH: patchUser, DELETE: deleteUser }),
    ...createRoutes("/Groups", { GET: listGroups, POST: createGroup }),
    ...createRoutes("/Groups/:id", { GET: getGroup, PUT: replaceGroup, PATCH: patchGroup, DELETE: deleteGroup }),
    createRoute("*", "/*", async () => createScimErrorResponse(createNotFoundError())),
    {
      method: "*",
      path: `${BASE}/*`,
      allowsCrossSite: true,
      errorFormat: toScimErrorResponse,
      handle: async () =>
        createScimErrorResponse(new ScimError(404, `SCIM is below ${BASE}/ and the id of an organization.`)),
    },
  ];
};

/**
 * Returns the handler of a discovery endpoint. Filters are refused as RFC 7644 asks, so that a client never takes the
 * complete list for a filtered one.
 */
function describe(respond: (getUrl: (path: string) => string, id: string) => PlainResponse): ScimHandler {
  return async (request) => {
    if (request.query.has("filter")) throw new ScimError(403, "Filters are not supported here.");
    return respond((path) => getResourceUrl(request, path), request.id);
  };
}

function toScimErrorResponse({ status, message, headers }: DocsError): PlainResponse {
  return createScimErrorResponse(new ScimError(status, message), headers);
}

/** Authenticates a request and reads its body. A token of another organization is refused like an unknown one. */
async function authenticateScimRequest(
  context: SignInContext,
  request: SignInRequest,
  acceptsBody: boolean,
): Promise<ScimRequest> {
  const { organizationId = "", id = "" } = request.params;
  const value = request.headers.get("authorization")?.match(/^Bearer +(octavo_scim_[0-9a-z]{32})$/i)?.[1];
  const partition = findOrganizationPartition(organizationId);
  const view = value && partition ? await context.kernel.store.read(partition) : undefined;
  const token = view && (await scimTokens.get(view, sha256Hex(value!)));
  const organization = token && (await organizations.get(view, organizationId));
  if (!organization) throw createError("token_unknown");

  // The content type of a body isn't checked, because directories send several.
  let body: unknown;
  if (acceptsBody && ["POST", "PUT", "PATCH"].includes(request.method)) {
    const bytes = await request.body(MAX_BODY_BYTES);
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      body = JSON.parse(runStepsSync(limitJsonTextInSteps(text)).text);
      checkJsonLimits(body, "body");
    } catch (error) {
      if (error instanceof DocsError) throw error;
      throw new ScimError(400, "The body is not valid JSON.", "invalidSyntax");
    }
  }
  return {
    context,
    organization,
    place: getPartitionRef(organizationId),
    tokenId: token.id,
    source: { address: request.address, userAgent: request.headers.get("user-agent") ?? undefined },
    id,
    query: request.query,
    body,
  };
}
