// The people of an organization: members, invites and teams.

import type { ComponentChildren } from "preact";
import type { Organization } from "../../../generated/resources";
import { useQuery } from "../api/api";
import { Loaded, PageHead } from "../components/page";
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
          <PageHead title={messages.people} />
          <Tabs label={messages.people}>
            {[
              [messages.members, addresses.part(organization, "people")],
              [messages.invites, addresses.part(organization, "people/invites")],
              [messages.teams, addresses.part(organization, "people/teams")],
            ]}
          </Tabs>
          {children(permissions)}
        </div>
      )}
    </Loaded>
  );
}
