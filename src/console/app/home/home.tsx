// The home page: the organizations of the user.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { TextField } from "../components/field";
import { Form } from "../components/form";
import { LoadedList } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";

export function Home() {
  const messages = useMessages();
  const organizations = useList("listOrganizations", {});
  const [isMaking, setMaking] = useState(false);
  return (
    <div class="page narrow">
      <PageHead title={messages.chooseOrganization}>
        <Button onClick={() => setMaking(true)}>{messages.newOrganization}</Button>
      </PageHead>
      <LoadedList of={organizations} empty={<p>{messages.noOrganization}</p>}>
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
      </LoadedList>
      {isMaking && <NewOrganization onClose={() => setMaking(false)} />}
    </div>
  );
}

function NewOrganization({ onClose }: { readonly onClose: () => void }) {
  const messages = useMessages();
  const { route } = useLocation();
  const [title, setTitle] = useState("");
  const make = useAction(async () => {
    const { id } = await runMutation("createOrganization", { body: { title } });
    route(addresses.organization(id));
  });
  return (
    <Dialog title={messages.newOrganization} onClose={onClose}>
      <Form action={make} submit={messages.create} onCancel={onClose}>
        <TextField label={messages.title} value={title} onInput={setTitle} required autoFocus maxLength={255} />
      </Form>
    </Dialog>
  );
}
