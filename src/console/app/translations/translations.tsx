// The translations of an organization: spaces that follow another one in another language.

import { useState } from "preact/hooks";
import type { Translation, TranslationLanguage } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { Dialog } from "../parts/dialog";
import { Choice } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Problem, Shown, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { WorkProgress } from "../parts/work-progress";
import { addresses } from "../routes";
import { filled, numberIn, useWords, type Words } from "../words/words";
import { fromDocument, toDocument } from "./instructions";
import { InstructionsFields } from "./instructions-fields";
import { languageName, languageOptions } from "./languages";

export function Translations({ organization }: { readonly organization: string }) {
  const words = useWords();
  const [isMaking, setMaking] = useState(false);
  const params = { organizationId: organization };
  const found = useRead("getOrganization", { params });
  const list = useList("listTranslations", { params });
  return (
    <Shown of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={words.translations}>
            {permissions.createContent && (
              <Button kind="first" onClick={() => setMaking(true)}>
                {words.newTranslation}
              </Button>
            )}
          </PageHead>
          <ShownList of={list} empty={<p>{words.noTranslations}</p>}>
            {(all) => (
              <ul class="rows">
                {all.map((it) => (
                  <li key={it.id}>
                    <OneTranslation organization={organization} it={it} />
                  </li>
                ))}
              </ul>
            )}
          </ShownList>
          {isMaking && <NewTranslation organization={organization} onClose={() => setMaking(false)} />}
        </div>
      )}
    </Shown>
  );
}

const isUnderWay = ({ status }: Translation) => status === "pending" || status === "running";

/** In which state a translation is. */
export function stateOf(words: Words, { status }: Translation): readonly [label: string, tone: string] {
  const states = {
    pending: [words.translationPending, "open"],
    running: [words.translationRunning, "open"],
    completed: [words.translationCompleted, "merged"],
    failed: [words.translationFailed, "failed"],
  } as const;
  return states[status];
}

function OneTranslation({ organization, it }: { readonly organization: string; readonly it: Translation }) {
  const words = useWords();
  const params = { organizationId: organization, translationId: it.id };
  const source = useRead("getSpace", { params: { spaceId: it.source.space } });
  const [isEditing, setEditing] = useState(false);
  const run = useAction(() => write("runTranslationAgain", { params }));
  const [label, tone] = stateOf(words, it);
  const { stats, untranslated } = it;
  const number = (value: number) => numberIn(words.inLanguage, value);
  return (
    <div class="translation">
      <span>
        <strong>
          <bdi>{source.state === "had" ? source.value.title : "…"}</bdi> → {languageName(it.language, words.inLanguage)}
        </strong>{" "}
        <span class={`status ${tone}`}>{label}</span>
        <br />
        <small>
          <a href={addresses.space(organization, it.source.space)}>{words.sourceSpace}</a> ·{" "}
          <a href={addresses.space(organization, it.result.space)}>{words.translatedSpace}</a> ·{" "}
          {filled(words.translationStats, { pages: number(stats.totalPages), words: number(stats.totalWords) })} ·{" "}
          <When at={it.updatedAt} />
        </small>
      </span>
      {it.permissions.edit && (
        <span class="buttons">
          <Button isBusy={run.isBusy} disabled={isUnderWay(it)} onClick={() => void run.run()}>
            {words.translateAgain}
          </Button>
          <Button onClick={() => setEditing(true)}>{words.instructions}</Button>
          <Confirm
            label={words.endTranslation}
            question={words.endTranslationWhy}
            act={() => write("deleteTranslation", { params })}
          />
        </span>
      )}
      {isUnderWay(it) && <WorkProgress work="translation" id={it.id} known={it.progress} />}
      {it.error !== undefined && (
        <div class="problem" role="alert">
          <p>{it.error}</p>
          {isUnderWay(it) && <p>{words.triedAgain}</p>}
        </div>
      )}
      {untranslated && untranslated.count > 0 && <Untranslated organization={organization} it={it} />}
      <Problem error={run.error} />
      {isEditing && <EditInstructions it={it} params={params} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** Sentences that kept the words of their source, by page. */
function Untranslated({ organization, it }: { readonly organization: string; readonly it: Translation }) {
  const words = useWords();
  const { count, pages } = it.untranslated!;
  const tree = useRead("listPages", { params: { spaceId: it.result.space }, query: { metadata: "false" } });
  const titles = new Map(tree.state === "had" ? [...named(tree.value.pages)] : []);
  return (
    <details class="left-out-list">
      <summary>{filled(words.untranslated, { count: numberIn(words.inLanguage, count) })}</summary>
      <ul>
        {pages.map(({ page, count: some }) => {
          const known = titles.get(page);
          return (
            <li key={page}>
              {known ? (
                <a href={addresses.page(organization, it.result.space, undefined, known.path)}>{known.title}</a>
              ) : (
                words.reusableContent
              )}{" "}
              ({numberIn(words.inLanguage, some)})
            </li>
          );
        })}
      </ul>
    </details>
  );
}

interface InTree {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly pages: readonly InTree[];
}

function* named(pages: readonly InTree[]): Generator<readonly [string, InTree]> {
  for (const page of pages) {
    yield [page.id, page];
    yield* named(page.pages);
  }
}

function NewTranslation({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const words = useWords();
  const params = { organizationId: organization };
  const { reading } = useList("listSpaces", { params });
  const [space, setSpace] = useState("");
  const [from, setFrom] = useState<TranslationLanguage | "">("");
  const [language, setLanguage] = useState<TranslationLanguage | "">("");
  const [instructions, setInstructions] = useState(fromDocument(undefined));
  const make = useAction(async () => {
    if (language === "") return;
    const document = toDocument(instructions);
    await write("createTranslation", {
      params,
      body: {
        language,
        source: { space, ...omitUndefined({ language: from === "" ? undefined : from }) },
        ...omitUndefined({ instructions: document ? (document as never) : undefined }),
      },
    });
    onClose();
  });
  const spaces = reading.state === "had" ? reading.value : [];
  const languages = languageOptions(words.inLanguage);
  return (
    <Dialog title={words.newTranslation} onClose={onClose}>
      <Form action={make} submit={words.translate} onCancel={onClose}>
        <Choice
          label={words.sourceSpace}
          value={space}
          onChange={setSpace}
          required
          options={[["", "—"], ...spaces.map((it) => [it.id, it.title] as const)]}
        />
        <Choice
          label={words.translateInto}
          value={language}
          onChange={setLanguage}
          required
          options={[["", "—"], ...languages]}
        />
        <Choice
          label={words.translateFrom}
          value={from}
          onChange={setFrom}
          options={[["", words.findOut], ...languages]}
        />
        <InstructionsFields value={instructions} onChange={setInstructions} />
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
  const words = useWords();
  const [instructions, setInstructions] = useState(fromDocument(it.instructions));
  const save = useAction(async () => {
    const document = toDocument(instructions) ?? { object: "document", nodes: [] };
    await write("updateTranslation", { params, body: { instructions: document as never } });
    onClose();
  });
  return (
    <Dialog title={words.instructions} onClose={onClose}>
      <Form action={save} submit={words.save} onCancel={onClose}>
        <p>{words.instructionsWhy}</p>
        <InstructionsFields value={instructions} onChange={setInstructions} />
      </Form>
    </Dialog>
  );
}
