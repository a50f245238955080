// SCIM 2.0 (RFC 7643, 7644) for an organization: the directory of a company manages its members and teams. A token of the
// organization opens it, and nothing that it can do reaches beyond the organization.

import { createError, DocsError } from "../../errors";
import { toDocsError } from "../../http/handler";
import type { PlainResponse } from "../../http/plain-request";
import { limitJsonText } from "../../operation/json-limits";
import { checkJsonLimits } from "../../operation/validate";
import { findOrganizationPartition, organizations } from "../../resources/people/organizations/records";
import { scimTokens } from "../../resources/people/scim/records";
import { getOrganizationPlace } from "../../storage/ids";
import { hashFingerprint } from "../../storage/secrets";
import { TransactionTooLargeError } from "../../storage/transaction";
import type { Route, SignInContext, SignInRequest, SignInRoute } from "../parts";
import { resourceTypes, schemas, serviceProviderConfig, wholeList } from "./about";
import { absent, answer, errorAnswer, ScimError } from "./answers";
import { createGroup, deleteGroup, getGroup, listGroups, patchGroup, replaceGroup } from "./groups";
import { locationOf, type ScimRequest } from "./request";
import { createUser, deleteUser, getUser, listUsers, patchUser, replaceUser } from "./users";

type Handler = (request: ScimRequest) => Promise<PlainResponse>;

/** The largest body: a group of about 10,000 members. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The path below which the paths of all organizations are. */
const BASE = "/scim/v2";

export const scim: SignInRoute = (house) => {
  const route = (method: Route["method"], path: string, handler: Handler): Route => ({
    method,
    path: `${BASE}/:organizationId${path}`,
    takesOthers: true,
    tells: refusal,
    answer: (request) => answered(house, request, handler, method !== "*"),
  });
  const at = (path: string, handlers: Partial<Record<Exclude<Route["method"], "*">, Handler>>): Route[] => [
    ...Object.entries(handlers).map(([method, handler]) => route(method as Route["method"], path, handler)),
    route("*", path, async () =>
      errorAnswer(new ScimError(405, "Method not allowed. See the `Allow` header."), {
        allow: Object.keys(handlers).join(", "),
      }),
    ),
  ];
  const noOrganization = async () =>
    errorAnswer(new ScimError(404, `SCIM is below ${BASE}/ and the id of an organization.`));
  return [
    ...at("/ServiceProviderConfig", { GET: described((locate) => answer(200, serviceProviderConfig(locate))) }),
    ...at("/ResourceTypes", { GET: described((locate) => answer(200, wholeList(resourceTypes(locate)))) }),
    ...at("/ResourceTypes/:id", { GET: described((locate, id) => oneOf(resourceTypes(locate), id)) }),
    ...at("/Schemas", { GET: described((locate) => answer(200, wholeList(schemas(locate)))) }),
    ...at("/Schemas/:id", { GET: described((locate, id) => oneOf(schemas(locate), id)) }),
    ...at("/Users", { GET: listUsers, POST: createUser }),
    ...at("/Users/:id", { GET: getUser, PUT: replaceUser, PATCH: patchUser, DELETE: deleteUser }),
    ...at("/Groups", { GET: listGroups, POST: createGroup }),
    ...at("/Groups/:id", { GET: getGroup, PUT: replaceGroup, PATCH: patchGroup, DELETE: deleteGroup }),
    route("*", "/*", async () => errorAnswer(absent())),
    { method: "*", path: `${BASE}/*`, takesOthers: true, tells: refusal, answer: noOrganization },
  ];
};

/** Handles a request for what describes SCIM here. It has no filters, so that nobody takes the whole for the filtered. */
function described(describe: (locate: (path: string) => string, id: string) => PlainResponse): Handler {
  return async (request) => {
    if (request.query.has("filter")) throw new ScimError(403, "Filters are not supported here.");
    return describe((path) => locationOf(request, path), request.id);
  };
}

function oneOf(list: readonly object[], id: string): PlainResponse {
  const found = list.find((it) => (it as { readonly id: string }).id === id);
  if (!found) throw absent();
  return answer(200, found);
}

function refusal({ status, message, headers }: DocsError): PlainResponse {
  return errorAnswer(new ScimError(status, message), headers);
}

async function answered(
  house: SignInContext,
  request: SignInRequest,
  handler: Handler,
  takesBody: boolean,
): Promise<PlainResponse> {
  try {
    return await handler(await recognized(house, request, takesBody));
  } catch (error) {
    if (error instanceof ScimError) return errorAnswer(error);
    const told = error instanceof TransactionTooLargeError ? createError("too_much_at_once") : toDocsError(error);
    if (!(error instanceof DocsError) && told.status >= 500) house.kernel.jobs.onError(error);
    return refusal(told);
  }
}

/** The request with its organization. A wrong token, and one of another organization, get the same answer. */
async function recognized(house: SignInContext, request: SignInRequest, takesBody: boolean): Promise<ScimRequest> {
  const { organizationId = "", id = "" } = request.params;
  const value = request.headers.get("authorization")?.match(/^Bearer +(octavo_scim_[0-9a-z]{32})$/i)?.[1];
  const partition = findOrganizationPartition(organizationId);
  const view = value && partition ? await house.kernel.store.read(partition) : undefined;
  const token = view && (await scimTokens.get(view, hashFingerprint(value!)));
  const organization = token && (await organizations.get(view, organizationId));
  if (!organization) throw createError("token_unknown");
  const place = getOrganizationPlace(organizationId);
  const hasBody = takesBody && ["POST", "PUT", "PATCH"].includes(request.method);
  const body = hasBody ? await bodyOf(request) : undefined;
  const from = { address: request.address, userAgent: request.headers.get("user-agent") ?? undefined };
  return { house, organization, place, token: token.id, from, id, query: request.query, body };
}

/** The body. Providers call its type by several names, so what counts is that it is JSON. */
async function bodyOf(request: SignInRequest): Promise<unknown> {
  const bytes = await request.body(MAX_BODY_BYTES);
  try {
    const { text: bounded } = limitJsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const value: unknown = JSON.parse(bounded);
    checkJsonLimits(value, "body");
    return value;
  } catch (error) {
    if (error instanceof DocsError) throw error;
    throw new ScimError(400, "The body is not valid JSON.", "invalidSyntax");
  }
}
