// The sites of an organization.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { omitUndefined } from "../../../utils/objects";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Shown, ShownList } from "../parts/shown";
import { addresses } from "../routes";
import { useWords } from "../words/words";
import { visibilityWords } from "./visibility";

export function Sites({ organization }: { readonly organization: string }) {
  const words = useWords();
  const [isMaking, setMaking] = useState(false);
  const found = useRead("getOrganization", { params: { organizationId: organization } });
  const sites = useList("listSites", { params: { organizationId: organization } });
  return (
    <Shown of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={words.sites}>
            {permissions.createContent && (
              <Button kind="first" onClick={() => setMaking(true)}>
                {words.newSite}
              </Button>
            )}
          </PageHead>
          <ShownList of={sites} empty={<p>{words.noSites}</p>}>
            {(items) => (
              <ul class="rows">
                {items.map(({ id, title, published, visibility, urls }) => (
                  <li key={id}>
                    <a href={addresses.part(organization, `sites/${id}`)}>
                      <strong>
                        <bdi>{title}</bdi>
                      </strong>
                      <small>{urls.published ?? visibilityWords(words)[visibility]}</small>
                      <span class={`status ${published ? "merged" : "draft"}`}>
                        {published ? words.published : words.notPublished}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </ShownList>
          {isMaking && <NewSite organization={organization} onClose={() => setMaking(false)} />}
        </div>
      )}
    </Shown>
  );
}

function NewSite({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const words = useWords();
  const { route } = useLocation();
  const params = { organizationId: organization };
  const { reading } = useList("listSpaces", { params });
  const [title, setTitle] = useState("");
  const [space, setSpace] = useState("");
  const make = useAction(async () => {
    const body = { title, ...omitUndefined({ spaces: space === "" ? undefined : [space] }) };
    const { id } = await write("createSite", { params, body });
    route(addresses.part(organization, `sites/${id}`));
  });
  const spaces = reading.state === "had" ? reading.value : [];
  return (
    <Dialog title={words.newSite} onClose={onClose}>
      <Form action={make} submit={words.create} onCancel={onClose}>
        <TextField label={words.title} value={title} onInput={setTitle} required autoFocus maxLength={255} />
        <Choice
          label={words.firstSpace}
          value={space}
          onChange={setSpace}
          options={[["", "—"], ...spaces.map((it) => [it.id, it.title] as const)]}
        />
      </Form>
    </Dialog>
  );
}
