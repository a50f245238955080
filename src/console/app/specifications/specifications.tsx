// The OpenAPI specifications of an organization.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { TextField } from "../components/field";
import { Form } from "../components/form";
import { Loaded, LoadedRows } from "../components/loaded";
import { PageHead } from "../components/page-head";
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
          <PageHead title={messages.layout.specifications}>
            {permissions.createOpenAPISpec && (
              <Button kind="first" onClick={() => setMaking(true)}>
                {messages.specifications.newSpec}
              </Button>
            )}
          </PageHead>
          <LoadedRows of={list} empty={messages.specifications.noSpecs}>
            {(it) => (
              <a href={addresses.part(organization, `openapi/${encodeURIComponent(it.slug)}`)}>
                <strong>{it.slug}</strong>
                <small>{it.sourceURL ?? messages.specifications.specFromFile}</small>
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
  const [source, setSource] = useState(noSource);
  const [slug, setSlug] = useState<string>();
  const suggested = suggestSlug(source.kind === "url" ? source.url : source.name);
  const name = slug ?? suggested;
  const make = useAction(async () => {
    const params = { organizationId: organization };
    await runMutation("createOpenApiSpec", {
      params,
      body: { slug: name, source: source.kind === "url" ? { url: source.url.trim() } : { text: source.text } },
    });
    route(addresses.part(organization, `openapi/${encodeURIComponent(name)}`));
  });
  return (
    <Dialog title={messages.specifications.newSpec} onClose={onClose}>
      <Form action={make} submit={messages.people.add} onCancel={onClose}>
        <SourceFields value={source} onChange={setSource} />
        <TextField
          label={messages.specifications.specName}
          hint={messages.specifications.specNameHint}
          value={name}
          onChange={setSlug}
          required
        />
      </Form>
    </Dialog>
  );
}
