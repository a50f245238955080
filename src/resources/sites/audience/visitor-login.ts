// Redirects a visitor who isn't admitted to the integration that signs visitors in, or else to the login URL of the site. Neither URL
// comes from the request, and neither gives access.

import * as v from "valibot";
import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { defineOperation } from "../../../operation/operation";
import type { Target } from "../../../operation/target";
import { toLocation } from "../../../utils/url";
import { organizations } from "../../people/organizations/records";
import { sites } from "../records";
import { site } from "../rules";
import { findVisitorLogin, isSitePath, type SiteLogin } from "./login";

/** A site with a login. Any other site is treated as absent. */
const login: Target<SiteLogin, "view"> = {
  findPartition: site.findPartition,
  async load(scope) {
    const { tx, params } = scope;
    const record = await sites.get(tx, params.siteId!);
    if (!record || !(await organizations.get(tx, params.organizationId!))) return undefined;
    return findVisitorLogin(scope, record);
  },
  notFoundReason: "site_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

/** A path inside a site, which cannot lead up or to another host. */
const SitePath = v.pipe(
  v.string("Expected a path"),
  v.maxLength(2048, "Expected at most 2048 characters"),
  v.check(isSitePath, "Expected a path of the site that begins with a single slash"),
  v.description("The path on the site that the visitor requested."),
);

export const startVisitorLogin = defineOperation("GET /orgs/:organizationId/sites/:siteId/login", {
  summary: "Start visitor sign-in",
  target: login,
  allowsUnknownQuery: true,
  right: "view",
  query: { location: v.optional(SitePath) },
  returns: BinarySchema,
  mayRedirect: true,
  callsIntegration: true,
  async handle({ signer, fallbackURL, query, jobContext }) {
    if (signer) return signer.beginLogin(jobContext, query.location);
    const location = toLocation(fallbackURL!);
    const headers = { location, "cache-control": "no-store", "x-content-type-options": "nosniff" };
    return new BinaryResponse(new Uint8Array(), headers, 302);
  },
});
