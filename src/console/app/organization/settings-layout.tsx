// The layout of the settings of an organization. Only admins see them.

import type { ComponentChildren } from "preact";
import type { Organization } from "../../../generated/resources";
import { useQuery } from "../api/queries";
import { Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { Tabs } from "../components/tabs";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";

export function SettingsLayout({
  organization,
  children,
}: {
  readonly organization: string;
  readonly children: (it: Organization) => ComponentChildren;
}) {
  const messages = useMessages();
  const found = useQuery("getOrganization", { params: { organizationId: organization } });
  return (
    <Loaded of={found}>
      {(it) => (
        <div class="page">
          <PageHead title={messages.layout.settings} />
          {it.permissions.admin ? (
            <>
              <Tabs label={messages.layout.settings}>
                {[
                  [messages.organization.general, addresses.part(organization, "settings")],
                  [messages.organization.signingIn, addresses.part(organization, "settings/sign-in")],
                  [messages.organization.directory, addresses.part(organization, "settings/directory")],
                ]}
              </Tabs>
              {children(it)}
            </>
          ) : (
            <p class="empty">{messages.people.onlyAdmins}</p>
          )}
        </div>
      )}
    </Loaded>
  );
}
