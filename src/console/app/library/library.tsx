// The spaces and collections of an organization, or of one collection.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { formatPlural } from "../../../locales/format-message";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { TextField } from "../components/field";
import { Form } from "../components/form";
import { Icon } from "../components/icon";
import { Loaded, LoadedRows } from "../components/loaded";
import { Menu } from "../components/menu";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";

interface LibraryFolder {
  readonly organization: string;
  readonly collection?: string;
}

export function Library({ organization, collection }: LibraryFolder) {
  return collection === undefined ? (
    <OrganizationLibrary organization={organization} />
  ) : (
    <CollectionLibrary organization={organization} collection={collection} />
  );
}

function OrganizationLibrary({ organization }: LibraryFolder) {
  const messages = useMessages();
  const found = useQuery("getOrganization", { params: { organizationId: organization } });
  const spaces = useList("listSpaces", { params: { organizationId: organization } });
  return (
    <Loaded of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={messages.layout.library}>
            {permissions.createContent && <Making organization={organization} />}
          </PageHead>
          <Collections organization={organization} />
          <SpaceCards organization={organization} spaces={spaces} />
        </div>
      )}
    </Loaded>
  );
}

function CollectionLibrary({ organization, collection = "" }: LibraryFolder) {
  const messages = useMessages();
  const found = useQuery("getCollection", { params: { collectionId: collection } });
  const spaces = useList("listSpacesInCollection", { params: { collectionId: collection } });
  return (
    <Loaded of={found}>
      {({ title, permissions }) => (
        <div class="page">
          <PageHead title={title} above={[[messages.layout.library, addresses.organization(organization)]]}>
            {permissions.create && <Making organization={organization} collection={collection} />}
            <Menu label={messages.general.more}>
              {[
                ...(permissions.admin
                  ? [
                      {
                        label: messages.layout.settings,
                        href: `${addresses.collection(organization, collection)}/settings`,
                      },
                    ]
                  : []),
                { label: messages.access.access, href: `${addresses.collection(organization, collection)}/access` },
              ]}
            </Menu>
          </PageHead>
          <Collections organization={organization} collection={collection} />
          <SpaceCards organization={organization} spaces={spaces} />
        </div>
      )}
    </Loaded>
  );
}

/** The collections in this folder. */
function Collections({ organization, collection }: LibraryFolder) {
  const messages = useMessages();
  const { reading } = useList("listCollections", { params: { organizationId: organization } });
  if (reading.state !== "loaded") return null;
  const here = reading.value.filter(({ parent }) => parent === collection);
  if (here.length === 0) return null;
  return (
    <section aria-label={messages.library.collections}>
      <ul class="cards">
        {here.map(({ id, title }) => (
          <li key={id}>
            <a class="card" href={addresses.collection(organization, id)}>
              <Icon name="folder" />
              <bdi>{title}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SpaceCards({
  organization,
  spaces,
}: {
  readonly organization: string;
  readonly spaces: ReturnType<typeof useList<"listSpaces">>;
}) {
  const messages = useMessages();
  return (
    <section aria-label={messages.library.spaces}>
      <LoadedRows of={spaces} empty={messages.library.noSpaces} class="cards">
        {({ id, title, updatedAt, changeRequestsOpen }) => (
          <a class="card" href={addresses.space(organization, id)}>
            <Icon name="book" />
            <span>
              <bdi>{title}</bdi>
              <small>
                <RelativeTime at={updatedAt} sentence={messages.library.changed} />
                {changeRequestsOpen > 0 &&
                  ` · ${formatPlural(messages.inLanguage, messages.library.openRequests, changeRequestsOpen)}`}
              </small>
            </span>
          </a>
        )}
      </LoadedRows>
    </section>
  );
}

/** The buttons that create spaces and collections in this folder. */
function Making({ organization, collection }: LibraryFolder) {
  const messages = useMessages();
  const { route } = useLocation();
  const [making, setMaking] = useState<"space" | "collection">();
  const [title, setTitle] = useState("");
  const parent = collection ?? null;
  const params = { organizationId: organization };
  const make = useAction(async () => {
    if (making === "space") {
      const { id } = await runMutation("createSpace", { params, body: { title, parent } });
      route(addresses.space(organization, id));
    } else await runMutation("createCollection", { params, body: { title, parent } });
    setMaking(undefined);
    setTitle("");
  });
  return (
    <>
      <Button onClick={() => setMaking("collection")}>{messages.library.newCollection}</Button>
      <Button kind="first" onClick={() => setMaking("space")}>
        {messages.library.newSpace}
      </Button>
      {making && (
        <Dialog
          title={making === "space" ? messages.library.newSpace : messages.library.newCollection}
          onClose={() => setMaking(undefined)}
        >
          <Form action={make} submit={messages.general.create} onCancel={() => setMaking(undefined)}>
            <TextField
              label={messages.general.title}
              value={title}
              onChange={setTitle}
              required
              autoFocus
              maxLength={255}
            />
          </Form>
        </Dialog>
      )}
    </>
  );
}
