// The overview of a site: its state, its URLs, its title, previews of change requests, and its deletion.

import { useState } from "preact/hooks";
import { formatMessage } from "../../../locales/format-message";
import { omitUndefined } from "../../../utils/objects";
import { useCompleteList } from "../api/complete-list";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { useQuery } from "../api/queries";
import { Confirm } from "../components/confirm";
import { CopyButton } from "../components/copy";
import { Check, Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { Loaded } from "../components/loaded";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { type OpenSite, SiteLayout, type SiteRoute } from "./site-layout";
import { collectSiteSpaces } from "./structure/structure-rows";
import { getVisibilityLabels } from "./visibility";

const SAMPLE_HOST = "docs.example.com";
const SAMPLE_DIRECTORY = "www.example.com/docs";

export function SitePage(place: SiteRoute) {
  const messages = useMessages();
  return (
    <SiteLayout {...place} onlyEditors={false}>
      {(open) => (
        <>
          <section>
            <p class="glance">
              <span class={`status ${open.site.published ? "merged" : "draft"}`}>
                {open.site.published ? messages.sites.published : messages.sites.notPublished}
              </span>{" "}
              <span>{getVisibilityLabels(messages)[open.site.visibility]}</span>
            </p>
            {open.site.urls.published !== undefined && (
              <p class="address">
                <code>{open.site.urls.published}</code> <CopyButton value={open.site.urls.published} />
              </p>
            )}
          </section>
          {open.mayEdit && (
            <>
              <Settings key={open.site.id} {...open} />
              <SiteUrls key={`${open.site.id} addresses`} {...open} />
              <PreviewLinks {...open} />
              <section>
                <Confirm
                  label={messages.sites.deleteSite}
                  question={formatMessage(messages.sites.deleteSiteWhy, { title: open.site.title })}
                  act={async () => {
                    await runMutation("deleteSite", { params: open.params });
                    location.assign(addresses.part(place.organization, "sites"));
                  }}
                />
              </section>
            </>
          )}
        </>
      )}
    </SiteLayout>
  );
}

function Settings({ site, params }: OpenSite) {
  const messages = useMessages();
  const { values, fields } = useFields({ title: site.title, forAgents: site.agentsContext === "included" });
  const save = useAction(() => {
    const { title, forAgents } = values;
    return runMutation("updateSite", { params, body: { title, agentsContext: forAgents ? "included" : "excluded" } });
  });
  return (
    <section>
      <h2>{messages.layout.settings}</h2>
      <Form action={save} submit={messages.general.save}>
        <TextField label={messages.general.title} {...fields.title} required maxLength={128} />
        <Check label={messages.site.forAgents} hint={messages.site.forAgentsHint} {...fields.forAgents} />
      </Form>
    </section>
  );
}

function SiteUrls({ site, params }: OpenSite) {
  const messages = useMessages();
  const { values, fields } = useFields({
    basename: site.basename ?? "",
    hostname: site.hostname ?? "",
    proxy: site.proxy?.origin ?? "",
  });
  const save = useAction(() => {
    const { basename, hostname, proxy } = values;
    const changed = omitUndefined({ basename: basename === (site.basename ?? "") ? undefined : basename });
    const body = { ...changed, hostname: hostname.trim() || null, proxy: proxy.trim() || null };
    return runMutation("updateSite", { params, body });
  });
  return (
    <section>
      <h2>{messages.site.siteAddress}</h2>
      <Form action={save} submit={messages.general.save}>
        <TextField label={messages.site.basename} hint={messages.site.basenameHint} {...fields.basename} required />
        <TextField
          label={messages.site.siteHost}
          hint={messages.site.siteHostHint}
          {...fields.hostname}
          placeholder={SAMPLE_HOST}
        />
        <TextField
          label={messages.site.proxy}
          hint={messages.site.proxyHint}
          {...fields.proxy}
          placeholder={SAMPLE_DIRECTORY}
        />
      </Form>
      {site.proxy && (
        <p>
          {messages.site.proxyTarget} <code>{site.proxy.target}</code> <CopyButton value={site.proxy.target} />
        </p>
      )}
      {/* The ownership of each host has to be verified. */}
      {site.domainProofs?.map(({ domain, verified, record }) => (
        <div key={domain} class="proof">
          <p>
            <strong>{domain}</strong>{" "}
            <span class={`status ${verified ? "merged" : "draft"}`}>
              {verified ? messages.site.proven : messages.site.notProven}
            </span>
          </p>
          {!verified && (
            <>
              <p>{messages.site.proveHost}</p>
              <dl class="facts">
                <dt>{messages.site.dnsName}</dt>
                <dd>
                  <code>{record.name}</code>
                </dd>
                <dt>{record.type}</dt>
                <dd>
                  <code>{record.value}</code> <CopyButton value={record.value} />
                </dd>
              </dl>
            </>
          )}
        </div>
      ))}
    </section>
  );
}

/** A form that creates a preview link for a change request. */
function PreviewLinks({ params }: OpenSite) {
  const messages = useMessages();
  const structure = useQuery("getSiteStructure", { params });
  return (
    <section>
      <h2>{messages.site.previewLinks}</h2>
      <p>{messages.site.previewLinksWhy}</p>
      <Loaded of={structure}>
        {(it) => {
          const spaces = collectSiteSpaces(it);
          return spaces.length === 0 ? (
            <p class="empty">{messages.sites.noSpacesOfSite}</p>
          ) : (
            <PreviewForm params={params} spaces={spaces} />
          );
        }}
      </Loaded>
    </section>
  );
}

function PreviewForm({
  params,
  spaces,
}: {
  readonly params: OpenSite["params"];
  readonly spaces: ReturnType<typeof collectSiteSpaces>;
}) {
  const messages = useMessages();
  const [siteSpace, setSiteSpace] = useState(spaces[0]!.id);
  const [changeRequest, setChangeRequest] = useState("");
  const [link, setLink] = useState<string>();
  const chosen = spaces.find(({ id }) => id === siteSpace) ?? spaces[0]!;
  const requests = useCompleteList("listChangeRequests", { params: { spaceId: chosen.space.id } });
  const underWay = requests.filter(({ status }) => status === "open" || status === "draft");
  const make = useAction(async () => {
    const state = changeRequest === "" ? { revisionId: chosen.space.revision } : { changeRequestId: changeRequest };
    const { urls } = await runMutation("previewSite", { params, body: { siteSpaceId: chosen.id, ...state } });
    setLink(urls.preview);
  });
  return (
    <>
      <Form action={make} submit={messages.site.makePreview}>
        <Choice
          label={messages.site.spaceOfSite}
          value={siteSpace}
          onChange={(id) => {
            setSiteSpace(id);
            setChangeRequest("");
            setLink(undefined);
          }}
          options={spaces.map((it) => [it.id, it.title] as const)}
        />
        <Choice
          label={messages.site.previewState}
          value={changeRequest}
          onChange={(id) => {
            setChangeRequest(id);
            setLink(undefined);
          }}
          options={[
            ["", messages.site.previewNow],
            ...underWay.map(({ id, number, subject }) => [id, `#${number} ${subject}`.trim()] as const),
          ]}
        />
      </Form>
      {link !== undefined && (
        <div class="notice" role="status">
          <p>
            <a href={link} target="_blank" rel="noopener">
              {messages.site.openPreview}
            </a>{" "}
            <small>{messages.site.previewEnds}</small>
          </p>
          <CopyButton value={link} />
        </div>
      )}
    </>
  );
}
