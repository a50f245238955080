// The spaces and sites of an installation, each with its own configuration.

import { useState } from "preact/hooks";
import type {
  Integration,
  IntegrationInstallation,
  IntegrationSiteInstallation,
  IntegrationSpaceInstallation,
} from "../../../generated/resources";
import { useCompleteList } from "../api/complete-list";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { Confirm } from "../components/confirm";
import { Choice } from "../components/field";
import { Form } from "../components/form";
import { ActionError, LoadedList } from "../components/loaded";
import { fillMessage, useMessages } from "../messages/messages";
import { ConfigurationForm } from "./configuration-form";
import { getInstallationStatusLabels, INSTALLATION_STATUS_CLASSES } from "./options";

interface InstallationProps {
  readonly it: IntegrationInstallation;
  readonly integration: Integration;
  readonly isAdmin: boolean;
}

export function InstallationPlaces(of: InstallationProps) {
  const messages = useMessages();
  const { target } = of.integration;
  if (target === "organization") return null;
  return (
    <section>
      <h2>{messages.whereItWorks}</h2>
      {target !== "site" && <InstallationSpaces {...of} />}
      {target !== "space" && <InstallationSites {...of} />}
    </section>
  );
}

function InstallationSpaces({ it, integration, isAdmin }: InstallationProps) {
  const messages = useMessages();
  const params = { integrationName: it.integration, installationId: it.id };
  const list = useList("listInstallationSpaces", { params, query: { extended: "true" } });
  const spaces = useCompleteList("listSpaces", { params: { organizationId: it.target.organization } });
  const select = useAction((space_selection: "all" | "selected") =>
    runMutation("updateInstallation", { params, body: { space_selection } }),
  );
  return (
    <>
      <h3>{messages.onSpaces}</h3>
      {isAdmin && (
        <Selection
          label={messages.whereItWorks}
          value={it.space_selection}
          all={messages.allSpaces}
          selected={messages.chosenSpaces}
          action={select}
        />
      )}
      <LoadedList of={list} empty={<p>{messages.noPlaces}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((on) => (
              <li key={(typeof on.space === "string" ? { id: on.space, title: on.space } : on.space).id}>
                <PlaceSettings
                  title={(typeof on.space === "string" ? { id: on.space, title: on.space } : on.space).title}
                  on={on}
                  schema={integration.configurations?.space}
                  isChosen={it.space_selection === "selected"}
                  save={(configuration) =>
                    runMutation("updateSpaceInstallation", {
                      params: {
                        ...params,
                        spaceId: (typeof on.space === "string" ? { id: on.space, title: on.space } : on.space).id,
                      },
                      body: { configuration },
                    })
                  }
                  takeOff={() =>
                    runMutation("uninstallFromSpace", {
                      params: {
                        ...params,
                        spaceId: (typeof on.space === "string" ? { id: on.space, title: on.space } : on.space).id,
                      },
                    })
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
      {it.space_selection === "selected" && (
        <AddPlace
          label={messages.addSpace}
          places={spaces.filter(({ permissions }) => permissions.installIntegration)}
          add={(spaceId) => runMutation("installOnSpace", { params, body: { spaceId } })}
        />
      )}
    </>
  );
}

function InstallationSites({ it, integration, isAdmin }: InstallationProps) {
  const messages = useMessages();
  const params = { integrationName: it.integration, installationId: it.id };
  const list = useList("listInstallationSites", { params, query: { extended: "true" } });
  const sites = useCompleteList("listSites", { params: { organizationId: it.target.organization } });
  const select = useAction((site_selection: "all" | "selected") =>
    runMutation("updateInstallation", { params, body: { site_selection } }),
  );
  return (
    <>
      <h3>{messages.onSites}</h3>
      {isAdmin && (
        <Selection
          label={messages.whereItWorks}
          value={it.site_selection}
          all={messages.allSites}
          selected={messages.chosenSites}
          action={select}
        />
      )}
      <LoadedList of={list} empty={<p>{messages.noPlaces}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((on) => (
              <li key={(typeof on.site === "string" ? { id: on.site, title: on.site } : on.site).id}>
                <PlaceSettings
                  title={(typeof on.site === "string" ? { id: on.site, title: on.site } : on.site).title}
                  on={on}
                  schema={integration.configurations?.site}
                  isChosen={it.site_selection === "selected"}
                  save={(configuration) =>
                    runMutation("updateSiteInstallation", {
                      params: {
                        ...params,
                        siteId: (typeof on.site === "string" ? { id: on.site, title: on.site } : on.site).id,
                      },
                      body: { configuration },
                    })
                  }
                  takeOff={() =>
                    runMutation("uninstallFromSite", {
                      params: {
                        ...params,
                        siteId: (typeof on.site === "string" ? { id: on.site, title: on.site } : on.site).id,
                      },
                    })
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
      {it.site_selection === "selected" && (
        <AddPlace
          label={messages.addSite}
          places={sites}
          add={(siteId) => runMutation("installOnSite", { params, body: { siteId } })}
        />
      )}
    </>
  );
}

function Selection({
  label,
  value,
  all,
  selected,
  action,
}: {
  readonly label: string;
  readonly value: "all" | "selected";
  readonly all: string;
  readonly selected: string;
  readonly action: ReturnType<typeof useAction<["all" | "selected"]>>;
}) {
  return (
    <div class="form">
      <Choice
        label={label}
        value={value}
        onChange={(it) => void action.run(it)}
        disabled={action.isBusy}
        options={[
          ["selected", selected],
          ["all", all],
        ]}
      />
      <ActionError error={action.error} />
    </div>
  );
}

function PlaceSettings({
  title,
  on,
  schema,
  isChosen,
  save,
  takeOff,
}: {
  readonly title: string;
  readonly on: IntegrationSpaceInstallation | IntegrationSiteInstallation;
  readonly schema: NonNullable<Integration["configurations"]>["space"];
  /** True if it was selected individually, so that it can be removed. */
  readonly isChosen: boolean;
  readonly save: (values: Record<string, unknown>) => Promise<unknown>;
  readonly takeOff: () => Promise<unknown>;
}) {
  const messages = useMessages();
  // Users who may not change a configuration do not see it.
  const isMine = on.configuration !== undefined;
  return (
    <details>
      <summary>
        <bdi>{title}</bdi>{" "}
        <span class={`status ${INSTALLATION_STATUS_CLASSES[on.status]}`}>
          {getInstallationStatusLabels(messages)[on.status]}
        </span>
      </summary>
      {schema && isMine ? (
        <ConfigurationForm
          schema={schema}
          values={on.configuration ?? {}}
          publicEndpoint={on.urls.publicEndpoint}
          save={save}
        />
      ) : (
        <p>{messages.noConfiguration}</p>
      )}
      {isChosen && isMine && (
        <Confirm label={messages.remove} question={fillMessage(messages.takeOffWhy, { title })} act={takeOff} />
      )}
    </details>
  );
}

function AddPlace({
  label,
  places,
  add,
}: {
  readonly label: string;
  readonly places: readonly { readonly id: string; readonly title: string }[];
  readonly add: (id: string) => Promise<unknown>;
}) {
  const messages = useMessages();
  const [place, setPlace] = useState("");
  const adding = useAction(async () => {
    if (place === "") return;
    await add(place);
    setPlace("");
  });
  return (
    <Form action={adding} submit={messages.add}>
      <Choice
        label={label}
        value={place}
        onChange={setPlace}
        options={[["", "—"], ...places.map(({ id, title }) => [id, title] as const)]}
      />
    </Form>
  );
}
