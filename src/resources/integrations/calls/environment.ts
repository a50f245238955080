// The environment of an event: where the API is, the token to call it with, and the configuration.

import type { JobContext } from "../../../jobs/jobs";
import { getOrganizationPartition } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { findPartitionOrganization } from "../../people/organizations/records";
import { integrationView } from "../definitions/views";
import { signingSecret } from "../delivery/signature";
import { installationToken, integrationToken } from "../installations/token-values";
import { installationView, placedView } from "../installations/views";
import {
  type InstallationRecord,
  type IntegrationRecord,
  integrationSecrets,
  type PlaceKind,
  placed,
  sealedFor,
} from "../records";

/** What a call needs. */
export type Calling = Pick<JobContext, "store" | "ports" | "objects">;

export interface Environment {
  readonly [member: string]: unknown;
}

/** An environment, with the secrets that must not get into records. */
export interface Called {
  readonly environment: Environment;
  readonly hidden: readonly string[];
}

/** Where a call comes from. */
export interface Within {
  readonly installation: InstallationRecord;
  readonly spaceId?: string | undefined;
  readonly siteId?: string | undefined;
}

/** The environment of an event of an integration, in an installation if there is one. */
export async function environmentOf(
  calling: Calling,
  integration: IntegrationRecord,
  within?: Within,
): Promise<Called> {
  const { store, ports } = calling;
  const { secrets, urls } = ports.integrations;
  const owner = await store.read(getOrganizationPartition(integration.organization));
  const organization = (await findPartitionOrganization(owner))!;
  const values = await secretsOf(owner, integration, secrets);
  const here = within && (await inInstallation(calling, integration, within));
  const apiTokens = {
    integration: integrationToken(secrets, integration, store.now()),
    ...omitUndefined({ installation: here?.token }),
  };
  const signingSecrets = { integration: signingSecret(secrets, integration.id), ...here?.signingSecrets };
  const environment = {
    apiEndpoint: urls.api("").replace(/\/v1$/, ""),
    apiTokens,
    integration: integrationView({ integration, owner: organization, me: undefined, ownedTeams: 0 }, { urls, secrets }),
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
  return kept ? JSON.parse(await secrets.decrypt(kept.sealed, sealedFor(id))) : {};
}

async function inInstallation(
  { store, ports }: Calling,
  integration: IntegrationRecord,
  { installation, spaceId, siteId }: Within,
) {
  const { secrets, urls } = ports.integrations;
  const view = await store.read(getOrganizationPartition(installation.organization));
  const organization = (await findPartitionOrganization(view))!;
  const it = { organization, me: undefined, ownedTeams: 0, installation, integration, isPublisher: true };
  const on = [await placedOn(view, installation, "space", spaceId), await placedOn(view, installation, "site", siteId)];
  const found = on.filter((record) => record !== undefined);
  const views = await Promise.all(found.map((record) => placedView(record.kind, it, record, undefined, { urls })));
  const eachAs = <Value>(values: readonly Value[]) =>
    Object.fromEntries(found.map(({ kind }, i) => [`${kind}Installation`, values[i]!]));
  return {
    token: installationToken(secrets, installation, store.now()).token,
    shown: { installation: await installationView(it, view, urls), ...eachAs(views) },
    signingSecrets: {
      installation: signingSecret(secrets, integration.id, installation.id),
      ...eachAs(found.map(({ place }) => signingSecret(secrets, integration.id, installation.id, place))),
      // An installation on all sites has no record for this site, but it signs in its visitors all the same.
      ...omitUndefined({
        siteInstallation:
          siteId === undefined ? undefined : signingSecret(secrets, integration.id, installation.id, siteId),
      }),
    },
  };
}

async function placedOn(view: Reader, { id }: InstallationRecord, kind: PlaceKind, place: string | undefined) {
  return place === undefined ? undefined : placed.get(view, id, kind, place);
}
