// The environment of an event: the URL of the API, the tokens to call it with, the configuration and the secrets.

import type { JobContext } from "../../../jobs/jobs";
import { getOrganizationPartition } from "../../../storage/ids";
import { sealContexts } from "../../../storage/seal-contexts";
import { omitUndefined } from "../../../utils/objects";
import { findPartitionOrganization } from "../../people/organizations/records";
import { presentIntegration } from "../definitions/views";
import { deriveSigningSecret } from "../delivery/signature";
import { signAppToken } from "../installations/app-tokens";
import { presentInstallation, presentPlacement } from "../installations/views";
import { type InstallationRecord, type IntegrationRecord, integrationSecrets, placements } from "../records";

/** The context from which an event is sent. */
export type SendContext = Pick<JobContext, "store" | "ports" | "objects">;

/** The installation for which an integration is called, and the space or site that the call is about. */
export interface InvocationOrigin {
  readonly installation: InstallationRecord;
  readonly spaceId?: string | undefined;
  readonly siteId?: string | undefined;
}

export async function buildEnvironment(
  context: SendContext,
  integration: IntegrationRecord,
  origin?: InvocationOrigin,
) {
  const { store, ports } = context;
  const { secrets, urls } = ports.integrations;
  const owner = await store.read(getOrganizationPartition(integration.organization));
  const organization = (await findPartitionOrganization(owner))!;
  const stored = await integrationSecrets.get(owner, integration.id);
  const values: Record<string, string> = stored
    ? JSON.parse(await secrets.decrypt(stored.sealed, sealContexts.integrationSecrets(integration.id)))
    : {};
  const installed = origin && (await describeInstallation(context, integration, origin));
  const apiTokens = {
    integration: signAppToken(secrets, "integration", integration.id, store.now()).token,
    ...omitUndefined({ installation: installed?.token }),
  };
  const signingSecrets = { integration: deriveSigningSecret(secrets, integration.id), ...installed?.signingSecrets };
  const environment = {
    apiEndpoint: urls.api("").replace(/\/v1$/, ""),
    apiTokens,
    integration: presentIntegration(
      { integration, owner: organization, me: undefined, ownedTeams: 0 },
      { urls, secrets },
    ),
    ...installed?.views,
    secrets: values,
    signingSecrets,
  };
  const hidden = [values, apiTokens, signingSecrets].flatMap((it) => Object.values(it as Record<string, string>));
  return { environment, hidden };
}

/** Returns the members of the environment that concern an installation: its token, its views and its signing secrets. */
async function describeInstallation(
  { store, ports }: SendContext,
  integration: IntegrationRecord,
  { installation, spaceId, siteId }: InvocationOrigin,
) {
  const { secrets, urls } = ports.integrations;
  const view = await store.read(getOrganizationPartition(installation.organization));
  const organization = (await findPartitionOrganization(view))!;
  const installationContext = {
    organization,
    me: undefined,
    ownedTeams: 0,
    installation,
    integration,
    isPublisher: true,
  };
  const { id } = installation;
  const onSpace = spaceId === undefined ? undefined : await placements.get(view, id, "space", spaceId);
  const onSite = siteId === undefined ? undefined : await placements.get(view, id, "site", siteId);
  const found = [onSpace, onSite].filter((record) => record !== undefined);
  const placementViews = await Promise.all(
    found.map((record) => presentPlacement(record.kind, installationContext, record, undefined, { urls })),
  );
  const keyByKind = <Value>(values: readonly Value[]) =>
    Object.fromEntries(found.map(({ kind }, i) => [`${kind}Installation`, values[i]!]));
  const placementSecrets = found.map(({ place }) => deriveSigningSecret(secrets, integration.id, id, place));
  // An installation on all sites has no record for this site, but it signs in the visitors of the site all the same.
  const siteSecret = siteId === undefined ? undefined : deriveSigningSecret(secrets, integration.id, id, siteId);
  return {
    token: signAppToken(secrets, "installation", id, store.now()).token,
    views: {
      installation: await presentInstallation(installationContext, view, urls),
      ...keyByKind(placementViews),
    },
    signingSecrets: {
      installation: deriveSigningSecret(secrets, integration.id, id),
      ...keyByKind(placementSecrets),
      ...omitUndefined({ siteInstallation: siteSecret }),
    },
  };
}
