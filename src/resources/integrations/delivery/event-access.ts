// The events that an installation may receive: those for which it has the scope, about its spaces and sites. This is checked when
// an event happens, when it is delivered, and when it is shown, so revoked access takes effect at once.

import type { DocsEvent } from "../../../jobs/outbox";
import type { Json } from "../../../storage/storage";
import type { Reader } from "../../../storage/transaction";
import { isTrashed, nodes, readNodePath } from "../../library/tree/records";
import { sites } from "../../sites/records";
import type { IntegrationScope } from "../definitions/schema";
import { type EventPayload, type InstallationRecord, isInstalledOnPlace } from "../records";

/** The scope that an installation needs for each kind of event. */
const eventScopes: Partial<Record<DocsEvent["type"], IntegrationScope>> = {
  space_content_updated: "space:content:read",
  change_request_created: "space:content:read",
  change_request_merged: "space:content:read",
  change_request_archived: "space:content:read",
  comment_posted: "space:content:read",
  comment_resolved: "space:content:read",
  space_visibility_updated: "space:metadata:read",
  space_gitsync_started: "space:git:sync",
  space_gitsync_completed: "space:git:sync",
  site_published: "site:metadata:read",
  site_unpublished: "site:metadata:read",
  site_view: "site:views:read",
  space_view: "space:views:read",
};

/** The scope that an installation needs for the cookies of visitors. */
const cookieScopes: Partial<Record<string, IntegrationScope>> = {
  site_view: "site:script:cookies",
  space_view: "space:script:cookies",
};

/** Returns true if an installation with these scopes may receive a type of event. Events about itself need no scope. */
export function canReceiveEvent(scopes: readonly IntegrationScope[], type: string): boolean {
  const needed = eventScopes[type as DocsEvent["type"]];
  if (needed !== undefined) return scopes.includes(needed);
  return /^(?:(?:space_|site_)?installation_(?:setup|deleted)|task)$/.test(type);
}

/** Returns an event as an installation with these scopes may receive it: with cookies of visitors only if it has their scope. */
export function redactEvent(scopes: readonly IntegrationScope[], payload: EventPayload): EventPayload {
  const needed = cookieScopes[payload.type];
  if (needed === undefined || scopes.includes(needed)) return payload;
  return { ...payload, visitor: { ...(payload.visitor as { readonly [member: string]: Json }), cookies: {} } };
}

/** Returns true if the space or site of an event exists, and the installation is on it. True for an event without a place. */
export async function canReachPlace(
  tx: Reader,
  installation: InstallationRecord,
  about: { readonly spaceId?: unknown; readonly siteId?: unknown } | object,
): Promise<boolean> {
  const { spaceId, siteId } = about as { readonly spaceId?: unknown; readonly siteId?: unknown };
  if (typeof spaceId === "string") {
    const node = await nodes.get(tx, spaceId);
    if (!node || isTrashed(await readNodePath(tx, node))) return false;
    return isInstalledOnPlace(tx, installation, "space", spaceId);
  }
  if (typeof siteId !== "string") return true;
  return (await sites.get(tx, siteId)) !== undefined && isInstalledOnPlace(tx, installation, "site", siteId);
}
