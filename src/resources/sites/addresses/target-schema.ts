// The targets of links and redirects of a site, on the wire.

import * as v from "valibot";
import { Id, textSchema } from "../../../operation/common-schemas";

/** A URL of the given form, or something on the site by its id: where a link in the look of a site leads. */
export function linkTargetWith<Address extends v.GenericSchema<string>>(address: Address) {
  return v.variant(
    "kind",
    [
      v.strictObject({ kind: v.literal("url"), url: address }),
      v.strictObject({ kind: v.literal("page"), space: Id, page: Id }),
      v.strictObject({ kind: v.literal("anchor"), space: Id, page: Id, anchor: textSchema(1, 512) }),
      v.strictObject({ kind: v.literal("space"), space: Id }),
      v.strictObject({ kind: v.literal("site-space"), siteSpace: Id }),
      v.strictObject({ kind: v.literal("site-section"), siteSection: Id }),
    ],
    "Expected a url, page, anchor, space, site-space or site-section",
  );
}
