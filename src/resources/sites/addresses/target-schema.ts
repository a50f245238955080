// The targets of links and redirects of a site, on the wire.

import * as v from "valibot";
import { Id } from "../../../shapes";

/** Something on the site, by its id. */
const onSite = [
  v.strictObject({ kind: v.literal("page"), space: Id, page: Id }),
  v.strictObject({ kind: v.literal("space"), space: Id }),
  v.strictObject({ kind: v.literal("site-space"), siteSpace: Id }),
  v.strictObject({ kind: v.literal("site-section"), siteSection: Id }),
] as const;

const EXPECTED = "Expected a url, page, space, site-space or site-section";

/** A URL of the given form, or something on the site. */
export function targetWith<Address extends v.GenericSchema<string>>(address: Address) {
  return v.variant("kind", [v.strictObject({ kind: v.literal("url"), url: address }), ...onSite], EXPECTED);
}
