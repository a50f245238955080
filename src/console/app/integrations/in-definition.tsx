// The frame of the pages about an integration itself: what it is, and, for those who publish it, how it is made and what it
// was told.

import type { ComponentChildren } from "preact";
import type { Integration } from "../../../generated/resources";
import { useRead } from "../calls/reads";
import { PageHead } from "../parts/page-head";
import { Shown } from "../parts/shown";
import { Tabs } from "../parts/tabs";
import { addresses } from "../routes";
import { useWords } from "../words/words";

export function InDefinition({
  integration,
  isForPublishers = false,
  children,
}: {
  readonly integration: string;
  readonly isForPublishers?: boolean;
  readonly children: (it: Integration) => ComponentChildren;
}) {
  const words = useWords();
  const found = useRead("getIntegration", { params: { integrationName: integration } });
  return (
    <Shown of={found}>
      {(it) => (
        <div class="page">
          <PageHead title={it.title} above={above(it, words.integrations)} />
          {it.permissions.admin && (
            <Tabs label={it.title}>
              {[
                [words.integration, addresses.integration(integration)],
                [words.editIntegration, addresses.integration(integration, "edit")],
                [words.eventsAndLogs, addresses.integration(integration, "events")],
              ]}
            </Tabs>
          )}
          {isForPublishers && !it.permissions.admin ? <p class="empty">{words.onlyAdmins}</p> : children(it)}
        </div>
      )}
    </Shown>
  );
}

/** Members of the organization that publishes it find the way back. */
function above(it: Integration, label: string): readonly (readonly [string, string])[] {
  return it.owner.permissions.view ? [[label, addresses.part(it.owner.id, "integrations")]] : [];
}
