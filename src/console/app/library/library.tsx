// The spaces and collections of an organization, or of one collection.

import { useState } from "preact/hooks";
import { formatPlural } from "../../../locales/format-message";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Icon } from "../components/icon";
import { ActionError, Loaded, LoadedRows } from "../components/loaded";
import { Menu } from "../components/menu";
import { NameDialog } from "../components/name-dialog";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { useNewSpace } from "../space/use-new-space";

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
          {permissions.createContent && spaces.count === 0 ? (
            <FirstSteps organization={organization} />
          ) : (
            <SpaceCards organization={organization} spaces={spaces} />
          )}
        </div>
      )}
    </Loaded>
  );
}

/** The ways to begin in an organization without spaces. */
function FirstSteps({ organization }: LibraryFolder) {
  const messages = useMessages();
  const newSpace = useNewSpace(organization);
  const begin = useAction(newSpace);
  const steps = [
    ["page", messages.library.writePage, messages.library.writePageHint, undefined],
    ["folder", messages.library.importContent, messages.library.importContentHint, "import"],
    ["branch", messages.library.connectGit, messages.library.connectGitHint, "git"],
  ] as const;
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{messages.library.begin}</h2>
      <p>{messages.library.beginHint}</p>
      <ActionError error={begin.error} />
      <ul class="cards">
        {steps.map(([icon, label, hint, part]) => (
          <li key={icon}>
            <button type="button" class="card" aria-disabled={begin.isBusy} onClick={() => void begin.run(part)}>
              <Icon name={icon} />
              <span>
                {label}
                <small>{hint}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
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
        {({ id, title, emoji, updatedAt, changeRequestsOpen }) => (
          <a class="card" href={addresses.space(organization, id)}>
            {emoji ? <span class="emoji">{emoji}</span> : <Icon name="book" />}
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
  const [isNaming, setNaming] = useState(false);
  const parent = collection ?? null;
  const newSpace = useNewSpace(organization, parent);
  const makeSpace = useAction(() => newSpace());
  return (
    <>
      <ActionError error={makeSpace.error} />
      <Button onClick={() => setNaming(true)}>{messages.library.newCollection}</Button>
      <Button kind="first" action={makeSpace}>
        {messages.library.newSpace}
      </Button>
      {isNaming && (
        <NameDialog
          title={messages.library.newCollection}
          label={messages.general.title}
          create={async (title) => {
            await runMutation("createCollection", {
              params: { organizationId: organization },
              body: { title, parent },
            });
            setNaming(false);
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}
