// The frame of the pages about a site: its name, whether it is published, and the parts that somebody who may change it has.
// The API does not say who may change a site; whoever may read its settings may.

import type { ComponentChildren } from "preact";
import type { Site } from "../../../generated/resources";
import { useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { PageHead } from "../parts/page-head";
import { Problem, Shown, Waiting } from "../parts/shown";
import { Tabs } from "../parts/tabs";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";

export interface SitePlace {
  readonly organization: string;
  readonly site: string;
}

/** A site that is open. */
export interface OpenSite {
  readonly site: Site;
  readonly params: { readonly organizationId: string; readonly siteId: string };
  readonly mayEdit: boolean;
}

export function InSite({
  organization,
  site,
  onlyEditors = true,
  isWide = false,
  children,
}: SitePlace & {
  /** Whether the page has nothing for somebody who may only read. */
  readonly onlyEditors?: boolean;
  readonly isWide?: boolean;
  readonly children: (open: OpenSite) => ComponentChildren;
}) {
  const words = useWords();
  const params = { organizationId: organization, siteId: site };
  const found = useRead("getSite", { params });
  const look = useRead("getSiteCustomization", { params });
  const mayEdit = look.state === "had";
  const at = (part: string) => addresses.part(organization, `sites/${site}${part}`);
  return (
    <Shown of={found}>
      {(it) => (
        <div class={isWide ? "page wide" : "page"}>
          <PageHead title={it.title} above={[[words.sites, addresses.part(organization, "sites")]]}>
            {it.published && it.urls.published !== undefined && (
              <a class="button second" href={it.urls.published} target="_blank" rel="noopener">
                {words.openSite}
              </a>
            )}
            {mayEdit && <PublishButton it={it} params={params} />}
          </PageHead>
          {mayEdit && (
            <Tabs label={it.title}>
              {[
                [words.siteOverview, at("")],
                [words.siteStructure, at("/structure")],
                [words.siteLook, at("/look")],
                [words.siteAudience, at("/audience")],
                [words.redirects, at("/redirects")],
                [words.insights, at("/insights")],
              ]}
            </Tabs>
          )}
          {look.state === "waiting" ? (
            <Waiting />
          ) : onlyEditors && !mayEdit ? (
            <p class="empty">{words.onlySiteEditors}</p>
          ) : (
            children({ site: it, params, mayEdit })
          )}
        </div>
      )}
    </Shown>
  );
}

/** Publishing shows something to others at once, and taking it offline takes it from them: that is asked. */
function PublishButton({ it, params }: { readonly it: Site; readonly params: OpenSite["params"] }) {
  const words = useWords();
  const publish = useAction(() => write("publishSite", { params }));
  if (it.published)
    return (
      <Confirm
        kind="second"
        label={words.unpublish}
        question={filled(words.unpublishWhy, { title: it.title })}
        act={() => write("unpublishSite", { params })}
      />
    );
  return (
    <>
      <Problem error={publish.error} />
      <Button kind="first" isBusy={publish.isBusy} onClick={() => void publish.run()}>
        {words.publish}
      </Button>
    </>
  );
}
