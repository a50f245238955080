// The visibility of a site.

import type { SiteVisibility } from "../../../generated/resources";
import type { Messages } from "../messages/messages";

export function getVisibilityLabels(messages: Messages): Readonly<Record<SiteVisibility, string>> {
  return {
    public: messages.sites.visibilityPublic,
    unlisted: messages.sites.visibilityUnlisted,
    "share-link": messages.sites.visibilityShareLink,
    "visitor-auth": messages.sites.visibilityVisitors,
  };
}
