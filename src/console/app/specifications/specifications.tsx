// The OpenAPI specifications of an organization.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Shown, ShownList } from "../parts/shown";
import { addresses } from "../routes";
import { useWords } from "../words/words";
import { noSource, SourceFields, sourceBody } from "./source-fields";
import { slugOf, stateOf, stateWords } from "./state";

export function Specifications({ organization }: { readonly organization: string }) {
  const words = useWords();
  const [isMaking, setMaking] = useState(false);
  const params = { organizationId: organization };
  const found = useRead("getOrganization", { params });
  const list = useList("listOpenApiSpecs", { params });
  const states = stateWords(words);
  return (
    <Shown of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={words.specifications}>
            {permissions.createOpenAPISpec && (
              <Button kind="first" onClick={() => setMaking(true)}>
                {words.newSpec}
              </Button>
            )}
          </PageHead>
          <ShownList of={list} empty={<p>{words.noSpecs}</p>}>
            {(specs) => (
              <ul class="rows">
                {specs.map((it) => {
                  const [label, tone] = states[stateOf(it)];
                  return (
                    <li key={it.id}>
                      <a href={addresses.part(organization, `openapi/${encodeURIComponent(it.slug)}`)}>
                        <strong>{it.slug}</strong>
                        <small>{it.sourceURL ?? words.specFromFile}</small>
                        <span class={`status ${tone}`}>{label}</span>
                      </a>
                    </li>
                  );
                })}
              </ul>
            )}
          </ShownList>
          {isMaking && <NewSpec organization={organization} onClose={() => setMaking(false)} />}
        </div>
      )}
    </Shown>
  );
}

function NewSpec({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const words = useWords();
  const { route } = useLocation();
  const [source, setSource] = useState(noSource);
  const [slug, setSlug] = useState<string>();
  const suggested = slugOf(source.kind === "url" ? source.url : source.name);
  const name = slug ?? suggested;
  const make = useAction(async () => {
    const params = { organizationId: organization };
    await write("createOpenApiSpec", { params, body: { slug: name, source: sourceBody(source) } });
    route(addresses.part(organization, `openapi/${encodeURIComponent(name)}`));
  });
  return (
    <Dialog title={words.newSpec} onClose={onClose}>
      <Form action={make} submit={words.add} onCancel={onClose}>
        <SourceFields value={source} onChange={setSource} />
        <TextField label={words.specName} hint={words.specNameHint} value={name} onInput={setSlug} required />
      </Form>
    </Dialog>
  );
}
