// The spaces and sites that an installation works on, each with a configuration of its own.

import { useState } from "preact/hooks";
import type {
  Integration,
  IntegrationInstallation,
  IntegrationSiteInstallation,
  IntegrationSpaceInstallation,
} from "../../../generated/resources";
import { useList } from "../calls/reads";
import { useWhole } from "../calls/whole";
import { useAction, write } from "../calls/writes";
import { Confirm } from "../parts/confirm";
import { Choice } from "../parts/field";
import { Form } from "../parts/form";
import { Problem, ShownList } from "../parts/shown";
import { filled, useWords } from "../words/words";
import { ConfigurationForm } from "./configuration-form";
import { statusLooks, statusWords } from "./lists";

interface Of {
  readonly it: IntegrationInstallation;
  readonly integration: Integration;
  readonly isAdmin: boolean;
}

export function PlacesOf(of: Of) {
  const words = useWords();
  const { target } = of.integration;
  if (target === "organization") return null;
  return (
    <section>
      <h2>{words.whereItWorks}</h2>
      {target !== "site" && <OnSpaces {...of} />}
      {target !== "space" && <OnSites {...of} />}
    </section>
  );
}

function OnSpaces({ it, integration, isAdmin }: Of) {
  const words = useWords();
  const params = { integrationName: it.integration, installationId: it.id };
  const list = useList("listInstallationSpaces", { params, query: { extended: "true" } });
  const spaces = useWhole("listSpaces", { params: { organizationId: it.target.organization } });
  const select = useAction((space_selection: "all" | "selected") =>
    write("updateInstallation", { params, body: { space_selection } }),
  );
  return (
    <>
      <h3>{words.onSpaces}</h3>
      {isAdmin && (
        <Selection
          label={words.whereItWorks}
          value={it.space_selection}
          all={words.allSpaces}
          selected={words.chosenSpaces}
          action={select}
        />
      )}
      <ShownList of={list} empty={<p>{words.noPlaces}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((on) => (
              <li key={spaceOf(on).id}>
                <OnePlace
                  title={spaceOf(on).title}
                  on={on}
                  schema={integration.configurations?.space}
                  isChosen={it.space_selection === "selected"}
                  save={(configuration) =>
                    write("updateSpaceInstallation", {
                      params: { ...params, spaceId: spaceOf(on).id },
                      body: { configuration },
                    })
                  }
                  takeOff={() => write("uninstallFromSpace", { params: { ...params, spaceId: spaceOf(on).id } })}
                />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      {it.space_selection === "selected" && (
        <AddPlace
          label={words.addSpace}
          places={spaces.filter(({ permissions }) => permissions.installIntegration)}
          add={(spaceId) => write("installOnSpace", { params, body: { spaceId } })}
        />
      )}
    </>
  );
}

function OnSites({ it, integration, isAdmin }: Of) {
  const words = useWords();
  const params = { integrationName: it.integration, installationId: it.id };
  const list = useList("listInstallationSites", { params, query: { extended: "true" } });
  const sites = useWhole("listSites", { params: { organizationId: it.target.organization } });
  const select = useAction((site_selection: "all" | "selected") =>
    write("updateInstallation", { params, body: { site_selection } }),
  );
  return (
    <>
      <h3>{words.onSites}</h3>
      {isAdmin && (
        <Selection
          label={words.whereItWorks}
          value={it.site_selection}
          all={words.allSites}
          selected={words.chosenSites}
          action={select}
        />
      )}
      <ShownList of={list} empty={<p>{words.noPlaces}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((on) => (
              <li key={siteOf(on).id}>
                <OnePlace
                  title={siteOf(on).title}
                  on={on}
                  schema={integration.configurations?.site}
                  isChosen={it.site_selection === "selected"}
                  save={(configuration) =>
                    write("updateSiteInstallation", {
                      params: { ...params, siteId: siteOf(on).id },
                      body: { configuration },
                    })
                  }
                  takeOff={() => write("uninstallFromSite", { params: { ...params, siteId: siteOf(on).id } })}
                />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      {it.site_selection === "selected" && (
        <AddPlace
          label={words.addSite}
          places={sites}
          add={(siteId) => write("installOnSite", { params, body: { siteId } })}
        />
      )}
    </>
  );
}

/** Those who do not see the place itself get its id alone. */
function spaceOf({ space }: IntegrationSpaceInstallation): { readonly id: string; readonly title: string } {
  return typeof space === "string" ? { id: space, title: space } : space;
}

function siteOf({ site }: IntegrationSiteInstallation): { readonly id: string; readonly title: string } {
  return typeof site === "string" ? { id: site, title: site } : site;
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
      <Problem error={action.error} />
    </div>
  );
}

function OnePlace({
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
  /** Whether it was put here by name, and can be taken off. */
  readonly isChosen: boolean;
  readonly save: (values: Record<string, unknown>) => Promise<unknown>;
  readonly takeOff: () => Promise<unknown>;
}) {
  const words = useWords();
  // Those who may not change a configuration do not see it.
  const isMine = on.configuration !== undefined;
  return (
    <details>
      <summary>
        <bdi>{title}</bdi> <span class={`status ${statusLooks[on.status]}`}>{statusWords(words)[on.status]}</span>
      </summary>
      {schema && isMine ? (
        <ConfigurationForm
          schema={schema}
          values={on.configuration ?? {}}
          publicEndpoint={on.urls.publicEndpoint}
          save={save}
        />
      ) : (
        <p>{words.noConfiguration}</p>
      )}
      {isChosen && isMine && (
        <Confirm label={words.remove} question={filled(words.takeOffWhy, { title })} act={takeOff} />
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
  const words = useWords();
  const [place, setPlace] = useState("");
  const adding = useAction(async () => {
    if (place === "") return;
    await add(place);
    setPlace("");
  });
  return (
    <Form action={adding} submit={words.add}>
      <Choice
        label={label}
        value={place}
        onChange={setPlace}
        options={[["", "—"], ...places.map(({ id, title }) => [id, title] as const)]}
      />
    </Form>
  );
}
