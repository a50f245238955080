// The defaults of a site: the section and the site-space that its own URL shows.

import { createValidationError } from "../../../errors";
import { setDefaultItem } from "./edit-structure";
import { isSection, isSiteSpace, type Structure } from "./structure";

/** Returns the structure with the defaults of a body. */
export function applyDefaults(
  structure: Structure,
  body: { readonly defaultSiteSpace?: string | undefined; readonly defaultSiteSection?: string | undefined },
): Structure {
  let changed = structure;
  if (body.defaultSiteSection !== undefined) {
    const section = structure.get(body.defaultSiteSection);
    if (!isSection(section)) throw createValidationError("body.defaultSiteSection", "The site has no such section");
    changed = setDefaultItem(changed, section);
  }
  if (body.defaultSiteSpace !== undefined) {
    const siteSpace = changed.get(body.defaultSiteSpace);
    if (!isSiteSpace(siteSpace) || (siteSpace.parent !== null && siteSpace.parent !== changed.defaultItem))
      throw createValidationError(
        "body.defaultSiteSpace",
        "The site has no such site-space at its root or in its default section",
      );
    changed = setDefaultItem(changed, siteSpace);
  }
  return changed;
}
