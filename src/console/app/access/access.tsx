// The access to a space or a collection: its default level, its grants, and the users who see it.

import type { Collection, DefaultLevel, Space } from "../../../generated/resources";
import { runMutation, useAction } from "../api/mutations";
import { Choice } from "../components/field";
import { ActionError } from "../components/loaded";
import { useMessages } from "../messages/messages";
import { EffectiveAccess } from "./effective-access";
import type { LibraryItem } from "./gather-access";
import { GrantSections } from "./grants";
import { listLevelOptions, toDefaultLevel } from "./levels";
import { LibraryItemPage } from "./library-item-page";
import { useGrants } from "./use-library-item";

export function SpaceAccess({ organization, space }: { readonly organization: string; readonly space: string }) {
  return <AccessPage organization={organization} thing={{ kind: "space", id: space }} />;
}

export function CollectionAccess({
  organization,
  collection,
}: {
  readonly organization: string;
  readonly collection: string;
}) {
  return <AccessPage organization={organization} thing={{ kind: "collection", id: collection }} />;
}

function AccessPage({ organization, thing }: { readonly organization: string; readonly thing: LibraryItem }) {
  return (
    <LibraryItemPage organization={organization} thing={thing}>
      {(it) => <AccessContent key={it.id} organization={organization} thing={thing} it={it} />}
    </LibraryItemPage>
  );
}

function AccessContent({
  organization,
  thing,
  it,
}: {
  readonly organization: string;
  readonly thing: LibraryItem;
  readonly it: Space | Collection;
}) {
  const grants = useGrants(thing);
  return (
    <>
      {it.permissions.admin && <DefaultLevelForm thing={thing} it={it} />}
      <EffectiveAccess organization={organization} thing={thing} it={it} grants={grants} />
      <GrantSections organization={organization} thing={thing} grants={grants} mayGive={it.permissions.admin} />
    </>
  );
}

function DefaultLevelForm({ thing, it }: { readonly thing: LibraryItem; readonly it: Space | Collection }) {
  const messages = useMessages();
  const set = useAction((defaultLevel: DefaultLevel) =>
    thing.kind === "space"
      ? runMutation("updateSpace", { params: { spaceId: thing.id }, body: { defaultLevel } })
      : runMutation("updateCollection", { params: { collectionId: thing.id }, body: { defaultLevel } }),
  );
  return (
    <section class="form">
      <Choice
        label={messages.everybodysLevel}
        value={it.defaultLevel ?? "none"}
        options={listLevelOptions(messages)}
        onChange={(level) => void set.run(toDefaultLevel(level))}
        disabled={set.isBusy}
      />
      <ActionError error={set.error} />
    </section>
  );
}
