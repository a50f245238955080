// An integration in an organization: its installation, or its settings when it is installed.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Integration, IntegrationInstallation, IntegrationScope } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button, LinkButton } from "../components/button";
import { Checks } from "../components/checks";
import { Confirm } from "../components/confirm";
import { Copyable } from "../components/copy";
import { Form } from "../components/form";
import { ActionError, Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { useMessages } from "../messages/messages";
import { addresses, type RouteParams } from "../routes";
import { About } from "./about";
import { ConfigurationForm } from "./configuration-form";
import { InstallationPlaces } from "./installation-places";
import { Status } from "./status";

export function InstallationPage({ organization, integration }: RouteParams<"organization" | "integration">) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const above = useQuery("getOrganization", { params });
  const installed = useList("listOrganizationInstallations", { params, query: { integration } });
  const isInstalled = installed.reading.state === "loaded" && installed.reading.value.length > 0;
  const definition = useQuery(
    "getIntegration",
    installed.reading.state === "loaded" && !isInstalled ? { params: { integrationName: integration } } : undefined,
  );
  const crumbs = [[messages.layout.integrations, addresses.part(organization, "integrations")]] as const;
  return (
    <Loaded of={above}>
      {({ permissions }) => (
        <Loaded of={installed.reading}>
          {([found]) =>
            found ? (
              <InstallationSettings
                key={found.installation.id}
                it={found.installation}
                integration={found.integration}
                crumbs={crumbs}
                isAdmin={permissions.admin}
              />
            ) : (
              <Loaded of={definition}>
                {(it) => (
                  <div class="page">
                    <PageHead title={it.title} above={crumbs} />
                    <About it={it} />
                    {permissions.admin && it.permissions.install && <Install organization={organization} it={it} />}
                  </div>
                )}
              </Loaded>
            )
          }
        </Loaded>
      )}
    </Loaded>
  );
}

/** The button that installs the integration, with the permissions that it requests. */
function Install({ organization, it }: { readonly organization: string; readonly it: Integration }) {
  const messages = useMessages();
  const [scopes, setScopes] = useState<readonly IntegrationScope[]>(it.scopes);
  const install = useAction(() =>
    runMutation("installIntegration", {
      params: { integrationName: it.name },
      body: { organization, scopes: [...scopes] },
    }),
  );
  return (
    <section>
      <h2>{messages.integrations.install}</h2>
      <p>{messages.integrations.installWhy}</p>
      <Form action={install} submit={messages.integrations.install}>
        {it.scopes.length > 0 && (
          <Checks label={messages.integrations.rightsAgreed} options={it.scopes} value={scopes} onChange={setScopes} />
        )}
      </Form>
    </section>
  );
}

function InstallationSettings({
  it,
  integration,
  crumbs,
  isAdmin,
}: {
  readonly it: IntegrationInstallation;
  readonly integration: Integration;
  readonly crumbs: readonly (readonly [string, string])[];
  readonly isAdmin: boolean;
}) {
  const messages = useMessages();
  const { route } = useLocation();
  const params = { integrationName: it.integration, installationId: it.id };
  const isPaused = it.status === "paused";
  const pause = useAction(() =>
    runMutation("updateInstallation", { params, body: { status: isPaused ? "active" : "paused" } }),
  );
  const schema = integration.configurations?.account;
  return (
    <div class="page">
      <PageHead title={integration.title} above={crumbs}>
        <Status of={it.status} />
        {integration.permissions.admin && (
          <LinkButton href={addresses.integration(it.integration, "events")}>
            {messages.integrations.eventsAndLogs}
          </LinkButton>
        )}
        {isAdmin && (
          <Button action={pause}>{isPaused ? messages.integrations.resume : messages.integrations.pause}</Button>
        )}
      </PageHead>
      <ActionError error={pause.error} />
      <About it={integration} />
      {isAdmin && (
        <>
          <section>
            <h2>{messages.integrations.configuration}</h2>
            {schema ? (
              <ConfigurationForm
                schema={schema}
                values={it.configuration ?? {}}
                publicEndpoint={it.urls.publicEndpoint}
                save={(configuration) => runMutation("updateInstallation", { params, body: { configuration } })}
              />
            ) : (
              <p>{messages.integrations.noConfiguration}</p>
            )}
          </section>
          <InstallationPermissions it={it} integration={integration} />
        </>
      )}
      <InstallationPlaces it={it} integration={integration} isAdmin={isAdmin} />
      <section>
        <Copyable>{[[messages.integrations.publicAddress, it.urls.publicEndpoint]]}</Copyable>
        {isAdmin && (
          <Confirm
            label={messages.integrations.uninstall}
            question={formatMessage(messages.integrations.uninstallWhy, { title: integration.title })}
            act={async () => {
              await runMutation("uninstallIntegration", { params });
              route(addresses.part(it.target.organization, "integrations"));
            }}
          />
        )}
      </section>
    </div>
  );
}

/** The permissions of the installation, and those that a new version requests. */
function InstallationPermissions({
  it,
  integration,
}: {
  readonly it: IntegrationInstallation;
  readonly integration: Integration;
}) {
  const messages = useMessages();
  const [scopes, setScopes] = useState<readonly IntegrationScope[]>(it.scopes);
  const saving = useAction(() =>
    runMutation("updateInstallation", {
      params: { integrationName: it.integration, installationId: it.id },
      body: { scopes: [...scopes] },
    }),
  );
  if (integration.scopes.length === 0) return null;
  return (
    <section>
      <h2>{messages.integrations.rightsAgreed}</h2>
      {it.pendingScopes.length > 0 && <p class="notice">{messages.integrations.rightsPending}</p>}
      <Form action={saving} submit={messages.general.save}>
        <Checks
          label={messages.integrations.asksFor}
          options={integration.scopes}
          value={scopes}
          onChange={setScopes}
        />
      </Form>
    </section>
  );
}
