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
 * The token scopes and single operations that each scope of an integration allows the tokens of its installations, on their spaces
 * and sites. Changes of visibility, and those that cannot be undone, are left to people.
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
  "site:visitor:claims": [],
  "page:feedback:read": [],
  "conversations:ingest": [],
};

/** Every token may be used for the installation itself. */
const ALWAYS_ALLOWED = ["integrations:read", "integrations:write"];

/** Loads the caller of a token; undefined if its installation is gone or paused. */
export async function loadAppActor(store: Store, { kind, id, expiresAt }: TokenClaims): Promise<Actor | undefined> {
  const createActor = ({ title }: IntegrationRecord, scopes: readonly IntegrationScope[]): Actor => ({
    user: { id, displayName: title, email: "" },
    scopes: [...new Set([...ALWAYS_ALLOWED, ...scopes.flatMap((scope) => tokenScopesByScope[scope])])],
    expiresAt,
    credentials: id,
  });
  const code = parsePartitionCode(kind, id);
  const view = code && (await store.read(getPartitionByCode(code)));
  if (!view) return undefined;
  if (kind === "integration") {
    const integration = await integrations.find(view, "id", id);
    return integration && createActor(integration, []);
  }
  const installation = await installations.get(view, id);
  if (!installation || installation.status === "paused") return undefined;
  const owner = await store.read(getOrganizationPartition(installation.owner));
  const integration = await integrations.get(owner, installation.integration);
  if (integration?.id !== installation.definition) return undefined;
  return createActor(integration, getGrantedScopes(installation, integration));
}
