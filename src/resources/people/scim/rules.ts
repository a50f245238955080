// The target and rights of the tokens of a company's directory.

import { adminRights, defineOrganizationTarget } from "../organizations/rules";
import { scimTokens } from "./records";

export const scimToken = defineOrganizationTarget(
  "token_not_found",
  async ({ tx, params }) => {
    const scimToken = await scimTokens.find(tx, "id", params.scimTokenId!);
    return scimToken && { scimToken };
  },
  adminRights,
);
