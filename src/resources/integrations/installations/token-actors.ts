// The caller of a token of an integration or an installation. The installation is looked up on every request, so the
// token ends with it. The token may be used for what the installation's scopes allow, and nothing else.

import type { Actor } from "../../../operation/actor";
import { getOrganizationPartition, getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import type { Store } from "../../../storage/store";
import type { IntegrationScope } from "../definitions/schema";
import { type IntegrationRecord, installations, integrations } from "../records";
import { getGrantedScopes } from "./agreed-scopes";
import type { TokenClaims } from "./app-tokens";

/**
 * What each scope of an integration allows the tokens of its installations, on their spaces and sites: resources by
 * token scopes, and single operations by name. Visibility, and what cannot be undone, is left to people.
 */
export const tokenScopesByScope: Readonly<Record<IntegrationScope, readonly string[]>> = {
  "space:content:read": ["spaces:read", "revisions:read", "change-requests:read", "comments:read", "search:read"],
  "space:content:write": ["spaces:read", "revisions:write", "change-requests:write", "comments:write", "search:read"],
  "space:metadata:read": ["spaces:read"],
  "space:metadata:write": ["spaces:read", "updateSpace"],
  "space:git:sync": ["getGitInfo", "importFromGit", "exportToGit"],
  "site:metadata:read": ["getSite", "getSiteStructure", "listSiteSections", "listSiteSectionGroups", "listSiteSpaces"],
  "site:adaptive:read": ["getAdaptiveSchema", "listTemplateConditions"],
  "site:adaptive:write": ["getAdaptiveSchema", "listTemplateConditions", "setAdaptiveSchema"],
  // Specifications belong to the organization, and so does what these two scopes allow.
  "openapi:read": ["openapi-specs:read"],
  "openapi:write": ["openapi-specs:read", "createOpenApiSpec", "putOpenApiSpec"],
  // These scopes are for events and calls of the script; they allow no operation.
  "space:views:read": [],
  "site:views:read": [],
  "space:script:inject": [],
  "space:script:cookies": [],
  "site:script:inject": [],
  "site:script:cookies": [],
  "space:visitor:auth": [],
  "site:visitor:auth": [],
  // There are no operations for these scopes.
  "site:ai:ask": [],
  "conversations:ingest": [],
};

/** What every token may be used for: the installation itself. */
const ALWAYS = ["integrations:read", "integrations:write"];

/** The caller of a token; undefined when its installation is gone or paused. */
export async function loadAppActor(store: Store, claims: TokenClaims): Promise<Actor | undefined> {
  return claims.kind === "installation" ? installationActor(store, claims) : integrationActor(store, claims);
}

async function installationActor(store: Store, { id, expiresAt }: TokenClaims): Promise<Actor | undefined> {
  const code = parsePartitionCode("installation", id);
  const found = code && (await installations.get(await store.read(getPartitionByCode(code)), id));
  if (!found || found.status === "paused") return undefined;
  const owner = await store.read(getOrganizationPartition(found.owner));
  const integration = await integrations.get(owner, found.integration);
  if (integration?.id !== found.definition) return undefined;
  const scopes = opened(getGrantedScopes(found, integration));
  return { user: named(id, integration), scopes, expiresAt, credentials: id };
}

async function integrationActor(store: Store, { id, expiresAt }: TokenClaims): Promise<Actor | undefined> {
  const code = parsePartitionCode("integration", id);
  const found = code && (await integrations.find(await store.read(getPartitionByCode(code)), "id", id));
  return found ? { user: named(id, found), scopes: ALWAYS, expiresAt, credentials: id } : undefined;
}

function named(id: string, { title }: IntegrationRecord): Actor["user"] {
  return { id, displayName: title, email: "" };
}

function opened(scopes: readonly IntegrationScope[]): string[] {
  return [...new Set([...ALWAYS, ...scopes.flatMap((scope) => tokenScopesByScope[scope])])];
}
