// The integrations of an organization: installed, available, and published by it.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Integration } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { TextField } from "../components/field";
import { Form } from "../components/form";
import { Icon } from "../components/icon";
import { Loaded, LoadedRows } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { Status } from "./status";

export function Integrations({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const [isMaking, setMaking] = useState(false);
  const [search, setSearch] = useState("");
  const params = { organizationId: organization };
  const found = useQuery("getOrganization", { params });
  const isAdmin = found.state === "loaded" && found.value.permissions.admin;
  const installed = useList("listOrganizationInstallations", { params });
  const available = useList("listIntegrations", { query: search === "" ? {} : { search } });
  const published = useList("listIntegrations", isAdmin ? { query: { owner: organization } } : undefined);
  return (
    <Loaded of={found}>
      {() => (
        <div class="page">
          <PageHead title={messages.layout.integrations}>
            {isAdmin && <Button onClick={() => setMaking(true)}>{messages.integrations.newIntegration}</Button>}
          </PageHead>
          <section>
            <h2>{messages.integrations.installedHere}</h2>
            <LoadedRows
              of={installed}
              empty={messages.integrations.noneInstalled}
              getKey={({ installation }) => installation.id}
            >
              {({ integration, installation: { status } }) => (
                <a href={addresses.part(organization, `integrations/${integration.name}`)}>
                  <NameOf it={integration} />
                  <Status of={status} />
                </a>
              )}
            </LoadedRows>
          </section>
          <section>
            <h2>{messages.integrations.available}</h2>
            <search class="form">
              <TextField
                label={messages.general.search}
                type="search"
                value={search}
                onChange={setSearch}
                maxLength={100}
              />
            </search>
            <LoadedRows of={available} empty={messages.integrations.noneAvailable} getKey={(it) => it.name}>
              {(it) => (
                <a href={addresses.part(organization, `integrations/${it.name}`)}>
                  <NameOf it={it} />
                </a>
              )}
            </LoadedRows>
          </section>
          {isAdmin && (
            <section>
              <h2>{messages.integrations.publishedHere}</h2>
              <LoadedRows of={published} empty={messages.integrations.nonePublished} getKey={(it) => it.name}>
                {(it) => (
                  <a href={addresses.integration(it.name)}>
                    <NameOf it={it} more={formatMessage(messages.integrations.version, { version: it.version })} />
                  </a>
                )}
              </LoadedRows>
            </section>
          )}
          {isMaking && <NewIntegration organization={organization} onClose={() => setMaking(false)} />}
        </div>
      )}
    </Loaded>
  );
}

function NameOf({ it, more }: { readonly it: Integration; readonly more?: string }) {
  return (
    <span class="with-picture">
      {/* The picture is decorative, because the name is beside it. */}
      {it.urls.icon === undefined ? <Icon name="puzzle" /> : <img src={it.urls.icon} alt="" loading="lazy" />}
      <span>
        <strong>
          <bdi>{it.title}</bdi>
        </strong>
        <br />
        <small>
          <bdi>{it.description || it.name}</bdi>
          {more !== undefined && ` · ${more}`}
        </small>
      </span>
    </span>
  );
}

function NewIntegration({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const messages = useMessages();
  const { route } = useLocation();
  const { values, fields } = useFields({ name: "", title: "" });
  const make = useAction(async () => {
    const { name, title } = values;
    await runMutation("publishIntegration", { params: { integrationName: name }, body: { title, organization } });
    route(addresses.integration(name, "edit"));
  });
  return (
    <Dialog title={messages.integrations.newIntegration} onClose={onClose}>
      <Form action={make} submit={messages.general.create} onCancel={onClose}>
        <TextField
          label={messages.integrations.integrationName}
          hint={messages.integrations.integrationNameHint}
          {...fields.name}
          required
          autoFocus
          maxLength={100}
        />
        <TextField label={messages.general.title} {...fields.title} required maxLength={30} />
      </Form>
    </Dialog>
  );
}
