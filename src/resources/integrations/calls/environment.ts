// The environment of an event: where the API is, the token to call it with, and the configuration.

import type { JobContext } from "../../../jobs/jobs";
import { getOrganizationPartition } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { findPartitionOrganization } from "../../people/organizations/records";
import { presentIntegration } from "../definitions/views";
import { deriveSigningSecret } from "../delivery/signature";
import { signInstallationToken, signIntegrationToken } from "../installations/app-tokens";
import { presentInstallation, presentPlacement } from "../installations/views";
import {
  getSecretsSealContext,
  type InstallationRecord,
  type IntegrationRecord,
  integrationSecrets,
  type PlaceKind,
  placements,
} from "../records";

/** What a call needs. */
export type SendContext = Pick<JobContext, "store" | "ports" | "objects">;

export interface Environment {
  readonly [member: string]: unknown;
}

/** An environment, with the secrets that must not get into records. */
export interface ScriptEnvironment {
  readonly environment: Environment;
  readonly hidden: readonly string[];
}

/** Where a call comes from. */
export interface InvocationOrigin {
  readonly installation: InstallationRecord;
  readonly spaceId?: string | undefined;
  readonly siteId?: string | undefined;
}

/** The environment of an event of an integration, in an installation if there is one. */
export async function buildEnvironment(
  calling: SendContext,
  integration: IntegrationRecord,
  within?: InvocationOrigin,
): Promise<ScriptEnvironment> {
  const { store, ports } = calling;
  const { secrets, urls } = ports.integrations;
  const owner = await store.read(getOrganizationPartition(integration.organization));
  const organization = (await findPartitionOrganization(owner))!;
  const values = await secretsOf(owner, integration, secrets);
  const here = within && (await inInstallation(calling, integration, within));
  const apiTokens = {
    integration: signIntegrationToken(secrets, integration, store.now()),
    ...omitUndefined({ installation: here?.token }),
  };
  const signingSecrets = { integration: deriveSigningSecret(secrets, integration.id), ...here?.signingSecrets };
  const environment = {
    apiEndpoint: urls.api("").replace(/\/v1$/, ""),
    apiTokens,
    integration: presentIntegration(
      { integration, owner: organization, me: undefined, ownedTeams: 0 },
      { urls, secrets },
    ),
    ...here?.shown,
    secrets: values,
    signingSecrets,
  };
  const hidden = [values, apiTokens, signingSecrets].flatMap((it) => Object.values(it as Record<string, string>));
  return { environment, hidden };
}

async function secretsOf(
  owner: Reader,
  { id }: IntegrationRecord,
  secrets: { readonly decrypt: (sealed: string, context: string) => Promise<string> },
): Promise<Record<string, string>> {
  const kept = await integrationSecrets.get(owner, id);
  return kept ? JSON.parse(await secrets.decrypt(kept.sealed, getSecretsSealContext(id))) : {};
}

async function inInstallation(
  { store, ports }: SendContext,
  integration: IntegrationRecord,
  { installation, spaceId, siteId }: InvocationOrigin,
) {
  const { secrets, urls } = ports.integrations;
  const view = await store.read(getOrganizationPartition(installation.organization));
  const organization = (await findPartitionOrganization(view))!;
  const it = { organization, me: undefined, ownedTeams: 0, installation, integration, isPublisher: true };
  const on = [await placedOn(view, installation, "space", spaceId), await placedOn(view, installation, "site", siteId)];
  const found = on.filter((record) => record !== undefined);
  const views = await Promise.all(
    found.map((record) => presentPlacement(record.kind, it, record, undefined, { urls })),
  );
  const eachAs = <Value>(values: readonly Value[]) =>
    Object.fromEntries(found.map(({ kind }, i) => [`${kind}Installation`, values[i]!]));
  return {
    token: signInstallationToken(secrets, installation, store.now()).token,
    shown: { installation: await presentInstallation(it, view, urls), ...eachAs(views) },
    signingSecrets: {
      installation: deriveSigningSecret(secrets, integration.id, installation.id),
      ...eachAs(found.map(({ place }) => deriveSigningSecret(secrets, integration.id, installation.id, place))),
      // An installation on all sites has no record for this site, but it signs in its visitors all the same.
      ...omitUndefined({
        siteInstallation:
          siteId === undefined ? undefined : deriveSigningSecret(secrets, integration.id, installation.id, siteId),
      }),
    },
  };
}

async function placedOn(view: Reader, { id }: InstallationRecord, kind: PlaceKind, place: string | undefined) {
  return place === undefined ? undefined : placements.get(view, id, kind, place);
}
