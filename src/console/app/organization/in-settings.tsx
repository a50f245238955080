// The frame of the pages with an organization's settings. Only admins see them.

import type { ComponentChildren } from "preact";
import type { Organization } from "../../../generated/resources";
import { useRead } from "../calls/reads";
import { PageHead } from "../parts/page-head";
import { Shown } from "../parts/shown";
import { Tabs } from "../parts/tabs";
import { addresses } from "../routes";
import { useWords } from "../words/words";

export function InSettings({
  organization,
  children,
}: {
  readonly organization: string;
  readonly children: (it: Organization) => ComponentChildren;
}) {
  const words = useWords();
  const found = useRead("getOrganization", { params: { organizationId: organization } });
  return (
    <Shown of={found}>
      {(it) => (
        <div class="page">
          <PageHead title={words.settings} />
          {it.permissions.admin ? (
            <>
              <Tabs label={words.settings}>
                {[
                  [words.general, addresses.part(organization, "settings")],
                  [words.signingIn, addresses.part(organization, "settings/sign-in")],
                  [words.directory, addresses.part(organization, "settings/directory")],
                ]}
              </Tabs>
              {children(it)}
            </>
          ) : (
            <p class="empty">{words.onlyAdmins}</p>
          )}
        </div>
      )}
    </Shown>
  );
}
