// The page of an integration: what it is, where it can be installed, and, for those who publish it, who has installed it.

import { useState } from "preact/hooks";
import type { Integration, IntegrationInstallation } from "../../../generated/resources";
import { useList, useRead } from "../calls/reads";
import { useWhole } from "../calls/whole";
import { useAction, write } from "../calls/writes";
import { Button, LinkButton } from "../parts/button";
import { ShownOnce } from "../parts/once";
import { Problem, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";
import { About } from "./about";
import { InDefinition } from "./in-definition";
import { statusLooks, statusWords } from "./lists";

export function DefinitionPage({ integration }: { readonly integration: string }) {
  return (
    <InDefinition integration={integration}>
      {(it) => (
        <>
          <About it={it} />
          <InstallIn it={it} />
          {it.permissions.admin && <Installations it={it} />}
        </>
      )}
    </InDefinition>
  );
}

/** The organizations that this person may install it in. */
function InstallIn({ it }: { readonly it: Integration }) {
  const words = useWords();
  const organizations = useWhole("listOrganizations", {}).filter(
    ({ id, permissions }) => permissions.admin && (it.visibility !== "private" || id === it.owner.id),
  );
  if (!it.permissions.install || organizations.length === 0) return null;
  return (
    <section>
      <h2>{words.installIn}</h2>
      <p class="buttons">
        {organizations.map(({ id, title }) => (
          <LinkButton key={id} href={addresses.part(id, `integrations/${it.name}`)}>
            {title}
          </LinkButton>
        ))}
      </p>
    </section>
  );
}

function Installations({ it }: { readonly it: Integration }) {
  const words = useWords();
  const list = useList("listInstallations", { params: { integrationName: it.name } });
  return (
    <section>
      <h2>{words.installations}</h2>
      <ShownList of={list} empty={<p>{words.noInstallations}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((one) => (
              <li key={one.id}>
                <OneInstallation it={one} />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </section>
  );
}

function OneInstallation({ it }: { readonly it: IntegrationInstallation }) {
  const words = useWords();
  const params = { integrationName: it.integration, installationId: it.id };
  const tasks = useList("listTasks", { params });
  // Those who are no members there see its id alone.
  const home = useRead("getOrganization", { params: { organizationId: it.target.organization } });
  const [token, setToken] = useState<string>();
  const make = useAction(async () => setToken((await write("createInstallationToken", { params })).token));
  const cancel = useAction((taskId: string) => write("cancelTask", { params: { ...params, taskId } }));
  const waiting = tasks.reading.state === "had" ? tasks.reading.value : [];
  return (
    <details>
      <summary>
        {home.state === "had" ? <bdi>{home.value.title}</bdi> : <code>{it.target.organization}</code>}{" "}
        <small>
          <When at={it.createdAt} />
        </small>{" "}
        <span class={`status ${statusLooks[it.status]}`}>{statusWords(words)[it.status]}</span>
      </summary>
      <p>
        <code>{it.id}</code>
      </p>
      {token !== undefined && <ShownOnce label={words.makeToken} value={token} />}
      <Button isBusy={make.isBusy} onClick={() => void make.run()}>
        {words.makeToken}
      </Button>
      <Problem error={make.error ?? cancel.error} />
      {waiting.length > 0 && (
        <>
          <h3>{words.tasks}</h3>
          <ul class="rows">
            {waiting.map(({ id, task, scheduledFor }) => (
              <li key={id}>
                <div>
                  <span>
                    <code>{String(task.type ?? id)}</code>{" "}
                    <small>
                      <When at={scheduledFor} sentence={words.due} />
                    </small>
                  </span>
                  <Button
                    kind="quiet"
                    label={filled("{a}: {b}", { a: words.remove, b: id })}
                    onClick={() => void cancel.run(id)}
                  >
                    {words.remove}
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
