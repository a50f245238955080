// The frame of the pages about a space or a collection: its settings, and who has access.

import type { ComponentChildren } from "preact";
import type { Collection, Space } from "../../../generated/resources";
import { PageHead } from "../parts/page-head";
import { Shown } from "../parts/shown";
import { Tabs } from "../parts/tabs";
import { addresses } from "../routes";
import { useWords } from "../words/words";
import type { Thing } from "./gather";
import { useThing } from "./use-thing";

export function addressOf(organization: string, { kind, id }: Thing, part: "settings" | "access"): string {
  return kind === "space"
    ? addresses.ofSpace(organization, id, part)
    : `${addresses.collection(organization, id)}/${part}`;
}

export function InThing({
  organization,
  thing,
  children,
}: {
  readonly organization: string;
  readonly thing: Thing;
  readonly children: (it: Space | Collection) => ComponentChildren;
}) {
  const words = useWords();
  const found = useThing(thing);
  const home =
    thing.kind === "space" ? addresses.space(organization, thing.id) : addresses.collection(organization, thing.id);
  return (
    <Shown of={found}>
      {(it) => (
        <div class="page">
          <PageHead
            title={it.title}
            above={[
              [words.library, addresses.organization(organization)],
              [it.title, home],
            ]}
          />
          <Tabs label={it.title}>
            {[
              ...(it.permissions.admin
                ? [
                    [
                      thing.kind === "space" ? words.spaceSettings : words.collectionSettings,
                      addressOf(organization, thing, "settings"),
                    ] as const,
                  ]
                : []),
              [words.access, addressOf(organization, thing, "access")],
            ]}
          </Tabs>
          {children(it)}
        </div>
      )}
    </Shown>
  );
}
