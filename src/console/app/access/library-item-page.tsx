// The layout of the pages about a space or a collection: its settings and its access.

import type { ComponentChildren } from "preact";
import type { Collection, Space } from "../../../generated/resources";
import { Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { Tabs } from "../components/tabs";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import type { LibraryItem } from "./gather-access";
import { useLibraryItem } from "./use-library-item";

export function getLibraryItemPath(
  organization: string,
  { kind, id }: LibraryItem,
  part: "settings" | "access",
): string {
  return kind === "space"
    ? addresses.ofSpace(organization, id, part)
    : `${addresses.collection(organization, id)}/${part}`;
}

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
  const found = useLibraryItem(thing);
  const home =
    thing.kind === "space" ? addresses.space(organization, thing.id) : addresses.collection(organization, thing.id);
  return (
    <Loaded of={found}>
      {(it) => (
        <div class="page">
          <PageHead
            title={it.title}
            above={[
              [messages.library, addresses.organization(organization)],
              [it.title, home],
            ]}
          />
          <Tabs label={it.title}>
            {[
              ...(it.permissions.admin
                ? [
                    [
                      thing.kind === "space" ? messages.spaceSettings : messages.collectionSettings,
                      getLibraryItemPath(organization, thing, "settings"),
                    ] as const,
                  ]
                : []),
              [messages.access, getLibraryItemPath(organization, thing, "access")],
            ]}
          </Tabs>
          {children(it)}
        </div>
      )}
    </Loaded>
  );
}
