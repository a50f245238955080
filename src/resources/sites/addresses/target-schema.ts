// The schema of the targets of links in a site's customization.

import * as v from "valibot";
import { Id, textSchema } from "../../../operation/common-schemas";

/** Creates the schema of a link target: a URL that matches a schema, or content of the site by its id. */
export function createLinkTargetSchema<Url extends v.GenericSchema<string>>(url: Url) {
  return v.variant(
    "kind",
    [
      v.strictObject({ kind: v.literal("url"), url }),
      v.strictObject({ kind: v.literal("page"), space: Id, page: Id }),
      v.strictObject({ kind: v.literal("anchor"), space: Id, page: Id, anchor: textSchema(1, 512) }),
      v.strictObject({ kind: v.literal("space"), space: Id }),
      v.strictObject({ kind: v.literal("site-space"), siteSpace: Id }),
      v.strictObject({ kind: v.literal("site-section"), siteSection: Id }),
    ],
    "Expected a url, page, anchor, space, site-space or site-section",
  );
}
