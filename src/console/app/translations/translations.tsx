// The translations of an organization: spaces that follow another space in a different language.

import { useState } from "preact/hooks";
import type { Translation, TranslationLanguage } from "../../../generated/resources";
import { formatLocalizedNumber, formatMessage } from "../../../locales/format-message";
import { omitUndefined } from "../../../utils/objects";
import { useCompleteList } from "../api/complete-list";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { Dialog } from "../components/dialog";
import { Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { Icon } from "../components/icon";
import { ActionError, Loaded, LoadedRows } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { WorkProgress } from "../components/work-progress";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { fromDocument, type Instructions, type Term, toDocument } from "./instructions";

export function Translations({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const [isMaking, setMaking] = useState(false);
  const params = { organizationId: organization };
  const found = useQuery("getOrganization", { params });
  const list = useList("listTranslations", { params });
  return (
    <Loaded of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={messages.layout.translations}>
            {permissions.createContent && (
              <Button kind="first" onClick={() => setMaking(true)}>
                {messages.translations.newTranslation}
              </Button>
            )}
          </PageHead>
          <LoadedRows of={list} empty={messages.translations.noTranslations}>
            {(it) => <TranslationRow organization={organization} it={it} />}
          </LoadedRows>
          {isMaking && <NewTranslation organization={organization} onClose={() => setMaking(false)} />}
        </div>
      )}
    </Loaded>
  );
}

function TranslationRow({ organization, it }: { readonly organization: string; readonly it: Translation }) {
  const messages = useMessages();
  const params = { organizationId: organization, translationId: it.id };
  const source = useQuery("getSpace", { params: { spaceId: it.source.space } });
  const [isEditing, setEditing] = useState(false);
  const run = useAction(() => runMutation("runTranslationAgain", { params }));
  const states = {
    pending: [messages.translations.translationPending, "open"],
    running: [messages.translations.translationRunning, "open"],
    completed: [messages.translations.translationCompleted, "merged"],
    failed: [messages.translations.translationFailed, "failed"],
  } as const;
  const [label, tone] = states[it.status];
  const { stats, untranslated } = it;
  const hasUntranslated = untranslated !== undefined && untranslated.count > 0;
  const tree = useQuery(
    "listPages",
    hasUntranslated ? { params: { spaceId: it.result.space }, query: { metadata: "false" } } : undefined,
  );
  const titles = new Map(tree.state === "loaded" ? [...listTitledNodes(tree.value.pages)] : []);
  const isUnderWay = it.status === "pending" || it.status === "running";
  const number = (value: number) => formatLocalizedNumber(messages.inLanguage, value);
  return (
    <div class="translation">
      <span>
        <strong>
          <bdi>{source.state === "loaded" ? source.value.title : "…"}</bdi> →{" "}
          {getLanguageName(it.language, messages.inLanguage)}
        </strong>{" "}
        <span class={`status ${tone}`}>{label}</span>
        <br />
        <small>
          <a href={addresses.space(organization, it.source.space)}>{messages.translations.sourceSpace}</a> ·{" "}
          <a href={addresses.space(organization, it.result.space)}>{messages.translations.translatedSpace}</a> ·{" "}
          {formatMessage(messages.translations.translationStats, {
            pages: number(stats.totalPages),
            words: number(stats.totalWords),
          })}{" "}
          · <RelativeTime at={it.updatedAt} sentence={messages.library.changed} />
        </small>
      </span>
      {it.permissions.edit && (
        <span class="buttons">
          <Button isBusy={run.isBusy} disabled={isUnderWay} onClick={() => void run.run()}>
            {messages.translations.translateAgain}
          </Button>
          <Button onClick={() => setEditing(true)}>{messages.translations.instructions}</Button>
          <Confirm
            label={messages.translations.endTranslation}
            question={messages.translations.endTranslationWhy}
            act={() => runMutation("deleteTranslation", { params })}
          />
        </span>
      )}
      {isUnderWay && <WorkProgress work="translation" id={it.id} known={it.progress} />}
      {it.error !== undefined && (
        <div class="problem" role="alert">
          <p>{it.error}</p>
          {isUnderWay && <p>{messages.translations.triedAgain}</p>}
        </div>
      )}
      {/* The untranslated sentences, by page. */}
      {hasUntranslated && (
        <details class="left-out-list">
          <summary>{formatMessage(messages.translations.untranslated, { count: number(untranslated.count) })}</summary>
          <ul>
            {untranslated.pages.map(({ page, count }) => {
              const known = titles.get(page);
              return (
                <li key={page}>
                  {known ? (
                    <a href={addresses.page(organization, it.result.space, undefined, known.path)}>{known.title}</a>
                  ) : (
                    messages.changeRequests.reusableContent
                  )}{" "}
                  ({number(count)})
                </li>
              );
            })}
          </ul>
        </details>
      )}
      <ActionError error={run.error} />
      {isEditing && <EditInstructions it={it} params={params} onClose={() => setEditing(false)} />}
    </div>
  );
}

interface LibraryNode {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly pages: readonly LibraryNode[];
}

function* listTitledNodes(pages: readonly LibraryNode[]): Generator<readonly [string, LibraryNode]> {
  for (const page of pages) {
    yield [page.id, page];
    yield* listTitledNodes(page.pages);
  }
}

function NewTranslation({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const spaces = useCompleteList("listSpaces", { params });
  const { values, fields } = useFields(() => ({
    space: "",
    from: "" as TranslationLanguage | "",
    language: "" as TranslationLanguage | "",
    instructions: fromDocument(undefined),
  }));
  const make = useAction(async () => {
    const { space, from, language, instructions } = values;
    if (language === "") return;
    const document = toDocument(instructions);
    await runMutation("createTranslation", {
      params,
      body: {
        language,
        source: { space, ...omitUndefined({ language: from === "" ? undefined : from }) },
        ...omitUndefined({ instructions: document ? (document as never) : undefined }),
      },
    });
    onClose();
  });
  const languages = (Object.keys(translationLanguages) as TranslationLanguage[])
    .map((it) => [it, getLanguageName(it, messages.inLanguage)] as const)
    .sort(([, a], [, b]) => a.localeCompare(b, messages.inLanguage));
  return (
    <Dialog title={messages.translations.newTranslation} onClose={onClose}>
      <Form action={make} submit={messages.translations.translate} onCancel={onClose}>
        <Choice
          label={messages.translations.sourceSpace}
          {...fields.space}
          required
          options={[["", "—"], ...spaces.map((it) => [it.id, it.title] as const)]}
        />
        <Choice
          label={messages.translations.translateInto}
          {...fields.language}
          required
          options={[["", "—"], ...languages]}
        />
        <Choice
          label={messages.translations.translateFrom}
          {...fields.from}
          options={[["", messages.translations.findOut], ...languages]}
        />
        <InstructionsFields {...fields.instructions} />
      </Form>
    </Dialog>
  );
}

function EditInstructions({
  it,
  params,
  onClose,
}: {
  readonly it: Translation;
  readonly params: { readonly organizationId: string; readonly translationId: string };
  readonly onClose: () => void;
}) {
  const messages = useMessages();
  const [instructions, setInstructions] = useState(fromDocument(it.instructions));
  const save = useAction(async () => {
    const document = toDocument(instructions) ?? { object: "document", nodes: [] };
    await runMutation("updateTranslation", { params, body: { instructions: document as never } });
    onClose();
  });
  return (
    <Dialog title={messages.translations.instructions} onClose={onClose}>
      <Form action={save} submit={messages.general.save} onCancel={onClose}>
        <p>{messages.translations.instructionsWhy}</p>
        <InstructionsFields value={instructions} onChange={setInstructions} />
      </Form>
    </Dialog>
  );
}

/** The fields for the instructions of a translator: a text and a glossary. */
function InstructionsFields({
  value,
  onChange,
}: {
  readonly value: Instructions;
  readonly onChange: (value: Instructions) => void;
}) {
  const messages = useMessages();
  const { text, glossary } = value;
  const set = (next: readonly Term[]) => onChange({ ...value, glossary: next });
  const change = (at: number, changed: Partial<Term>) =>
    set(glossary.map((it, i) => (i === at ? { ...it, ...changed } : it)));
  return (
    <>
      <TextField
        label={messages.translations.instructions}
        hint={messages.translations.instructionsHint}
        value={text}
        onChange={(next) => onChange({ ...value, text: next })}
        rows={3}
      />
      <fieldset class="items">
        <legend>{messages.translations.glossary}</legend>
        {glossary.map(({ term, translation }, at) => (
          // Rows have no ids and change while the user types, so their index is the key.
          <div key={at} class="term">
            <TextField
              label={messages.translations.term}
              value={term}
              onChange={(next) => change(at, { term: next })}
            />
            <TextField
              label={messages.translations.termTranslation}
              value={translation}
              onChange={(next) => change(at, { translation: next })}
            />
            <Button
              kind="quiet"
              label={formatMessage(messages.appearance.removeNamed, { title: term })}
              onClick={() => set(glossary.filter((_, i) => i !== at))}
            >
              <Icon name="close" />
            </Button>
          </div>
        ))}
        <Button onClick={() => set([...glossary, { term: "", translation: "" }])}>
          <Icon name="plus" />
          {messages.translations.addTerm}
        </Button>
      </fieldset>
    </>
  );
}

/** The languages that a space can be translated into. */
const translationLanguages: Readonly<Record<TranslationLanguage, true>> = {
  ...{ ar: true, bg: true, cs: true, da: true, de: true, el: true, en: true, es: true, et: true, fi: true },
  ...{ fr: true, he: true, hi: true, hr: true, hu: true, id: true, it: true, ja: true, ko: true, lt: true },
  ...{ lv: true, ms: true, nl: true, no: true, pl: true, pt: true, "pt-br": true, ro: true, ru: true, sk: true },
  ...{ sl: true, sv: true, th: true, tr: true, uk: true, vi: true, yue: true, zh: true },
};

/** Returns the name of a language in another language. */
function getLanguageName(language: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames([inLanguage], { type: "language" }).of(language) ?? language;
  } catch {
    return language;
  }
}
