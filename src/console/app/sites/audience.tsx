// Who sees a site: its visibility, its share links, how visitors sign in, and what is known of them.

import { useState } from "preact/hooks";
import type { PublishingAuth, SiteVisibility } from "../../../generated/resources";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Confirm } from "../parts/confirm";
import { Copyable } from "../parts/copy";
import { Check, Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { ShownOnce } from "../parts/once";
import { Shown } from "../parts/shown";
import { When } from "../parts/when";
import { useWords } from "../words/words";
import { InSite, type OpenSite, type SitePlace } from "./in-site";
import { readSchema } from "./read-schema";
import { ShareLinks } from "./share-links";
import { visibilityWords } from "./visibility";

export function AudiencePage(place: SitePlace) {
  return (
    <InSite {...place}>
      {(open) => (
        <>
          <Visibility key={open.site.id} {...open} />
          <ShareLinks {...open} />
          <VisitorLogin {...open} />
          <Adaptive {...open} />
        </>
      )}
    </InSite>
  );
}

function Visibility({ site, params }: OpenSite) {
  const words = useWords();
  const [visibility, setVisibility] = useState<SiteVisibility>(site.visibility);
  const save = useAction(() => write("updateSite", { params, body: { visibility } }));
  return (
    <section>
      <h2>{words.whoSees}</h2>
      <Form action={save} submit={words.save}>
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

function VisitorLogin({ site, params }: OpenSite) {
  const words = useWords();
  const auth = useRead("getPublishingAuth", { params });
  return (
    <section>
      <h2>{words.visitorLogin}</h2>
      <p>{site.visibility === "visitor-auth" ? words.visitorLoginWhy : words.visitorLoginUnused}</p>
      <Shown of={auth}>
        {(it) => (
          <>
            <LoginSettings key={`${it.backend} ${it.integration} ${it.fallbackURL}`} it={it} params={params} />
            <SigningKey it={it} params={params} />
          </>
        )}
      </Shown>
    </section>
  );
}

interface Login {
  readonly it: PublishingAuth;
  readonly params: OpenSite["params"];
}

function LoginSettings({ it, params }: Login) {
  const words = useWords();
  const { reading } = useList("listSiteIntegrations", { params });
  const [backend, setBackend] = useState(it.backend);
  const [integration, setIntegration] = useState(it.integration ?? "");
  const [fallbackURL, setFallback] = useState(it.fallbackURL ?? "");
  const save = useAction(() =>
    write("updatePublishingAuth", {
      params,
      body: {
        backend,
        integration: backend === "integration" && integration !== "" ? integration : null,
        fallbackURL: fallbackURL.trim() === "" ? null : fallbackURL.trim(),
      },
    }),
  );
  const known = reading.state === "had" ? reading.value : [];
  const names = [
    ...new Set([...(it.integration === undefined ? [] : [it.integration]), ...known.map(({ name }) => name)]),
  ];
  return (
    <Form action={save} submit={words.save}>
      <Choice
        label={words.whoSigns}
        value={backend}
        onChange={setBackend}
        options={[
          ["custom", words.signsYours],
          ["integration", words.signsIntegration],
        ]}
      />
      {backend === "integration" && (
        <Choice
          label={words.siteIntegration}
          hint={names.length === 0 ? words.noIntegrationOnSite : undefined}
          value={integration}
          onChange={setIntegration}
          required
          options={[["", "—"], ...names.map((name) => [name, name] as const)]}
        />
      )}
      <TextField
        label={words.loginAddress}
        hint={words.loginAddressHint}
        type="url"
        value={fallbackURL}
        onInput={setFallback}
        placeholder="https://example.com/login"
      />
    </Form>
  );
}

function SigningKey({ it, params }: Login) {
  const words = useWords();
  const [made, setMade] = useState<string>();
  return (
    <>
      <h3>{words.signingKey}</h3>
      <p>
        {it.hasPrivateKey ? words.hasKey : words.hasNoKey}{" "}
        {it.privateKeyCreatedAt !== undefined && <When at={it.privateKeyCreatedAt} sentence={words.keyMade} />}
      </p>
      {made !== undefined && <ShownOnce label={words.signingKey} value={made} />}
      <Copyable>{[[words.loginLink, it.urls.login]]}</Copyable>
      <p class="buttons">
        <Confirm
          kind="second"
          label={words.newKey}
          question={words.newKeyWhy}
          act={async () => {
            const { privateKey } = await write("regeneratePublishingAuth", { params });
            setMade(privateKey);
          }}
        />
      </p>
    </>
  );
}

function Adaptive({ site, params }: OpenSite) {
  const words = useWords();
  const [isOn, setOn] = useState(site.adaptiveContent?.enabled ?? false);
  const save = useAction(() => write("updateSite", { params, body: { adaptiveContent: { enabled: isOn } } }));
  const schema = useRead("getAdaptiveSchema", { params });
  return (
    <section>
      <h2>{words.adaptive}</h2>
      <p>{words.adaptiveWhy}</p>
      <Form action={save} submit={words.save}>
        <Check label={words.adaptiveOn} checked={isOn} onChange={setOn} />
      </Form>
      <Shown of={schema}>
        {({ jsonSchema, updatedAt }) => (
          <SchemaForm key={updatedAt} params={params} text={JSON.stringify(jsonSchema, null, 2)} />
        )}
      </Shown>
    </section>
  );
}

function SchemaForm({ params, text: first }: { readonly params: OpenSite["params"]; readonly text: string }) {
  const words = useWords();
  const [text, setText] = useState(first);
  const read = readSchema(text);
  const save = useAction(async () => {
    if (read.schema) await write("setAdaptiveSchema", { params, body: { jsonSchema: read.schema } });
  });
  return (
    <Form action={save} submit={words.saveSchema}>
      <TextField
        label={words.schema}
        hint={words.schemaHint}
        wrong={read.schema ? undefined : words.notJsonObject}
        value={text}
        onInput={setText}
        rows={12}
        isCode
      />
    </Form>
  );
}
