// The layout of the pages about a space or a collection: its settings and its access.

import type { ComponentChildren } from "preact";
import type { Collection, Space } from "../../../generated/resources";
import { type QueryState, useQuery } from "../api/queries";
import { Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { Tabs } from "../components/tabs";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import type { LibraryItem } from "./gather-access";

export function LibraryItemPage({
  organization,
  thing,
  children,
}: {
  readonly organization: string;
  readonly thing: LibraryItem;
  readonly children: (it: Space | Collection) => ComponentChildren;
}) {
  const messages = useMessages();
  const space = useQuery("getSpace", thing.kind === "space" ? { params: { spaceId: thing.id } } : undefined);
  const collection = useQuery(
    "getCollection",
    thing.kind === "collection" ? { params: { collectionId: thing.id } } : undefined,
  );
  const found: QueryState<Space | Collection> = thing.kind === "space" ? space : collection;
  const home =
    thing.kind === "space" ? addresses.space(organization, thing.id) : addresses.collection(organization, thing.id);
  const base = thing.kind === "space" ? `${home}/~` : home;
  return (
    <Loaded of={found}>
      {(it) => (
        <div class="page">
          <PageHead
            title={it.title}
            above={[
              [messages.layout.library, addresses.organization(organization)],
              [it.title, home],
            ]}
          />
          <Tabs label={it.title}>
            {[
              ...(it.permissions.admin
                ? [
                    [
                      thing.kind === "space"
                        ? messages.spaceSettings.spaceSettings
                        : messages.spaceSettings.collectionSettings,
                      `${base}/settings`,
                    ] as const,
                  ]
                : []),
              [messages.access.access, `${base}/access`],
            ]}
          </Tabs>
          {children(it)}
        </div>
      )}
    </Loaded>
  );
}
