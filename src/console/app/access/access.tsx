// The access to a space or a collection: its default level, its grants, and the users who see it.

import { Fragment } from "preact";
import type { DefaultLevel } from "../../../generated/resources";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { Choice } from "../components/field";
import { ActionError } from "../components/loaded";
import { useMessages } from "../messages/messages";
import { listGrantOptions } from "../people/roles";
import type { RouteParams } from "../routes";
import { EffectiveAccess } from "./effective-access";
import type { LibraryItem } from "./gather-access";
import { GrantSections } from "./grants";
import { LibraryItemPage } from "./library-item-page";

export function SpaceAccess({ organization, space }: { readonly organization: string; readonly space: string }) {
  return <AccessPage organization={organization} thing={{ kind: "space", id: space }} />;
}

export function CollectionAccess({ organization, collection }: RouteParams<"organization" | "collection">) {
  return <AccessPage organization={organization} thing={{ kind: "collection", id: collection }} />;
}

function AccessPage({ organization, thing }: { readonly organization: string; readonly thing: LibraryItem }) {
  const messages = useMessages();
  const onSpace = thing.kind === "space" ? { params: { spaceId: thing.id } } : undefined;
  const onCollection = thing.kind === "collection" ? { params: { collectionId: thing.id } } : undefined;
  const space = {
    users: useList("listUserGrantsOnSpace", onSpace),
    teams: useList("listTeamGrantsOnSpace", onSpace),
    everybody: useList("listAccessToSpace", onSpace),
  };
  const collection = {
    users: useList("listUserGrantsOnCollection", onCollection),
    teams: useList("listTeamGrantsOnCollection", onCollection),
    everybody: useList("listAccessToCollection", onCollection),
  };
  const grants = thing.kind === "space" ? space : collection;
  const set = useAction((defaultLevel: DefaultLevel) =>
    thing.kind === "space"
      ? runMutation("updateSpace", { params: { spaceId: thing.id }, body: { defaultLevel } })
      : runMutation("updateCollection", { params: { collectionId: thing.id }, body: { defaultLevel } }),
  );
  return (
    <LibraryItemPage organization={organization} thing={thing}>
      {(it) => (
        <Fragment key={it.id}>
          {it.permissions.admin && (
            <section class="form">
              <Choice
                label={messages.access.everybodysLevel}
                value={it.defaultLevel ?? "none"}
                options={[
                  ["inherit", messages.access.levelInherit],
                  ["none", messages.access.levelNone],
                  ...listGrantOptions(messages),
                ]}
                onChange={(level) => void set.run(level === "none" ? null : level)}
                disabled={set.isBusy}
              />
              <ActionError error={set.error} />
            </section>
          )}
          <EffectiveAccess organization={organization} thing={thing} it={it} grants={grants} />
          <GrantSections organization={organization} thing={thing} grants={grants} mayGive={it.permissions.admin} />
        </Fragment>
      )}
    </LibraryItemPage>
  );
}
