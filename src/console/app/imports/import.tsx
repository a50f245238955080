// Imports into a space: from an address, or from files of this device. How far an import is moves while one watches; then it is
// told what came of it, and what was left out.

import { useId, useState } from "preact/hooks";
import type { ImportOutcome, ImportSource, Space } from "../../../generated/resources";
import { useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Shown } from "../parts/shown";
import { SkippedList } from "../parts/skipped";
import { WorkProgress } from "../parts/work-progress";
import { addresses } from "../routes";
import { change } from "../space/place";
import { filled, numberIn, useWords } from "../words/words";
import { kindOfFile, pageOfFile, sourcesOf } from "./sources";

export function ImportPage({ organization, space }: { readonly organization: string; readonly space: string }) {
  const words = useWords();
  const found = useRead("getSpace", { params: { spaceId: space } });
  return (
    <Shown of={found}>
      {(it) => (
        <div class="page">
          <PageHead
            title={words.importHead}
            above={[
              [words.library, addresses.organization(organization)],
              [it.title, addresses.space(organization, space)],
            ]}
          />
          {!it.permissions.edit ? (
            <p class="empty">{words.mayNotImport}</p>
          ) : it.editMode === "locked" ? (
            <p class="empty">{words.lockedSpace}</p>
          ) : (
            <>
              <FromAddress organization={organization} it={it} />
              <FromFiles organization={organization} it={it} />
            </>
          )}
          {it.permissions.triggerGitSync && (
            <section>
              <h2>{words.git}</h2>
              <p>
                {words.importGitWhy} <a href={addresses.ofSpace(organization, space, "git")}>{words.openGit}</a>
              </p>
            </section>
          )}
        </div>
      )}
    </Shown>
  );
}

interface Into {
  readonly organization: string;
  readonly it: Space;
}

function FromAddress({ organization, it }: Into) {
  const words = useWords();
  const sources = sourcesOf(words);
  const [source, setSource] = useState<ImportSource>("website");
  const [url, setUrl] = useState("");
  const [outcome, setOutcome] = useState<ImportOutcome>();
  const chosen = sources.find((one) => one.source === source)!;
  const run = useAction(async () => {
    setOutcome(undefined);
    setOutcome(await write("importContent", { params: { spaceId: it.id }, body: { url: url.trim(), source } }));
  });
  return (
    <section>
      <h2>{words.fromAddress}</h2>
      <Form action={run} submit={words.importNow}>
        <Choice
          label={words.importSource}
          value={source}
          onChange={setSource}
          options={sources.map((one) => [one.source, one.label] as const)}
        />
        <TextField
          label={words.address}
          hint={chosen.hint}
          type="url"
          value={url}
          onInput={setUrl}
          placeholder={chosen.sample}
          required
        />
      </Form>
      {run.isBusy && <WorkProgress work="import" id={it.id} />}
      {outcome && <Outcome organization={organization} it={it} outcome={outcome} />}
    </section>
  );
}

function Outcome({ organization, it, outcome }: Into & { readonly outcome: ImportOutcome }) {
  const words = useWords();
  const report = useRead("getImportReport", { params: { spaceId: it.id, revisionId: outcome.revision } });
  const number = (value: number) => numberIn(words.inLanguage, value);
  return (
    <div class="outcome" role="status">
      <p>
        <strong>
          {filled(words.imported, {
            imported: number(outcome.importedResources),
            total: number(outcome.totalResources),
          })}
        </strong>{" "}
        <a href={addresses.space(organization, it.id)}>{words.openSpace}</a>
      </p>
      <Shown of={report}>
        {({ skipped, leftOut }) => (
          <>
            <SkippedList skipped={skipped} />
            {leftOut.length > 0 && (
              <details class="left-out-list">
                <summary>{words.aroundPages}</summary>
                <ul>
                  {leftOut.map(({ part, pages, characters }) => (
                    <li key={part}>
                      <code>{part}</code>{" "}
                      {filled(words.aroundPagesOne, { pages: number(pages), characters: number(characters) })}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </Shown>
    </div>
  );
}

function FromFiles({ organization, it }: Into) {
  const words = useWords();
  const id = useId();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [done, setDone] = useState(0);
  const taken = files.filter(({ name }) => kindOfFile(name) !== undefined);
  const skipped = files
    .filter(({ name }) => kindOfFile(name) === undefined)
    .map(({ name }) => ({ resource: name, reason: words.notTextFile }));
  const run = useAction(async () => {
    const place = { organization, space: it.id };
    setDone(0);
    for (const [at, file] of taken.entries()) {
      const text = await file.text();
      const { changes } = await change(place, [pageOfFile(file.name, text)]);
      const [made] = changes;
      if (kindOfFile(file.name) === "html" && made?.object === "created_page")
        await write("importIntoPage", {
          params: { spaceId: it.id, pageId: made.page.id },
          body: { text, source: "html" },
        });
      setDone(at + 1);
    }
  });
  const isDone = taken.length > 0 && done === taken.length && !run.isBusy;
  return (
    <section>
      <h2>{words.fromFiles}</h2>
      <p>{words.fromFilesWhy}</p>
      <Form action={run} submit={words.importNow}>
        <div class="field">
          <label for={id}>{words.files}</label>
          <input
            id={id}
            type="file"
            multiple
            required
            accept=".md,.markdown,.mdown,.txt,.html,.htm"
            onChange={(event) => {
              setFiles([...(event.currentTarget.files ?? [])]);
              setDone(0);
              run.forget();
            }}
          />
        </div>
      </Form>
      {(run.isBusy || done > 0) && (
        <div class="work" role="status">
          <progress max={taken.length} value={done} aria-label={words.importNow} />
          <small>{filled(words.doneOf, { done, total: taken.length })}</small>
          {isDone && <a href={addresses.space(organization, it.id)}>{words.openSpace}</a>}
        </div>
      )}
      <SkippedList skipped={skipped} />
    </section>
  );
}
