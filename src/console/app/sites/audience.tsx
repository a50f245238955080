// The audience of a site: its visibility, its share links, the sign-in of visitors, and their attributes.

import { useState } from "preact/hooks";
import type { PublishingAuth, SiteVisibility } from "../../../generated/resources";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Confirm } from "../components/confirm";
import { Copyable } from "../components/copy";
import { Check, Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { Loaded } from "../components/loaded";
import { OneTimeSecret } from "../components/one-time-secret";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { readSchema } from "./read-schema";
import { ShareLinks } from "./share-links";
import { type OpenSite, SiteLayout, type SiteRoute } from "./site-layout";
import { getVisibilityLabels } from "./visibility";

const SAMPLE = "https://example.com/login";

export function AudiencePage(place: SiteRoute) {
  return (
    <SiteLayout {...place}>
      {(open) => (
        <>
          <Visibility key={open.site.id} {...open} />
          <ShareLinks {...open} />
          <VisitorLogin {...open} />
          <VisitorSchema {...open} />
        </>
      )}
    </SiteLayout>
  );
}

function Visibility({ site, params }: OpenSite) {
  const messages = useMessages();
  const [visibility, setVisibility] = useState<SiteVisibility>(site.visibility);
  const save = useAction(() => runMutation("updateSite", { params, body: { visibility } }));
  return (
    <section>
      <h2>{messages.whoSees}</h2>
      <Form action={save} submit={messages.save}>
        <Choice
          label={messages.whoSees}
          value={visibility}
          onChange={setVisibility}
          options={Object.entries(getVisibilityLabels(messages)) as [SiteVisibility, string][]}
        />
      </Form>
    </section>
  );
}

function VisitorLogin({ site, params }: OpenSite) {
  const messages = useMessages();
  const auth = useQuery("getPublishingAuth", { params });
  const [made, setMade] = useState<string>();
  return (
    <section>
      <h2>{messages.visitorLogin}</h2>
      <p>{site.visibility === "visitor-auth" ? messages.visitorLoginWhy : messages.visitorLoginUnused}</p>
      <Loaded of={auth}>
        {(it) => (
          <>
            <LoginSettings key={`${it.backend} ${it.integration} ${it.fallbackURL}`} it={it} params={params} />
            <h3>{messages.signingKey}</h3>
            <p>
              {it.hasPrivateKey ? messages.hasKey : messages.hasNoKey}{" "}
              {it.privateKeyCreatedAt !== undefined && (
                <RelativeTime at={it.privateKeyCreatedAt} sentence={messages.keyMade} />
              )}
            </p>
            {made !== undefined && <OneTimeSecret label={messages.signingKey} value={made} />}
            <Copyable>{[[messages.loginLink, it.urls.login]]}</Copyable>
            <p class="buttons">
              <Confirm
                kind="second"
                label={messages.newKey}
                question={messages.newKeyWhy}
                act={async () => {
                  const { privateKey } = await runMutation("regeneratePublishingAuth", { params });
                  setMade(privateKey);
                }}
              />
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}

function LoginSettings({ it, params }: { readonly it: PublishingAuth; readonly params: OpenSite["params"] }) {
  const messages = useMessages();
  const { reading } = useList("listSiteIntegrations", { params });
  const [backend, setBackend] = useState(it.backend);
  const [integration, setIntegration] = useState(it.integration ?? "");
  const [fallbackURL, setFallback] = useState(it.fallbackURL ?? "");
  const save = useAction(() =>
    runMutation("updatePublishingAuth", {
      params,
      body: {
        backend,
        integration: backend === "integration" && integration !== "" ? integration : null,
        fallbackURL: fallbackURL.trim() === "" ? null : fallbackURL.trim(),
      },
    }),
  );
  const known = reading.state === "loaded" ? reading.value : [];
  const names = [
    ...new Set([...(it.integration === undefined ? [] : [it.integration]), ...known.map(({ name }) => name)]),
  ];
  return (
    <Form action={save} submit={messages.save}>
      <Choice
        label={messages.whoSigns}
        value={backend}
        onChange={setBackend}
        options={[
          ["custom", messages.signsYours],
          ["integration", messages.signsIntegration],
        ]}
      />
      {backend === "integration" && (
        <Choice
          label={messages.siteIntegration}
          hint={names.length === 0 ? messages.noIntegrationOnSite : undefined}
          value={integration}
          onChange={setIntegration}
          required
          options={[["", "—"], ...names.map((name) => [name, name] as const)]}
        />
      )}
      <TextField
        label={messages.loginAddress}
        hint={messages.loginAddressHint}
        type="url"
        value={fallbackURL}
        onInput={setFallback}
        placeholder={SAMPLE}
      />
    </Form>
  );
}

function VisitorSchema({ site, params }: OpenSite) {
  const messages = useMessages();
  const [isOn, setOn] = useState(site.adaptiveContent?.enabled ?? false);
  const save = useAction(() => runMutation("updateSite", { params, body: { adaptiveContent: { enabled: isOn } } }));
  const schema = useQuery("getAdaptiveSchema", { params });
  return (
    <section>
      <h2>{messages.adaptive}</h2>
      <p>{messages.adaptiveWhy}</p>
      <Form action={save} submit={messages.save}>
        <Check label={messages.adaptiveOn} checked={isOn} onChange={setOn} />
      </Form>
      <Loaded of={schema}>
        {({ jsonSchema, updatedAt }) => (
          <SchemaForm key={updatedAt} params={params} text={JSON.stringify(jsonSchema, null, 2)} />
        )}
      </Loaded>
    </section>
  );
}

function SchemaForm({ params, text: first }: { readonly params: OpenSite["params"]; readonly text: string }) {
  const messages = useMessages();
  const [text, setText] = useState(first);
  const read = readSchema(text);
  const save = useAction(async () => {
    if (read.schema) await runMutation("setAdaptiveSchema", { params, body: { jsonSchema: read.schema } });
  });
  return (
    <Form action={save} submit={messages.saveSchema}>
      <TextField
        label={messages.schema}
        hint={messages.schemaHint}
        wrong={read.schema ? undefined : messages.notJsonObject}
        value={text}
        onInput={setText}
        rows={12}
        isCode
      />
    </Form>
  );
}
