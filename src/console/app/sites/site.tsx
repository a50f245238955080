// A site: whether it is published, for whom, and which spaces are on it. The API does not say who may change a site, so the
// buttons are there for everybody who sees it, and a refusal is told.

import { useState } from "preact/hooks";
import type { Site, SiteSpace, SiteVisibility } from "../../../generated/resources";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Problem, Shown, ShownList } from "../parts/shown";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";
import { visibilityWords } from "./visibility";

export function SitePage({ organization, site }: { readonly organization: string; readonly site: string }) {
  const found = useRead("getSite", { params: { organizationId: organization, siteId: site } });
  return <Shown of={found}>{(it) => <Opened organization={organization} it={it} />}</Shown>;
}

function Opened({ organization, it }: { readonly organization: string; readonly it: Site }) {
  const words = useWords();
  const params = { organizationId: organization, siteId: it.id };
  const publish = useAction(() => write(it.published ? "unpublishSite" : "publishSite", { params }));
  return (
    <div class="page">
      <PageHead title={it.title} above={[[words.sites, addresses.part(organization, "sites")]]}>
        {it.published && it.urls.published !== undefined && (
          <a class="button second" href={it.urls.published} target="_blank" rel="noopener">
            {words.openSite}
          </a>
        )}
        <Button kind={it.published ? "second" : "first"} isBusy={publish.isBusy} onClick={() => void publish.run()}>
          {it.published ? words.unpublish : words.publish}
        </Button>
      </PageHead>
      <Problem error={publish.error} />
      {it.urls.published !== undefined && (
        <p>
          <code>{it.urls.published}</code>
        </p>
      )}
      <Audience key={it.id} organization={organization} it={it} />
      <SpacesOfSite organization={organization} it={it} />
      <section>
        <Confirm
          label={words.deleteSite}
          question={filled(words.deleteSiteWhy, { title: it.title })}
          act={async () => {
            await write("deleteSite", { params });
            location.assign(addresses.part(organization, "sites"));
          }}
        />
      </section>
    </div>
  );
}

function Audience({ organization, it }: { readonly organization: string; readonly it: Site }) {
  const words = useWords();
  const [title, setTitle] = useState(it.title);
  const [visibility, setVisibility] = useState<SiteVisibility>(it.visibility);
  const params = { organizationId: organization, siteId: it.id };
  const save = useAction(() => write("updateSite", { params, body: { title, visibility } }));
  return (
    <section>
      <h2>{words.settings}</h2>
      <Form action={save} submit={words.save}>
        <TextField label={words.title} value={title} onInput={setTitle} required maxLength={255} />
        <Choice
          label={words.whoSees}
          value={visibility}
          onChange={setVisibility}
          options={Object.entries(visibilityWords(words)) as [SiteVisibility, string][]}
        />
      </Form>
    </section>
  );
}

function SpacesOfSite({ organization, it }: { readonly organization: string; readonly it: Site }) {
  const words = useWords();
  const params = { organizationId: organization, siteId: it.id };
  const list = useList("listSiteSpaces", { params });
  const all = useList("listSpaces", { params: { organizationId: organization } });
  const [space, setSpace] = useState("");
  const add = useAction(async () => {
    await write("createSiteSpace", { params, body: { spaceId: space } });
    setSpace("");
  });
  return (
    <section>
      <h2>{words.spacesOfSite}</h2>
      <ShownList of={list} empty={<p>{words.noSpacesOfSite}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((one) => (
              <li key={one.id}>
                <OneSpace organization={organization} site={it.id} one={one} />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      {all.reading.state === "had" && (
        <Form action={add} submit={words.add}>
          <Choice
            label={words.addSpace}
            value={space}
            onChange={setSpace}
            options={[["", "—"], ...all.reading.value.map((one) => [one.id, one.title] as const)]}
          />
        </Form>
      )}
    </section>
  );
}

function OneSpace({
  organization,
  site,
  one,
}: {
  readonly organization: string;
  readonly site: string;
  readonly one: SiteSpace;
}) {
  const words = useWords();
  const params = { organizationId: organization, siteId: site, siteSpaceId: one.id };
  const remove = useAction(() => write("deleteSiteSpace", { params }));
  return (
    <div>
      <span>
        <a href={addresses.space(organization, one.space.id)}>
          <bdi>{one.space.title}</bdi>
        </a>{" "}
        <small>
          /{one.path} {one.default && `· ${words.isDefault}`}
        </small>
      </span>
      <Button kind="quiet" isBusy={remove.isBusy} onClick={() => void remove.run()}>
        {words.remove}
      </Button>
      <Problem error={remove.error} />
    </div>
  );
}
