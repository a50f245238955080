// The overview of a site: its state, its URLs, its title, previews of change requests, and its deletion.

import { useState } from "preact/hooks";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction, useQuery } from "../api/api";
import { useCompleteList } from "../api/complete-list";
import { toOptions, useFields } from "../api/fields";
import { Confirm } from "../components/confirm";
import { CopyButton } from "../components/copy";
import { Check, Choice, Form, TextField } from "../components/fields";
import { Loaded } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";
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
                {open.site.published ? messages.published : messages.notPublished}
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
                  label={messages.deleteSite}
                  question={fillMessage(messages.deleteSiteWhy, { title: open.site.title })}
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
      <h2>{messages.settings}</h2>
      <Form action={save} submit={messages.save}>
        <TextField label={messages.title} {...fields.title} required maxLength={128} />
        <Check label={messages.forAgents} hint={messages.forAgentsHint} {...fields.forAgents} />
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
      <h2>{messages.siteAddress}</h2>
      <Form action={save} submit={messages.save}>
        <TextField label={messages.basename} hint={messages.basenameHint} {...fields.basename} required />
        <TextField
          label={messages.siteHost}
          hint={messages.siteHostHint}
          {...fields.hostname}
          placeholder={SAMPLE_HOST}
        />
        <TextField label={messages.proxy} hint={messages.proxyHint} {...fields.proxy} placeholder={SAMPLE_DIRECTORY} />
      </Form>
      {site.proxy && (
        <p>
          {messages.proxyTarget} <code>{site.proxy.target}</code> <CopyButton value={site.proxy.target} />
        </p>
      )}
      {/* The ownership of each host has to be verified. */}
      {site.domainProofs?.map(({ domain, verified, record }) => (
        <div key={domain} class="proof">
          <p>
            <strong>{domain}</strong>{" "}
            <span class={`status ${verified ? "merged" : "draft"}`}>
              {verified ? messages.proven : messages.notProven}
            </span>
          </p>
          {!verified && (
            <>
              <p>{messages.proveHost}</p>
              <dl class="facts">
                <dt>{messages.dnsName}</dt>
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
      <h2>{messages.previewLinks}</h2>
      <p>{messages.previewLinksWhy}</p>
      <Loaded of={structure}>
        {(it) => {
          const spaces = collectSiteSpaces(it);
          return spaces.length === 0 ? (
            <p class="empty">{messages.noSpacesOfSite}</p>
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
      <Form action={make} submit={messages.makePreview}>
        <Choice
          label={messages.spaceOfSite}
          value={siteSpace}
          onChange={(id) => {
            setSiteSpace(id);
            setChangeRequest("");
            setLink(undefined);
          }}
          options={toOptions(spaces)}
        />
        <Choice
          label={messages.previewState}
          value={changeRequest}
          onChange={(id) => {
            setChangeRequest(id);
            setLink(undefined);
          }}
          options={[
            ["", messages.previewNow],
            ...underWay.map(({ id, number, subject }) => [id, `#${number} ${subject}`.trim()] as const),
          ]}
        />
      </Form>
      {link !== undefined && (
        <div class="notice" role="status">
          <p>
            <a href={link} target="_blank" rel="noopener">
              {messages.openPreview}
            </a>{" "}
            <small>{messages.previewEnds}</small>
          </p>
          <CopyButton value={link} />
        </div>
      )}
    </>
  );
}
