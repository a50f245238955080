// The visibility of a site.

import type { SiteVisibility } from "../../../generated/resources";
import type { Messages } from "../messages/messages";

export function getVisibilityLabels(messages: Messages): Readonly<Record<SiteVisibility, string>> {
  return {
    public: messages.visibilityPublic,
    unlisted: messages.visibilityUnlisted,
    "share-link": messages.visibilityShareLink,
    "visitor-auth": messages.visibilityVisitors,
  };
}
