// Imports into a space, from a URL or from local files. The page shows the progress, and then the result with everything that
// was skipped.

import { useState } from "preact/hooks";
import type { ImportOutcome, ImportSource, Space } from "../../../generated/resources";
import { formatLocalizedNumber, formatMessage } from "../../../locales/format-message";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { useQuery } from "../api/queries";
import { Choice, TextField } from "../components/field";
import { FileField } from "../components/file-field";
import { Form } from "../components/form";
import { Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { SkippedList } from "../components/skipped";
import { WorkProgress } from "../components/work-progress";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { applyChanges } from "../space/content-place";
import { buildPageInsertion, detectTextKind, listImportSources } from "./sources";

export function ImportPage({ organization, space }: { readonly organization: string; readonly space: string }) {
  const messages = useMessages();
  const found = useQuery("getSpace", { params: { spaceId: space } });
  return (
    <Loaded of={found}>
      {(it) => (
        <div class="page">
          <PageHead
            title={messages.imports.importHead}
            above={[
              [messages.layout.library, addresses.organization(organization)],
              [it.title, addresses.space(organization, space)],
            ]}
          />
          {!it.permissions.edit ? (
            <p class="empty">{messages.imports.mayNotImport}</p>
          ) : it.editMode === "locked" ? (
            <p class="empty">{messages.space.lockedSpace}</p>
          ) : (
            <>
              <ImportFromUrl organization={organization} it={it} />
              <ImportFromFiles organization={organization} it={it} />
            </>
          )}
          {it.permissions.triggerGitSync && (
            <section>
              <h2>{messages.git.git}</h2>
              <p>{messages.imports.importGitWhy}</p>
              <p>
                <a href={addresses.ofSpace(organization, space, "git")}>{messages.imports.openGit}</a>
              </p>
            </section>
          )}
        </div>
      )}
    </Loaded>
  );
}

interface ImportDestination {
  readonly organization: string;
  readonly it: Space;
}

function ImportFromUrl({ organization, it }: ImportDestination) {
  const messages = useMessages();
  const sources = listImportSources(messages);
  const { values, fields } = useFields({ source: "website" as ImportSource, url: "" });
  const [outcome, setOutcome] = useState<ImportOutcome>();
  const report = useQuery("getImportReport", outcome && { params: { spaceId: it.id, revisionId: outcome.revision } });
  const number = (value: number) => formatLocalizedNumber(messages.inLanguage, value);
  const chosen = sources.find((one) => one.source === values.source)!;
  const run = useAction(async () => {
    setOutcome(undefined);
    setOutcome(
      await runMutation("importContent", { params: { spaceId: it.id }, body: { ...values, url: values.url.trim() } }),
    );
  });
  return (
    <section>
      <h2>{messages.imports.fromAddress}</h2>
      <Form action={run} submit={messages.imports.importNow}>
        <Choice
          label={messages.imports.importSource}
          {...fields.source}
          options={sources.map((one) => [one.source, one.label] as const)}
        />
        <TextField
          label={messages.imports.address}
          hint={chosen.hint}
          type="url"
          {...fields.url}
          placeholder={chosen.sample}
          required
        />
      </Form>
      {run.isBusy && <WorkProgress work="import" id={it.id} />}
      {outcome && (
        <div class="outcome" role="status">
          <p>
            <strong>
              {formatMessage(messages.imports.imported, {
                imported: number(outcome.importedResources),
                total: number(outcome.totalResources),
              })}
            </strong>{" "}
            <a href={addresses.space(organization, it.id)}>{messages.specifications.openSpace}</a>
          </p>
          <Loaded of={report}>
            {({ skipped, leftOut }) => (
              <>
                <SkippedList skipped={skipped} />
                {leftOut.length > 0 && (
                  <details class="left-out-list">
                    <summary>{messages.imports.aroundPages}</summary>
                    <ul>
                      {leftOut.map(({ part, pages, characters }) => (
                        <li key={part}>
                          <code>{part}</code>{" "}
                          {formatMessage(messages.imports.aroundPagesOne, {
                            pages: number(pages),
                            characters: number(characters),
                          })}
                        </li>
                      ))}
                    </ul>
                  </details>
                )}
              </>
            )}
          </Loaded>
        </div>
      )}
    </section>
  );
}

function ImportFromFiles({ organization, it }: ImportDestination) {
  const messages = useMessages();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [done, setDone] = useState(0);
  const taken = files.filter(({ name }) => detectTextKind(name) !== undefined);
  const skipped = files
    .filter(({ name }) => detectTextKind(name) === undefined)
    .map(({ name }) => ({ resource: name, reason: messages.imports.notTextFile }));
  const run = useAction(async () => {
    const place = { organization, space: it.id };
    setDone(0);
    for (const [at, file] of taken.entries()) {
      const text = await file.text();
      const { changes } = await applyChanges(place, [buildPageInsertion(file.name, text)]);
      const [made] = changes;
      if (detectTextKind(file.name) === "html" && made?.object === "created_page")
        await runMutation("importIntoPage", {
          params: { spaceId: it.id, pageId: made.page.id },
          body: { text, source: "html" },
        });
      setDone(at + 1);
    }
  });
  const isDone = taken.length > 0 && done === taken.length && !run.isBusy;
  return (
    <section>
      <h2>{messages.imports.fromFiles}</h2>
      <p>{messages.imports.fromFilesWhy}</p>
      <Form action={run} submit={messages.imports.importNow}>
        <FileField
          label={messages.imports.files}
          accept=".md,.markdown,.mdown,.txt,.html,.htm"
          isMany
          onChange={(chosen) => {
            setFiles(chosen);
            setDone(0);
            run.forget();
          }}
        />
      </Form>
      {(run.isBusy || done > 0) && (
        <div class="work" role="status">
          <progress max={taken.length} value={done} aria-label={messages.imports.importNow} />
          <small>{formatMessage(messages.jobs.doneOf, { done, total: taken.length })}</small>
          {isDone && <a href={addresses.space(organization, it.id)}>{messages.specifications.openSpace}</a>}
        </div>
      )}
      <SkippedList skipped={skipped} />
    </section>
  );
}
