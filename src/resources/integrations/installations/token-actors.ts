// Who calls with the token of an integration or an installation. What the token was made for is looked up at every request, so
// it ends at once with that; what it may be used for is what the scopes open that the installation holds, and nothing else.

import type { Actor } from "../../../operation/operation";
import { codeOf, homeOf, organizationPartition } from "../../../store/ids";
import type { Store } from "../../../store/store";
import type { IntegrationScope } from "../definitions/schema";
import { type IntegrationRecord, installations, integrations } from "../records";
import { heldScopes } from "./agreed-scopes";
import type { TokenClaims } from "./token-values";

/** What a scope of an integration opens to the tokens of its installations, on the spaces and sites that they are on: rooms by
 * the scopes of tokens, single operations by their names. Who sees a thing, and what cannot be taken back, is for people. */
export const opens: Readonly<Record<IntegrationScope, readonly string[]>> = {
  "space:content:read": ["spaces:read", "revisions:read", "change-requests:read", "comments:read", "search:read"],
  "space:content:write": ["spaces:read", "revisions:write", "change-requests:write", "comments:write", "search:read"],
  "space:metadata:read": ["spaces:read"],
  "space:metadata:write": ["spaces:read", "updateSpace"],
  "space:git:sync": ["getGitInfo", "importFromGit", "exportToGit"],
  "site:metadata:read": ["getSite", "getSiteStructure", "listSiteSections", "listSiteSectionGroups", "listSiteSpaces"],
  "site:adaptive:read": ["getAdaptiveSchema", "listTemplateConditions"],
  "site:adaptive:write": ["getAdaptiveSchema", "listTemplateConditions", "setAdaptiveSchema"],
  // Specifications belong to the organization, and so does what these two open.
  "openapi:read": ["openapi-specs:read"],
  "openapi:write": ["openapi-specs:read", "createOpenApiSpec", "putOpenApiSpec"],
  // These are heard as events, or asked of the script; there is nothing to call.
  "space:views:read": [],
  "site:views:read": [],
  "space:script:inject": [],
  "space:script:cookies": [],
  "site:script:inject": [],
  "site:script:cookies": [],
  "space:visitor:auth": [],
  "site:visitor:auth": [],
  // Nobody is asked here, and nothing is ingested.
  "site:ai:ask": [],
  "conversations:ingest": [],
};

/** What every token may be used for: the installation itself. */
const ALWAYS = ["integrations:read", "integrations:write"];

/** The caller behind a token; undefined when what it was made for is gone, or paused. */
export async function appActor(store: Store, claims: TokenClaims): Promise<Actor | undefined> {
  return claims.kind === "installation" ? installationActor(store, claims) : integrationActor(store, claims);
}

async function installationActor(store: Store, { id, expiresAt }: TokenClaims): Promise<Actor | undefined> {
  const code = codeOf("installation", id);
  const found = code && (await installations.get(await store.read(organizationPartition(code)), id));
  if (!found || found.status === "paused") return undefined;
  const owner = await store.read(homeOf(found.owner));
  const integration = await integrations.get(owner, found.integration);
  if (integration?.id !== found.definition) return undefined;
  const scopes = opened(heldScopes(found, integration));
  return { user: named(id, integration), scopes, expiresAt, credentials: id };
}

async function integrationActor(store: Store, { id, expiresAt }: TokenClaims): Promise<Actor | undefined> {
  const code = codeOf("integration", id);
  const found = code && (await integrations.find(await store.read(organizationPartition(code)), "id", id));
  return found ? { user: named(id, found), scopes: ALWAYS, expiresAt, credentials: id } : undefined;
}

function named(id: string, { title }: IntegrationRecord): Actor["user"] {
  return { id, displayName: title, email: "" };
}

function opened(scopes: readonly IntegrationScope[]): string[] {
  return [...new Set([...ALWAYS, ...scopes.flatMap((scope) => opens[scope])])];
}
