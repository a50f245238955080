// Who sees a site.

import type { SiteVisibility } from "../../../generated/resources";
import type { Words } from "../words/words";

export function visibilityWords(words: Words): Readonly<Record<SiteVisibility, string>> {
  return {
    public: words.visibilityPublic,
    unlisted: words.visibilityUnlisted,
    "share-link": words.visibilityShareLink,
    "visitor-auth": words.visibilityVisitors,
  };
}
