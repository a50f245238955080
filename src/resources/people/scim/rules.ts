// Who may do what with the tokens of an organization's directory.

import type { Target } from "../../../operation/target";
import { type InOrganization, organization, organizationAbove } from "../organizations/rules";
import { type ScimTokenRecord, scimTokens } from "./records";

export const scimToken: Target<InOrganization & { readonly scimToken: ScimTokenRecord }, "admin"> = {
  findPartition: organization.findPartition,
  async load(scope) {
    const above = await organizationAbove(scope);
    const found = await scimTokens.find(scope.tx, "id", scope.params.scimTokenId!);
    return found && { ...above, scimToken: found };
  },
  notFoundReason: "token_not_found",
  rights: { view: organization.rights.admin, admin: organization.rights.admin },
};
