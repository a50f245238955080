// The pages of an organization that its navigation and the command palette lead to.

import type { Organization } from "../../../generated/resources";
import type { IconName } from "../components/icon";
import type { Messages } from "../messages/messages";
import { addresses } from "../routes";

/** The groups of the navigation, in their order. */
export const PLACE_GROUPS = ["content", "publish", "manage"] as const;

export interface OrganizationPlace {
  readonly group: (typeof PLACE_GROUPS)[number];
  readonly icon: IconName;
  readonly label: string;
  readonly href: string;
}

/** Lists the pages of an organization that a user with these permissions may open. */
export function listPlaces(
  organization: string,
  may: Organization["permissions"] | undefined,
  messages: Messages,
): readonly OrganizationPlace[] {
  if (!may) return [];
  const { layout, jobs, trash } = messages;
  const places: readonly (readonly [OrganizationPlace["group"], IconName, label: string, part: string, boolean])[] = [
    ["content", "book", layout.library, "", may.view],
    ["content", "branch", layout.changeRequests, "changes", may.view],
    ["content", "language", layout.translations, "translations", may.view],
    ["content", "trash", trash.trash, "trash", may.view],
    ["publish", "globe", layout.sites, "sites", may.view],
    ["publish", "api", layout.specifications, "openapi", may.view],
    ["publish", "puzzle", layout.integrations, "integrations", may.listInstallations],
    ["manage", "people", layout.people, "people", may.listMembers],
    ["manage", "settings", layout.settings, "settings", may.admin],
    ["manage", "shield", layout.auditLog, "audit", may.admin],
    ["manage", "clock", jobs.jobs, "jobs", may.admin],
  ];
  return places
    .filter(([, , , , isShown]) => isShown)
    .map(([group, icon, label, part]) => ({
      group,
      icon,
      label,
      href: part === "" ? addresses.organization(organization) : addresses.part(organization, part),
    }));
}
