// The audience of a site: its visibility, its share links, the sign-in of visitors, and their attributes.

import { useState } from "preact/hooks";
import type { PublishingAuth, SiteVisibility } from "../../../generated/resources";
import { parseJsonObject } from "../../../utils/json";
import { useCompleteList } from "../api/complete-list";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { useQuery } from "../api/queries";
import { Confirm } from "../components/confirm";
import { Copyable } from "../components/copy";
import { Check, Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { Loaded } from "../components/loaded";
import { OneTimeSecret } from "../components/one-time-secret";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
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
      <Form action={save} submit={messages.general.save}>
        <Choice
          label={messages.sites.whoSees}
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
      <h2>{messages.audience.visitorLogin}</h2>
      <p>
        {site.visibility === "visitor-auth" ? messages.audience.visitorLoginWhy : messages.audience.visitorLoginUnused}
      </p>
      <Loaded of={auth}>
        {(it) => (
          <>
            <LoginSettings key={`${it.backend} ${it.integration} ${it.fallbackURL}`} it={it} params={params} />
            <h3>{messages.audience.signingKey}</h3>
            <p>
              {it.hasPrivateKey ? messages.audience.hasKey : messages.audience.hasNoKey}{" "}
              {it.privateKeyCreatedAt !== undefined && (
                <RelativeTime at={it.privateKeyCreatedAt} sentence={messages.audience.keyMade} />
              )}
            </p>
            {made !== undefined && <OneTimeSecret label={messages.audience.signingKey} value={made} />}
            <Copyable>{[[messages.audience.loginLink, it.urls.login]]}</Copyable>
            <p class="buttons">
              <Confirm
                kind="second"
                label={messages.audience.newKey}
                question={messages.audience.newKeyWhy}
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
  const known = useCompleteList("listSiteIntegrations", { params });
  const { values, fields } = useFields({
    backend: it.backend,
    integration: it.integration ?? "",
    fallbackURL: it.fallbackURL ?? "",
  });
  const isIntegration = values.backend === "integration";
  const save = useAction(() => {
    const { backend, integration, fallbackURL } = values;
    const body = {
      backend,
      integration: (isIntegration && integration) || null,
      fallbackURL: fallbackURL.trim() || null,
    };
    return runMutation("updatePublishingAuth", { params, body });
  });
  const names = [
    ...new Set([...(it.integration === undefined ? [] : [it.integration]), ...known.map(({ name }) => name)]),
  ];
  return (
    <Form action={save} submit={messages.general.save}>
      <Choice
        label={messages.audience.whoSigns}
        {...fields.backend}
        options={[
          ["custom", messages.audience.signsYours],
          ["integration", messages.audience.signsIntegration],
        ]}
      />
      {isIntegration && (
        <Choice
          label={messages.audience.siteIntegration}
          hint={names.length === 0 ? messages.audience.noIntegrationOnSite : undefined}
          {...fields.integration}
          required
          options={[["", "—"], ...names.map((name) => [name, name] as const)]}
        />
      )}
      <TextField
        label={messages.audience.loginAddress}
        hint={messages.audience.loginAddressHint}
        type="url"
        {...fields.fallbackURL}
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
      <h2>{messages.audience.adaptive}</h2>
      <p>{messages.audience.adaptiveWhy}</p>
      <Form action={save} submit={messages.general.save}>
        <Check label={messages.audience.adaptiveOn} value={isOn} onChange={setOn} />
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
  const jsonSchema = parseJsonObject(text);
  const save = useAction(async () => {
    if (jsonSchema) await runMutation("setAdaptiveSchema", { params, body: { jsonSchema } });
  });
  return (
    <Form action={save} submit={messages.audience.saveSchema}>
      <TextField
        label={messages.audience.schema}
        hint={messages.audience.schemaHint}
        wrong={jsonSchema ? undefined : messages.audience.notJsonObject}
        value={text}
        onChange={setText}
        rows={12}
        isCode
      />
    </Form>
  );
}
