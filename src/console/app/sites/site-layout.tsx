// The layout of the pages about a site. The API does not return who may edit a site, but only editors may read its settings, so
// the layout queries these.

import type { ComponentChildren } from "preact";
import type { Site } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { runMutation, useAction } from "../api/mutations";
import { useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { ActionError, Loaded, LoadingIndicator } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { Tabs } from "../components/tabs";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";

export interface SiteRoute {
  readonly organization: string;
  readonly site: string;
}

/** The site that the page is about. */
export interface OpenSite {
  readonly site: Site;
  readonly params: { readonly organizationId: string; readonly siteId: string };
  readonly mayEdit: boolean;
}

export function SiteLayout({
  organization,
  site,
  onlyEditors = true,
  isWide = false,
  children,
}: SiteRoute & {
  /** True if the page is for editors only. */
  readonly onlyEditors?: boolean;
  readonly isWide?: boolean;
  readonly children: (open: OpenSite) => ComponentChildren;
}) {
  const messages = useMessages();
  const params = { organizationId: organization, siteId: site };
  const found = useQuery("getSite", { params });
  const look = useQuery("getSiteCustomization", { params });
  const mayEdit = look.state === "loaded";
  const publish = useAction(() => runMutation("publishSite", { params }));
  const at = (part: string) => addresses.part(organization, `sites/${site}${part}`);
  return (
    <Loaded of={found}>
      {(it) => (
        <div class={isWide ? "page wide" : "page"}>
          <PageHead title={it.title} above={[[messages.layout.sites, addresses.part(organization, "sites")]]}>
            {it.published && it.urls.published !== undefined && (
              <a class="button second" href={it.urls.published} target="_blank" rel="noopener">
                {messages.sites.openSite}
              </a>
            )}
            {/* Publishing takes effect at once, and so does the end of it, which asks for a confirmation. */}
            {mayEdit && it.published && (
              <Confirm
                kind="second"
                label={messages.sites.unpublish}
                question={formatMessage(messages.site.unpublishWhy, { title: it.title })}
                act={() => runMutation("unpublishSite", { params })}
              />
            )}
            {mayEdit && !it.published && (
              <>
                <ActionError error={publish.error} />
                <Button kind="first" action={publish}>
                  {messages.sites.publish}
                </Button>
              </>
            )}
          </PageHead>
          {mayEdit && (
            <Tabs label={it.title}>
              {[
                [messages.site.siteOverview, at("")],
                [messages.site.siteStructure, at("/structure")],
                [messages.site.siteLook, at("/look")],
                [messages.site.siteAudience, at("/audience")],
                [messages.redirects.redirects, at("/redirects")],
                [messages.insights.insights, at("/insights")],
              ]}
            </Tabs>
          )}
          {look.state === "loading" ? (
            <LoadingIndicator />
          ) : onlyEditors && !mayEdit ? (
            <p class="empty">{messages.site.onlySiteEditors}</p>
          ) : (
            children({ site: it, params, mayEdit })
          )}
        </div>
      )}
    </Loaded>
  );
}
