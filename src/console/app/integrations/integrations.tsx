// The integrations of an organization: installed, available, and published by it.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Integration } from "../../../generated/resources";
import { runMutation, useAction, useList, useQuery } from "../api/api";
import { useField, useFields } from "../api/fields";
import { Button, Icon } from "../components/button";
import { Dialog } from "../components/dialog";
import { Form, TextField } from "../components/fields";
import { Loaded, LoadedRows, PageHead } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { Status } from "./status";

export function Integrations({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const [isMaking, setMaking] = useState(false);
  const search = useField("");
  const params = { organizationId: organization };
  const found = useQuery("getOrganization", { params });
  const isAdmin = found.state === "loaded" && found.value.permissions.admin;
  const installed = useList("listOrganizationInstallations", { params });
  const available = useList("listIntegrations", { query: search.value === "" ? {} : { search: search.value } });
  const published = useList("listIntegrations", isAdmin ? { query: { owner: organization } } : undefined);
  return (
    <Loaded of={found}>
      {() => (
        <div class="page">
          <PageHead title={messages.integrations}>
            {isAdmin && <Button onClick={() => setMaking(true)}>{messages.newIntegration}</Button>}
          </PageHead>
          <section>
            <h2>{messages.installedHere}</h2>
            <LoadedRows of={installed} empty={messages.noneInstalled} getKey={({ installation }) => installation.id}>
              {({ integration, installation: { status } }) => (
                <a href={addresses.part(organization, `integrations/${integration.name}`)}>
                  <NameOf it={integration} />
                  <Status of={status} />
                </a>
              )}
            </LoadedRows>
          </section>
          <section>
            <h2>{messages.available}</h2>
            <search class="form">
              <TextField label={messages.search} type="search" {...search} maxLength={100} />
            </search>
            <LoadedRows of={available} empty={messages.noneAvailable} getKey={(it) => it.name}>
              {(it) => (
                <a href={addresses.part(organization, `integrations/${it.name}`)}>
                  <NameOf it={it} />
                </a>
              )}
            </LoadedRows>
          </section>
          {isAdmin && (
            <section>
              <h2>{messages.publishedHere}</h2>
              <LoadedRows of={published} empty={messages.nonePublished} getKey={(it) => it.name}>
                {(it) => (
                  <a href={addresses.integration(it.name)}>
                    <NameOf it={it} more={fillMessage(messages.version, { version: it.version })} />
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
    <Dialog title={messages.newIntegration} onClose={onClose}>
      <Form action={make} submit={messages.create} onCancel={onClose}>
        <TextField
          label={messages.integrationName}
          hint={messages.integrationNameHint}
          {...fields.name}
          required
          autoFocus
          maxLength={100}
        />
        <TextField label={messages.title} {...fields.title} required maxLength={30} />
      </Form>
    </Dialog>
  );
}
