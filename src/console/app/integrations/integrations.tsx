// The integrations of an organization: those that work here, those that can be installed, and those that it publishes.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Integration } from "../../../generated/resources";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Shown, ShownList } from "../parts/shown";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";
import { statusLooks, statusWords } from "./lists";
import { Picture } from "./picture";

export function Integrations({ organization }: { readonly organization: string }) {
  const words = useWords();
  const [isMaking, setMaking] = useState(false);
  const found = useRead("getOrganization", { params: { organizationId: organization } });
  return (
    <Shown of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={words.integrations}>
            {permissions.admin && <Button onClick={() => setMaking(true)}>{words.newIntegration}</Button>}
          </PageHead>
          <Installed organization={organization} />
          <Available organization={organization} />
          {permissions.admin && <Published organization={organization} />}
          {isMaking && <NewIntegration organization={organization} onClose={() => setMaking(false)} />}
        </div>
      )}
    </Shown>
  );
}

function Installed({ organization }: { readonly organization: string }) {
  const words = useWords();
  const list = useList("listOrganizationInstallations", { params: { organizationId: organization } });
  return (
    <section>
      <h2>{words.installedHere}</h2>
      <ShownList of={list} empty={<p>{words.noneInstalled}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map(({ integration, installation: { id, status } }) => (
              <li key={id}>
                <a href={addresses.part(organization, `integrations/${integration.name}`)}>
                  <NameOf it={integration} />
                  <span class={`status ${statusLooks[status]}`}>{statusWords(words)[status]}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </section>
  );
}

function Available({ organization }: { readonly organization: string }) {
  const words = useWords();
  const [search, setSearch] = useState("");
  const list = useList("listIntegrations", { query: search === "" ? {} : { search } });
  return (
    <section>
      <h2>{words.available}</h2>
      <search class="form">
        <TextField label={words.search} type="search" value={search} onInput={setSearch} maxLength={100} />
      </search>
      <ShownList of={list} empty={<p>{words.noneAvailable}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((it) => (
              <li key={it.name}>
                <a href={addresses.part(organization, `integrations/${it.name}`)}>
                  <NameOf it={it} />
                </a>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </section>
  );
}

function Published({ organization }: { readonly organization: string }) {
  const words = useWords();
  const list = useList("listIntegrations", { query: { owner: organization } });
  return (
    <section>
      <h2>{words.publishedHere}</h2>
      <ShownList of={list} empty={<p>{words.nonePublished}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((it) => (
              <li key={it.name}>
                <a href={addresses.integration(it.name)}>
                  <NameOf it={it} more={filled(words.version, { version: it.version })} />
                </a>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </section>
  );
}

function NameOf({ it, more }: { readonly it: Integration; readonly more?: string }) {
  return (
    <span class="with-picture">
      <Picture it={it} />
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
  const words = useWords();
  const { route } = useLocation();
  const [name, setName] = useState("");
  const [title, setTitle] = useState("");
  const make = useAction(async () => {
    await write("publishIntegration", { params: { integrationName: name }, body: { title, organization } });
    route(addresses.integration(name, "edit"));
  });
  return (
    <Dialog title={words.newIntegration} onClose={onClose}>
      <Form action={make} submit={words.create} onCancel={onClose}>
        <TextField
          label={words.integrationName}
          hint={words.integrationNameHint}
          value={name}
          onInput={setName}
          required
          autoFocus
          maxLength={100}
        />
        <TextField label={words.title} value={title} onInput={setTitle} required maxLength={30} />
      </Form>
    </Dialog>
  );
}
