// The page of an integration: its description, its installation, and, for its publishers, the existing installations.

import { useState } from "preact/hooks";
import type { Integration, IntegrationInstallation } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { useCompleteList } from "../api/complete-list";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button, LinkButton } from "../components/button";
import { ActionError, LoadedRows } from "../components/loaded";
import { OneTimeSecret } from "../components/one-time-secret";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { About } from "./about";
import { IntegrationPage } from "./integration-page";
import { Status } from "./status";

export function DefinitionPage({ integration }: { readonly integration: string }) {
  const messages = useMessages();
  const organizations = useCompleteList("listOrganizations", {});
  return (
    <IntegrationPage integration={integration}>
      {(it) => {
        const offered = organizations.filter(
          ({ id, permissions }) => permissions.admin && (it.visibility !== "private" || id === it.owner.id),
        );
        return (
          <>
            <About it={it} />
            {it.permissions.install && offered.length > 0 && (
              <section>
                <h2>{messages.integrations.install}</h2>
                <p class="buttons">
                  {offered.map(({ id, title }) => (
                    <LinkButton key={id} href={addresses.part(id, `integrations/${it.name}`)}>
                      {title}
                    </LinkButton>
                  ))}
                </p>
              </section>
            )}
            {it.permissions.admin && <Installations it={it} />}
          </>
        );
      }}
    </IntegrationPage>
  );
}

function Installations({ it }: { readonly it: Integration }) {
  const messages = useMessages();
  const list = useList("listInstallations", { params: { integrationName: it.name } });
  return (
    <section>
      <h2>{messages.integrations.installations}</h2>
      <LoadedRows of={list} empty={messages.integrations.noInstallations}>
        {(one) => <InstallationRow it={one} />}
      </LoadedRows>
    </section>
  );
}

function InstallationRow({ it }: { readonly it: IntegrationInstallation }) {
  const messages = useMessages();
  const params = { integrationName: it.integration, installationId: it.id };
  const waiting = useCompleteList("listTasks", { params });
  // Users who are no members of the organization see its id only.
  const home = useQuery("getOrganization", { params: { organizationId: it.target.organization } });
  const [token, setToken] = useState<string>();
  const make = useAction(async () => setToken((await runMutation("createInstallationToken", { params })).token));
  const cancel = useAction((taskId: string) => runMutation("cancelTask", { params: { ...params, taskId } }));
  return (
    <details>
      <summary>
        {home.state === "loaded" ? <bdi>{home.value.title}</bdi> : <code>{it.target.organization}</code>}{" "}
        <small>
          <RelativeTime at={it.createdAt} sentence={messages.organization.made} />
        </small>{" "}
        <Status of={it.status} />
      </summary>
      <p>
        <code>{it.id}</code>
      </p>
      {token !== undefined && <OneTimeSecret label={messages.integrations.makeToken} value={token} />}
      <Button action={make}>{messages.integrations.makeToken}</Button>
      <ActionError error={make.error ?? cancel.error} />
      {waiting.length > 0 && (
        <>
          <h3>{messages.integrations.tasks}</h3>
          <ul class="rows">
            {waiting.map(({ id, task, scheduledFor }) => (
              <li key={id}>
                <div>
                  <span>
                    <code>{String(task.type ?? id)}</code>{" "}
                    <small>
                      <RelativeTime at={scheduledFor} sentence={messages.integrations.due} />
                    </small>
                  </span>
                  <Button
                    kind="quiet"
                    label={formatMessage("{a}: {b}", { a: messages.reviews.remove, b: id })}
                    onClick={() => void cancel.run(id)}
                  >
                    {messages.reviews.remove}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}
