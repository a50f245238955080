// Edits an integration: its description, its script, its secrets, and the development mode.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Integration, IntegrationCategory, IntegrationScope } from "../../../generated/resources";
import { parseJsonObject } from "../../../utils/json";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction } from "../api/api";
import { useFields } from "../api/fields";
import { Button } from "../components/button";
import { Checks } from "../components/checks";
import { Confirm } from "../components/confirm";
import { Copyable } from "../components/copy";
import { Check, Choice, Form, TextField } from "../components/fields";
import { FileField } from "../components/file-field";
import { ActionError } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { IntegrationPage } from "./integration-page";
import { everyCategory, everyScope, listTargetOptions } from "./options";

export function EditDefinition({ integration }: { readonly integration: string }) {
  const messages = useMessages();
  const { route } = useLocation();
  const params = { integrationName: integration };
  const [secrets, setSecrets] = useState<readonly (readonly [name: string, value: string])[]>([["", ""]]);
  const savingSecrets = useAction(async () => {
    await runMutation("publishIntegration", {
      params,
      body: { secrets: Object.fromEntries(secrets.filter(([name]) => name !== "")) },
    });
    setSecrets([["", ""]]);
  });
  const changeSecret = (at: number, pair: readonly [string, string]) =>
    setSecrets(secrets.map((one, i) => (i === at ? pair : one)));
  const tunnel = useFields({ tunnelUrl: "", all: false });
  const start = useAction(() => runMutation("startDevelopment", { params, body: tunnel.values }));
  const stop = useAction(() => runMutation("stopDevelopment", { params }));
  return (
    <IntegrationPage integration={integration} isForPublishers>
      {(it) => (
        <>
          <DefinitionForm key={it.name} it={it} />
          <section>
            <h2>{messages.secrets}</h2>
            <p>{messages.secretsWhy}</p>
            <Form action={savingSecrets} submit={messages.setSecrets} done={messages.saved}>
              {secrets.map(([name, value], at) => (
                <div class="filters" key={at}>
                  <TextField
                    label={messages.secretName}
                    value={name}
                    onChange={(it) => changeSecret(at, [it, value])}
                    maxLength={100}
                  />
                  <TextField
                    label={messages.secretValue}
                    value={value}
                    onChange={(it) => changeSecret(at, [name, it])}
                  />
                </div>
              ))}
              <p>
                <Button onClick={() => setSecrets([...secrets, ["", ""]])}>{messages.addSecret}</Button>
              </p>
            </Form>
          </section>
          <section>
            <h2>{messages.development}</h2>
            <p>{messages.developmentWhy}</p>
            <Form action={start} submit={messages.startDevelopment} done={messages.saved}>
              <TextField label={messages.tunnel} type="url" {...tunnel.fields.tunnelUrl} required maxLength={256} />
              <Check label={messages.tunnelAll} {...tunnel.fields.all} />
            </Form>
            <ActionError error={stop.error} />
            <p>
              <Button action={stop}>{messages.stopDevelopment}</Button>
            </p>
          </section>
          <section>
            <Copyable>{[[messages.publicAddress, it.urls.publicEndpoint]]}</Copyable>
            <Confirm
              label={messages.unpublishIntegration}
              question={fillMessage(messages.unpublishIntegrationWhy, { title: it.title })}
              act={async () => {
                await runMutation("unpublishIntegration", { params: { integrationName: it.name } });
                route(addresses.part(it.owner.id, "integrations"));
              }}
            />
          </section>
        </>
      )}
    </IntegrationPage>
  );
}

/** The fields that are edited as JSON. */
const partNames = ["blocks", "contentSources", "externalLinks", "configurations"] as const;

function DefinitionForm({ it }: { readonly it: Integration }) {
  const messages = useMessages();
  const before = typeof it.contentSecurityPolicy === "string" ? it.contentSecurityPolicy : "";
  const { values, fields, set } = useFields(() => ({
    title: it.title,
    description: it.description ?? "",
    summary: it.summary ?? "",
    visibility: it.visibility,
    target: it.target,
    scopes: it.scopes as readonly IntegrationScope[],
    categories: it.categories as readonly IntegrationCategory[],
    parts: JSON.stringify(Object.fromEntries(partNames.map((name) => [name, it[name] ?? {}])), null, 2),
    script: "",
    policy: before,
  }));
  const [icon, setIcon] = useState<string>();
  const [isWrong, setWrong] = useState(false);
  const saving = useAction(async () => {
    const { parts, scopes, categories, script, policy, ...others } = values;
    const parsedParts = parseJsonObject(parts || "{}");
    const isGood =
      parsedParts !== undefined && Object.keys(parsedParts).every((name) => partNames.some((it) => it === name));
    setWrong(!isGood);
    if (!isGood) return;
    await runMutation("publishIntegration", {
      params: { integrationName: it.name },
      body: {
        ...(parsedParts as object),
        ...others,
        scopes: [...scopes],
        categories: [...categories],
        ...omitUndefined({
          script: script || undefined,
          icon,
          contentSecurityPolicy: policy === before ? undefined : policy || undefined,
        }),
      },
    });
    set({ script: "" });
    setIcon(undefined);
  });
  const readIcon = async (file: File | undefined) => {
    const bytes = file && new Uint8Array(await file.arrayBuffer());
    setIcon(bytes && btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
  };
  return (
    <Form action={saving} submit={messages.publishVersion} done={isWrong ? "" : messages.saved}>
      <TextField label={messages.title} {...fields.title} required maxLength={30} />
      <TextField label={messages.description} {...fields.description} maxLength={100} />
      <TextField label={messages.summary} {...fields.summary} rows={4} maxLength={2048} />
      <FileField label={messages.iconFile} accept="image/*" onChange={([file]) => void readIcon(file)} />
      <Choice
        label={messages.shownTo}
        {...fields.visibility}
        options={{ private: messages.shownPrivate, unlisted: messages.shownUnlisted, public: messages.shownPublic }}
      />
      <Choice label={messages.target} {...fields.target} options={listTargetOptions(messages)} />
      <Checks label={messages.asksFor} {...fields.scopes} options={everyScope} />
      <Checks label={messages.categories} {...fields.categories} options={everyCategory} />
      <TextField
        label={messages.parts}
        hint={messages.partsHint}
        wrong={isWrong ? messages.notJsonList : undefined}
        {...fields.parts}
        rows={10}
      />
      <TextField label={messages.script} hint={messages.scriptHint} {...fields.script} rows={10} />
      <TextField label={messages.policy} {...fields.policy} rows={2} maxLength={4096} />
      <p>
        <small>{fillMessage(messages.version, { version: it.version })}</small>
      </p>
    </Form>
  );
}
