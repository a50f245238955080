// The home page: the organizations of the user.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { runMutation, useList } from "../api/api";
import { Button } from "../components/button";
import { NameDialog } from "../components/dialog";
import { LoadedRows, PageHead } from "../components/page";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";

export function Home() {
  const messages = useMessages();
  const { route } = useLocation();
  const organizations = useList("listOrganizations", {});
  const [isMaking, setMaking] = useState(false);
  return (
    <div class="page narrow">
      <PageHead title={messages.chooseOrganization}>
        <Button onClick={() => setMaking(true)}>{messages.newOrganization}</Button>
      </PageHead>
      <LoadedRows of={organizations} empty={messages.noOrganization} class="cards">
        {({ id, title }) => (
          <a class="card" href={addresses.organization(id)}>
            <bdi>{title}</bdi>
          </a>
        )}
      </LoadedRows>
      {isMaking && (
        <NameDialog
          title={messages.newOrganization}
          label={messages.title}
          create={async (title) => {
            const { id } = await runMutation("createOrganization", { body: { title } });
            route(addresses.organization(id));
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </div>
  );
}
