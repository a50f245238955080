// Tokens with which the directory of a company manages the members and teams of an organization, by SCIM.

import { createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import type { Urls } from "../../../ports/urls";
import { generateRandomText } from "../../../storage/ids";
import { sha256Hex } from "../../../utils/sha256";
import { organization } from "../organizations/rules";
import { MAX_SCIM_TOKENS, type ScimTokenRecord, scimTokens } from "./records";
import { scimToken } from "./rules";
import { NewScimToken, ScimToken } from "./schema";

export const listScimTokens = defineOperation("GET /orgs/:organizationId/scim-tokens", {
  summary: "List SCIM tokens",
  target: organization,
  right: "admin",
  list: ScimToken,
  async handle({ tx, pageRequest, organization, urls }) {
    return paginateGroup({ tx, pageRequest }, scimTokens, "all", [], (found) =>
      found.map((token) => presentScimToken(token, organization.id, urls)),
    );
  },
});

export const createScimToken = defineOperation("POST /orgs/:organizationId/scim-tokens", {
  summary: "Create a SCIM token",
  target: organization,
  right: "admin",
  body: NewScimToken,
  returns: ScimToken,
  status: 201,
  async handle({ tx, organization, body, now, urls, newId, random }) {
    if ((await scimTokens.total(tx, "all")) >= MAX_SCIM_TOKENS)
      throw createValidationError("body", `An organization can have at most ${MAX_SCIM_TOKENS} SCIM tokens`);
    const value = `octavo_scim_${generateRandomText(random, 32)}`;
    const createdAt = now.toISOString();
    const token = { id: newId("token"), hash: sha256Hex(value), label: body.label, createdAt };
    await scimTokens.put(tx, token);
    return { ...presentScimToken(token, organization.id, urls), token: value };
  },
});

export const revokeScimToken = defineOperation("DELETE /orgs/:organizationId/scim-tokens/:scimTokenId", {
  summary: "Revoke a SCIM token",
  target: scimToken,
  right: "admin",
  handle: ({ tx, scimToken }) => scimTokens.delete(tx, scimToken.hash),
});

function presentScimToken({ id, label, createdAt }: ScimTokenRecord, organization: string, urls: Urls) {
  const location = urls.api(`/orgs/${organization}/scim-tokens/${id}`);
  return { object: "scim-token" as const, id, label, createdAt, urls: { location } };
}
