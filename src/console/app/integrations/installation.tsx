// An integration in an organization: to be installed, or as it works here.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Integration, IntegrationInstallation, IntegrationScope } from "../../../generated/resources";
import { useList, useRead } from "../calls/reads";
import { useSaving } from "../calls/saving";
import { useAction, write } from "../calls/writes";
import { Button, LinkButton } from "../parts/button";
import { Checks } from "../parts/checks";
import { Confirm } from "../parts/confirm";
import { Copyable } from "../parts/copy";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Problem, Shown } from "../parts/shown";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";
import { About } from "./about";
import { ConfigurationForm } from "./configuration-form";
import { statusLooks, statusWords } from "./lists";
import { PlacesOf } from "./places-of";

export function InstallationPage({
  organization,
  integration,
}: {
  readonly organization: string;
  readonly integration: string;
}) {
  const words = useWords();
  const params = { organizationId: organization };
  const above = useRead("getOrganization", { params });
  const installed = useList("listOrganizationInstallations", { params, query: { integration } });
  const isInstalled = installed.reading.state === "had" && installed.reading.value.length > 0;
  const definition = useRead(
    "getIntegration",
    installed.reading.state === "had" && !isInstalled ? { params: { integrationName: integration } } : undefined,
  );
  const crumbs = [[words.integrations, addresses.part(organization, "integrations")]] as const;
  return (
    <Shown of={above}>
      {({ permissions }) => (
        <Shown of={installed.reading}>
          {([found]) =>
            found ? (
              <Installed
                key={found.installation.id}
                it={found.installation}
                integration={found.integration}
                crumbs={crumbs}
                isAdmin={permissions.admin}
              />
            ) : (
              <Shown of={definition}>
                {(it) => (
                  <div class="page">
                    <PageHead title={it.title} above={crumbs} />
                    <About it={it} />
                    {permissions.admin && it.permissions.install && <Install organization={organization} it={it} />}
                  </div>
                )}
              </Shown>
            )
          }
        </Shown>
      )}
    </Shown>
  );
}

/** Installing, with what is agreed to. */
function Install({ organization, it }: { readonly organization: string; readonly it: Integration }) {
  const words = useWords();
  const [scopes, setScopes] = useState<readonly IntegrationScope[]>(it.scopes);
  const install = useAction(() =>
    write("installIntegration", {
      params: { integrationName: it.name },
      body: { organization, scopes: [...scopes] },
    }),
  );
  return (
    <section>
      <h2>{words.install}</h2>
      <p>{words.installWhy}</p>
      <Form action={install} submit={words.install}>
        {it.scopes.length > 0 && (
          <Checks label={words.rightsAgreed} options={it.scopes} chosen={scopes} onChange={setScopes} />
        )}
      </Form>
    </section>
  );
}

function Installed({
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
  const words = useWords();
  const { route } = useLocation();
  const params = { integrationName: it.integration, installationId: it.id };
  const isPaused = it.status === "paused";
  const pause = useAction(() =>
    write("updateInstallation", { params, body: { status: isPaused ? "active" : "paused" } }),
  );
  const schema = integration.configurations?.account;
  return (
    <div class="page">
      <PageHead title={integration.title} above={crumbs}>
        <span class={`status ${statusLooks[it.status]}`}>{statusWords(words)[it.status]}</span>
        {integration.permissions.admin && (
          <LinkButton href={addresses.integration(it.integration, "events")}>{words.eventsAndLogs}</LinkButton>
        )}
        {isAdmin && (
          <Button isBusy={pause.isBusy} onClick={() => void pause.run()}>
            {isPaused ? words.resume : words.pause}
          </Button>
        )}
      </PageHead>
      <Problem error={pause.error} />
      <About it={integration} />
      {isAdmin && (
        <>
          <section>
            <h2>{words.configuration}</h2>
            {schema ? (
              <ConfigurationForm
                schema={schema}
                values={it.configuration ?? {}}
                publicEndpoint={it.urls.publicEndpoint}
                save={(configuration) => write("updateInstallation", { params, body: { configuration } })}
              />
            ) : (
              <p>{words.noConfiguration}</p>
            )}
          </section>
          <Rights it={it} integration={integration} />
        </>
      )}
      <PlacesOf it={it} integration={integration} isAdmin={isAdmin} />
      <section>
        <Copyable>{[[words.publicAddress, it.urls.publicEndpoint]]}</Copyable>
        {isAdmin && (
          <Confirm
            label={words.uninstall}
            question={filled(words.uninstallWhy, { title: integration.title })}
            act={async () => {
              await write("uninstallIntegration", { params });
              route(addresses.part(it.target.organization, "integrations"));
            }}
          />
        )}
      </section>
    </div>
  );
}

/** What the installation may do, and what a new version asks for beyond that. */
function Rights({ it, integration }: { readonly it: IntegrationInstallation; readonly integration: Integration }) {
  const words = useWords();
  const [scopes, setScopes] = useState<readonly IntegrationScope[]>(it.scopes);
  const saving = useSaving(() =>
    write("updateInstallation", {
      params: { integrationName: it.integration, installationId: it.id },
      body: { scopes: [...scopes] },
    }),
  );
  if (integration.scopes.length === 0) return null;
  return (
    <section>
      <h2>{words.rightsAgreed}</h2>
      {it.pendingScopes.length > 0 && <p class="notice">{words.rightsPending}</p>}
      <Form action={saving} submit={words.save} done={saving.done}>
        <Checks
          label={words.asksFor}
          options={integration.scopes}
          chosen={scopes}
          onChange={saving.changing(setScopes)}
        />
      </Form>
    </section>
  );
}
