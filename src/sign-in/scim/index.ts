// SCIM 2.0 (RFC 7643, 7644) for an organization: the directory of a company manages its members and teams. A token of the
// organization opens it, and nothing that it can do reaches beyond the organization.

import { DocsError, failure } from "../../errors";
import { toldError } from "../../http/edge";
import type { PlainResponse } from "../../http/plain";
import { checkReceived } from "../../operation/check";
import { boundedText } from "../../operation/received";
import { organizations, partitionOf } from "../../resources/people/organizations/records";
import { scimTokens } from "../../resources/people/scim/records";
import { fingerprint } from "../../secrets";
import { placeOf } from "../../store/ids";
import { TooMuchAtOnce } from "../../store/transaction";
import type { Arrived, House, Part, Route } from "../parts";
import { resourceTypes, schemas, serviceProviderConfig, wholeList } from "./about";
import { absent, answer, errorAnswer, ScimError } from "./answers";
import { createGroup, deleteGroup, getGroup, listGroups, patchGroup, replaceGroup } from "./groups";
import { locationOf, type ScimRequest } from "./request";
import { createUser, deleteUser, getUser, listUsers, patchUser, replaceUser } from "./users";

type Handler = (request: ScimRequest) => Promise<PlainResponse>;

/** The largest body: a group of about 10,000 members. */
const MAX_BODY_BYTES = 1024 * 1024;

export const scim: Part = (house) => {
  const route = (method: Route["method"], path: string, handler: Handler): Route => ({
    method,
    path: `/scim/v2/:organizationId${path}`,
    takesOthers: true,
    answer: (request) => answered(house, request, handler),
  });
  const locate = (request: ScimRequest) => (path: string) => locationOf(request, path);
  const oneOf = (list: readonly object[], id: string) => {
    const found = list.find((it) => (it as { readonly id: string }).id === id);
    if (!found) throw absent();
    return answer(200, found);
  };
  return [
    route("GET", "/ServiceProviderConfig", async (it) => answer(200, serviceProviderConfig(locate(it)))),
    route("GET", "/ResourceTypes", async (it) => answer(200, wholeList(resourceTypes(locate(it))))),
    route("GET", "/ResourceTypes/:id", async (it) => oneOf(resourceTypes(locate(it)), it.id)),
    route("GET", "/Schemas", async (it) => answer(200, wholeList(schemas(locate(it))))),
    route("GET", "/Schemas/:id", async (it) => oneOf(schemas(locate(it)), it.id)),
    route("GET", "/Users", listUsers),
    route("POST", "/Users", createUser),
    route("GET", "/Users/:id", getUser),
    route("PUT", "/Users/:id", replaceUser),
    route("PATCH", "/Users/:id", patchUser),
    route("DELETE", "/Users/:id", deleteUser),
    route("GET", "/Groups", listGroups),
    route("POST", "/Groups", createGroup),
    route("GET", "/Groups/:id", getGroup),
    route("PUT", "/Groups/:id", replaceGroup),
    route("PATCH", "/Groups/:id", patchGroup),
    route("DELETE", "/Groups/:id", deleteGroup),
  ];
};

async function answered(house: House, request: Arrived, handler: Handler): Promise<PlainResponse> {
  try {
    return await handler(await recognized(house, request));
  } catch (error) {
    if (error instanceof ScimError) return errorAnswer(error);
    const told = error instanceof TooMuchAtOnce ? failure("too_much_at_once") : toldError(error);
    if (!(error instanceof DocsError) && told.status >= 500) house.kernel.work.onError(error);
    return errorAnswer(new ScimError(told.status, told.message), told.headers);
  }
}

/** The request with its organization. A wrong token, and one of another organization, get the same answer. */
async function recognized(house: House, request: Arrived): Promise<ScimRequest> {
  const { organizationId = "", id = "" } = request.params;
  const value = request.headers.get("authorization")?.match(/^Bearer +(octavo_scim_[0-9a-z]{32})$/i)?.[1];
  const partition = partitionOf(organizationId);
  const view = value && partition ? await house.kernel.store.read(partition) : undefined;
  const token = view && (await scimTokens.get(view, fingerprint(value!)));
  const organization = token && (await organizations.get(view, organizationId));
  if (!organization) throw failure("token_unknown");
  const place = placeOf(organizationId);
  const hasBody = request.method === "POST" || request.method === "PUT" || request.method === "PATCH";
  const body = hasBody ? await bodyOf(request) : undefined;
  const from = { address: request.address, userAgent: request.headers.get("user-agent") ?? undefined };
  return { house, organization, place, token: token.id, from, id, query: request.query, body };
}

/** The body. Providers call its type by several names, so what counts is that it is JSON. */
async function bodyOf(request: Arrived): Promise<unknown> {
  const bytes = await request.body(MAX_BODY_BYTES);
  try {
    const { bounded } = boundedText(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const value: unknown = JSON.parse(bounded);
    checkReceived(value, "body");
    return value;
  } catch (error) {
    if (error instanceof DocsError) throw error;
    throw new ScimError(400, "The body is not valid JSON.", "invalidSyntax");
  }
}
