// What integrations can ask for, where they work, and what they are about.

import type {
  InstallationStatus,
  IntegrationCategory,
  IntegrationScope,
  IntegrationTarget,
  IntegrationVisibility,
} from "../../../generated/resources";
import type { Words } from "../words/words";

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

export function statusWords(words: Words): Readonly<Record<InstallationStatus, string>> {
  return { active: words.stateActive, pending: words.statePending, paused: words.statePaused };
}

export const statusLooks: Readonly<Record<InstallationStatus, string>> = {
  active: "good",
  pending: "draft",
  paused: "bad",
};

export function targetOptions(words: Words): readonly (readonly [IntegrationTarget, string])[] {
  return [
    ["all", words.targetAll],
    ["site", words.targetSite],
    ["space", words.targetSpace],
    ["organization", words.targetOrganization],
  ];
}

export function shownOptions(words: Words): readonly (readonly [IntegrationVisibility, string])[] {
  return [
    ["private", words.shownPrivate],
    ["unlisted", words.shownUnlisted],
    ["public", words.shownPublic],
  ];
}
