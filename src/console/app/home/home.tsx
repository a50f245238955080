// The first page: the organizations of a person.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { ShownList } from "../parts/shown";
import { addresses } from "../routes";
import { useWords } from "../words/words";

export function Home() {
  const words = useWords();
  const organizations = useList("listOrganizations", {});
  const [isMaking, setMaking] = useState(false);
  return (
    <div class="page narrow">
      <PageHead title={words.chooseOrganization}>
        <Button onClick={() => setMaking(true)}>{words.newOrganization}</Button>
      </PageHead>
      <ShownList of={organizations} empty={<p>{words.noOrganization}</p>}>
        {(items) => (
          <ul class="cards">
            {items.map(({ id, title }) => (
              <li key={id}>
                <a class="card" href={addresses.organization(id)}>
                  <bdi>{title}</bdi>
                </a>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      {isMaking && <NewOrganization onClose={() => setMaking(false)} />}
    </div>
  );
}

function NewOrganization({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const { route } = useLocation();
  const [title, setTitle] = useState("");
  const make = useAction(async () => {
    const { id } = await write("createOrganization", { body: { title } });
    route(addresses.organization(id));
  });
  return (
    <Dialog title={words.newOrganization} onClose={onClose}>
      <Form action={make} submit={words.create} onCancel={onClose}>
        <TextField label={words.title} value={title} onInput={setTitle} required autoFocus maxLength={255} />
      </Form>
    </Dialog>
  );
}
