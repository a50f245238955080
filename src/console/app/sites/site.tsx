// A site at a glance: its state, where readers find it, its name, previews of what is not merged, and its end.

import { useState } from "preact/hooks";
import type { DomainProof } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Confirm } from "../parts/confirm";
import { CopyButton } from "../parts/copy";
import { Check, Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Shown } from "../parts/shown";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";
import { InSite, type OpenSite, type SitePlace } from "./in-site";
import { siteSpacesIn } from "./structure/rows";
import { visibilityWords } from "./visibility";

const SAMPLE_HOST = "docs.example.com";
const SAMPLE_DIRECTORY = "www.example.com/docs";

export function SitePage(place: SitePlace) {
  return (
    <InSite {...place} onlyEditors={false}>
      {(open) => (
        <>
          <AtAGlance {...open} />
          {open.mayEdit && (
            <>
              <Settings key={open.site.id} {...open} />
              <Addresses key={`${open.site.id} addresses`} {...open} />
              <PreviewLinks {...open} />
              <Ending {...open} organization={place.organization} />
            </>
          )}
        </>
      )}
    </InSite>
  );
}

function AtAGlance({ site }: OpenSite) {
  const words = useWords();
  return (
    <section>
      <p class="glance">
        <span class={`status ${site.published ? "merged" : "draft"}`}>
          {site.published ? words.published : words.notPublished}
        </span>{" "}
        <span>{visibilityWords(words)[site.visibility]}</span>
      </p>
      {site.urls.published !== undefined && (
        <p class="address">
          <code>{site.urls.published}</code> <CopyButton value={site.urls.published} />
        </p>
      )}
    </section>
  );
}

function Settings({ site, params }: OpenSite) {
  const words = useWords();
  const [title, setTitle] = useState(site.title);
  const [forAgents, setForAgents] = useState(site.agentsContext === "included");
  const save = useAction(() =>
    write("updateSite", { params, body: { title, agentsContext: forAgents ? "included" : "excluded" } }),
  );
  return (
    <section>
      <h2>{words.settings}</h2>
      <Form action={save} submit={words.save}>
        <TextField label={words.title} value={title} onInput={setTitle} required maxLength={128} />
        <Check label={words.forAgents} hint={words.forAgentsHint} checked={forAgents} onChange={setForAgents} />
      </Form>
    </section>
  );
}

function Addresses({ site, params }: OpenSite) {
  const words = useWords();
  const [basename, setBasename] = useState(site.basename ?? "");
  const [hostname, setHostname] = useState(site.hostname ?? "");
  const [proxy, setProxy] = useState(site.proxy?.origin ?? "");
  const save = useAction(() =>
    write("updateSite", {
      params,
      body: {
        ...omitUndefined({ basename: basename === (site.basename ?? "") ? undefined : basename }),
        hostname: hostname.trim() === "" ? null : hostname.trim(),
        proxy: proxy.trim() === "" ? null : proxy.trim(),
      },
    }),
  );
  return (
    <section>
      <h2>{words.siteAddress}</h2>
      <Form action={save} submit={words.save}>
        <TextField label={words.basename} hint={words.basenameHint} value={basename} onInput={setBasename} required />
        <TextField
          label={words.siteHost}
          hint={words.siteHostHint}
          value={hostname}
          onInput={setHostname}
          placeholder={SAMPLE_HOST}
        />
        <TextField
          label={words.proxy}
          hint={words.proxyHint}
          value={proxy}
          onInput={setProxy}
          placeholder={SAMPLE_DIRECTORY}
        />
      </Form>
      {site.proxy && (
        <p>
          {words.proxyTarget} <code>{site.proxy.target}</code> <CopyButton value={site.proxy.target} />
        </p>
      )}
      {site.domainProofs?.map((proof) => (
        <Proof key={proof.domain} {...proof} />
      ))}
    </section>
  );
}

/** Whether a host is known to belong to the organization, and how that is proven. */
function Proof({ domain, verified, record }: DomainProof) {
  const words = useWords();
  return (
    <div class="proof">
      <p>
        <strong>{domain}</strong>{" "}
        <span class={`status ${verified ? "merged" : "draft"}`}>{verified ? words.proven : words.notProven}</span>
      </p>
      {!verified && (
        <>
          <p>{words.proveHost}</p>
          <dl class="facts">
            <dt>{words.dnsName}</dt>
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
  );
}

/** A link to the site with what a change request proposes. */
function PreviewLinks({ params }: OpenSite) {
  const words = useWords();
  const structure = useRead("getSiteStructure", { params });
  return (
    <section>
      <h2>{words.previewLinks}</h2>
      <p>{words.previewLinksWhy}</p>
      <Shown of={structure}>
        {(it) => {
          const spaces = siteSpacesIn(it);
          return spaces.length === 0 ? (
            <p class="empty">{words.noSpacesOfSite}</p>
          ) : (
            <PreviewForm params={params} spaces={spaces} />
          );
        }}
      </Shown>
    </section>
  );
}

function PreviewForm({
  params,
  spaces,
}: {
  readonly params: OpenSite["params"];
  readonly spaces: ReturnType<typeof siteSpacesIn>;
}) {
  const words = useWords();
  const [siteSpace, setSiteSpace] = useState(spaces[0]!.id);
  const [changeRequest, setChangeRequest] = useState("");
  const [link, setLink] = useState<string>();
  const chosen = spaces.find(({ id }) => id === siteSpace) ?? spaces[0]!;
  const requests = useList("listChangeRequests", { params: { spaceId: chosen.space.id } });
  const open = requests.reading.state === "had" ? requests.reading.value : [];
  const underWay = open.filter(({ status }) => status === "open" || status === "draft");
  const make = useAction(async () => {
    const state = changeRequest === "" ? { revisionId: chosen.space.revision } : { changeRequestId: changeRequest };
    const { urls } = await write("previewSite", { params, body: { siteSpaceId: chosen.id, ...state } });
    setLink(urls.preview);
  });
  return (
    <>
      <Form action={make} submit={words.makePreview}>
        <Choice
          label={words.spaceOfSite}
          value={siteSpace}
          onChange={(id) => {
            setSiteSpace(id);
            setChangeRequest("");
            setLink(undefined);
          }}
          options={spaces.map((it) => [it.id, it.title] as const)}
        />
        <Choice
          label={words.previewState}
          value={changeRequest}
          onChange={(id) => {
            setChangeRequest(id);
            setLink(undefined);
          }}
          options={[
            ["", words.previewNow],
            ...underWay.map(({ id, number, subject }) => [id, `#${number} ${subject}`.trim()] as const),
          ]}
        />
      </Form>
      {link !== undefined && (
        <div class="notice" role="status">
          <p>
            <a href={link} target="_blank" rel="noopener">
              {words.openPreview}
            </a>{" "}
            <small>{words.previewEnds}</small>
          </p>
          <CopyButton value={link} />
        </div>
      )}
    </>
  );
}

function Ending({ site, params, organization }: OpenSite & { readonly organization: string }) {
  const words = useWords();
  return (
    <section>
      <Confirm
        label={words.deleteSite}
        question={filled(words.deleteSiteWhy, { title: site.title })}
        act={async () => {
          await write("deleteSite", { params });
          location.assign(addresses.part(organization, "sites"));
        }}
      />
    </section>
  );
}
