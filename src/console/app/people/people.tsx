// The people of an organization: members, invites and teams.

import type { ComponentChildren } from "preact";
import type { Organization } from "../../../generated/resources";
import { useRead } from "../calls/reads";
import { PageHead } from "../parts/page-head";
import { Shown } from "../parts/shown";
import { Tabs } from "../parts/tabs";
import { addresses } from "../routes";
import { useWords } from "../words/words";

type Permissions = Organization["permissions"];

/** The frame of the pages about people. */
export function InPeople({
  organization,
  children,
}: {
  readonly organization: string;
  readonly children: (may: Permissions) => ComponentChildren;
}) {
  const words = useWords();
  const found = useRead("getOrganization", { params: { organizationId: organization } });
  return (
    <Shown of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={words.people} />
          <Tabs label={words.people}>
            {[
              [words.members, addresses.part(organization, "people")],
              [words.invites, addresses.part(organization, "people/invites")],
              [words.teams, addresses.part(organization, "people/teams")],
            ]}
          </Tabs>
          {children(permissions)}
        </div>
      )}
    </Shown>
  );
}
