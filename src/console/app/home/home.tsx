// The home page: the organizations of the user.

import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { runMutation } from "../api/mutations";
import { useList } from "../api/queries";
import { Button } from "../components/button";
import { LoadedRows } from "../components/loaded";
import { NameDialog } from "../components/name-dialog";
import { PageHead } from "../components/page-head";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";

/** Lists the organizations of the user. A single one is opened at once, unless the user asked for the list. */
export function Home() {
  const messages = useMessages();
  const { route, query } = useLocation();
  const organizations = useList("listOrganizations", {});
  const [isMaking, setMaking] = useState(false);
  const { reading, count } = organizations;
  const single =
    reading.state === "loaded" && count === 1 && query.all === undefined ? reading.value[0]?.id : undefined;
  useEffect(() => {
    if (single !== undefined) route(addresses.organization(single), true);
  }, [single]);
  if (single !== undefined) return null;
  return (
    <div class="page narrow">
      <PageHead title={messages.home.chooseOrganization}>
        <Button onClick={() => setMaking(true)}>{messages.home.newOrganization}</Button>
      </PageHead>
      <LoadedRows of={organizations} empty={messages.home.noOrganization} class="cards">
        {({ id, title }) => (
          <a class="card" href={addresses.organization(id)}>
            <bdi>{title}</bdi>
          </a>
        )}
      </LoadedRows>
      {isMaking && (
        <NameDialog
          title={messages.home.newOrganization}
          label={messages.general.title}
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
