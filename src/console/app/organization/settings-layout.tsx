// The layout of the settings of an organization. Only admins see them.

import type { ComponentChildren } from "preact";
import type { Organization } from "../../../generated/resources";
import { useQuery } from "../api/api";
import { Loaded, PageHead } from "../components/page";
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
          <PageHead title={messages.settings} />
          {it.permissions.admin ? (
            <>
              <Tabs label={messages.settings}>
                {[
                  [messages.general, addresses.part(organization, "settings")],
                  [messages.signingIn, addresses.part(organization, "settings/sign-in")],
                  [messages.directory, addresses.part(organization, "settings/directory")],
                ]}
              </Tabs>
              {children(it)}
            </>
          ) : (
            <p class="empty">{messages.onlyAdmins}</p>
          )}
        </div>
      )}
    </Loaded>
  );
}
