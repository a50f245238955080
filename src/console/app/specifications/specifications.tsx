// The OpenAPI specifications of an organization.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { runMutation, useAction, useList, useQuery } from "../api/api";
import { useField } from "../api/fields";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { Form, TextField } from "../components/fields";
import { Loaded, LoadedRows, PageHead } from "../components/page";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { noSource, SourceFields } from "./source-fields";
import { suggestSlug } from "./spec-state";
import { Status } from "./status";

export function Specifications({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const [isMaking, setMaking] = useState(false);
  const params = { organizationId: organization };
  const found = useQuery("getOrganization", { params });
  const list = useList("listOpenApiSpecs", { params });
  return (
    <Loaded of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={messages.specifications}>
            {permissions.createOpenAPISpec && (
              <Button kind="first" onClick={() => setMaking(true)}>
                {messages.newSpec}
              </Button>
            )}
          </PageHead>
          <LoadedRows of={list} empty={messages.noSpecs}>
            {(it) => (
              <a href={addresses.part(organization, `openapi/${encodeURIComponent(it.slug)}`)}>
                <strong>{it.slug}</strong>
                <small>{it.sourceURL ?? messages.specFromFile}</small>
                <Status of={it} />
              </a>
            )}
          </LoadedRows>
          {isMaking && <NewSpec organization={organization} onClose={() => setMaking(false)} />}
        </div>
      )}
    </Loaded>
  );
}

function NewSpec({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const messages = useMessages();
  const { route } = useLocation();
  const source = useField(noSource);
  const [slug, setSlug] = useState<string>();
  const suggested = suggestSlug(source.value.kind === "url" ? source.value.url : source.value.name);
  const name = slug ?? suggested;
  const make = useAction(async () => {
    const params = { organizationId: organization };
    await runMutation("createOpenApiSpec", {
      params,
      body: {
        slug: name,
        source: source.value.kind === "url" ? { url: source.value.url.trim() } : { text: source.value.text },
      },
    });
    route(addresses.part(organization, `openapi/${encodeURIComponent(name)}`));
  });
  return (
    <Dialog title={messages.newSpec} onClose={onClose}>
      <Form action={make} submit={messages.add} onCancel={onClose}>
        <SourceFields {...source} />
        <TextField label={messages.specName} hint={messages.specNameHint} value={name} onChange={setSlug} required />
      </Form>
    </Dialog>
  );
}
