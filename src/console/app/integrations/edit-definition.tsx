// Edits an integration: its description, its script, its secrets, and the development mode.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Integration, IntegrationCategory, IntegrationScope } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { parseJsonObject } from "../../../utils/json";
import { omitUndefined } from "../../../utils/objects";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { Button } from "../components/button";
import { Checks } from "../components/checks";
import { Confirm } from "../components/confirm";
import { Copyable } from "../components/copy";
import { Check, Choice, TextField } from "../components/field";
import { FileField } from "../components/file-field";
import { Form } from "../components/form";
import { ActionError } from "../components/loaded";
import { useMessages } from "../messages/messages";
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
            <h2>{messages.integrations.secrets}</h2>
            <p>{messages.integrations.secretsWhy}</p>
            <Form action={savingSecrets} submit={messages.integrations.setSecrets} done={messages.general.saved}>
              {secrets.map(([name, value], at) => (
                <div class="filters" key={at}>
                  <TextField
                    label={messages.integrations.secretName}
                    value={name}
                    onChange={(it) => changeSecret(at, [it, value])}
                    maxLength={100}
                  />
                  <TextField
                    label={messages.integrations.secretValue}
                    value={value}
                    onChange={(it) => changeSecret(at, [name, it])}
                  />
                </div>
              ))}
              <p>
                <Button onClick={() => setSecrets([...secrets, ["", ""]])}>{messages.integrations.addSecret}</Button>
              </p>
            </Form>
          </section>
          <section>
            <h2>{messages.integrations.development}</h2>
            <p>{messages.integrations.developmentWhy}</p>
            <Form action={start} submit={messages.integrations.startDevelopment} done={messages.general.saved}>
              <TextField
                label={messages.integrations.tunnel}
                type="url"
                {...tunnel.fields.tunnelUrl}
                required
                maxLength={256}
              />
              <Check label={messages.integrations.tunnelAll} {...tunnel.fields.all} />
            </Form>
            <ActionError error={stop.error} />
            <p>
              <Button action={stop}>{messages.integrations.stopDevelopment}</Button>
            </p>
          </section>
          <section>
            <Copyable>{[[messages.integrations.publicAddress, it.urls.publicEndpoint]]}</Copyable>
            <Confirm
              label={messages.integrations.unpublishIntegration}
              question={formatMessage(messages.integrations.unpublishIntegrationWhy, { title: it.title })}
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
    <Form action={saving} submit={messages.integrations.publishVersion} done={isWrong ? "" : messages.general.saved}>
      <TextField label={messages.general.title} {...fields.title} required maxLength={30} />
      <TextField label={messages.editor.description} {...fields.description} maxLength={100} />
      <TextField label={messages.integrations.summary} {...fields.summary} rows={4} maxLength={2048} />
      <FileField label={messages.integrations.iconFile} accept="image/*" onChange={([file]) => void readIcon(file)} />
      <Choice
        label={messages.integrations.shownTo}
        {...fields.visibility}
        options={[
          ["private", messages.integrations.shownPrivate],
          ["unlisted", messages.integrations.shownUnlisted],
          ["public", messages.integrations.shownPublic],
        ]}
      />
      <Choice label={messages.integrations.target} {...fields.target} options={listTargetOptions(messages)} />
      <Checks label={messages.integrations.asksFor} {...fields.scopes} options={everyScope} />
      <Checks label={messages.integrations.categories} {...fields.categories} options={everyCategory} />
      <TextField
        label={messages.integrations.parts}
        hint={messages.integrations.partsHint}
        wrong={isWrong ? messages.integrations.notJsonList : undefined}
        {...fields.parts}
        rows={10}
      />
      <TextField
        label={messages.integrations.script}
        hint={messages.integrations.scriptHint}
        {...fields.script}
        rows={10}
      />
      <TextField label={messages.integrations.policy} {...fields.policy} rows={2} maxLength={4096} />
      <p>
        <small>{formatMessage(messages.integrations.version, { version: it.version })}</small>
      </p>
    </Form>
  );
}
