// The layout of the pages about an integration. Its publishers also see the pages for editing it and for its events.

import type { ComponentChildren } from "preact";
import type { Integration } from "../../../generated/resources";
import { useQuery } from "../api/queries";
import { Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { Tabs } from "../components/tabs";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";

export function IntegrationPage({
  integration,
  isForPublishers = false,
  children,
}: {
  readonly integration: string;
  readonly isForPublishers?: boolean;
  readonly children: (it: Integration) => ComponentChildren;
}) {
  const messages = useMessages();
  const found = useQuery("getIntegration", { params: { integrationName: integration } });
  return (
    <Loaded of={found}>
      {(it) => (
        <div class="page">
          <PageHead
            title={it.title}
            above={
              // Members of the publishing organization see the breadcrumb to its integrations.
              it.owner.permissions.view
                ? [[messages.layout.integrations, addresses.part(it.owner.id, "integrations")]]
                : []
            }
          />
          {it.permissions.admin && (
            <Tabs label={it.title}>
              {[
                [messages.integrations.integration, addresses.integration(integration)],
                [messages.integrations.editIntegration, addresses.integration(integration, "edit")],
                [messages.integrations.eventsAndLogs, addresses.integration(integration, "events")],
              ]}
            </Tabs>
          )}
          {isForPublishers && !it.permissions.admin ? <p class="empty">{messages.people.onlyAdmins}</p> : children(it)}
        </div>
      )}
    </Loaded>
  );
}
