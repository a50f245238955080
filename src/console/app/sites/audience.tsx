// The audience of a site: its visibility, its share links, the sign-in of visitors, and their attributes.

import { useState } from "preact/hooks";
import type { PublishingAuth, SiteVisibility } from "../../../generated/resources";
import { parseJsonObject } from "../../../utils/json";
import { runMutation, useAction, useQuery } from "../api/api";
import { useCompleteList } from "../api/complete-list";
import { useField, useFields } from "../api/fields";
import { Confirm } from "../components/confirm";
import { Copyable, OneTimeSecret } from "../components/copy";
import { Check, Choice, Form, TextField } from "../components/fields";
import { Loaded, RelativeTime } from "../components/page";
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
  const visibility = useField<SiteVisibility>(site.visibility);
  const save = useAction(() => runMutation("updateSite", { params, body: { visibility: visibility.value } }));
  return (
    <section>
      <h2>{messages.whoSees}</h2>
      <Form action={save} submit={messages.save}>
        <Choice label={messages.whoSees} {...visibility} options={getVisibilityLabels(messages)} />
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
    <Form action={save} submit={messages.save}>
      <Choice
        label={messages.whoSigns}
        {...fields.backend}
        options={{ custom: messages.signsYours, integration: messages.signsIntegration }}
      />
      {isIntegration && (
        <Choice
          label={messages.siteIntegration}
          hint={names.length === 0 ? messages.noIntegrationOnSite : undefined}
          {...fields.integration}
          required
          options={[["", "—"], ...names.map((name) => [name, name] as const)]}
        />
      )}
      <TextField
        label={messages.loginAddress}
        hint={messages.loginAddressHint}
        type="url"
        {...fields.fallbackURL}
        placeholder={SAMPLE}
      />
    </Form>
  );
}

function VisitorSchema({ site, params }: OpenSite) {
  const messages = useMessages();
  const isOn = useField(site.adaptiveContent?.enabled ?? false);
  const save = useAction(() =>
    runMutation("updateSite", { params, body: { adaptiveContent: { enabled: isOn.value } } }),
  );
  const schema = useQuery("getAdaptiveSchema", { params });
  return (
    <section>
      <h2>{messages.adaptive}</h2>
      <p>{messages.adaptiveWhy}</p>
      <Form action={save} submit={messages.save}>
        <Check label={messages.adaptiveOn} {...isOn} />
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
  const text = useField(first);
  const jsonSchema = parseJsonObject(text.value);
  const save = useAction(async () => {
    if (jsonSchema) await runMutation("setAdaptiveSchema", { params, body: { jsonSchema } });
  });
  return (
    <Form action={save} submit={messages.saveSchema}>
      <TextField
        label={messages.schema}
        hint={messages.schemaHint}
        wrong={jsonSchema ? undefined : messages.notJsonObject}
        {...text}
        rows={12}
        isCode
      />
    </Form>
  );
}
