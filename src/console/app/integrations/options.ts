// The scopes, categories and targets of integrations, with their labels.

import type { IntegrationCategory, IntegrationScope, IntegrationTarget } from "../../../generated/resources";
import type { Messages } from "../messages/messages";

export const everyScope: readonly IntegrationScope[] = [
  "space:views:read",
  "space:content:read",
  "space:content:write",
  "space:metadata:read",
  "space:metadata:write",
  "space:script:inject",
  "space:script:cookies",
  "space:git:sync",
  "space:visitor:auth",
  "site:metadata:read",
  "site:views:read",
  "site:script:inject",
  "site:script:cookies",
  "site:visitor:auth",
  "site:visitor:claims",
  "site:adaptive:read",
  "site:adaptive:write",
  "site:ai:ask",
  "openapi:read",
  "openapi:write",
  "page:feedback:read",
  "conversations:ingest",
];

export const everyCategory: readonly IntegrationCategory[] = [
  "analytics",
  "collaboration",
  "content",
  "gitsync",
  "marketing",
  "visitor-auth",
  "other",
];

export function listTargetOptions(messages: Messages): readonly (readonly [IntegrationTarget, string])[] {
  return [
    ["all", messages.integrations.targetAll],
    ["site", messages.integrations.targetSite],
    ["space", messages.integrations.targetSpace],
    ["organization", messages.integrations.targetOrganization],
  ];
}
