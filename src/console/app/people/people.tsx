// The people of an organization: members, invites and teams.

import type { ComponentChildren } from "preact";
import type { Organization } from "../../../generated/resources";
import { useQuery } from "../api/queries";
import { Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { Tabs } from "../components/tabs";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";

type Permissions = Organization["permissions"];

/** The layout of the pages about people. */
export function InPeople({
  organization,
  children,
}: {
  readonly organization: string;
  readonly children: (may: Permissions) => ComponentChildren;
}) {
  const messages = useMessages();
  const found = useQuery("getOrganization", { params: { organizationId: organization } });
  return (
    <Loaded of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={messages.layout.people} />
          <Tabs label={messages.layout.people}>
            {[
              [messages.people.members, addresses.part(organization, "people")],
              [messages.people.invites, addresses.part(organization, "people/invites")],
              [messages.people.teams, addresses.part(organization, "people/teams")],
            ]}
          </Tabs>
          {children(permissions)}
        </div>
      )}
    </Loaded>
  );
}
