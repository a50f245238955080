// How an integration is made: its description, its script, its secrets, and the development mode.

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
import { useSaving } from "../calls/saving";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Checks } from "../parts/checks";
import { Confirm } from "../parts/confirm";
import { Copyable } from "../parts/copy";
import { Check, Choice, TextField } from "../parts/field";
import { FileField } from "../parts/file-field";
import { Form } from "../parts/form";
import { Problem } from "../parts/shown";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";
import { objectIn } from "./configuration";
import { InDefinition } from "./in-definition";
import { everyCategory, everyScope, shownOptions, targetOptions } from "./lists";

export function EditDefinition({ integration }: { readonly integration: string }) {
  return (
    <InDefinition integration={integration} isForPublishers>
      {(it) => (
        <>
          <Fields key={it.name} it={it} />
          <Secrets it={it} />
          <Development it={it} />
          <End it={it} />
        </>
      )}
    </InDefinition>
  );
}

/** The parts that are written as JSON. */
const partNames = ["blocks", "contentSources", "externalLinks", "configurations"] as const;

function partsText(it: Integration): string {
  return JSON.stringify(Object.fromEntries(partNames.map((name) => [name, it[name] ?? {}])), null, 2);
}

function Fields({ it }: { readonly it: Integration }) {
  const words = useWords();
  const [title, setTitle] = useState(it.title);
  const [description, setDescription] = useState(it.description ?? "");
  const [summary, setSummary] = useState(it.summary ?? "");
  const [visibility, setVisibility] = useState<IntegrationVisibility>(it.visibility);
  const [target, setTarget] = useState<IntegrationTarget>(it.target);
  const [scopes, setScopes] = useState<readonly IntegrationScope[]>(it.scopes);
  const [categories, setCategories] = useState<readonly IntegrationCategory[]>(it.categories);
  const [parts, setParts] = useState(() => partsText(it));
  const [script, setScript] = useState("");
  const [icon, setIcon] = useState<string>();
  const before = typeof it.contentSecurityPolicy === "string" ? it.contentSecurityPolicy : "";
  const [policy, setPolicy] = useState(before);
  const [isWrong, setWrong] = useState(false);
  const saving = useSaving(async () => {
    const given = objectIn(parts);
    const isGood = given !== undefined && Object.keys(given).every((name) => partNames.some((it) => it === name));
    setWrong(!isGood);
    if (!isGood) return;
    await write("publishIntegration", {
      params: { integrationName: it.name },
      body: {
        ...(given as object),
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
    <Form action={saving} submit={words.publishVersion} done={isWrong ? undefined : saving.done}>
      <TextField label={words.title} value={title} onInput={changing(setTitle)} required maxLength={30} />
      <TextField label={words.description} value={description} onInput={changing(setDescription)} maxLength={100} />
      <TextField label={words.summary} value={summary} onInput={changing(setSummary)} rows={4} maxLength={2048} />
      <FileField label={words.iconFile} accept="image/*" onBase64={changing(setIcon)} />
      <Choice
        label={words.shownTo}
        value={visibility}
        onChange={changing(setVisibility)}
        options={shownOptions(words)}
      />
      <Choice label={words.target} value={target} onChange={changing(setTarget)} options={targetOptions(words)} />
      <Checks label={words.asksFor} options={everyScope} chosen={scopes} onChange={changing(setScopes)} />
      <Checks label={words.categories} options={everyCategory} chosen={categories} onChange={changing(setCategories)} />
      <TextField
        label={words.parts}
        hint={words.partsHint}
        wrong={isWrong ? words.notJsonList : undefined}
        value={parts}
        onInput={changing(setParts)}
        rows={10}
      />
      <TextField label={words.script} hint={words.scriptHint} value={script} onInput={changing(setScript)} rows={10} />
      <TextField label={words.policy} value={policy} onInput={changing(setPolicy)} rows={2} maxLength={4096} />
      <p>
        <small>{filled(words.version, { version: it.version })}</small>
      </p>
    </Form>
  );
}

function Secrets({ it }: { readonly it: Integration }) {
  const words = useWords();
  const [secrets, setSecrets] = useState<readonly (readonly [name: string, value: string])[]>([["", ""]]);
  const saving = useSaving(async () => {
    await write("publishIntegration", {
      params: { integrationName: it.name },
      body: { secrets: Object.fromEntries(secrets.filter(([name]) => name !== "")) },
    });
    setSecrets([["", ""]]);
  });
  const change = (at: number, pair: readonly [string, string]) =>
    saving.changing(setSecrets)(secrets.map((one, i) => (i === at ? pair : one)));
  return (
    <section>
      <h2>{words.secrets}</h2>
      <p>{words.secretsWhy}</p>
      <Form action={saving} submit={words.setSecrets} done={saving.done}>
        {secrets.map(([name, value], at) => (
          <div class="filters" key={at}>
            <TextField
              label={words.secretName}
              value={name}
              onInput={(it) => change(at, [it, value])}
              maxLength={100}
            />
            <TextField label={words.secretValue} value={value} onInput={(it) => change(at, [name, it])} />
          </div>
        ))}
        <p>
          <Button onClick={() => setSecrets([...secrets, ["", ""]])}>{words.addSecret}</Button>
        </p>
      </Form>
    </section>
  );
}

function Development({ it }: { readonly it: Integration }) {
  const words = useWords();
  const params = { integrationName: it.name };
  const [tunnelUrl, setTunnel] = useState("");
  const [all, setAll] = useState(false);
  const start = useSaving(() => write("startDevelopment", { params, body: { tunnelUrl, all } }));
  const stop = useAction(() => write("stopDevelopment", { params }));
  return (
    <section>
      <h2>{words.development}</h2>
      <p>{words.developmentWhy}</p>
      <Form action={start} submit={words.startDevelopment} done={start.done}>
        <TextField
          label={words.tunnel}
          type="url"
          value={tunnelUrl}
          onInput={start.changing(setTunnel)}
          required
          maxLength={256}
        />
        <Check label={words.tunnelAll} checked={all} onChange={start.changing(setAll)} />
      </Form>
      <Problem error={stop.error} />
      <p>
        <Button isBusy={stop.isBusy} onClick={() => void stop.run()}>
          {words.stopDevelopment}
        </Button>
      </p>
    </section>
  );
}

function End({ it }: { readonly it: Integration }) {
  const words = useWords();
  const { route } = useLocation();
  return (
    <section>
      <Copyable>{[[words.publicAddress, it.urls.publicEndpoint]]}</Copyable>
      <Confirm
        label={words.unpublishIntegration}
        question={filled(words.unpublishIntegrationWhy, { title: it.title })}
        act={async () => {
          await write("unpublishIntegration", { params: { integrationName: it.name } });
          route(addresses.part(it.owner.id, "integrations"));
        }}
      />
    </section>
  );
}
