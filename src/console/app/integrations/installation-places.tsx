// The spaces and sites of an installation, each with its own configuration.

import { useState } from "preact/hooks";
import type {
  Integration,
  IntegrationInstallation,
  IntegrationSiteInstallation,
  IntegrationSpaceInstallation,
} from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { useCompleteList } from "../api/complete-list";
import { runMutation, useAction } from "../api/mutations";
import { type ListQuery, useList } from "../api/queries";
import { Confirm } from "../components/confirm";
import { Choice } from "../components/field";
import { Form } from "../components/form";
import { ActionError, LoadedRows } from "../components/loaded";
import { useMessages } from "../messages/messages";
import { ConfigurationForm } from "./configuration-form";
import { Status } from "./status";

export function InstallationPlaces({
  it,
  integration: { target, configurations },
  isAdmin,
}: {
  readonly it: IntegrationInstallation;
  readonly integration: Integration;
  readonly isAdmin: boolean;
}) {
  const messages = useMessages();
  const params = { integrationName: it.integration, installationId: it.id };
  const inOrganization = { params: { organizationId: it.target.organization } };
  const extended = { params, query: { extended: "true" } } as const;
  const worksOnSpaces = target !== "organization" && target !== "site";
  const worksOnSites = target !== "organization" && target !== "space";
  const onSpaces = useList("listInstallationSpaces", worksOnSpaces ? extended : undefined);
  const onSites = useList("listInstallationSites", worksOnSites ? extended : undefined);
  const spaces = useCompleteList("listSpaces", worksOnSpaces ? inOrganization : undefined);
  const sites = useCompleteList("listSites", worksOnSites ? inOrganization : undefined);
  if (target === "organization") return null;
  return (
    <section>
      <h2>{messages.integrations.whereItWorks}</h2>
      {worksOnSpaces && (
        <PlaceSection
          title={messages.integrations.onSpaces}
          selection={it.space_selection}
          selectionLabels={{ selected: messages.integrations.chosenSpaces, all: messages.integrations.allSpaces }}
          select={(space_selection) => runMutation("updateInstallation", { params, body: { space_selection } })}
          isAdmin={isAdmin}
          list={onSpaces}
          getPlace={({ space }) => space}
          schema={configurations?.space}
          save={(spaceId, configuration) =>
            runMutation("updateSpaceInstallation", { params: { ...params, spaceId }, body: { configuration } })
          }
          takeOff={(spaceId) => runMutation("uninstallFromSpace", { params: { ...params, spaceId } })}
          addLabel={messages.sites.addSpace}
          offered={spaces.filter(({ permissions }) => permissions.installIntegration)}
          add={(spaceId) => runMutation("installOnSpace", { params, body: { spaceId } })}
        />
      )}
      {worksOnSites && (
        <PlaceSection
          title={messages.integrations.onSites}
          selection={it.site_selection}
          selectionLabels={{ selected: messages.integrations.chosenSites, all: messages.integrations.allSites }}
          select={(site_selection) => runMutation("updateInstallation", { params, body: { site_selection } })}
          isAdmin={isAdmin}
          list={onSites}
          getPlace={({ site }) => site}
          schema={configurations?.site}
          save={(siteId, configuration) =>
            runMutation("updateSiteInstallation", { params: { ...params, siteId }, body: { configuration } })
          }
          takeOff={(siteId) => runMutation("uninstallFromSite", { params: { ...params, siteId } })}
          addLabel={messages.integrations.addSite}
          offered={sites}
          add={(siteId) => runMutation("installOnSite", { params, body: { siteId } })}
        />
      )}
    </section>
  );
}

/** The spaces or the sites of an installation. */
function PlaceSection<On extends IntegrationSpaceInstallation | IntegrationSiteInstallation>({
  title,
  selection,
  selectionLabels,
  select,
  isAdmin,
  list,
  getPlace,
  schema,
  save,
  takeOff,
  addLabel,
  offered,
  add,
}: {
  readonly title: string;
  readonly selection: "all" | "selected";
  readonly selectionLabels: Readonly<Record<"all" | "selected", string>>;
  readonly select: (selection: "all" | "selected") => Promise<unknown>;
  readonly isAdmin: boolean;
  readonly list: ListQuery<On>;
  /** Returns the space or the site, or its id for users who may not see it. */
  readonly getPlace: (on: On) => string | { readonly id: string; readonly title: string };
  readonly schema: NonNullable<Integration["configurations"]>["space"];
  readonly save: (id: string, values: Record<string, unknown>) => Promise<unknown>;
  readonly takeOff: (id: string) => Promise<unknown>;
  readonly addLabel: string;
  readonly offered: readonly { readonly id: string; readonly title: string }[];
  readonly add: (id: string) => Promise<unknown>;
}) {
  const messages = useMessages();
  const selecting = useAction(select);
  const describePlace = (on: On) => {
    const place = getPlace(on);
    return typeof place === "string" ? { id: place, title: place } : place;
  };
  return (
    <>
      {isAdmin ? (
        <div class="form">
          <Choice
            label={title}
            value={selection}
            onChange={(next) => void selecting.run(next)}
            disabled={selecting.isBusy}
            options={[
              ["selected", selectionLabels.selected],
              ["all", selectionLabels.all],
            ]}
          />
          <ActionError error={selecting.error} />
        </div>
      ) : (
        <h3>{title}</h3>
      )}
      <LoadedRows of={list} empty={messages.integrations.noPlaces} getKey={(on) => describePlace(on).id}>
        {(on) => {
          const { id, title: name } = describePlace(on);
          return (
            <details>
              <summary>
                <bdi>{name}</bdi> <Status of={on.status} />
              </summary>
              {/* Users who may not change a configuration do not see it. */}
              {schema && on.configuration !== undefined ? (
                <ConfigurationForm
                  schema={schema}
                  values={on.configuration}
                  publicEndpoint={on.urls.publicEndpoint}
                  save={(values) => save(id, values)}
                />
              ) : (
                <p>{messages.integrations.noConfiguration}</p>
              )}
              {/* Only a place that was selected individually can be removed. */}
              {selection === "selected" && on.configuration !== undefined && (
                <Confirm
                  label={messages.reviews.remove}
                  question={formatMessage(messages.integrations.takeOffWhy, { title: name })}
                  act={() => takeOff(id)}
                />
              )}
            </details>
          );
        }}
      </LoadedRows>
      {selection === "selected" && <AddPlace label={addLabel} places={offered} add={add} />}
    </>
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
    <Form action={adding} submit={messages.people.add}>
      <Choice
        label={label}
        value={place}
        onChange={setPlace}
        options={[["", "—"], ...places.map(({ id, title }) => [id, title] as const)]}
      />
    </Form>
  );
}
