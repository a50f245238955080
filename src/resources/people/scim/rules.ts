// The target and rights of the tokens of a company's directory.

import type { Target } from "../../../operation/target";
import { loadParentOrganization, type OrganizationContext, organization } from "../organizations/rules";
import { type ScimTokenRecord, scimTokens } from "./records";

export const scimToken: Target<OrganizationContext & { readonly scimToken: ScimTokenRecord }, "admin"> = {
  findPartition: organization.findPartition,
  async load(context) {
    const organizationContext = await loadParentOrganization(context);
    const scimToken = await scimTokens.find(context.tx, "id", context.params.scimTokenId!);
    return scimToken && { ...organizationContext, scimToken };
  },
  notFoundReason: "token_not_found",
  rights: { view: organization.rights.admin, admin: organization.rights.admin },
};
