// Renders a component: checks that the caller may see it there, sends the event to the script, and checks the response. Input of
// people goes to the script, and into no record.

import { createError, createValidationError, DocsError, type Issue } from "../../../errors";
import type { JobContext } from "../../../jobs/jobs";
import { BinaryResponse } from "../../../operation/binary-response";
import { followMoves, MovedError } from "../../../operation/moved-error";
import { isRoleAtLeast } from "../../../operation/roles";
import { checkJsonLimits, validate } from "../../../operation/validate";
import { getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { parseJsonObject, tryParseJson } from "../../../utils/json";
import { type VisitContext, visits } from "../../library/spaces/space-visits";
import { locateNode } from "../../library/tree/records";
import { findActiveMember } from "../../people/members/records";
import {
  findOrganizationPartition,
  findPartitionOrganization,
  organizations,
} from "../../people/organizations/records";
import { type IntegrationContext, integration } from "../definitions/rules";
import { canReachPlace } from "../delivery/event-access";
import { places } from "../installations/places";
import { installations, type PlaceKind } from "../records";
import { checkComponentResponse } from "./component-response";
import type { InvocationOrigin } from "./environment";
import { getResponseHeader, type IntegrationResponse } from "./invocation";
import { invokeIntegration } from "./invoke";
import { decompressLzString } from "./lz-string";
import { type RenderContext, RenderRequest } from "./render-schema";

/** The longest decompressed request, in UTF-16 units. */
const MAX_REQUEST = 128 * 1024;

interface RenderingContext extends IntegrationContext, VisitContext {
  readonly jobContext: JobContext;
}

/** Renders a component for a request that was packed into a URL. */
export async function renderPackedRequest(
  context: RenderingContext & { readonly query: { readonly request: string } },
): Promise<BinaryResponse> {
  const text = decompressLzString(context.query.request, MAX_REQUEST);
  if (text === undefined)
    throw createValidationError("query.request", `Expected LZ-string of at most ${MAX_REQUEST} characters`);
  const request = tryParseJson(text);
  if (request === undefined) throw createValidationError("query.request", "Expected JSON, compressed with LZ-string");
  checkJsonLimits(request, "query.request");
  const issues: Issue[] = [];
  const checkedRequest = validate(RenderRequest, request, "query.request", issues) as RenderRequest;
  if (issues.length > 0) throw new DocsError("invalid_request", { issues });
  return renderForCaller(context, checkedRequest);
}

/** Responses of a script that are not an element. */
const REFUSALS = new Set([400, 404, 406, 422]);

export async function renderForCaller(context: RenderingContext, request: RenderRequest): Promise<BinaryResponse> {
  const { actor } = context;
  const origin = await findComponentOrigin(context, request.context).catch((error: unknown) => {
    // Callers who may not see the integration, and have it nowhere, do not learn that it exists.
    throw integration.rights.view(context) ? error : createError("integration_not_found");
  });
  // A visitor is anonymous to the script, and may not edit.
  const event = actor.visit
    ? { type: "ui_render", ...request, context: { ...request.context, editable: false } }
    : { type: "ui_render", ...request, auth: { userId: actor.user.id } };
  const findFault = ({ status, body }: IntegrationResponse) => {
    if (REFUSALS.has(status)) return undefined;
    if (status !== 200) return `It returned the status ${status}.`;
    const isValid = checkComponentResponse(new TextDecoder().decode(body)) !== undefined;
    return isValid ? undefined : "Its response isn't an element that can be rendered.";
  };
  const invocation = { integration: context.integration, event, origin, findFault };
  const { answer, error } = await invokeIntegration(context.jobContext, invocation);
  if (!answer)
    throw new DocsError("integration_failed", { issues: [{ path: "integration", message: error.slice(0, 500) }] });
  const { status } = answer;
  const text = new TextDecoder().decode(answer.body);
  if (status === 404 || status === 406) throw createError("component_not_found");
  if (status === 400 || status === 422) {
    const reason = parseJsonObject(text)?.error;
    const message = typeof reason === "string" && reason !== "" ? reason : "It gave no reason.";
    throw new DocsError(status === 400 ? "render_refused" : "render_invalid", {
      issues: [{ path: "integration", message: message.slice(0, 500) }],
    });
  }

  // The response for one caller is never cached for others, whatever the script requests.
  const directives = (getResponseHeader(answer, "cache-control") ?? "no-store")
    .split(",")
    .map((directive) => directive.trim().toLowerCase())
    .filter((directive) =>
      /^(?:no-store|no-cache|must-revalidate|immutable|(?:max-age|stale-while-revalidate)=\d{1,9})$/.test(directive),
    );
  return new BinaryResponse(new TextEncoder().encode(JSON.stringify(checkComponentResponse(text))), {
    "content-type": "application/json; charset=utf-8",
    "cache-control": directives.length === 0 ? "no-store" : ["private", ...directives].join(", "),
    "x-content-type-options": "nosniff",
  });
}

/** Finds the installation that renders a component at a place. */
async function findComponentOrigin(context: RenderingContext, shown: RenderContext): Promise<InvocationOrigin> {
  const { view, isConfiguring, spaceId, siteId } = await loadComponentPlace(context, shown);
  const installation = await installations.find(view, "integration", context.integration.name.toLowerCase());
  if (installation?.definition !== context.integration.id) throw createError("installation_not_found");
  // A configuration component is shown before everything is configured. All others need an active installation.
  const isUsable = isConfiguring
    ? installation.status !== "paused"
    : installation.status === "active" && (await canReachPlace(view, installation, { spaceId }));
  if (!isUsable) throw createError("installation_not_found");
  return { installation, spaceId, siteId };
}

/** Loads the place where a component is shown, and checks the caller's rights there. */
async function loadComponentPlace(context: RenderingContext, shown: RenderContext) {
  const { actor, peek } = context;
  if (shown.type === "configuration_site") {
    const code = parsePartitionCode("site", shown.siteId);
    if (code === undefined) throw createError("site_not_found");
    const view = await peek(getPartitionByCode(code));
    await requirePlace(context, view, "site", shown.siteId, "manage");
    return { view, siteId: shown.siteId, isConfiguring: true };
  }

  if (shown.type === "configuration_account" || shown.type === "configuration_contentsource") {
    const partition = findOrganizationPartition(shown.organizationId);
    const view = partition === undefined ? undefined : await peek(partition);
    const me = view && (await findActiveMember(view, actor.user.id));
    if (!view || !me || !(await organizations.get(view, shown.organizationId)))
      throw createError("organization_not_found");
    if (!isRoleAtLeast(me.role, "admin")) throw createError("forbidden");
    if (shown.type === "configuration_account" || shown.spaceId === undefined) return { view, isConfiguring: true };
    await requirePlace(context, view, "space", shown.spaceId, "manage");
    return { view, spaceId: shown.spaceId, isConfiguring: true };
  }

  // The current partition of a space may differ from the one in which its id was made.
  const { spaceId } = shown;
  const code = parsePartitionCode("space", spaceId);
  const view = await followMoves(code && getPartitionByCode(code), async (partition, cameFrom) => {
    const reader = await peek(partition);
    const location = await locateNode(reader, spaceId, cameFrom);
    if (location && "movedTo" in location) throw new MovedError(location.movedTo);
    return reader;
  });
  if (!view) throw createError("space_not_found");
  const isConfiguring = shown.type === "configuration_space";
  if (!actor.visit || isConfiguring) {
    await requirePlace(context, view, "space", spaceId, isConfiguring ? "manage" : "see");
    return { view, spaceId, isConfiguring };
  }

  // A visitor sees the components on the pages of a space that a site shows to them.
  const location = await locateNode(view, spaceId);
  const organization = await findPartitionOrganization(view);
  if (!location || !("path" in location) || location.path[0].type !== "space" || !organization)
    throw createError("space_not_found");
  const inTree = { organization, me: undefined, ownedTeams: 0, path: location.path, role: null };
  if (!(await visits.implementation.findVisit({ ...context, tx: view }, inTree))) throw createError("space_not_found");
  return { view, spaceId, isConfiguring };
}

/** Throws unless the caller sees, or manages, a space or site. */
async function requirePlace(
  { actor }: RenderingContext,
  view: Reader,
  kind: PlaceKind,
  id: string,
  right: "see" | "manage",
): Promise<void> {
  const above = { organization: undefined as never, me: undefined, ownedTeams: 0 };
  const place = await places[kind].find({ tx: view, actor }, above, id);
  if (!place?.isVisible) throw createError(`${kind}_not_found`);
  if (right === "manage" && !place.canManage) throw createError("forbidden");
}
