// Renders a component: who may see it there, the event for the script, and its answer, checked. What people typed goes to the
// script, and into no record.

import { createError, createValidationError, DocsError } from "../../../errors";
import type { JobContext } from "../../../jobs/jobs";
import { BinaryResponse } from "../../../operation/binary-response";
import { followMoves, MovedError } from "../../../operation/moved-error";
import { isRoleAtLeast } from "../../../operation/roles";
import { validateJson } from "../../../operation/validate";
import { getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
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
import { type InstallationRecord, installations, type PlaceKind } from "../records";
import { invokeIntegration } from "./ask";
import { checkComponentResponse } from "./component-response";
import { getResponseHeader, type IntegrationResponse, type InvocationOutcome } from "./invocation";
import { decompressLzString } from "./lz-string";
import { type RenderContext, RenderRequest } from "./render-schema";

/** The longest decompressed request, in UTF-16 units. */
const MAX_REQUEST = 128 * 1024;

interface Rendering extends IntegrationContext, VisitContext {
  readonly jobContext: JobContext;
}

/** A request that was packed into a URL. */
export async function renderPackedRequest(
  context: Rendering & { readonly query: { readonly request: string } },
): Promise<BinaryResponse> {
  return render(context, requestIn(context.query.request));
}

/** A request that was sent as it is. */
export async function renderRequest(context: Rendering & { readonly body: RenderRequest }): Promise<BinaryResponse> {
  return render(context, context.body);
}

function requestIn(packed: string): RenderRequest {
  const text = decompressLzString(packed, MAX_REQUEST);
  if (text === undefined)
    throw createValidationError("query.request", `Expected LZ-string of at most ${MAX_REQUEST} characters`);
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    throw createValidationError("query.request", "Expected JSON, compressed with LZ-string");
  }
  return validateJson(RenderRequest, request, "query.request");
}

async function render(context: Rendering, request: RenderRequest): Promise<BinaryResponse> {
  const { found, installation } = await whereInstalled(context, request.context).catch((error: unknown) => {
    // Callers who may not see the integration, and have it nowhere, do not learn that it exists.
    throw integration.rights.view(context) ? error : createError("integration_not_found");
  });
  const event = { type: "ui_render", ...asSeen(context, request) };
  const within = { installation, spaceId: found.spaceId, siteId: found.siteId };
  const question = { integration: context.integration, event, within, wrong: noElement };
  return answered(await invokeIntegration(context.jobContext, question));
}

/** What the script hears of a request, and of who made it. A visitor is nobody, and changes nothing. */
function asSeen({ actor }: Rendering, request: RenderRequest) {
  if (!actor.visit) return { ...request, auth: { userId: actor.user.id } };
  return { ...request, context: { ...request.context, editable: false } };
}

async function whereInstalled(context: Rendering, shown: RenderContext) {
  const found = await checkedContext(context, shown);
  const installation = await installations.find(found.view, "integration", context.integration.name.toLowerCase());
  const isIt = installation?.definition === context.integration.id;
  if (!isIt || !(await isActive(found, installation))) throw createError("installation_not_found");
  return { found, installation };
}

/** A configuration component is shown before everything is configured; all others need an active installation. */
async function isActive({ view, isConfiguring, spaceId }: Found, it: InstallationRecord): Promise<boolean> {
  if (isConfiguring) return it.status !== "paused";
  return it.status === "active" && canReachPlace(view, it, { spaceId });
}

/** Where a component is shown. The caller's rights there were checked. */
interface Found {
  readonly view: Reader;
  readonly spaceId?: string;
  readonly siteId?: string;
  readonly isConfiguring: boolean;
}

async function checkedContext(context: Rendering, shown: RenderContext): Promise<Found> {
  if (shown.type === "configuration_site") {
    const code = parsePartitionCode("site", shown.siteId);
    if (code === undefined) throw createError("site_not_found");
    const view = await context.peek(getPartitionByCode(code));
    await placeSeen(context, view, "site", shown.siteId, "manage");
    return { view, siteId: shown.siteId, isConfiguring: true };
  }
  if (shown.type === "configuration_account" || shown.type === "configuration_contentsource") {
    const view = await organizationSeen(context, shown.organizationId, "admin");
    if (shown.type === "configuration_account" || shown.spaceId === undefined) return { view, isConfiguring: true };
    await placeSeen(context, view, "space", shown.spaceId, "manage");
    return { view, spaceId: shown.spaceId, isConfiguring: true };
  }
  const view = await partitionWith(context, shown.spaceId);
  const isConfiguring = shown.type === "configuration_space";
  if (context.actor.visit && !isConfiguring) {
    await checkVisited(context, view, shown.spaceId);
    return { view, spaceId: shown.spaceId, isConfiguring };
  }
  await placeSeen(context, view, "space", shown.spaceId, isConfiguring ? "manage" : "see");
  return { view, spaceId: shown.spaceId, isConfiguring };
}

/** A visitor is shown the components on the pages of a space that they see by way of a site. */
async function checkVisited(context: Rendering, view: Reader, space: string): Promise<void> {
  const found = await locateNode(view, space);
  const organization = await findPartitionOrganization(view);
  if (!found || !("path" in found) || found.path[0].type !== "space" || !organization)
    throw createError("space_not_found");
  const inTree = { organization, me: undefined, ownedTeams: 0, path: found.path, role: null };
  if (!(await visits.implementation.findVisit({ ...context, tx: view }, inTree))) throw createError("space_not_found");
}

async function organizationSeen({ actor, peek }: Rendering, id: string, role: "admin"): Promise<Reader> {
  const partition = findOrganizationPartition(id);
  const view = partition === undefined ? undefined : await peek(partition);
  const me = view && (await findActiveMember(view, actor.user.id));
  if (!view || !me || !(await organizations.get(view, id))) throw createError("organization_not_found");
  if (!isRoleAtLeast(me.role, role)) throw createError("forbidden");
  return view;
}

/** The current partition of a space, which may differ from the one in which its id was made. */
async function partitionWith({ peek }: Rendering, space: string): Promise<Reader> {
  const code = parsePartitionCode("space", space);
  const view = await followMoves(code && getPartitionByCode(code), async (partition, cameFrom) => {
    const here = await peek(partition);
    const found = await locateNode(here, space, cameFrom);
    if (found && "movedTo" in found) throw new MovedError(found.movedTo);
    return here;
  });
  if (!view) throw createError("space_not_found");
  return view;
}

async function placeSeen(
  { actor }: Rendering,
  view: Reader,
  kind: PlaceKind,
  id: string,
  need: "see" | "manage",
): Promise<void> {
  const above = { organization: undefined as never, me: undefined, ownedTeams: 0 };
  const place = await places[kind].find({ tx: view, actor }, above, id);
  if (!place?.isVisible) throw createError(`${kind}_not_found`);
  if (need === "manage" && !place.canManage) throw createError("forbidden");
}

/** What a script may answer instead of an element. */
const REFUSALS = new Set([400, 404, 406, 422]);

function noElement({ status, body }: IntegrationResponse): string | undefined {
  if (REFUSALS.has(status)) return undefined;
  if (status !== 200) return `It answered with ${status}.`;
  return checkComponentResponse(new TextDecoder().decode(body))
    ? undefined
    : "Its answer is no element that can be shown.";
}

function answered(outcome: InvocationOutcome): BinaryResponse {
  const { answer } = outcome;
  if (!answer) throw new DocsError("integration_failed", said(outcome.error));
  const text = new TextDecoder().decode(answer.body);
  const { status } = answer;
  if (status === 404 || status === 406) throw createError("component_not_found");
  if (status === 400) throw new DocsError("render_refused", said(errorIn(text)));
  if (status === 422) throw new DocsError("render_invalid", said(errorIn(text)));
  return new BinaryResponse(new TextEncoder().encode(JSON.stringify(checkComponentResponse(text))), {
    "content-type": "application/json; charset=utf-8",
    "cache-control": privately(getResponseHeader(answer, "cache-control")),
    "x-content-type-options": "nosniff",
  });
}

/** The answer for one caller is never cached for others, whatever the script says. */
function privately(caching: string | undefined): string {
  const kept = (caching ?? "no-store")
    .split(",")
    .map((it) => it.trim().toLowerCase())
    .filter((it) =>
      /^(?:no-store|no-cache|must-revalidate|immutable|(?:max-age|stale-while-revalidate)=\d{1,9})$/.test(it),
    );
  return kept.length === 0 ? "no-store" : ["private", ...kept].join(", ");
}

const said = (message: string) => ({ issues: [{ path: "integration", message: message.slice(0, 500) }] });

/** The error message of the script. */
function errorIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === "string" && error !== "") return error;
  } catch {
    // It has no message that could be shown.
  }
  return "It gave no reason.";
}
