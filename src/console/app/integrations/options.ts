// The scopes, categories, statuses and targets of integrations, with their labels.

import type {
  InstallationStatus,
  IntegrationCategory,
  IntegrationScope,
  IntegrationTarget,
} from "../../../generated/resources";
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
  "site:adaptive:read",
  "site:adaptive:write",
  "site:ai:ask",
  "openapi:read",
  "openapi:write",
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

export function getInstallationStatusLabels(messages: Messages): Readonly<Record<InstallationStatus, string>> {
  return { active: messages.stateActive, pending: messages.statePending, paused: messages.statePaused };
}

export const INSTALLATION_STATUS_CLASSES: Readonly<Record<InstallationStatus, string>> = {
  active: "good",
  pending: "draft",
  paused: "bad",
};

export function listTargetOptions(messages: Messages): readonly (readonly [IntegrationTarget, string])[] {
  return [
    ["all", messages.targetAll],
    ["site", messages.targetSite],
    ["space", messages.targetSpace],
    ["organization", messages.targetOrganization],
  ];
}
