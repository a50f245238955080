// The spaces and collections of an organization, or of one collection.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Icon } from "../parts/icon";
import { Menu } from "../parts/menu";
import { PageHead } from "../parts/page-head";
import { Shown, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { addresses } from "../routes";
import { counted, useWords } from "../words/words";

interface Place {
  readonly organization: string;
  readonly collection?: string;
}

export function Library({ organization, collection }: Place) {
  return collection === undefined ? (
    <OfOrganization organization={organization} />
  ) : (
    <OfCollection organization={organization} collection={collection} />
  );
}

function OfOrganization({ organization }: Place) {
  const words = useWords();
  const found = useRead("getOrganization", { params: { organizationId: organization } });
  const spaces = useList("listSpaces", { params: { organizationId: organization } });
  return (
    <Shown of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={words.library}>
            {permissions.createContent && <Making organization={organization} />}
          </PageHead>
          <Collections organization={organization} />
          <SpaceCards organization={organization} spaces={spaces} />
        </div>
      )}
    </Shown>
  );
}

function OfCollection({ organization, collection = "" }: Place) {
  const words = useWords();
  const found = useRead("getCollection", { params: { collectionId: collection } });
  const spaces = useList("listSpacesInCollection", { params: { collectionId: collection } });
  return (
    <Shown of={found}>
      {({ title, permissions }) => (
        <div class="page">
          <PageHead title={title} above={[[words.library, addresses.organization(organization)]]}>
            {permissions.create && <Making organization={organization} collection={collection} />}
            <Menu label={words.more}>
              {[
                ...(permissions.admin
                  ? [{ label: words.settings, href: `${addresses.collection(organization, collection)}/settings` }]
                  : []),
                { label: words.access, href: `${addresses.collection(organization, collection)}/access` },
              ]}
            </Menu>
          </PageHead>
          <Collections organization={organization} collection={collection} />
          <SpaceCards organization={organization} spaces={spaces} />
        </div>
      )}
    </Shown>
  );
}

/** The collections that stand here. */
function Collections({ organization, collection }: Place) {
  const words = useWords();
  const { reading } = useList("listCollections", { params: { organizationId: organization } });
  if (reading.state !== "had") return null;
  const here = reading.value.filter(({ parent }) => parent === collection);
  if (here.length === 0) return null;
  return (
    <section aria-label={words.collections}>
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
  const words = useWords();
  return (
    <section aria-label={words.spaces}>
      <ShownList of={spaces} empty={<p>{words.noSpaces}</p>}>
        {(items) => (
          <ul class="cards">
            {items.map(({ id, title, updatedAt, changeRequestsOpen }) => (
              <li key={id}>
                <a class="card" href={addresses.space(organization, id)}>
                  <Icon name="book" />
                  <span>
                    <bdi>{title}</bdi>
                    <small>
                      <When at={updatedAt} sentence={words.changed} />
                      {changeRequestsOpen > 0 && ` · ${counted(words, words.openRequests, changeRequestsOpen)}`}
                    </small>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </section>
  );
}

/** The buttons that make something here. */
function Making({ organization, collection }: Place) {
  const words = useWords();
  const { route } = useLocation();
  const [making, setMaking] = useState<"space" | "collection">();
  const [title, setTitle] = useState("");
  const parent = collection ?? null;
  const params = { organizationId: organization };
  const make = useAction(async () => {
    if (making === "space") {
      const { id } = await write("createSpace", { params, body: { title, parent } });
      route(addresses.space(organization, id));
    } else await write("createCollection", { params, body: { title, parent } });
    setMaking(undefined);
    setTitle("");
  });
  return (
    <>
      <Button onClick={() => setMaking("collection")}>{words.newCollection}</Button>
      <Button kind="first" onClick={() => setMaking("space")}>
        {words.newSpace}
      </Button>
      {making && (
        <Dialog title={making === "space" ? words.newSpace : words.newCollection} onClose={() => setMaking(undefined)}>
          <Form action={make} submit={words.create} onCancel={() => setMaking(undefined)}>
            <TextField label={words.title} value={title} onInput={setTitle} required autoFocus maxLength={255} />
          </Form>
        </Dialog>
      )}
    </>
  );
}
