// Edits an integration: its description, its script, its secrets, and the development mode.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type {
  Integration,
  IntegrationCategory,
  IntegrationScope,
  IntegrationTarget,
  IntegrationVisibility,
} from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction } from "../api/mutations";
import { useSaveAction } from "../api/save-action";
import { Button } from "../components/button";
import { Checks } from "../components/checks";
import { Confirm } from "../components/confirm";
import { Copyable } from "../components/copy";
import { Check, Choice, TextField } from "../components/field";
import { FileField } from "../components/file-field";
import { Form } from "../components/form";
import { ActionError } from "../components/loaded";
import { fillMessage, useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { parseJsonObject } from "./configuration";
import { IntegrationPage } from "./integration-page";
import { everyCategory, everyScope, listTargetOptions } from "./options";

export function EditDefinition({ integration }: { readonly integration: string }) {
  const messages = useMessages();
  const { route } = useLocation();
  const params = { integrationName: integration };
  const [secrets, setSecrets] = useState<readonly (readonly [name: string, value: string])[]>([["", ""]]);
  const savingSecrets = useSaveAction(async () => {
    await runMutation("publishIntegration", {
      params,
      body: { secrets: Object.fromEntries(secrets.filter(([name]) => name !== "")) },
    });
    setSecrets([["", ""]]);
  });
  const changeSecret = (at: number, pair: readonly [string, string]) =>
    savingSecrets.changing(setSecrets)(secrets.map((one, i) => (i === at ? pair : one)));
  const [tunnelUrl, setTunnel] = useState("");
  const [all, setAll] = useState(false);
  const start = useSaveAction(() => runMutation("startDevelopment", { params, body: { tunnelUrl, all } }));
  const stop = useAction(() => runMutation("stopDevelopment", { params }));
  return (
    <IntegrationPage integration={integration} isForPublishers>
      {(it) => (
        <>
          <DefinitionForm key={it.name} it={it} />
          <section>
            <h2>{messages.secrets}</h2>
            <p>{messages.secretsWhy}</p>
            <Form action={savingSecrets} submit={messages.setSecrets} done={savingSecrets.done}>
              {secrets.map(([name, value], at) => (
                <div class="filters" key={at}>
                  <TextField
                    label={messages.secretName}
                    value={name}
                    onInput={(it) => changeSecret(at, [it, value])}
                    maxLength={100}
                  />
                  <TextField
                    label={messages.secretValue}
                    value={value}
                    onInput={(it) => changeSecret(at, [name, it])}
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
            <Form action={start} submit={messages.startDevelopment} done={start.done}>
              <TextField
                label={messages.tunnel}
                type="url"
                value={tunnelUrl}
                onInput={start.changing(setTunnel)}
                required
                maxLength={256}
              />
              <Check label={messages.tunnelAll} checked={all} onChange={start.changing(setAll)} />
            </Form>
            <ActionError error={stop.error} />
            <p>
              <Button isBusy={stop.isBusy} onClick={() => void stop.run()}>
                {messages.stopDevelopment}
              </Button>
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
  const [title, setTitle] = useState(it.title);
  const [description, setDescription] = useState(it.description ?? "");
  const [summary, setSummary] = useState(it.summary ?? "");
  const [visibility, setVisibility] = useState<IntegrationVisibility>(it.visibility);
  const [target, setTarget] = useState<IntegrationTarget>(it.target);
  const [scopes, setScopes] = useState<readonly IntegrationScope[]>(it.scopes);
  const [categories, setCategories] = useState<readonly IntegrationCategory[]>(it.categories);
  const [parts, setParts] = useState(() =>
    JSON.stringify(Object.fromEntries(partNames.map((name) => [name, it[name] ?? {}])), null, 2),
  );
  const [script, setScript] = useState("");
  const [icon, setIcon] = useState<string>();
  const before = typeof it.contentSecurityPolicy === "string" ? it.contentSecurityPolicy : "";
  const [policy, setPolicy] = useState(before);
  const [isWrong, setWrong] = useState(false);
  const saving = useSaveAction(async () => {
    const parsedParts = parseJsonObject(parts);
    const isGood =
      parsedParts !== undefined && Object.keys(parsedParts).every((name) => partNames.some((it) => it === name));
    setWrong(!isGood);
    if (!isGood) return;
    await runMutation("publishIntegration", {
      params: { integrationName: it.name },
      body: {
        ...(parsedParts as object),
        title,
        description,
        summary,
        visibility,
        target,
        scopes: [...scopes],
        categories: [...categories],
        ...omitUndefined({
          script: script === "" ? undefined : script,
          icon,
          contentSecurityPolicy: policy === before || policy === "" ? undefined : policy,
        }),
      },
    });
    setScript("");
    setIcon(undefined);
  });
  const { changing } = saving;
  return (
    <Form action={saving} submit={messages.publishVersion} done={isWrong ? undefined : saving.done}>
      <TextField label={messages.title} value={title} onInput={changing(setTitle)} required maxLength={30} />
      <TextField label={messages.description} value={description} onInput={changing(setDescription)} maxLength={100} />
      <TextField label={messages.summary} value={summary} onInput={changing(setSummary)} rows={4} maxLength={2048} />
      <FileField label={messages.iconFile} accept="image/*" onBase64={changing(setIcon)} />
      <Choice
        label={messages.shownTo}
        value={visibility}
        onChange={changing(setVisibility)}
        options={[
          ["private", messages.shownPrivate],
          ["unlisted", messages.shownUnlisted],
          ["public", messages.shownPublic],
        ]}
      />
      <Choice
        label={messages.target}
        value={target}
        onChange={changing(setTarget)}
        options={listTargetOptions(messages)}
      />
      <Checks label={messages.asksFor} options={everyScope} chosen={scopes} onChange={changing(setScopes)} />
      <Checks
        label={messages.categories}
        options={everyCategory}
        chosen={categories}
        onChange={changing(setCategories)}
      />
      <TextField
        label={messages.parts}
        hint={messages.partsHint}
        wrong={isWrong ? messages.notJsonList : undefined}
        value={parts}
        onInput={changing(setParts)}
        rows={10}
      />
      <TextField
        label={messages.script}
        hint={messages.scriptHint}
        value={script}
        onInput={changing(setScript)}
        rows={10}
      />
      <TextField label={messages.policy} value={policy} onInput={changing(setPolicy)} rows={2} maxLength={4096} />
      <p>
        <small>{fillMessage(messages.version, { version: it.version })}</small>
      </p>
    </Form>
  );
}
