// SAML providers of an organization, through which people sign in.

import * as v from "valibot";
import { createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { paginateList } from "../../../operation/pagination";
import { rejectDuplicates } from "../../../operation/reject-duplicates";
import { checkCanGrantRole } from "../../../operation/roles";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { type OrganizationContext, organization } from "../organizations/rules";
import { teams } from "../teams/records";
import { presentTeams } from "../teams/views";
import { MAX_SAML_PROVIDERS, type SamlProviderRecord, samlProviders } from "./records";
import { getSamlProviderStatus, getSamlServiceUrls, parseCertificate, samlProvider } from "./rules";
import { NewSamlProvider, SamlProvider, SamlProviderChanges, SsoProvider } from "./schema";

export const listSamlProviders = defineOperation("GET /orgs/:organizationId/saml", {
  summary: "List SAML providers",
  target: organization,
  right: "admin",
  list: SamlProvider,
  async handle(context) {
    const { tx, pageRequest } = context;
    return paginateList(
      pageRequest,
      (slice) => samlProviders.list(tx, "createdAt", slice),
      await samlProviders.total(tx, "all"),
      (found) => Promise.all(found.map((provider) => presentSamlProvider(provider, context))),
    );
  },
});

export const createSamlProvider = defineOperation("POST /orgs/:organizationId/saml", {
  summary: "Create a SAML provider",
  target: organization,
  right: "admin",
  body: NewSamlProvider,
  returns: SamlProvider,
  status: 201,
  async handle(context) {
    const { tx, organization, me, body, now, newId } = context;
    if ((await samlProviders.total(tx, "all")) >= MAX_SAML_PROVIDERS)
      throw createValidationError("body", `An organization can have at most ${MAX_SAML_PROVIDERS} SAML providers`);
    const created: SamlProviderRecord = {
      id: newId("samlProvider"),
      label: body.label,
      entityID: body.entityID ?? null,
      certificate: body.certificate === undefined ? null : await parseCertificate(body.certificate),
      ssoURL: body.ssoURL ?? null,
      sloURL: body.sloURL ?? null,
      defaultTeam: body.defaultTeam ?? null,
      defaultRole: body.defaultRole === undefined ? organization.defaultRole : body.defaultRole,
      createdAt: now.toISOString(),
    };
    checkCanGrantRole(me!.role, created.defaultRole);
    await checkTeamExists(tx, created.defaultTeam);
    await rejectDuplicates(samlProviders.put(tx, created), "entity_id_taken");
    return presentSamlProvider(created, context);
  },
});

export const getSamlProvider = defineOperation("GET /orgs/:organizationId/saml/:samlProviderId", {
  summary: "Get a SAML provider",
  target: samlProvider,
  right: "admin",
  returns: SamlProvider,
  handle: (context) => presentSamlProvider(context.provider, context),
});

export const updateSamlProvider = defineOperation("PATCH /orgs/:organizationId/saml/:samlProviderId", {
  summary: "Update a SAML provider",
  target: samlProvider,
  right: "admin",
  body: SamlProviderChanges,
  returns: SamlProvider,
  async handle(context) {
    const { tx, me, provider, body } = context;
    const { certificate, ...changes } = body;
    const changed: SamlProviderRecord = {
      ...provider,
      ...omitUndefined(changes),
      ...omitUndefined({ certificate: certificate === undefined ? undefined : await parseCertificate(certificate) }),
    };
    checkCanGrantRole(me!.role, changed.defaultRole);
    await checkTeamExists(tx, changed.defaultTeam);
    await rejectDuplicates(samlProviders.put(tx, changed), "entity_id_taken");
    return presentSamlProvider(changed, context);
  },
});

export const deleteSamlProvider = defineOperation("DELETE /orgs/:organizationId/saml/:samlProviderId", {
  summary: "Delete a SAML provider",
  target: samlProvider,
  right: "admin",
  handle: ({ tx, provider }) => samlProviders.delete(tx, provider.id),
});

export const listSsoProviders = defineOperation("GET /orgs/:organizationId/sso", {
  summary: "List SSO providers",
  target: organization,
  right: "view",
  returns: v.object({ items: v.array(SsoProvider) }),
  async handle({ tx, organization, urls }) {
    const rows = await samlProviders.list(tx, "createdAt", { limit: MAX_SAML_PROVIDERS });
    const active = rows.filter(({ record }) => getSamlProviderStatus(record) === "active");
    return {
      items: active.map(({ record: { id, label } }) => ({
        id,
        label,
        startURL: getSamlServiceUrls(organization.id, id, urls).startURL,
      })),
    };
  },
});

/** Checks that the team for new members belongs to this organization. */
async function checkTeamExists(tx: Reader, team: string | null): Promise<void> {
  if (team !== null && !(await teams.get(tx, team)))
    throw createValidationError("body.defaultTeam", "Team not found in this organization");
}

async function presentSamlProvider(
  provider: SamlProviderRecord,
  context: OrganizationContext & { readonly tx: Reader; readonly urls: Urls },
): Promise<v.InferOutput<typeof SamlProvider>> {
  const { tx, urls, organization } = context;
  const { id, label, ssoURL, sloURL, entityID, certificate, defaultRole, createdAt } = provider;
  const team = provider.defaultTeam === null ? undefined : await teams.get(tx, provider.defaultTeam);
  return {
    object: "saml-provider",
    id,
    label,
    ...omitUndefined({
      ssoURL: ssoURL ?? undefined,
      sloURL: sloURL ?? undefined,
      entityID: entityID ?? undefined,
      certificate: certificate ?? undefined,
      defaultTeam: team ? (await presentTeams([team], context))[0]! : undefined,
    }),
    defaultRole,
    createdAt,
    status: getSamlProviderStatus(provider),
    service: getSamlServiceUrls(organization.id, id, urls),
    urls: { location: urls.api(`/orgs/${organization.id}/saml/${id}`) },
  };
}
